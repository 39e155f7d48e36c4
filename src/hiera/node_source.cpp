// SPDX-License-Identifier: Apache-2.0
// Lists of nodes: a folder with a file a node, or a text with an item a node.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hiera/glob.hpp"
#include "puppet/facts.hpp"
#include "strata/fleet.hpp"
#include "strata/found_file.hpp"
#include "strata/text.hpp"

namespace strata::hiera {
namespace {

class Folder final : public NodeSource {
 public:
  Folder(const FileTree& tree, const std::string& folder, const Limits& limits)
      : tree_(tree), folder_(folder), limits_(limits) {
    std::string pattern;
    if (tree.kind(folder) != FileKind::folder && is_node_pattern(folder)) {
      const std::size_t slash = folder.rfind('/');
      pattern = folder.substr(slash + 1);
      folder_ = slash == std::string::npos ? "." : slash == 0 ? "/" : folder.substr(0, slash);
    }
    if (tree.kind(folder_) != FileKind::folder)
      throw Error("fleet.folder", "there is no such folder of facts files").in(folder);
    files_ = names_by_stem(tree, folder_, kEndings);
    if (!pattern.empty())
      std::erase_if(files_, [&pattern](const std::string& name) { return !name_matches(pattern, name); });
    const auto twice = find_same_stem(files_, kEndings);
    if (!twice) return;
    throw Error("fleet.duplicate-node", fmt::format("two files hold the facts of the node '{}': {} and {}", twice->stem,
                                                    twice->first, twice->second))
        .in(folder)
        .hint("remove one of them");
  }

  std::optional<FleetNode> next() override {
    if (at_ == files_.size()) return std::nullopt;
    const std::string& file = files_[at_++];
    const std::string name(stem_of(file, kEndings));
    return FleetNode{.name = name, .facts = [this, file, name](Sources& sources) { return read(sources, file, name); }};
  }

  [[nodiscard]] std::optional<std::size_t> size() const override { return files_.size(); }

 private:
  static constexpr std::array<std::string_view, 3> kEndings{".yaml", ".yml", ".json"};

  [[nodiscard]] Facts read(Sources& sources, const std::string& file, const std::string& name) const {
    try {
      const std::string path = path_in(folder_, file);
      auto bytes = found_kind(tree_, path) == FileKind::none ? std::nullopt : tree_.read(path);
      if (!bytes) throw Error("fleet.folder", "the facts file is gone").in(path);
      Facts facts = read_facts(sources, sources.add(path, std::move(*bytes)), file, limits_);
      facts.node = name;
      return facts;
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      // One bad file is one node's trouble.
      throw LookupError(error);
    }
  }

  const FileTree& tree_;
  std::string folder_;
  const Limits& limits_;
  std::vector<std::string> files_;
  std::size_t at_ = 0;
};

/// What a node of a list is called; empty where it does not say so.
const Value* name_in_item(const Value& item) {
  const Value* name = item.is_mapping() ? item.find("certname") : nullptr;
  return name == nullptr && item.is_mapping() ? item.find("name") : name;
}
std::string name_of_item(const Value& item) {
  const Value* name = name_in_item(item);
  return name != nullptr && name->is_text() ? std::string(name->text()) : std::string();
}

/// Runs what reads a node that is called `name`: what is wrong with it is that node's trouble, and not the run's.
template <class Read>
Facts as_trouble_of(const std::string& name, const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    // Of a node without a name nobody could be told.
    if (error.ends_request() || name.empty()) throw;
    LookupError told(error);
    told.set_name(name);
    throw LookupError(told);
  }
}

/// The facts of a node of a list.
Facts checked(const Sources& sources, const puppet::NodeFacts& node) {
  check_facts(sources, node.values);
  return {.node = node.name, .values = node.values, .arena = node.arena, .variables = {}, .trusted = node.trusted};
}

/// The facts of an item of a list. Its document keeps it alive.
Facts facts_of(const Sources& sources, const Value& item, const std::shared_ptr<Arena>& arena) {
  return as_trouble_of(name_of_item(item), [&] { return checked(sources, puppet::node_of(sources, item, arena)); });
}

/// Nodes that were read whole.
class NodeList final : public NodeSource {
 public:
  NodeList(const Sources& sources, std::vector<puppet::NodeFacts> nodes)
      : sources_(sources), nodes_(std::move(nodes)) {}

