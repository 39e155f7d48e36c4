// SPDX-License-Identifier: Apache-2.0
// The leaf behind a row: its history, the rule it followed, and who else has its value.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "merge/contributions.hpp"
#include "report/lines.hpp"
#include "service/explore/answers.hpp"
#include "service/explore/handlers.hpp"
#include "service/explore/survey.hpp"
#include "service/explore/table.hpp"
#include "strata/list_history.hpp"
#include "strata/merge.hpp"
#include "strata/near_names.hpp"
#include "strata/path.hpp"
#include "strata/paths.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"
#include "strata/workspace.hpp"

namespace strata::service::explore {
namespace {

std::string shown_place(const Place& place) { return place.file.empty() ? "<nowhere>" : place.to_string(); }

/// The order in which contributions are shown, as the text of `--explain` has it: winners, then what came later and
/// lost, then what was there before, the latest first. By contribution, its rank.
std::vector<std::size_t> ranks_of(const std::vector<merge::Contribution>& met) {
  std::vector<std::size_t> order;
  std::size_t behind = 0;
  for (std::size_t i = 0; i < met.size(); ++i) {
    if (!merge::counts(met[i])) continue;
    order.push_back(i);
    behind = i;
  }
  const bool has_winner = !order.empty();
  for (std::size_t i = has_winner ? behind : 0; i < met.size(); ++i) {
    if (!merge::counts(met[i])) order.push_back(i);
  }
  for (std::size_t i = has_winner ? behind : 0; i > 0; --i) {
    if (!merge::counts(met[i - 1])) order.push_back(i - 1);
  }
  std::vector<std::size_t> out(met.size());
  for (std::size_t i = 0; i < order.size(); ++i) out[order[i]] = i;
  return out;
}

/// A subject's item while it is asked.
struct ItemContext {
  const View& view;
  const analysis::Outcome& outcome;
  const analysis::Item& item;
  const LevelNames& levels;
};

/// Tells the level of a contribution beside its layer.
void insert_level(Arena& arena, MappingBuilder& out, const LevelNames& levels) {
  const Value* layer = out.find("layer");
  if (layer == nullptr || !layer->is_text()) return;
  const Value* file = out.find("file");
  const std::string key =
      LevelNames::key(layer->text(), file != nullptr && file->is_text() ? file->text() : std::string_view());
  out.insert("level", arena.text(levels.name(key)));
  out.insert("colour", number(level_colour(key)));
}

/// How a path was merged.
struct Followed {
  std::string text;
  std::optional<Place> option = {};  ///< Where it is chosen.
  bool is_known = true;              ///< Whether a rule that is chosen nowhere is the default.
};

/// What takes a contribution out of a list. An item with a knockout prefix names another one, and goes with it.
std::string knockout_of(const ItemContext& asked, const merge::PathHistory& path, const merge::Contribution& lost) {
  const std::string own = key_text(lost.value);
  if (!lost.value.is_leaf() || own.empty() || lost.value.is_secret()) return "a knockout prefix takes it out";
  for (const merge::Contribution& one : path.contributions) {
    if (&one == &lost || one.loss != merge::Loss::knocked_out || !one.value.is_leaf() || one.value.is_secret())
      continue;
    const std::string other = key_text(one.value);
    const std::string place = shown_place(asked.outcome.sources->place(one.value.origin()));
    if (other.size() > own.size() && other.ends_with(own))
      return fmt::format("knocked out by `{}` in {}", other, place);
    if (own.size() > other.size() && own.ends_with(other))
      return fmt::format("it knocks out `{}` of {}, and goes itself", other, place);
  }
  return "a knockout prefix takes it out";
}

/// Why a contribution lost, in a sentence.
std::string loss_reason(const ItemContext& asked, const merge::PathHistory& path, const merge::Contribution& lost,
                        const std::optional<Followed>& followed) {
  const merge::Contribution* winner = nullptr;
  for (const merge::Contribution& one : path.contributions) {
    if (merge::counts(one)) winner = &one;
  }
  std::string by;
  if (winner != nullptr) {
    const Place place = asked.outcome.sources->place(winner->value.origin());
    by = shown_place(place);
    // A layer that is named as its file says no more than the place.
    const std::string level = winner->layer == merge::kNoLayer
                                  ? place.file
                                  : level_of(asked.outcome.history->layer_name(winner->layer), place.file);
    if (level != place.file) by = fmt::format("{} ({})", level, by);
  }
  const std::string how =
      followed && !followed->text.empty() ? fmt::format(", as `{}` merges", followed->text) : std::string();
  switch (lost.loss) {
    case merge::Loss::equal:
      return "the same item is there already" + how;
    case merge::Loss::knocked_out:
      return knockout_of(asked, path, lost) + how;
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
std::optional<Followed> rule_of(const analysis::Outcome& outcome, const std::vector<merge::PathHistory>& paths) {
  const merge::History& history = *outcome.history;
  for (const merge::PathHistory& path : paths) {
    for (const merge::Contribution& one : path.contributions) {
      if (!merge::counts(one) || one.layer == merge::kNoLayer) continue;
      const merge::Rule& rule = history.rule(history.layer_rule(one.layer));
      if (!rule.text.empty())
        return Followed{.text = rule.text,
                        .option = rule.option ? std::optional(outcome.sources->place(rule.option)) : std::nullopt};
      const std::string& note = history.layer_note(one.layer);
      if (!note.empty()) return Followed{.text = note, .is_known = false};
    }
  }
  return std::nullopt;
}

/// The same of a key of Hiera, asked for alone: layers that several keys share have the rule of the first of them.
std::optional<Followed> rule_of_key(const View& view, const std::string& subject, const std::string& key,
                                    const std::vector<std::string>& tokens, const Stop& stop) {
  std::optional<Followed> out;
  view.with(subject, analysis::Question::History::yes, stop, [&](analysis::Subject& one) {
    const analysis::Outcome outcome = one.ask(std::vector{key}).outcome;
    const auto found = std::ranges::find(outcome.items, key, &analysis::Item::name);
    if (outcome.failure || outcome.history == nullptr || found == outcome.items.end() || found->failure) return;
    out = rule_of(outcome, outcome.history->explain({.value = found->value, .slot = found->slot}, tokens));
  });
  return out;
}

Value entries_value(Arena& arena, const ItemContext& asked, const std::vector<merge::PathHistory>& paths,
                    const std::optional<Followed>& followed) {
  const Value told = report::explain_data(arena, *asked.outcome.sources, *asked.outcome.history, paths);
  SequenceBuilder out(arena, paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const merge::PathHistory& path = paths[i];
    MappingBuilder row = MappingBuilder::copy_of(arena, told.items()[i]);
    if (path.value) insert_value(arena, row, path.value);
    const std::span<const Value> entries = told.items()[i].find("history")->items();
    const std::vector<std::size_t> ranks = ranks_of(path.contributions);
    SequenceBuilder history(arena, entries.size());
    for (std::size_t j = 0; j < entries.size(); ++j) {
      const merge::Contribution& one = path.contributions[j];
      MappingBuilder entry = MappingBuilder::copy_of(arena, entries[j]);
      insert_value(arena, entry, one.value);
      insert_level(arena, entry, asked.levels);
      entry.insert("rank", number(ranks[j]));
      entry.insert("reason", merge::counts(one) ? Value::null() : arena.text(loss_reason(asked, path, one, followed)));
      history.append(entry.finish());
    }
    row.insert("history", history.finish());
    out.append(row.finish());
  }
  return out.finish();
}

/// A report about a list, in which items tell their levels.
Value with_levels(Arena& arena, const Value& list, const LevelNames& levels) {
  MappingBuilder out = MappingBuilder::copy_of(arena, list);
  for (const std::string_view name : {"items", "dropped"}) {
    SequenceBuilder items(arena);
    for (const Value& one : list.find(name)->items()) {
      MappingBuilder item = MappingBuilder::copy_of(arena, one);
      insert_level(arena, item, levels);
      items.append(item.finish());
    }
    out.insert(name, items.finish());
  }
  return out.finish();
}

/// The list at a path, or the nearest around it.
std::optional<Value> nearest_list(Arena& arena, const ItemContext& asked, const std::string& pointer) {
  std::optional<Value> out;
  std::size_t longest = 0;
  const merge::History& history = *asked.outcome.history;
  const merge::Traced item{.value = asked.item.value, .slot = asked.item.slot};
  merge::each_list(history, item,
                   {.sort_keys = asked.view.question().wording().sort_keys, .is_documents = false, .revise = {}},
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

/// A node of a list, as `{name, facts}`. Absent: the list has another form.
Value node_of(Arena& arena, const View& view, Sources& sources, const std::string& list, const std::string& subject) {
  const std::optional<std::string> text = view.state().inputs->find(list);
  if (!text) return {};
  try {
    const Value root =
        arena.deep_copy(text::read_yaml(sources, sources.add(list, *text), text::pyyaml(), view.form().limits).root);
    if (!root.is_sequence()) return {};
    for (const Value& one : root.items()) {
      const Value* name = one.is_mapping() ? one.find("name") : nullptr;
      if (name != nullptr && name->is_text() && name->text() == subject) return one;
    }
  } catch (const Error& error) {
    if (error.ends_request()) throw;
  }
  return {};
}

/// The command that tells the same: the question about this subject alone where it can be asked so, else about all,
/// with the path of this one.
class Command {
 public:
  Command(const View& view, const std::string& subject) : view_(view), subject_(subject), words_(view.form().words) {
    const bool is_fleet = view.question().wording().is_fleet && subject != sites::kOnly;
    if (!is_fleet) return;
    const std::vector<std::string> own =
        view.form().words_of ? view.form().words_of(subject) : std::vector<std::string>();
    if (view.form().words_of) {
      words_.insert(words_.end(), own.begin(), own.end());
      return;
    }
    const auto nodes = std::ranges::find(words_, "--nodes");
    if (nodes != words_.end() && nodes + 1 != words_.end()) ask_nodes(static_cast<std::size_t>(nodes - words_.begin()));
    if (view.form().verb != "inject") append_token(pointer_, subject);
  }

  [[nodiscard]] std::string line(const std::string& item, std::size_t number, const std::string& path) const {
    std::string pointer = pointer_;
    if (view_.has_documents()) {
      append_token(pointer, std::to_string(number));
    } else {
      for (const std::string& key : keys_of_item(view_.layout(), item)) append_token(pointer, key);
    }
    std::vector<std::string> words{"strata"};
    words.insert(words.end(), words_.begin(), words_.end());
    words.push_back("--explain=" + pointer + path);
    std::string out = workspace::command_line(words);
    if (!input_.empty()) out = workspace::command_line({"echo", input_}) + " | " + out;
    if (is_vague_) out += fmt::format("  # {} {}", view_.question().wording().subject, subject_);
    return out;
  }

 private:
  /// `at`: where `--nodes` is.
  void ask_nodes(std::size_t at) {
    const std::string list = words_[at + 1];
    const bool is_inject = view_.form().verb == "inject";
    Sources sources;
    Arena arena;
    if (is_inject) {
      // It explains one node at a time.
      is_vague_ = true;
      for (const std::string_view end : {".yaml", ".yml", ".json"}) {
        const std::string file = fmt::format("{}/{}{}", list, subject_, end);
        const FileTree* files = view_.state().inputs->files();
        if (files == nullptr || files->kind(absolute_path(view_.form().folder, file)) != FileKind::file) continue;
        words_[at] = "--facts";
        words_[at + 1] = file;
        is_vague_ = false;
        return;
      }
    }
    if (!is_inject && !view_.form().is_assumed) return;
    const Value node = node_of(arena, view_, sources, list, subject_);
    if (!node) return;
    const Value* facts = node.find("facts");
    if (is_inject && (facts == nullptr || node.find("trusted") != nullptr)) return;
    text::append_json(input_, is_inject ? *facts : arena.sequence(std::span(&node, 1)),
                      {.sort_keys = false, .indent = -1});
    words_[at] = is_inject ? "--facts" : "--nodes";
    words_[at + 1] = "-";
    is_vague_ = false;
  }

  const View& view_;
  const std::string& subject_;
  std::vector<std::string> words_;
  std::string pointer_;
  std::string input_;
  bool is_vague_ = false;  ///< The command is about all subjects.
};

}  // namespace

Response show_leaf(const Call& call, Source& source) {
  const auto view = view_of(call, source);
  const std::string subject = subject_of(call);
  const std::string* item_name = call.request.query.find("item");
  const std::string* path = call.request.query.find("path");
  const std::string item = item_name == nullptr ? std::string() : *item_name;
  const std::string pointer = path == nullptr ? std::string() : *path;
  const std::vector<std::string> tokens = parse_pointer(pointer);
  Arena arena;
  MappingBuilder out(arena);
  // All of it: the order in which layers meet is that of the whole result.
  const auto table = view->table(subject, call.stop);
  const auto kept = view->answer(subject, call.stop);
  // Not while others look: all subjects are asked.
  const bool has_others = call.request.query.flag("others", true) && view->question().wording().is_fleet;
  std::size_t item_number = 0;
  const bool is_of_keys = view->question().traits().is_keyed;
  const std::optional<Followed> own_rule =
      is_of_keys ? rule_of_key(*view, subject, item, tokens, call.stop) : std::nullopt;
  const Survey* survey = has_others ? &view->survey(call.stop) : nullptr;
  {
    const std::scoped_lock lock(kept->mutex);
    const analysis::Subject::Answer& answered = kept->answer;
    if (answered.outcome.failure) throw Error(*answered.outcome.failure);
    const auto found = std::ranges::find(answered.outcome.items, item, &analysis::Item::name);
    if (found == answered.outcome.items.end()) {
      std::vector<std::string> known;
      for (const Row& row : table->rows) {
        if (row.item && (known.empty() || known.back() != *row.item)) known.push_back(*row.item);
      }
      const std::vector<std::string_view> names(known.begin(), known.end());
      throw Error("explore.item", fmt::format("'{}' has no '{}'", subject, item)).hint(name_hint(names, item, {}));
    }
    if (found->failure) throw Error(*found->failure);
    item_number = static_cast<std::size_t>(found - answered.outcome.items.begin());
    const ItemContext asked{.view = *view, .outcome = answered.outcome, .item = *found, .levels = table->names};
    std::vector<merge::PathHistory> paths;
    if (answered.outcome.history != nullptr)
      paths = answered.outcome.history->explain({.value = found->value, .slot = found->slot}, tokens);
    const Value value = value_at(found->value, tokens);
    if (!value && paths.empty()) throw Error("explain.path", fmt::format("nothing was ever at the path '{}'", pointer));
    // Below what is secret there is nothing to tell.
    const bool is_hidden = value && value.is_secret();
    std::optional<Followed> followed;
    std::optional<Value> list;
    if (answered.outcome.history != nullptr) {
      list = nearest_list(arena, asked, pointer);
      followed = is_of_keys ? own_rule : rule_of(answered.outcome, paths);
    }
    out.insert("item", arena.text(item));
    out.insert("path", arena.text(pointer));
    out.insert("spelling", arena.text(spelling_of(*view, item, tokens)));
    out.insert("type", value ? arena.text(is_hidden ? "secret" : kind_name(value)) : Value::null());
    if (value) insert_value(arena, out, arena.deep_copy(value));
    const Value entries = entries_value(arena, asked, paths, followed);
    out.insert("entries", arena.deep_copy(entries));
    if (list && !list->find("strategy")->text().empty()) {
      const Value* option = list->find("option");
      MappingBuilder strategy(arena);
      strategy.insert("text", *list->find("strategy"));
      strategy.insert("origin", arena.deep_copy(*option));
      strategy.insert("default", Value::boolean(option->is_null()));
      out.insert("strategy", strategy.finish());
    } else if (followed) {
      MappingBuilder strategy(arena);
      strategy.insert("text", arena.text(followed->text));
      strategy.insert("origin", followed->option ? place_value(arena, *followed->option) : Value::null());
      strategy.insert("default", Value::boolean(!followed->option && followed->is_known));
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
    out.insert("list", list ? with_levels(arena, arena.deep_copy(*list), table->names) : Value::null());
    Value others = Value::null();
    if (survey != nullptr && value && value.is_leaf()) {
      const auto common = survey->places.find(place_key(item, pointer));
      if (common != survey->places.end()) {
        const Place place = answered.outcome.sources->place(value.origin());
        const auto same = common->second.values.find(hash_of(value));
        const auto origin = common->second.origins.find(
            {.file = place.file, .line = place.line.value_or(0), .column = place.column.value_or(0)});
        MappingBuilder told(arena);
        // Whether secrets are equal is not told.
        const std::size_t having = same == common->second.values.end() ? 0 : same->second.subjects;
        told.insert("same_value", is_hidden ? Value::null() : number(having));
        told.insert("same_origin", number(origin == common->second.origins.end() ? 0 : origin->second));
        told.insert("of", number(survey->subjects));
        others = told.finish();
      }
    }
    out.insert("others", others);
  }
  out.insert("command", arena.text(Command(*view, subject).line(item, item_number, pointer)));
  return answer(call, out, view->form().generation);
}

}  // namespace strata::service::explore
