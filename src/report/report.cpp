// SPDX-License-Identifier: Apache-2.0
#include "strata/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "report/lines.hpp"
#include "strata/builder.hpp"
#include "strata/stop.hpp"
#include "strata/stop_scope.hpp"
#include "value/charge.hpp"
#include "value/metered.hpp"

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
    stop_.tick();
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
  StopCheck stop_{StopScope::stop()};
  Path path_;
};

}  // namespace

// Recursion: bounded by Limits::depth.
bool holds_secret(const Value& value) {
  if (value.is_secret()) return true;
  if (value.is_sequence()) return std::ranges::any_of(value.items(), holds_secret);
  return value.is_container() &&
         std::ranges::any_of(value.entries(), [](const Entry& entry) { return holds_secret(entry.value); });
}

namespace {

// Recursion: bounded by Limits::depth.
Value mask_members(Arena& arena, const Value& value, StopCheck& stop) {
  stop.tick();
  if (value.is_secret()) return arena.text(kMask).with_origin(value.origin()).with_secret();
  if (!value.is_container()) return value;
  return with_members(arena, value, [&](const Value& member) { return mask_members(arena, member, stop); });
}

}  // namespace

Value masked(Arena& arena, const Value& value) {
  StopCheck stop(StopScope::stop());
  return mask_members(arena, value, stop);
}

void insert_place(Arena& arena, MappingBuilder& row, const Place& place) {
  const auto number = [](const std::optional<std::uint32_t>& n) { return n ? Value::integer(*n) : Value::null(); };
  row.insert("file", place.file.empty() ? Value::null() : arena.text(place.file));
  if (!place.part.empty()) row.insert("part", arena.text(place.part));
  row.insert("line", number(place.line));
  row.insert("column", number(place.column));
  if (place.via != nullptr) {
    MappingBuilder via(arena);
    insert_place(arena, via, *place.via);
    row.insert("via", via.finish());
  }
}

std::string one_line(const Value& value, bool sort_keys) {
  std::string out;
  if (value.is_secret()) return std::string(kMask);
  Arena arena;
  const Value safe = masked(arena, value);
  try {
    text::append_json(out, safe, {.sort_keys = sort_keys, .indent = -1});
  } catch (const Error&) {
    // Infinity and the like have no JSON; any spelling will do for people.
    out = key_text(safe);
  }
  return out;
}

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string_view first_points(std::string_view text, std::size_t points) {
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0U) != 0x80U;
    if (begins && points-- == 0) break;
  }
  return text.substr(0, end);
}

std::string fitted(std::string line, const Layout& layout) {
  if (line.find_first_of("\r\n") != std::string::npos) line = on_one_line(line);
  if (layout.width == 0 || layout.whole_values || width(line) <= layout.width) return line;
  return std::string(first_points(line, layout.width - 1)) + "…";
}

namespace {

constexpr std::size_t kWidestValue = 100;

std::string shown_value(const Value& value, const Layout& layout) {
  std::string out = one_line(value);
  if (layout.whole_values || out.size() <= kWidestValue) return out;
  std::size_t end = kWidestValue - 1;
  while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xC0U) == 0x80U) --end;
  return out.substr(0, end) + "…";
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
  if (place.via == nullptr && via && sources.source_of(via) == sources.source_of(origin))
    place.via = sources.place(via).via;
  return place;
}

namespace {

/// For each path of a file the shortest end of it, in whole names, that no other of them has.
class ShortNames {
 public:
  void add(const std::string& file) { names_.try_emplace(file); }

  void shorten() {
    std::unordered_map<std::string_view, std::size_t> ends;  // How many files have an end.
    const auto each_end = [](std::string_view file, const auto& visit) {
      for (std::size_t slash = file.size(); slash != std::string_view::npos && slash != 0;) {
        slash = file.rfind('/', slash - 1);
        if (visit(slash == std::string_view::npos ? file : file.substr(slash + 1))) return;
      }
    };
    for (const auto& [file, name] : names_) {
      each_end(file, [&ends](std::string_view end) {
        ++ends[end];
        return false;
      });
    }
    for (auto& entry : names_) {
      std::string_view& name = entry.second;
      name = entry.first;
      each_end(entry.first, [&ends, &name](std::string_view end) {
        if (end.empty() || ends[end] > 1) return false;
        name = end;
        return true;
      });
    }
  }

