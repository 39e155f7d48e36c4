// Lists of nodes: a folder with a file a node, or a text with an item a node.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "strata/fleet.hpp"
#include "strata/text.hpp"

namespace strata::hiera {
namespace {

class Folder final : public NodeSource {
 public:
  Folder(const FileTree& tree, const std::string& folder, const Limits& limits) : tree_(tree), folder_(folder), limits_(limits) {
    if (tree.kind(folder) != FileKind::folder) throw Error("fleet.folder", "there is no such folder of facts files").in(folder);
    files_ = tree.list(folder);
    std::erase_if(files_, [](const std::string& file) { return name_of(file).empty(); });
    std::ranges::stable_sort(files_, {}, name_of);
    const auto twice = std::ranges::adjacent_find(files_, {}, name_of);
    if (twice == files_.end()) return;
    throw Error("fleet.duplicate-node",
                fmt::format("two files hold the facts of the node '{}': {} and {}", name_of(*twice), *twice, *std::next(twice)))
        .in(folder)
        .hint("remove one of them");
  }

  std::optional<FleetNode> next() override {
    if (at_ == files_.size()) return std::nullopt;
    const std::string& file = files_[at_++];
    const std::string name(name_of(file));
    return FleetNode{.name = name, .facts = [this, file, name](Sources& sources) { return read(sources, file, name); }};
  }

  [[nodiscard]] std::optional<std::size_t> size() const override { return files_.size(); }

 private:
  /// The node whose facts a file holds; empty for other files.
  static std::string_view name_of(std::string_view file) {
    static constexpr std::array<std::string_view, 3> kEndings{".yaml", ".yml", ".json"};
    for (const std::string_view ending : kEndings) {
      if (file.ends_with(ending)) return file.substr(0, file.size() - ending.size());
    }
    return {};
  }

  [[nodiscard]] Facts read(Sources& sources, const std::string& file, const std::string& name) const {
    try {
      const std::string path = fmt::format("{}{}{}", folder_, folder_.ends_with('/') ? "" : "/", file);
      auto bytes = tree_.read(path);
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

/// The facts of an item of a list. Its document keeps it alive.
Facts facts_of(const Sources& sources, const Value& item, std::shared_ptr<Arena> arena) {
  const auto refuse = [&](std::string message, const Value& where) {
    throw Error("fleet.node", std::move(message)).at(sources, where.origin()).hint("an item is {\"name\": NAME, \"facts\": {…}}");
  };
  if (!item.is_mapping()) refuse(fmt::format("a node must be a mapping of name and facts, not {}", describe(item.kind())), item);
  const Value* name = item.find("name");
  if (name == nullptr) refuse("this node has no name", item);
  if (!name->is_text() || name->text().empty()) refuse(fmt::format("the name of a node must be text, not {}", describe(name->kind())), *name);
  const Value* facts = item.find("facts");
  Facts out{.node = std::string(name->text()), .values = facts == nullptr ? Value() : *facts, .arena = std::move(arena)};
  if (facts == nullptr) {
    out.values = out.arena->mapping().with_origin(item.origin());
  } else {
    check_facts(sources, *facts);
  }
  return out;
}

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
    return FleetNode{.name = {}, .facts = [this, item = std::move(item)](Sources& sources) { return facts(sources, item); }};
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
    text::Document document = text::read_json(sources, sources.add(file_, std::move(text)), limits_, 0, text::kRubyJson);
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
    if (at_ < bytes_.size()) fail("there is something behind the list");
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

/// A list that was read whole.
class YamlList final : public NodeSource {
 public:
  YamlList(Sources& sources, SourceId source, const Limits& limits)
      : sources_(sources), document_(text::read_yaml(sources, source, text::psych(), limits)) {
    if (document_.root.is_sequence()) return;
    const std::string_view kind = document_.root ? describe(document_.root.kind()) : "nothing";
    throw Error("fleet.list", fmt::format("the nodes must be a list, not {}", kind))
        .at(sources, sources.at(source, 0))
        .hint("a list of nodes is [{\"name\": NAME, \"facts\": {…}}, …]");
  }

  std::optional<FleetNode> next() override {
    if (at_ == document_.root.size()) return std::nullopt;
    const Value& item = document_.root.items()[at_++];
    // Arenas are not for several threads at once: what a node adds goes to one of its own.
    return FleetNode{.name = {}, .facts = [this, &item](Sources&) { return facts_of(sources_, item, std::make_shared<Arena>()); }};
  }

  [[nodiscard]] std::optional<std::size_t> size() const override { return document_.root.size(); }

 private:
  const Sources& sources_;
  text::Document document_;
  std::size_t at_ = 0;
};

}  // namespace

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
  if (!is_yaml && first != std::string::npos && begin[first] == '[')
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
  return std::make_unique<YamlList>(sources, source, limits);
}

}  // namespace strata::hiera
