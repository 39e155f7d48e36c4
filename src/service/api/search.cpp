// SPDX-License-Identifier: Apache-2.0
#include "service/api/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/secret_texts.hpp"
#include "service/api/answers.hpp"
#include "service/api/stored_nodes.hpp"
#include "service/api/values.hpp"
#include "service/json.hpp"
#include "strata/report.hpp"
#include "strata/stop.hpp"
#include "text/regex/regex.hpp"

namespace strata::service::api {
namespace {

constexpr std::size_t kMostPlaces = 1000;
constexpr std::size_t kShown = 200;  ///< Bytes of a line.
constexpr std::size_t kLongestPattern = 1000;

/// What is looked for: a text, or with `re:` an expression of Ruby.
class Needle {
 public:
  explicit Needle(const std::string& wanted) {
    constexpr std::string_view kExpression = "re:";
    if (wanted.starts_with(kExpression)) {
      if (wanted.size() > kLongestPattern)
        throw Error("request.query", fmt::format("an expression has at most {} bytes", kLongestPattern));
      regex_.emplace(std::string_view(wanted).substr(kExpression.size()));
    } else {
      text_ = wanted;
    }
  }
  /// Where it begins at or after `from`. No value: it is not there.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view text, std::size_t from = 0) const {
    if (!regex_) {
      const std::size_t at = text.find(text_, from);
      return at == std::string_view::npos ? std::nullopt : std::optional(at);
    }
    if (from > text.size()) return std::nullopt;
    const auto match = regex_->find(text, from);
    return match ? std::optional(match->groups.front()->begin) : std::nullopt;
  }

 private:
  std::string text_;
  std::optional<text::Regex> regex_;
};

/// The places that were found, each once.
class Places {
 public:
  explicit Places(Arena& arena) : arena_(arena), list_(arena) {}

  [[nodiscard]] bool is_full() const noexcept { return is_cut_; }
  [[nodiscard]] Value finish() { return list_.finish(); }

  /// The place of a text in a file.
  void add_line(const std::string& file, std::size_t line, std::string_view text) {
    if (!has_room()) return;
    MappingBuilder place(arena_);
    place.insert("in", arena_.text("files"));
    place.insert("file", arena_.text(file));
    place.insert("line", Value::integer(static_cast<std::int64_t>(line)));
    place.insert("text", arena_.text(shown(text)));
    list_.append(place.finish());
  }
  /// The place of a value, as blame tells it.
  void add_value(std::string_view where, std::string_view key, const Value& blame, std::string_view text) {
    const Value* file = blame.find("file");
    const Value* line = blame.find("line");
    const Value* path = blame.find("path");
    std::string mark =
        fmt::format("{}\n{}\n{}", where, key, path == nullptr || !path->is_text() ? std::string_view() : path->text());
    if (file != nullptr && file->is_text()) mark += fmt::format("\n{}", file->text());
    if (line != nullptr && line->kind() == Kind::integer) mark += fmt::format("\n{}", line->as_integer());
    if (known_.contains(mark) || !has_room()) return;
    known_.insert(std::move(mark));
    MappingBuilder place(arena_);
    place.insert("in", arena_.text(where));
    for (const auto& [name, value] : std::initializer_list<std::pair<std::string_view, const Value*>>{
             {"file", file}, {"line", line}, {"column", blame.find("column")}, {"path", path}}) {
      if (value != nullptr && !value->is_null())
        place.insert(name, value->is_text() ? arena_.text(value->text()) : *value);
    }
    if (!key.empty()) place.insert("key", arena_.text(key));
    place.insert("text", arena_.text(shown(text)));
    list_.append(place.finish());
  }

 private:
  [[nodiscard]] bool has_room() {
    is_cut_ = is_cut_ || list_.size() == kMostPlaces;
    return !is_cut_;
  }
  /// The beginning of a line, up to a whole character.
  static std::string_view shown(std::string_view text) {
    text = text.substr(0, text.find('\n'));
    if (text.size() <= kShown) return text;
    std::size_t end = kShown;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    return text.substr(0, end);
  }