  [[nodiscard]] std::string_view name_of(const std::string& file) const { return names_.at(file); }

 private:
  std::unordered_map<std::string, std::string_view> names_;  ///< Short ones by whole ones, which they point into.
};

/// Lines with a margin as wide as the widest needs.
class BlameLines {
 public:
  BlameLines(const Sources& sources, const Layout& layout) : sources_(sources), layout_(layout) {}

  void add(const text::YamlLine& line) {
    Line added{};
    if (line.leaf != nullptr) added.place = sources_.place(line.leaf->origin());
    detail::charge(stop_, sizeof(Line) + added.place.file.size() + added.place.part.size() + line.text.size());
    added.text = line.text;
    names_.add(added.place.file);
    lines_.push_back(std::move(added));
  }

  [[nodiscard]] std::string text() {
    if (layout_.short_names) names_.shorten();
    std::size_t widest = 0;
    for (const Line& line : lines_) widest = std::max(widest, width(margin_of(line.place)));
    std::string out;
    std::size_t size = 0;
    for (const Line& line : lines_) size += widest + 4 + shown_size(line.text);
    detail::charge(stop_, size);
    out.reserve(size);
    std::string above;       // The name that was shown last.
    std::string line_above;  // The whole margin of the line above.
    for (const Line& line : lines_) {
      std::string margin = margin_of(line.place);
      const bool repeats = layout_.short_names && margin == line_above;
      line_above = margin;
      if (const std::string name = name_of(line.place); layout_.short_names && !name.empty()) {
        if (name == above && line.place.line) margin.replace(0, name.size(), std::string(width(name), ' '));
        above = name;
      }
      if (repeats) margin.clear();
      out += fitted(fmt::format("{} | {}", pad(margin, widest), line.text), layout_) + '\n';
    }
    return out;
  }

 private:
  struct Line {
    Place place;
    std::string text;
  };

  /// At most, of a text in a line.
  [[nodiscard]] std::size_t shown_size(std::string_view text) const {
    constexpr std::size_t kLongestPoint = 4;
    return layout_.width == 0 || layout_.whole_values ? text.size()
                                                      : std::min(text.size(), layout_.width * kLongestPoint);
  }
  [[nodiscard]] std::string name_of(const Place& place) const {
    std::string out(layout_.short_names ? names_.name_of(place.file) : place.file);
    if (!place.part.empty()) out += fmt::format("[{}]", place.part);
    return out;
  }
  [[nodiscard]] std::string margin_of(const Place& place) const {
    return place.line ? fmt::format("{}:{}", name_of(place), *place.line) : name_of(place);
  }

  const Sources& sources_;
  const Layout& layout_;
  const Stop* stop_ = StopScope::stop();
  std::vector<Line> lines_;
  ShortNames names_;
};

}  // namespace

std::string blame_text(const Sources& sources, const Value& result, const text::YamlStyle& style,
                       const Layout& layout) {
  Arena arena;
  const Metered metered(arena, StopScope::stop());
  BlameLines lines(sources, layout);
  text::write_yaml_lines(masked(arena, result), style, [&lines](const text::YamlLine& line) { lines.add(line); });
  return lines.text();
}

std::string blame_documents_text(const Sources& sources, const Value& documents, const text::YamlStyle& style,
                                 const Layout& layout) {
  Arena arena;
  const Metered metered(arena, StopScope::stop());
  BlameLines lines(sources, layout);
  const Value safe = masked(arena, documents);
  for (const Value& document : safe.items()) {
    lines.add({.text = "---", .leaf = nullptr});
    text::write_yaml_lines(document, style, [&lines](const text::YamlLine& line) { lines.add(line); });
  }
  return lines.text();
}

Value blame_data(Arena& arena, const Sources& sources, const Value& result, bool sort_keys) {
  const Metered metered(arena, StopScope::stop());
  SequenceBuilder rows(arena);
  Leaves(sort_keys, [&](const Path& path, const Value& leaf, Origin via) {
    MappingBuilder row(arena, KeyEquality::exact, 6);
    row.insert("path", arena.text(path.pointer()));
    row.insert("value", masked(arena, leaf));
    insert_place(arena, row, leaf_place(sources, leaf.origin(), via));
    rows.append(row.finish());
  }).walk(result);
  return rows.finish();
}

