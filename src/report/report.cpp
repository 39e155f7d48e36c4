#include "strata/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "value/seeded_hash.hpp"

namespace strata::report {
namespace {

/// Calls `visit(path, leaf, via)` for every leaf, in order.
class Leaves {
 public:
  using Visit = std::function<void(const Path&, const Value&, Origin)>;
  Leaves(bool sort_keys, Visit visit) : sort_keys_(sort_keys), visit_(std::move(visit)) {}

  // Recursion: bounded by Limits::depth.
  void walk(const Value& value, Origin via = {}) {
    if (!value) return;
    if (value.is_leaf() || value.is_secret()) {  // Below what is secret there is nothing to tell.
      visit_(path_, value, via);
      return;
    }
    if (value.origin().through_alias()) via = value.origin();
    if (value.is_sequence()) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        path_.push(i);
        walk(value.items()[i], via);
        path_.pop();
      }
      return;
    }
    std::vector<Entry> entries(value.entries().begin(), value.entries().end());
    if (sort_keys_) std::ranges::stable_sort(entries, {}, [](const Entry& entry) { return key_text(entry.key); });
    for (const Entry& entry : entries) {
      path_.push(entry.key);
      walk(entry.value, via);
      path_.pop();
    }
  }

 private:
  bool sort_keys_;
  Visit visit_;
  Path path_;
};

}  // namespace

// Recursion: bounded by Limits::depth.
bool holds_secret(const Value& value) {
  if (value.is_secret()) return true;
  if (value.is_sequence()) return std::ranges::any_of(value.items(), holds_secret);
  return value.is_container() && std::ranges::any_of(value.entries(), [](const Entry& entry) { return holds_secret(entry.value); });
}

// Recursion: bounded by Limits::depth.
Value masked(Arena& arena, const Value& value) {
  if (value.is_secret()) return arena.text(kMask).with_origin(value.origin());
  if (!holds_secret(value)) return value;
  const Value copy = arena.copy(value);
  for (std::size_t i = 0; i < copy.size(); ++i) {
    if (copy.is_sequence()) {
      arena.replace(copy, i, masked(arena, copy.items()[i]));
    } else {
      arena.replace_entry(copy, i, masked(arena, copy.entries()[i].value));
    }
  }
  return copy;
}

namespace {

void insert_place(Arena& arena, const Value& row, const Place& place) {
  const auto number = [](const std::optional<std::uint32_t>& n) { return n ? Value::integer(*n) : Value::null(); };
  arena.insert(row, "file", place.file.empty() ? Value::null() : arena.text(place.file));
  if (!place.part.empty()) arena.insert(row, "part", arena.text(place.part));
  arena.insert(row, "line", number(place.line));
  arena.insert(row, "column", number(place.column));
  if (place.via != nullptr) {
    const Value via = arena.mapping();
    insert_place(arena, via, *place.via);
    arena.insert(row, "via", via);
  }
}

std::string one_line(const Value& value) {
  std::string out;
  if (value.is_secret()) return std::string(kMask);
  Arena arena;
  const Value safe = masked(arena, value);
  try {
    text::append_json(out, safe, {.sort_keys = false, .indent = -1});
  } catch (const Error&) {
    // Infinity and the like have no JSON; any spelling will do for people.
    out = key_text(safe);
  }
  return out;
}

constexpr std::size_t kWidestValue = 100;

std::string short_line(const Value& value) {
  std::string out = one_line(value);
  if (out.size() <= kWidestValue) return out;
  std::size_t end = kWidestValue - 1;
  while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xC0U) == 0x80U) --end;
  return out.substr(0, end) + "…";
}

std::string margin_text(const Place& place) {
  std::string out = place.file;
  if (!place.part.empty()) out += fmt::format("[{}]", place.part);
  if (place.line) out += fmt::format(":{}", *place.line);
  return out;
}

/// Columns that a terminal needs: code points, which is near enough for names of files.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string pad(std::string text, std::size_t to) {
  const std::size_t have = width(text);
  if (have < to) text.append(to - have, ' ');
  return text;
}

}  // namespace

Place leaf_place(const Sources& sources, Origin origin, Origin via) {
  Place place = sources.place(origin);
  // A container that came through an alias may have got members of other files since.
  if (place.via == nullptr && via && sources.source_of(via) == sources.source_of(origin)) place.via = sources.place(via).via;
  return place;
}

namespace {

/// Lines with a margin as wide as the widest needs.
class BlameLines {
 public:
  explicit BlameLines(const Sources& sources) : sources_(sources) {}

  void add(const text::YamlLine& line) {
    std::string margin = line.leaf == nullptr ? std::string() : margin_text(sources_.place(line.leaf->origin()));
    widest_ = std::max(widest_, width(margin));
    lines_.push_back({std::move(margin), std::string(line.text)});
  }

  [[nodiscard]] std::string text() const {
    std::string out;
    for (const Line& line : lines_) out += fmt::format("{} | {}\n", pad(line.margin, widest_), line.text);
    return out;
  }

 private:
  struct Line {
    std::string margin;
    std::string text;
  };
  const Sources& sources_;
  std::vector<Line> lines_;
  std::size_t widest_ = 0;
};

}  // namespace

std::string blame_text(const Sources& sources, const Value& result, const text::YamlStyle& style) {
  Arena arena;
  BlameLines lines(sources);
  text::write_yaml_lines(masked(arena, result), style, [&lines](const text::YamlLine& line) { lines.add(line); });
  return lines.text();
}

std::string blame_documents_text(const Sources& sources, const Value& documents, const text::YamlStyle& style) {
  Arena arena;
  BlameLines lines(sources);
  const Value safe = masked(arena, documents);
  for (const Value& document : safe.items()) {
    lines.add({.text = "---", .leaf = nullptr});
    text::write_yaml_lines(document, style, [&lines](const text::YamlLine& line) { lines.add(line); });
  }
  return lines.text();
}

