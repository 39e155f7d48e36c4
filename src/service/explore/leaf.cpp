// The leaf behind a row: its history, the rule it followed, and who else has its value.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "report/lines.hpp"
#include "service/explore/answers.hpp"
#include "service/explore/handlers.hpp"
#include "service/explore/survey.hpp"
#include "service/explore/table.hpp"
#include "strata/list_history.hpp"
#include "strata/merge.hpp"
#include "strata/near_names.hpp"
#include "strata/path.hpp"
#include "strata/report.hpp"
#include "strata/workspace.hpp"

namespace strata::service::explore {
namespace {

bool wins(const merge::Contribution& one) { return one.fate == merge::Fate::won || one.fate == merge::Fate::merged; }

std::string shown_place(const Place& place) { return place.file.empty() ? "<nowhere>" : place.to_string(); }

/// The order in which contributions are shown, as the text of `--explain` has it: winners, then what came later and lost, then what was there before,
/// the latest first. By contribution, its rank.
std::vector<std::size_t> ranks_of(const std::vector<merge::Contribution>& met) {
  std::vector<std::size_t> order;
  std::size_t behind = 0;
  for (std::size_t i = 0; i < met.size(); ++i) {
    if (!wins(met[i])) continue;
    order.push_back(i);
    behind = i;
  }
  const bool has_winner = !order.empty();
  for (std::size_t i = has_winner ? behind : 0; i < met.size(); ++i) {
    if (!wins(met[i])) order.push_back(i);
  }
  for (std::size_t i = has_winner ? behind : 0; i > 0; --i) {
    if (!wins(met[i - 1])) order.push_back(i - 1);
  }
  std::vector<std::size_t> out(met.size());
  for (std::size_t i = 0; i < order.size(); ++i) out[order[i]] = i;
  return out;
}

/// A subject's item while it is asked.
struct Asked {
  const View& view;
  const analysis::Outcome& outcome;
  const analysis::Item& item;
};

/// Why a contribution lost, in a sentence.
std::string reason_of(const Asked& asked, const merge::PathHistory& path, const merge::Contribution& lost, const std::optional<merge::Rule>& rule) {
  const merge::Contribution* winner = nullptr;
  for (const merge::Contribution& one : path.contributions) {
    if (wins(one)) winner = &one;
  }
  const std::string place = winner == nullptr ? std::string() : shown_place(asked.outcome.sources->place(winner->value.origin()));
  const std::string by =
      winner == nullptr || winner->layer == merge::kNoLayer ? place : fmt::format("{} ({})", asked.outcome.history->layer_name(winner->layer), place);
  const std::string how = rule && !rule->text.empty() ? fmt::format(", as `{}` merges", rule->text) : std::string();
  switch (lost.loss) {
    case merge::Loss::equal:
      return "the same item is there already" + how;
    case merge::Loss::knocked_out:
      return "a knockout prefix takes it out" + how;
    case merge::Loss::removed:
      return "it is deleted or dropped" + how;
    case merge::Loss::replaced:
      if (winner != nullptr) return fmt::format("{} counts instead{}", by, how);
      return "a container above it was replaced" + how;
    case merge::Loss::none:
      break;
  }
  if (lost.fate == merge::Fate::removed) return "it is deleted or dropped" + how;
  if (winner != nullptr) return fmt::format("{} is stronger{}", by, how);
  return "a container above it was replaced" + how;
}

/// The rule that a path followed: that of its winner's layer.
std::optional<merge::Rule> rule_of(const merge::History& history, const std::vector<merge::PathHistory>& paths) {
  for (const merge::PathHistory& path : paths) {
    for (const merge::Contribution& one : path.contributions) {
      if (!wins(one) || one.layer == merge::kNoLayer) continue;
      const merge::Rule& rule = history.rule(history.layer_rule(one.layer));
      if (!rule.text.empty()) return rule;
      const std::string& note = history.layer_note(one.layer);
      if (!note.empty()) return merge::Rule{.text = note, .option = {}};
    }
  }
  return std::nullopt;
}

Value entries_value(Arena& arena, const Asked& asked, const std::vector<merge::PathHistory>& paths, const std::optional<merge::Rule>& rule) {
  const Value told = report::explain_data(arena, *asked.outcome.sources, *asked.outcome.history, paths);
  SequenceBuilder out(arena, paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const merge::PathHistory& path = paths[i];
    MappingBuilder row = MappingBuilder::copy_of(arena, told.items()[i]);
    if (path.value) row.insert("value", shown_value(arena, path.value));
    const std::span<const Value> entries = told.items()[i].find("history")->items();
    const std::vector<std::size_t> ranks = ranks_of(path.contributions);
    SequenceBuilder history(arena, entries.size());
    for (std::size_t j = 0; j < entries.size(); ++j) {
      const merge::Contribution& one = path.contributions[j];
      MappingBuilder entry = MappingBuilder::copy_of(arena, entries[j]);
      entry.insert("value", shown_value(arena, one.value));
      entry.insert("rank", number(ranks[j]));
      entry.insert("reason", wins(one) ? Value::null() : arena.text(reason_of(asked, path, one, rule)));
      history.append(entry.finish());
    }
    row.insert("history", history.finish());
    out.append(row.finish());
  }
  return out.finish();
}

/// The list at a path, or the nearest around it.
std::optional<Value> list_of(Arena& arena, const Asked& asked, const std::string& pointer) {
  std::optional<Value> out;
  std::size_t longest = 0;
  const merge::History& history = *asked.outcome.history;
  const merge::Traced item{.value = asked.item.value, .slot = asked.item.slot};
  merge::each_list(history, item, {.sort_keys = asked.view.question().wording().sort_keys, .is_documents = false, .revise = {}},
                   [&](const merge::ListHistory& list) {
                     const std::string path = list.path.pointer();
                     const bool is_around = pointer == path || pointer.starts_with(path + "/");
                     if (!is_around || (out && path.size() < longest)) return;
                     longest = path.size();
                     out = report::list_data(arena, *asked.outcome.sources, list, path,
                                             [&history](merge::LayerId layer) { return history.layer_name(layer); });
                   });
  return out;
}

/// How the dialect spells a path: `ntp::servers.0`.
std::string spelling_of(const View& view, const std::string& item, const std::vector<std::string>& tokens) {
  if (view.has_documents()) return fmt::format("{}{}{}", item, tokens.empty() ? "" : " .", fmt::join(tokens, "."));
  std::string out = item;
  for (const std::string& token : tokens) {
    if (!out.empty()) out += '.';
    const bool is_plain = token.find('.') == std::string::npos;
    out += is_plain ? token : fmt::format("'{}'", token);
  }
  return out;
}

/// The command that tells the same.
std::string command_of(const View& view, const std::string& subject, const std::string& item, const std::string& path) {
  std::vector<std::string> words{"strata"};
  words.insert(words.end(), view.form().words.begin(), view.form().words.end());
  std::string pointer;
  if (!item.empty() && !view.has_documents()) append_token(pointer, item);
  words.push_back("--explain=" + pointer + path);
  std::string out = workspace::command_line(words);
  if (view.question().wording().is_fleet) out += fmt::format("  # {} {}", view.question().wording().subject, subject);
  return out;
}

}  // namespace

Response show_leaf(const Call& call, Source& source) {
  const auto view = view_of(call, source);
  const std::string* item_name = call.request.query.find("item");
  const std::string* path = call.request.query.find("path");
  const std::string item = item_name == nullptr ? std::string() : *item_name;
  const std::string pointer = path == nullptr ? std::string() : *path;
  const std::vector<std::string> tokens = parse_pointer(pointer);
  Arena arena;
  MappingBuilder out(arena);
  // All of it: the order in which layers meet is that of the whole result.
  const auto kept = view->answer(call[1], call.stop);
  // Not while others look: all subjects are asked.
  const bool has_others = call.request.query.flag("others", true) && view->question().wording().is_fleet;
  const Survey* survey = has_others ? &view->survey(call.stop) : nullptr;
  {
    const std::scoped_lock lock(kept->mutex);
    const analysis::Subject::Answer& answered = kept->answer;
    if (answered.outcome.failure) throw Error(*answered.outcome.failure);
    const auto found = std::ranges::find(answered.outcome.items, item, &analysis::Item::name);
    if (found == answered.outcome.items.end()) {
      std::vector<std::string> known;
      for (const Row& row : view->table(call[1], call.stop)->rows) {
        if (row.item && (known.empty() || known.back() != *row.item)) known.push_back(*row.item);
      }
      const std::vector<std::string_view> names(known.begin(), known.end());
      throw Error("explore.item", fmt::format("'{}' has no '{}'", call[1], item)).hint(name_hint(names, item, {}));
    }
    if (found->failure) throw Error(*found->failure);
    const Asked asked{.view = *view, .outcome = answered.outcome, .item = *found};
    std::vector<merge::PathHistory> paths;
    if (answered.outcome.history != nullptr) paths = answered.outcome.history->explain({.value = found->value, .slot = found->slot}, tokens);
    const Value value = value_at(found->value, tokens);
    if (!value && paths.empty()) throw Error("explain.path", fmt::format("nothing was ever at the path '{}'", pointer));
    // Below what is secret there is nothing to tell.
    const bool is_hidden = value && value.is_secret();
    std::optional<merge::Rule> rule;
    std::optional<Value> list;
    if (answered.outcome.history != nullptr) {
      list = list_of(arena, asked, pointer);
      rule = rule_of(*answered.outcome.history, paths);
    }
    out.insert("item", arena.text(item));
    out.insert("path", arena.text(pointer));
    out.insert("spelling", arena.text(spelling_of(*view, item, tokens)));
    out.insert("type", value ? arena.text(is_hidden ? "secret" : kind_name(value)) : Value::null());
    if (value) out.insert("value", shown_value(arena, arena.deep_copy(value)));
    const Value entries = entries_value(arena, asked, paths, rule);
    out.insert("entries", arena.deep_copy(entries));
    if (list && !list->find("strategy")->text().empty()) {
      const Value* option = list->find("option");
      MappingBuilder strategy(arena);
      strategy.insert("text", *list->find("strategy"));
      strategy.insert("origin", arena.deep_copy(*option));
      out.insert("strategy", strategy.finish());
    } else if (rule) {
      MappingBuilder strategy(arena);
      strategy.insert("text", arena.text(rule->text));
      strategy.insert("origin", rule->option ? place_value(arena, answered.outcome.sources->place(rule->option)) : Value::null());
      out.insert("strategy", strategy.finish());
    } else {
      out.insert("strategy", Value::null());
    }
    SequenceBuilder inputs(arena);
    const Value copied = arena.deep_copy(entries);
    for (std::size_t i = 0; i < paths.size() && paths.size() == 1; ++i) {
      const auto& met = paths[i].contributions;
      if (std::ranges::count(met, merge::Fate::merged, &merge::Contribution::fate) < 2) continue;
      for (std::size_t j = 0; j < met.size(); ++j) {
        if (met[j].fate == merge::Fate::merged) inputs.append(copied.items()[i].find("history")->items()[j]);
      }
    }
    out.insert("inputs", inputs.finish());
    out.insert("list", list ? arena.deep_copy(*list) : Value::null());
    Value others = Value::null();
    if (survey != nullptr && value && value.is_leaf()) {
      const auto common = survey->places.find(place_key(item, pointer));
      if (common != survey->places.end()) {
        const Place place = answered.outcome.sources->place(value.origin());
        const auto same = common->second.values.find(hash_of(value));
        const auto origin = common->second.origins.find({.file = place.file, .line = place.line.value_or(0), .column = place.column.value_or(0)});
        MappingBuilder told(arena);
        told.insert("same_value", number(same == common->second.values.end() ? 0 : same->second.subjects));
        told.insert("same_origin", number(origin == common->second.origins.end() ? 0 : origin->second));
        told.insert("of", number(survey->subjects));
        others = told.finish();
      }
    }
    out.insert("others", others);
  }
  out.insert("command", arena.text(command_of(*view, call[1], item, pointer)));
  return answer(call, out, view->form().generation);
}

}  // namespace strata::service::explore
