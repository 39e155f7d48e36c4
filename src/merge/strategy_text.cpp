// SPDX-License-Identifier: Apache-2.0
// Strategies as text: docs/internals/merge.md has the grammar.
#include <fmt/format.h>

#include <algorithm>
#include <bitset>

#include "strata/error.hpp"
#include "strata/strategy.hpp"

namespace strata::merge {
namespace {

using Shapes = std::bitset<kShapes>;

constexpr std::array<std::string_view, kShapes> kShapeNames{
    "absent", "null",       "false",     "true",           "zero",          "number",        "scalar",
    "set",    "text.empty", "text.some", "sequence.empty", "sequence.some", "mapping.empty", "mapping.some"};

struct Group {
  std::string_view name;
  Shapes shapes;
};

const std::array<Group, 6>& groups() {
  static const std::array<Group, 6> all_groups{{
      {"*", Shapes((1U << kShapes) - 1)},
      {"boolean", Shapes(0b11U << 2U)},
      {"numeric", Shapes(0b11U << 4U)},
      {"text", Shapes(0b11U << 8U)},
      {"sequence", Shapes(0b11U << 10U)},
      {"mapping", Shapes(0b11U << 12U)},
  }};
  return all_groups;
}

constexpr std::array<std::string_view, kActions> kActionNames{"keep_old",
                                                              "take_new",
                                                              "take_new_noted",
                                                              "keep_old_noted",
                                                              "recurse",
                                                              "append",
                                                              "prepend",
                                                              "union",
                                                              "by_index",
                                                              "by_index_extend",
                                                              "join",
                                                              "keys_as_items",
                                                              "characters_as_items",
                                                              "remove",
                                                              "self_merge",
                                                              "self_merge_rest",
                                                              "check_indexes",
                                                              "fail",
                                                              "merge_lists",
                                                              "take_list",
                                                              "take_text",
                                                              "wait"};

constexpr std::string_view kKnockout = "knockout: \"";
constexpr std::string_view kKeyPrefix = "key prefix \"";
constexpr std::string_view kKnockoutPattern = "knockout pattern: \"";

struct ListFlag {
  std::string_view name;
  bool ListOptions::*member;
};
constexpr std::array<ListFlag, 3> kListFlags{{{"sort lists", &ListOptions::sort},
                                              {"lists by index", &ListOptions::by_index},
                                              {"independent copies", &ListOptions::independent_copies}}};

std::string name_of(Shapes shapes) {
  std::string out;
  const auto add = [&out](std::string_view name) { out += (out.empty() ? "" : "|") + std::string(name); };
  for (const Group& group : groups()) {
    if ((shapes & group.shapes) == group.shapes) {
      add(group.name);
      shapes &= ~group.shapes;
    }
  }
  for (std::size_t i = 0; i < kShapes; ++i) {
    if (shapes.test(i)) add(kShapeNames.at(i));
  }
  return out;
}

std::string name_of(Action action, const std::vector<std::string>& calls) {
  const auto n = static_cast<std::size_t>(action);
  return n < kActions ? std::string(kActionNames.at(n)) : "call " + calls.at(n - kActions);
}

void print_table(std::string& out, std::string_view name, const Strategy::Table& table,
                 const std::vector<std::string>& calls) {
  std::array<std::size_t, 256> uses{};
  for (const auto& row : table) {
    for (const Action action : row) ++uses.at(static_cast<std::size_t>(action));
  }
  const auto usual = static_cast<Action>(std::ranges::max_element(uses) - uses.begin());
  out += fmt::format("{}:\n  * <- *: {}\n", name, name_of(usual, calls));
  Shapes printed;
  for (std::size_t old = 0; old < kShapes; ++old) {
    if (printed.test(old)) continue;
    Shapes rows;
    for (std::size_t other = old; other < kShapes; ++other) rows.set(other, table.at(other) == table.at(old));
    printed |= rows;
    std::array<bool, 256> done{};
    done.at(static_cast<std::size_t>(usual)) = true;
    for (const Action action : table.at(old)) {
      if (done.at(static_cast<std::size_t>(action))) continue;
      done.at(static_cast<std::size_t>(action)) = true;
      Shapes columns;
      for (std::size_t incoming = 0; incoming < kShapes; ++incoming)
        columns.set(incoming, table.at(old).at(incoming) == action);
      out += fmt::format("  {} <- {}: {}\n", name_of(rows), name_of(columns), name_of(action, calls));
    }
  }
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// Reads one strategy, line by line.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Strategy parse() {
    while (!text_.empty()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      ++number_;
      line_ = trim(text_.substr(0, end));
      text_.remove_prefix(std::min(end + 1, text_.size()));
      if (!line_.empty() && !line_.starts_with('#')) take_line();
    }
    for (const Strategy::Table* table : {&strategy_.root, &strategy_.member, &strategy_.item}) check(*table);
    for (const KeyRule& rule : strategy_.keys) {
      Strategy::Table all{};
      fill(all, rule.action);
      check(all);
    }
    return strategy_;
  }