  std::optional<FleetNode> next() override {
    if (at_ == nodes_.size()) return std::nullopt;
    const puppet::NodeFacts& node = nodes_[at_++];
    return FleetNode{.name = node.name, .facts = [this, &node](Sources&) {
                       return as_trouble_of(node.name, [&] { return checked(sources_, node); });
                     }};
  }

  [[nodiscard]] std::optional<std::size_t> size() const override { return nodes_.size(); }

 private:
  const Sources& sources_;
  std::vector<puppet::NodeFacts> nodes_;
  std::size_t at_ = 0;
};

/// The items of a JSON array, one at a time.
class JsonList final : public NodeSource {
 public:
  JsonList(std::string begin, ReadMore read, std::string file, const Limits& limits)
      : bytes_(std::move(begin)), read_(std::move(read)), file_(std::move(file)), limits_(limits) {
    skip_blanks();
    take();  // The bracket that somebody saw.
    skip_blanks();
    ended_ = peek() == ']';
  }

  std::optional<FleetNode> next() override {
    if (ended_) {
      finish();
      return std::nullopt;
    }
    skip_blanks();
    Item item{.text = {}, .line = line_, .column = column_};
    item.text = item_text();
    if (peek() == '\0') fail("the list ends within an item");
    ended_ = peek() == ']';
    if (!ended_) take();
    const auto where = [this, line = item.line, column = item.column] {
      Excerpt out = excerpt_of_file(file_);
      out.place.line = static_cast<std::uint32_t>(line + 1);
      out.place.column = static_cast<std::uint32_t>(column + 1);
      return out;
    };
    return FleetNode{.name = {},
                     .facts = [this, item = std::move(item)](Sources& sources) { return facts(sources, item); },
                     .where = where};
  }

 private:
  struct Item {
    std::string text;
    std::size_t line;
    std::size_t column;
  };

  [[nodiscard]] Facts facts(Sources& sources, const Item& item) const {
    try {
      return parse(sources, item.text);
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      // Once more, where it stands in its list, so that the message names the place.
      return parse(sources, std::string(item.line, '\n') + std::string(item.column, ' ') + item.text);
    }
  }
  [[nodiscard]] Facts parse(Sources& sources, std::string text) const {
    text::Document document =
        text::read_json(sources, sources.add(file_, std::move(text)), limits_, 0, text::kRubyJson);
    return facts_of(sources, document.root, document.arena);
  }

  /// The bytes up to the comma or bracket that ends an item.
  std::string item_text() {
    std::string out;
    std::size_t depth = 0;
    bool in_text = false;
    for (char c = peek(); c != '\0' || at_ < bytes_.size(); c = peek()) {
      if (in_text) {
        if (c == '\\') {
          out += take();
          if (peek() == '\0' && at_ >= bytes_.size()) break;
        } else if (c == '"') {
          in_text = false;
        }
      } else if (c == '"') {
        in_text = true;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if (depth == 0 && (c == ',' || c == ']')) {
        break;
      } else if (c == '}' || c == ']') {
        depth -= depth == 0 ? 0 : 1;
      }
      out += take();
      if (out.size() > limits_.input) {
        throw Error("limit.input", fmt::format("a node of the list has more than {} bytes", limits_.input))
            .in(file_)
            .hint("raise the limit with --limit input=BYTES");
      }
    }
    return out;
  }

  void finish() {
    if (finished_) return;
    finished_ = true;
    take();
    skip_blanks();
    if (at_ < bytes_.size()) fail("unexpected text after the list");
  }

  [[noreturn]] void fail(std::string message) const {
    throw Error("fleet.list", fmt::format("{} (line {})", message, line_ + 1))
        .in(file_)
        .hint("a list of nodes is [{\"name\": NAME, \"facts\": {…}}, …]");
  }

  /// The next byte, which stays; NUL at the end.
  char peek() {
    while (at_ == bytes_.size() && !drained_) {
      bytes_ = read_();
      at_ = 0;
      drained_ = bytes_.empty();
    }
    return at_ < bytes_.size() ? bytes_[at_] : '\0';
  }
  char take() {
    const char c = peek();
    if (at_ < bytes_.size()) ++at_;
    if (c == '\n') {
      ++line_;
      column_ = 0;
    } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      ++column_;
    }
    return c;
  }
  void skip_blanks() {
    for (char c = peek(); c == ' ' || c == '\n' || c == '\r' || c == '\t'; c = peek()) take();
  }