  Arena& arena_;
  SequenceBuilder list_;
  std::set<std::string> known_;
  bool is_cut_ = false;
};

void search_files(const Call& call, const FileTree& tree, const analysis::SecretTexts& secrets, const Needle& needle,
                  Places& places) {
  for (const std::string& path : sites::paths_of(tree)) {
    call.stop.check();
    std::optional<std::string> text = tree.read("/" + path);
    if (text) text = secrets.shown("/" + path, *text);  // Nobody finds secrets.
    if (!text || text::find_invalid_utf8(*text) != std::string::npos) continue;
    std::size_t line = 1;
    std::size_t counted = 0;
    for (auto at = needle.find(*text); at; at = needle.find(*text, *at)) {
      line += static_cast<std::size_t>(std::count(text->begin() + static_cast<std::ptrdiff_t>(counted),
                                                  text->begin() + static_cast<std::ptrdiff_t>(*at), '\n'));
      const std::size_t begin = *at == 0 ? 0 : text->rfind('\n', *at - 1) + 1;
      const std::size_t end = std::min(text->find('\n', *at), text->size());
      places.add_line(path, line, std::string_view(*text).substr(begin, end - begin));
      if (places.is_full()) return;
      if (end == text->size()) break;
      counted = end;
      *at = end + 1;  // A line counts once.
      ++line;
      ++counted;
    }
  }
}

/// The text of a scalar, as people look for it.
std::string searchable_text(const Value& value) {
  if (value.is_text()) return std::string(value.text());
  std::string out;
  text::append_json(out, value, {.indent = -1});
  return out;
}

/// What of results is looked through.
struct SearchParts {
  bool keys = false;
  bool values = false;
};

void search_result(const analysis::Outcome& outcome, Arena& arena, const Needle& needle, const SearchParts& wanted,
                   Places& places) {
  if (outcome.failure || outcome.sources == nullptr) return;
  const auto look = [&](std::string_view key, const Value& value) {
    const bool is_named = wanted.keys && !key.empty() && needle.find(key);
    if (!is_named && !wanted.values) return;
    const Value blame = report::blame_data(arena, *outcome.sources, value);
    if (is_named && blame.size() != 0) places.add_value("keys", key, blame.items().front(), key);
    for (const Value& leaf : blame.items()) {
      if (!wanted.values || places.is_full()) return;
      const Value* held = leaf.find("value");
      if (held == nullptr || held->is_container() || held->is_secret()) continue;
      const std::string text = searchable_text(*held);
      if (needle.find(text)) places.add_value("values", key, leaf, text);
    }
  };
  for (const analysis::Item& item : outcome.items) {
    if (item.failure) continue;
    if (!item.name.empty() || !item.value.is_mapping()) {
      look(item.name, item.value);
      continue;
    }
    for (const Entry& entry : item.value.entries())
      look(entry.key.is_text() ? entry.key.text() : std::string_view(), entry.value);
  }
}

/// The parts of a list with commas, which must be known.
std::set<std::string_view> parts_of(std::string_view list) {
  constexpr std::array<std::string_view, 3> kParts{"keys", "values", "files"};
  std::set<std::string_view> out;
  for (;;) {
    const std::string_view part = list.substr(0, list.find(','));
    if (std::ranges::find(kParts, part) == kParts.end())
      throw Error("request.query", fmt::format("'in' is keys, values and files, not '{}'", part));
    out.insert(part);
    if (part.size() == list.size()) return out;
    list.remove_prefix(part.size() + 1);
  }
}

}  // namespace

Response search_site(const Call& call, sites::Sites& sites) {
  const std::string* wanted = call.request.query.find("q");
  if (wanted == nullptr || wanted->empty()) throw Error("request.query", "'q' is the text to look for");
  const std::string* in = call.request.query.find("in");
  const std::set<std::string_view> parts = parts_of(in == nullptr ? std::string_view("files") : *in);
  const SearchParts asked{.keys = parts.contains("keys"), .values = parts.contains("values")};
  // The files are those of the state, or of a site that is broken.
  const auto state = asked.keys || asked.values ? sites.state(call, call[0]) : nullptr;
  const sites::Tree tree =
      state == nullptr
          ? sites.tree(call, call[0], {})
          : sites::Tree{.files = state->shared_tree(), .generation = state->generation(), .commit = state->commit()};
  const Needle needle(*wanted);
  Arena arena;
  Places places(arena);
  if (parts.contains("files"))
    search_files(call, *tree.files, *sites.secret_texts(call, call[0], tree), needle, places);
  if (asked.keys || asked.values) {
    call.demand("strata:evaluate");
    const std::string* node = call.request.query.find("node");
    for (const std::string& name :
         node == nullptr ? all_nodes(call, call[0], *state) : std::vector<std::string>{*node}) {
      call.stop.check();
      if (places.is_full()) break;
      with_outcome(*state, find_node(call, *state, name), analysis::Question::History::no, call.stop, std::nullopt,
                   [&](const analysis::Subject::Answer& answer, analysis::Subject&) {
                     Arena scratch;
                     search_result(answer.outcome, scratch, needle, asked, places);
                   });
    }
  }
  const bool is_cut = places.is_full();
  MappingBuilder out(arena);
  out.insert("places", places.finish());
  out.insert("truncated", Value::boolean(is_cut));
  out.insert("site", site_value(arena, call[0], tree));
  return json_response(out.finish());
}

}  // namespace strata::service::api