 private:
  void take_line() {
    if (line_ == "root:") {
      table_ = &strategy_.root;
    } else if (line_ == "member:") {
      table_ = &strategy_.member;
    } else if (line_ == "item:") {
      table_ = &strategy_.item;
    } else if (line_.starts_with("call: ")) {
      strategy_.calls.emplace_back(trim(line_.substr(6)));
    } else if (line_.starts_with("separator: \"") && line_.ends_with('"') && line_.size() >= 13) {
      strategy_.separator = unescape(line_.substr(12, line_.size() - 13));
    } else if (line_.starts_with(kKeyPrefix)) {
      take_key_rule();
    } else if (!take_list_option()) {
      take_rule();
    }
  }

  bool take_list_option() {
    for (const bool is_pattern : {false, true}) {
      const std::string_view name = is_pattern ? kKnockoutPattern : kKnockout;
      if (!line_.starts_with(name) || !line_.ends_with('"') || line_.size() <= name.size()) continue;
      strategy_.lists.knockout = unescape(line_.substr(name.size(), line_.size() - name.size() - 1));
      strategy_.lists.knockout_is_pattern = is_pattern;
      return true;
    }
    const auto found = std::ranges::find(kListFlags, line_, &ListFlag::name);
    if (found == kListFlags.end()) return false;
    strategy_.lists.*(found->member) = true;
    return true;
  }

  void take_key_rule() {
    const std::size_t end = line_.rfind("\":");
    if (end == std::string_view::npos || end <= kKeyPrefix.size()) fail("expected 'key prefix \"PREFIX\": ACTION'");
    const std::string_view prefix = line_.substr(kKeyPrefix.size(), end - kKeyPrefix.size());
    strategy_.keys.push_back({.prefix = unescape(prefix), .action = action(trim(line_.substr(end + 2)))});
  }

  /// What waits is of the shape `scalar`: it goes on waiting for whatever it meets.
  static bool stays_waiting(const Strategy::Table& table) {
    const auto waits = [](Action action) { return action == Action::wait; };
    if (std::ranges::none_of(table, [&](const auto& row) { return std::ranges::any_of(row, waits); })) return true;
    const auto scalar = static_cast<std::size_t>(Shape::scalar);
    return std::all_of(table[scalar].begin() + 1, table[scalar].end(), waits) &&
           std::all_of(table.begin() + 1, table.end(), [&](const auto& row) { return waits(row[scalar]); });
  }

  void check(const Strategy::Table& table) const {
    if (!stays_waiting(table)) {
      throw Error("strategy.syntax",
                  "a table with 'wait' must say 'wait' for 'scalar' and everything that is there, on both sides");
    }
    for (std::size_t old = 0; old < kShapes; ++old) {
      for (std::size_t incoming = 0; incoming < kShapes; ++incoming) {
        const Action action = table.at(old).at(incoming);
        if (can_apply(action, static_cast<Shape>(old), static_cast<Shape>(incoming))) continue;
        throw Error("strategy.syntax",
                    fmt::format("'{}' is not possible for {} and {}", name_of(action, strategy_.calls),
                                kShapeNames.at(incoming), kShapeNames.at(old)));
      }
    }
  }