Value blame_data(Arena& arena, const Sources& sources, const Value& result, bool sort_keys) {
  const Value rows = arena.sequence();
  Leaves(sort_keys, [&](const Path& path, const Value& leaf, Origin via) {
    const Value row = arena.mapping(KeyEquality::exact, 6);
    arena.insert(row, "path", arena.text(path.pointer()));
    arena.insert(row, "value", masked(arena, leaf));
    insert_place(arena, row, leaf_place(sources, leaf.origin(), via));
    arena.append(rows, row);
  }).walk(result);
  return rows;
}

std::string explain_text(const Sources& sources, const merge::History& history, const std::vector<merge::PathHistory>& paths) {
  std::string out;
  for (const merge::PathHistory& path : paths) {
    const std::string name = path.path.pointer();
    out += fmt::format("{}: {}\n", name.empty() ? "(root)" : name, path.value ? short_line(path.value) : "(gone)");
    std::size_t widest_place = 0;
    std::size_t widest_value = 0;
    for (const merge::Contribution& one : path.contributions) {
      widest_place = std::max(widest_place, width(leaf_place(sources, one.value.origin(), one.via).to_string()));
      widest_value = std::max(widest_value, std::min<std::size_t>(width(short_line(one.value)), 40));
    }
    for (const merge::Contribution& one : path.contributions) {
      const Place place = leaf_place(sources, one.value.origin(), one.via);
      const std::string& layer = history.layer_name(one.layer);
      const std::string& note = history.layer_note(one.layer);
      std::string line =
          fmt::format("  {:<8}  {}  {}", to_string(one.fate), pad(place.to_string(), widest_place), pad(short_line(one.value), widest_value));
      if (layer != place.file) line += fmt::format("  {}", layer);
      if (!note.empty()) line += fmt::format("  by {}", note);
      if (place.via != nullptr) line += fmt::format("  via {}", place.via->to_string());
      while (line.ends_with(' ')) line.pop_back();
      out += line + '\n';
    }
  }
  return out;
}

Value explain_data(Arena& arena, const Sources& sources, const merge::History& history, const std::vector<merge::PathHistory>& paths) {
  const Value rows = arena.sequence();
  for (const merge::PathHistory& path : paths) {
    const Value row = arena.mapping();
    arena.insert(row, "path", arena.text(path.path.pointer()));
    if (path.value) arena.insert(row, "value", masked(arena, path.value));
    const Value entries = arena.sequence();
    for (const merge::Contribution& one : path.contributions) {
      const Value entry = arena.mapping();
      arena.insert(entry, "layer", arena.text(history.layer_name(one.layer)));
      insert_place(arena, entry, leaf_place(sources, one.value.origin(), one.via));
      arena.insert(entry, "fate", arena.text(to_string(one.fate)));
      arena.insert(entry, "value", masked(arena, one.value));
      arena.append(entries, entry);
    }
    arena.insert(row, "history", entries);
    arena.append(rows, row);
  }
  return rows;
}

std::vector<Difference> differences(const Side& before, const Side& after) {
  struct Leaf {
    Value value;
    Origin via;
  };
  TextMap<Leaf> news;
  std::vector<std::string> order;
  Leaves(false, [&](const Path& path, const Value& leaf, Origin via) {
    std::string name = path.pointer();
    news.emplace(name, Leaf{leaf, via});
    order.push_back(std::move(name));
  }).walk(after.result);
  std::vector<Difference> out;
  Leaves(false, [&](const Path& path, const Value& leaf, Origin via) {
    const std::string name = path.pointer();
    const auto other = news.find(name);
    Difference difference{
        .path = name, .before = leaf, .before_place = leaf_place(before.sources, leaf.origin(), via), .after = {}, .after_place = {}};
    if (other != news.end()) {
      difference.after = other->second.value;
      difference.after_place = leaf_place(after.sources, difference.after.origin(), other->second.via);
      news.erase(other);
      if (equal(leaf, difference.after)) return;
    }
    out.push_back(std::move(difference));
  }).walk(before.result);
  for (const std::string& name : order) {
    const auto left = news.find(name);
    if (left == news.end()) continue;
    out.push_back({.path = name,
                   .before = {},
                   .before_place = {},
                   .after = left->second.value,
                   .after_place = leaf_place(after.sources, left->second.value.origin(), left->second.via)});
  }
  return out;
}

std::string difference_text(const std::vector<Difference>& differences) {
  std::string out;
  const auto side = [&out](char mark, const Value& value, const Place& place) {
    if (value) out += fmt::format("  {} {}  {}\n", mark, short_line(value), place.to_string());
  };
  for (const Difference& one : differences) {
    out += fmt::format("{}\n", one.path.empty() ? "(root)" : one.path);
    side('-', one.before, one.before_place);
    side('+', one.after, one.after_place);
  }
  return out;
}

Value difference_data(Arena& arena, const std::vector<Difference>& differences) {
  const Value rows = arena.sequence();
  const auto side = [&arena](const Value& value, const Place& place) {
    if (!value) return Value::null();
    const Value row = arena.mapping();
    arena.insert(row, "value", masked(arena, value));
    insert_place(arena, row, place);
    return row;
  };
  for (const Difference& one : differences) {
    const Value row = arena.mapping();
    arena.insert(row, "path", arena.text(one.path));
    arena.insert(row, "before", side(one.before, one.before_place));
    arena.insert(row, "after", side(one.after, one.after_place));
    arena.append(rows, row);
  }
  return rows;
}

}  // namespace strata::report