namespace {

/// What the value came from in the order in which it met, then what came later and lost, then what was there before,
/// the latest first.
std::vector<merge::Contribution> winner_first(const std::vector<merge::Contribution>& met) {
  const auto wins = [](const merge::Contribution& one) {
    return one.fate == merge::Fate::won || one.fate == merge::Fate::merged;
  };
  std::vector<merge::Contribution> out;
  std::ranges::copy_if(met, std::back_inserter(out), wins);
  auto behind = met.begin();
  for (auto at = met.begin(); at != met.end(); ++at) {
    if (wins(*at)) behind = at;
  }
  std::copy_if(behind, met.end(), std::back_inserter(out), std::not_fn(wins));
  std::copy_if(std::make_reverse_iterator(behind), met.rend(), std::back_inserter(out), std::not_fn(wins));
  return out;
}

}  // namespace

std::string shown_path(const std::string& pointer) { return pointer.empty() ? "(root)" : pointer; }

std::string contribution_lines(const Sources& sources, const merge::History& history,
                               std::span<const merge::Contribution> contributions, const Layout& layout,
                               bool tells_loss) {
  constexpr std::size_t kValueColumn = 40;  // Longer values push the text behind them.
  std::string out;
  std::size_t widest_place = 0;
  std::size_t widest_value = 0;
  for (const merge::Contribution& one : contributions) {
    widest_place = std::max(widest_place, width(leaf_place(sources, one.value.origin(), one.via).to_string()));
    widest_value = std::max(widest_value, std::min(width(shown_value(one.value, layout)), kValueColumn));
  }
  for (const merge::Contribution& one : contributions) {
    const Place place = leaf_place(sources, one.value.origin(), one.via);
    const bool is_known = one.layer != merge::kNoLayer;
    std::string line = fmt::format("  {:<8}  {}  {}", to_string(one.fate), pad(place.to_string(), widest_place),
                                   pad(shown_value(one.value, layout), widest_value));
    if (is_known && history.layer_name(one.layer) != place.file)
      line += fmt::format("  {}", history.layer_name(one.layer));
    if (is_known && !history.layer_note(one.layer).empty())
      line += fmt::format("  by {}", history.layer_note(one.layer));
    if (place.via != nullptr) line += fmt::format("  via {}", place.via->to_string());
    if (tells_loss && one.loss != merge::Loss::none) line += fmt::format("  {}", to_string(one.loss));
    while (line.ends_with(' ')) line.pop_back();
    out += fitted(std::move(line), layout) + '\n';
  }
  return out;
}

std::string explain_text(const Sources& sources, const merge::History& history,
                         const std::vector<merge::PathHistory>& paths, const Layout& layout) {
  std::string out;
  for (const merge::PathHistory& path : paths) {
    out += fitted(fmt::format("{}: {}", shown_path(path.path.pointer()),
                              path.value ? shown_value(path.value, layout) : "(gone)"),
                  layout) +
           '\n';
    out += contribution_lines(sources, history, winner_first(path.contributions), layout);
  }
  return out;
}

Value explain_data(Arena& arena, const Sources& sources, const merge::History& history,
                   const std::vector<merge::PathHistory>& paths) {
  SequenceBuilder rows(arena);
  for (const merge::PathHistory& path : paths) {
    MappingBuilder row(arena);
    row.insert("path", arena.text(path.path.pointer()));
    if (path.value) row.insert("value", masked(arena, path.value));
    SequenceBuilder entries(arena);
    for (const merge::Contribution& one : path.contributions) {
      MappingBuilder entry(arena);
      entry.insert("layer", arena.text(history.layer_name(one.layer)));
      insert_place(arena, entry, leaf_place(sources, one.value.origin(), one.via));
      entry.insert("fate", arena.text(to_string(one.fate)));
      entry.insert("value", masked(arena, one.value));
      entries.append(entry.finish());
    }
    row.insert("history", entries.finish());
    rows.append(row.finish());
  }
  return rows.finish();
}

}  // namespace strata::report