  void take_rule() {
    const std::size_t arrow = line_.find("<-");
    const std::size_t colon = line_.find(':', arrow == std::string_view::npos ? 0 : arrow);
    if (table_ == nullptr || arrow == std::string_view::npos || colon == std::string_view::npos)
      fail("expected 'root:', 'member:', 'item:' or 'OLD <- NEW: ACTION'");
    const Shapes old = shapes(trim(line_.substr(0, arrow)));
    const Shapes incoming = shapes(trim(line_.substr(arrow + 2, colon - arrow - 2)));
    const Action action = this->action(trim(line_.substr(colon + 1)));
    for (std::size_t i = 0; i < kShapes; ++i) {
      for (std::size_t k = 0; k < kShapes; ++k) {
        if (old.test(i) && incoming.test(k)) table_->at(i).at(k) = action;
      }
    }
  }

  Shapes shapes(std::string_view names) {
    Shapes out;
    while (true) {
      const std::size_t bar = names.find('|');
      const std::string_view name = trim(names.substr(0, bar));
      const auto group = std::ranges::find(groups(), name, &Group::name);
      const auto shape = std::ranges::find(kShapeNames, name);
      if (group != groups().end()) {
        out |= group->shapes;
      } else if (shape != kShapeNames.end()) {
        out.set(static_cast<std::size_t>(shape - kShapeNames.begin()));
      } else {
        fail(fmt::format("unknown shape '{}'", name));
      }
      if (bar == std::string_view::npos) return out;
      names.remove_prefix(bar + 1);
    }
  }

  Action action(std::string_view name) {
    if (name.starts_with("call ")) {
      const std::string function(trim(name.substr(5)));
      const auto known = std::ranges::find(strategy_.calls, function);
      const auto n = static_cast<std::size_t>(known - strategy_.calls.begin());
      if (known == strategy_.calls.end()) strategy_.calls.push_back(function);
      return call_action(n);
    }
    const auto found = std::ranges::find(kActionNames, name);
    if (found == kActionNames.end()) fail(fmt::format("unknown action '{}'", name));
    return static_cast<Action>(found - kActionNames.begin());
  }

  static std::string unescape(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\\' && i + 1 < text.size()) {
        ++i;
        out += text[i] == 'n' ? '\n' : text[i];
      } else {
        out += text[i];
      }
    }
    return out;
  }

  [[noreturn]] void fail(std::string_view problem) const {
    throw Error("strategy.syntax", fmt::format("line {} of the strategy, '{}': {}", number_, line_, problem))
        .hint("docs/internals/merge.md has the grammar");
  }

  std::string_view text_;
  std::string_view line_;
  std::size_t number_ = 0;
  Strategy strategy_;
  Strategy::Table* table_ = nullptr;
};

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string Strategy::to_string() const {
  std::string out;
  // The order of the calls is part of the strategy: it says which function is which.
  for (const std::string& call : calls) out += fmt::format("call: {}\n", call);
  print_table(out, "root", root, calls);
  print_table(out, "member", member, calls);
  print_table(out, "item", item, calls);
  if (!separator.empty()) out += fmt::format("separator: \"{}\"\n", escape(separator));
  if (!lists.knockout.empty())
    out += fmt::format("{}{}\"\n", lists.knockout_is_pattern ? kKnockoutPattern : kKnockout, escape(lists.knockout));
  for (const KeyRule& rule : keys)
    out += fmt::format("{}{}\": {}\n", kKeyPrefix, escape(rule.prefix), name_of(rule.action, calls));
  for (const ListFlag& flag : kListFlags) {
    if (lists.*(flag.member)) out += fmt::format("{}\n", flag.name);
  }
  return out;
}

Strategy parse_strategy(std::string_view text) { return Parser(text).parse(); }

}  // namespace strata::merge
