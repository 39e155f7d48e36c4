// SPDX-License-Identifier: Apache-2.0
#include "mergers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "parts/python_text.hpp"
#include "python/data.hpp"
#include "strata/builder.hpp"
#include "strata/text.hpp"

namespace strata::cloudinit {
namespace {

using merge::Action;
using merge::Shape;
using merge::Strategy;

constexpr std::array<Shape, 2> kMappings{Shape::empty_mapping, Shape::mapping};
constexpr std::array<Shape, 2> kSequences{Shape::empty_sequence, Shape::sequence};
constexpr std::array<Shape, 2> kTexts{Shape::empty_text, Shape::text};

/// The options that a built-in merger knows.
constexpr std::array<std::string_view, 9> kKnownOptions{"append",       "prepend",       "replace",
                                                        "no_replace",   "allow_delete",  "recurse_dict",
                                                        "recurse_list", "recurse_array", "recurse_str"};

std::string dashes_to_underscores(std::string text) {
  std::ranges::replace(text, '-', '_');
  return text;
}

std::string without_prefix(std::string_view name) {
  return std::string(name.starts_with("m_") ? name.substr(2) : name);
}

bool is_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

[[noreturn]] void fail_format(std::string_view segment) {
  constexpr std::size_t kShown = 60;
  std::string shown(segment.substr(0, kShown));
  std::ranges::replace_if(
      shown, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  if (segment.size() > kShown) shown = shown.substr(0, text::find_invalid_utf8(shown)) + "…";
  throw Error("merger.format", fmt::format("'{}' is not in the right format for a merger", shown))
      .hint("write mergers as list(append)+dict(recurse_list)+str()");
}

Merger parse_segment(const std::string& segment, Origin origin) {
  const std::size_t open = segment.find('(');
  if (open == std::string::npos || segment.back() != ')' || segment.find('\n') != std::string::npos)
    fail_format(segment);
  const std::string_view name = std::string_view(segment).substr(0, open);
  if (!is_name(name)) fail_format(segment);
  std::string_view inside = std::string_view(segment).substr(open + 1, segment.size() - open - 2);
  std::vector<std::string> words;
  while (!inside.empty()) {
    const std::size_t comma = std::min(inside.find(','), inside.size());
    const std::string_view word = trim(inside.substr(0, comma));
    if (!word.empty()) words.emplace_back(word);
    inside.remove_prefix(std::min(comma + 1, inside.size()));
  }
  return {.name = without_prefix(name), .options = MergerOptions(std::move(words)), .origin = origin};
}

[[noreturn]] void fail_shape(const Value& value, std::string_view problem) {
  throw Error("merger.settings", fmt::format("invalid list of mergers: {} {}", describe(value.kind()), problem))
      .hint("write a text such as list(append)+dict(recurse_list), or a sequence of {name: …, settings: […]}");
}

std::optional<Merger> parse_item_mapping(const Value& item) {
  const Value* name = item.find("name");
  const Value* settings = item.find("settings");
  if (name == nullptr || settings == nullptr) fail_shape(item, "without 'name' and 'settings'");
  if (!name->is_text()) fail_shape(*name, "as the name of a merger");
  if (trim(name->text()).empty()) return std::nullopt;  // The reference drops it, whatever its settings are.
  if (!settings->is_text() && !settings->is_container()) fail_shape(*settings, "as settings");
  return Merger{.name = without_prefix(trim(dashes_to_underscores(std::string(name->text())))),
                .options = MergerOptions(*settings),
                .origin = name->origin()};
}

/// A text counts as the sequence of its characters: the first is the name, the rest are the options.
Merger parse_item_text(const Value& item, Arena& arena) {
  const std::string_view text = item.text();
  if (text.empty()) fail_shape(item, "that is empty, as a merger");
  std::size_t end = 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
  return {.name = std::string(text.substr(0, end)),
          .options = MergerOptions(arena.text(text.substr(end))),
          .origin = item.origin()};
}

void parse_item(const Value& item, Arena& arena, std::vector<Merger>& mergers) {
  if (item.is_mapping()) {
    if (auto merger = parse_item_mapping(item)) mergers.push_back(std::move(*merger));
  } else if (item.is_sequence()) {
    if (item.size() == 0) fail_shape(item, "that is empty, as a merger");
    const Value name = item.items().front();
    if (!python::truth(name)) return;  // The reference drops it, as it drops an empty name.
    if (!name.is_text()) fail_shape(name, "as the name of a merger");
    mergers.push_back({.name = without_prefix(name.text()),
                       .options = MergerOptions(arena.sequence(item.items().subspan(1))),
                       .origin = name.origin()});
  } else if (item.is_text()) {
    mergers.push_back(parse_item_text(item, arena));
  } else {
    fail_shape(item, "as a merger");
  }
}

void set_rows(Strategy::Table& table, std::span<const Shape> old, Action action) {
  for (const Shape shape : old) table.at(static_cast<std::size_t>(shape)).fill(action);
}

void set_columns(Strategy::Table& table, std::span<const Shape> old, std::span<const Shape> incoming, Action action) {
  for (const Shape row : old) {
    for (const Shape column : incoming)
      table.at(static_cast<std::size_t>(row)).at(static_cast<std::size_t>(column)) = action;
  }
}

/// What the members of a table do where the walk goes on: as the root table says.
void recurse_columns(Strategy::Table& table, const Strategy::Table& root, std::span<const Shape> incoming) {
  for (auto row = static_cast<std::size_t>(Shape::null); row < merge::kShapes; ++row) {
    for (const Shape column : incoming)
      table.at(row).at(static_cast<std::size_t>(column)) = root.at(row).at(static_cast<std::size_t>(column));
  }
}

/// Rows of old sequences. Rule: the list merger; docs/cloud-init/merge.md.
void add_list(Strategy& strategy, const MergerOptions& options) {
  auto& root = strategy.root;
  if (options.has("append") || options.has("prepend")) {
    set_rows(root, kSequences, Action::fail);
    set_columns(root, kSequences, kSequences, options.has("append") ? Action::append : Action::prepend);
    set_columns(root, kSequences, kTexts, Action::characters_as_items);
    set_columns(root, kSequences, kMappings, Action::keys_as_items);
    set_columns(root, kSequences, std::array{Shape::set}, Action::fail);
  } else if (options.has("no_replace") && !options.has("replace")) {
    set_rows(root, kSequences, Action::fail);
    set_columns(root, kSequences, kSequences, Action::keep_old);
    set_columns(root, kSequences, kTexts, Action::keep_old);
    // The reference looks the indexes up in the new mapping, and fails where there are none.
    set_columns(root, kSequences, kMappings, Action::check_indexes);
  } else {
    set_rows(root, kSequences, Action::take_new);
    set_columns(root, kSequences, kSequences, Action::by_index);
    set_columns(root, kSequences, kMappings, Action::take_new_noted);
  }
}

/// Rows of old texts. Rule: the str merger.
void add_str(Strategy& strategy, const MergerOptions& options) {
  if (options.has("append")) {
    set_rows(strategy.root, kTexts, Action::fail);
    set_columns(strategy.root, kTexts, kTexts, Action::join);
  } else {
    set_rows(strategy.root, kTexts, Action::take_new);
    set_columns(strategy.root, kTexts, kMappings, Action::take_new_noted);
  }
}

/// Members of mappings that are walked. Rule: the dict merger.
void add_members(Strategy& strategy, const MergerOptions& options) {
  const bool recurse_list = options.has("recurse_list") || options.has("recurse_array");
  fill(strategy.member, Action::keep_old);
  if (options.has("replace")) {
    fill(strategy.member, Action::take_new);
  } else {
    recurse_columns(strategy.member, strategy.root, kMappings);
    if (recurse_list) recurse_columns(strategy.member, strategy.root, kSequences);
    if (options.has("recurse_str")) recurse_columns(strategy.member, strategy.root, kTexts);
  }
  if (options.has("allow_delete")) {
    for (auto& row : strategy.member) row.at(static_cast<std::size_t>(Shape::null)) = Action::remove;
  }
  strategy.member.at(static_cast<std::size_t>(Shape::absent)).fill(Action::take_new);
}

/// Items merged by index. Rule: the list merger with `replace`.
void add_items(Strategy& strategy, const MergerOptions& options) {
  fill(strategy.item, Action::take_new);
  if (options.has("recurse_list") || options.has("recurse_array"))
    recurse_columns(strategy.item, strategy.root, kSequences);
  if (options.has("recurse_str")) recurse_columns(strategy.item, strategy.root, kTexts);
  if (options.has("recurse_dict")) recurse_columns(strategy.item, strategy.root, kMappings);
}

/// Fills a strategy from mergers; per type of old the first one counts.
class StrategyBuilder {
 public:
  StrategyBuilder(std::span<const Merger> mergers, std::span<const CustomMerger> custom)
      : mergers_(mergers), custom_(custom) {
    fill(built_.strategy.root, Action::keep_old);
    fill(built_.strategy.member, Action::keep_old);
    fill(built_.strategy.item, Action::take_new);
  }

  BuiltStrategy build() {
    for (const Merger& merger : mergers_) add(merger);
    // Tables of members and items refer to the root's, which is complete only now.
    if (dict_ != nullptr) add_members(built_.strategy, dict_->options);
    if (list_ != nullptr) add_items(built_.strategy, list_->options);
    built_.text = text();
    return std::move(built_);
  }

 private:
  void add(const Merger& merger) {
    remark(merger);
    if (merger.name == "dict") {
      if (take(mappings_)) {
        dict_ = &merger;
        set_columns(built_.strategy.root, kMappings, kMappings, Action::recurse);
        built_.has_dict = true;
      }
    } else if (merger.name == "list") {
      if (take(sequences_)) {
        list_ = &merger;
        add_list(built_.strategy, merger.options);
      }
    } else if (merger.name == "str") {
      if (take(texts_)) add_str(built_.strategy, merger.options);
    } else {
      add_custom(merger);
    }
  }

  void add_custom(const Merger& merger) {
    const auto found = std::ranges::find(custom_, merger.name, &CustomMerger::name);
    if (found == custom_.end()) {
      throw Error("merger.unknown", fmt::format("there is no merger '{}'", merger.name))
          .hint("the built-in mergers are list, dict and str; others are given with --merger NAME=FILE.lua");
    }
    Arena arena;
    SequenceBuilder words(arena);
    for (const std::string& word : merger.options.words()) words.append(arena.text(word));
    CustomHandlers handlers = found->build(words.finish());
    if (handlers.on_mapping && take(mappings_)) {
      call(kMappings, merger.name + ".on_mapping", std::move(handlers.on_mapping));
      built_.has_dict = true;
    }
    if (handlers.on_sequence && take(sequences_))
      call(kSequences, merger.name + ".on_sequence", std::move(handlers.on_sequence));
    if (handlers.on_string && take(texts_)) call(kTexts, merger.name + ".on_string", std::move(handlers.on_string));
  }

  void call(std::span<const Shape> old, std::string name, merge::Call function) {
    set_rows(built_.strategy.root, old, merge::call_action(built_.calls.size()));
    built_.strategy.calls.push_back(std::move(name));
    built_.calls.push_back(std::move(function));
  }

  static bool take(bool& taken) { return !std::exchange(taken, true); }

  void remark(const Merger& merger) {
    const bool built_in = merger.name == "dict" || merger.name == "list" || merger.name == "str";
    if (!built_in) return;
    if (merger.options.is_text()) {
      built_.remarks.push_back(fmt::format(
          "the settings of the merger '{}' are one text, in which options are searched as substrings", merger.name));
      return;
    }
    if (merger.options.is_mapping()) {
      built_.remarks.push_back(
          fmt::format("the settings of the merger '{}' are a mapping: only its keys are used", merger.name));
    }
    for (const std::string& word : merger.options.words()) {
      if (std::ranges::find(kKnownOptions, word) == kKnownOptions.end()) {
        built_.remarks.push_back(fmt::format("the merger '{}' has no option '{}'; it is ignored", merger.name, word));
      }
    }
  }

  [[nodiscard]] std::string text() const {
    std::string out;
    for (const Merger& merger : mergers_) {
      out += fmt::format("{}{}({})", out.empty() ? "" : "+", merger.name, fmt::join(merger.options.words(), ","));
    }
    return out;
  }

  std::span<const Merger> mergers_;
  std::span<const CustomMerger> custom_;
  BuiltStrategy built_;
  const Merger* dict_ = nullptr;
  const Merger* list_ = nullptr;
  bool mappings_ = false;
  bool sequences_ = false;
  bool texts_ = false;
};

}  // namespace

bool MergerOptions::has(std::string_view option) const {
  if (settings_.is_text()) return settings_.text().find(option) != std::string_view::npos;
  if (settings_.is_sequence())
    return std::ranges::any_of(settings_.items(),
                               [option](const Value& item) { return item.is_text() && item.text() == option; });
  if (settings_.is_container()) return settings_.find(option) != nullptr;
  return std::ranges::find(words_, option) != words_.end();
}

std::vector<std::string> MergerOptions::words() const {
  std::vector<std::string> words = words_;
  if (settings_.is_text()) words.emplace_back(settings_.text());
  if (settings_.is_sequence()) {
    for (const Value& item : settings_.items()) words.push_back(key_text(item));
  } else if (settings_.is_container()) {
    for (const Entry& entry : settings_.entries()) words.push_back(key_text(entry.key));
  }
  return words;
}

std::vector<Merger> parse_mergers(std::string_view text, Origin origin) {
  std::vector<Merger> mergers;
  while (!text.empty()) {
    const std::size_t plus = std::min(text.find('+'), text.size());
    const std::string segment = dashes_to_underscores(lower(trim(text.substr(0, plus))));
    if (!segment.empty()) mergers.push_back(parse_segment(segment, origin));
    text.remove_prefix(std::min(plus + 1, text.size()));
  }
  return mergers;
}

std::vector<Merger> parse_mergers(const Value& value, Arena& arena) {
  std::vector<Merger> mergers;
  if (value.is_text()) return parse_mergers(value.text(), value.origin());
  if (value.is_sequence()) {
    for (const Value& item : value.items()) parse_item(item, arena, mergers);
  } else if (value.is_container()) {
    // A mapping is walked by its keys, as any mapping is.
    for (const Entry& entry : value.entries()) parse_item(entry.key, arena, mergers);
  } else {
    fail_shape(value, "where mergers are named");
  }
  return mergers;
}

BuiltStrategy build_strategy(std::span<const Merger> mergers, std::span<const CustomMerger> custom) {
  return StrategyBuilder(mergers, custom).build();
}

const BuiltStrategy& default_part_strategy() {
  static const BuiltStrategy strategy = build_strategy(parse_mergers("dict(replace)+list()+str()", {}), {});
  return strategy;
}

const BuiltStrategy& default_layer_strategy() {
  static const BuiltStrategy strategy = build_strategy(parse_mergers("list()+dict()+str()", {}), {});
  return strategy;
}

}  // namespace strata::cloudinit