  std::string bytes_;
  std::size_t at_ = 0;
  bool drained_ = false;
  ReadMore read_;
  std::string file_;
  const Limits& limits_;
  std::size_t line_ = 0;  ///< From 0, as `column_`.
  std::size_t column_ = 0;
  bool ended_ = false;
  bool finished_ = false;
};

/// A list that was read whole, with an item a node.
class YamlList final : public NodeSource {
 public:
  YamlList(const Sources& sources, text::Document document) : sources_(sources), document_(std::move(document)) {}

  std::optional<FleetNode> next() override {
    if (at_ == document_.root.size()) return std::nullopt;
    const Value& item = document_.root.items()[at_++];
    // Arenas are not for several threads at once: what a node adds goes to one of its own.
    return FleetNode{.name = {},
                     .facts = [this, &item](Sources&) { return facts_of(sources_, item, std::make_shared<Arena>()); },
                     .where =
                         [this, &item] {
                           const Value* name = name_in_item(item);
                           return excerpt_at(sources_, (name == nullptr ? item : *name).origin());
                         }};
  }

  [[nodiscard]] std::optional<std::size_t> size() const override { return document_.root.size(); }

 private:
  const Sources& sources_;
  text::Document document_;
  std::size_t at_ = 0;
};

/// A list whose whole text is there.
std::unique_ptr<NodeSource> whole_list(Sources& sources, SourceId source, text::Document document) {
  if (!document.root.is_sequence()) {
    const std::string_view kind = document.root ? describe(document.root.kind()) : "nothing";
    throw Error("fleet.list", fmt::format("the nodes must be a list, not {}", kind))
        .at(sources, sources.at(source, 0))
        .hint("a list of nodes is [{\"name\": NAME, \"facts\": {…}}, …]");
  }
  if (document.root.size() > 0 && puppet::is_fact_row(document.root.items().front())) {
    return std::make_unique<NodeList>(sources, puppet::nodes_of(sources, document.root, document.arena));
  }
  return std::make_unique<YamlList>(sources, std::move(document));
}

/// Whether a JSON list begins with a row of PuppetDB's facts: a node is then many items, which may stand anywhere.
bool begins_with_row(std::string_view text, const Limits& limits) {
  const std::size_t begin = text.find('{');
  if (begin == std::string_view::npos) return false;
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (in_text) {
      if (c == '\\') ++i;
      if (c == '"') in_text = false;
    } else if (c == '"') {
      in_text = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      try {
        Sources sources;
        const auto row = text::read_json(sources, sources.add("<row>", std::string(text.substr(begin, i + 1 - begin))),
                                         limits, 0, text::kRubyJson);
        return puppet::is_fact_row(row.root);
      } catch (const Error& error) {
        if (error.ends_request()) throw;
        return false;
      }
    }
  }
  return false;
}

}  // namespace

bool is_node_pattern(std::string_view path) {
  return path.substr(path.rfind('/') + 1).find_first_of("*?") != std::string_view::npos;
}

std::unique_ptr<NodeSource> node_folder(const FileTree& tree, const std::string& folder, const Limits& limits) {
  return std::make_unique<Folder>(tree, folder, limits);
}

std::unique_ptr<NodeSource> node_list(ReadMore read, std::string file, Sources& sources, const Limits& limits) {
  const bool is_yaml = file.ends_with(".yaml") || file.ends_with(".yml");
  std::string begin;
  std::size_t first = std::string::npos;
  while (first == std::string::npos) {
    const std::string more = read();
    if (more.empty()) break;
    begin += more;
    first = begin.find_first_not_of(" \t\r\n");
  }
  // A row of facts is small: the first piece of a text holds it whole.
  constexpr std::size_t kFirstPiece = std::size_t{1} << 16U;
  const bool is_json = !is_yaml && first != std::string::npos && begin[first] == '[';
  for (std::string more; is_json && begin.size() < kFirstPiece; begin += more) {
    more = read();
    if (more.empty()) break;
  }
  const bool has_rows = is_json && begins_with_row(begin, limits);
  if (is_json && !has_rows)
    return std::make_unique<JsonList>(std::move(begin), std::move(read), std::move(file), limits);
  for (std::string more = read(); !more.empty(); more = read()) {
    begin += more;
    if (begin.size() > limits.input) {
      throw Error("limit.input", fmt::format("the list of nodes has more than {} bytes", limits.input))
          .in(file)
          .hint("raise the limit with --limit input=BYTES");
    }
  }
  const SourceId source = sources.add(file, std::move(begin));
  text::Document document = has_rows ? text::read_json(sources, source, limits, 0, text::kRubyJson)
                                     : text::read_yaml(sources, source, text::psych(), limits);
  return whole_list(sources, source, std::move(document));
}

}  // namespace strata::hiera
