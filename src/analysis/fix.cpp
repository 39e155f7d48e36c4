// SPDX-License-Identifier: Apache-2.0
// Takes findings out of the files, as long as every result stays as it is.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/trial.hpp"
#include "strata/check.hpp"
#include "strata/links.hpp"
#include "strata/path.hpp"

namespace strata::analysis {
namespace {

/// A statement to take out.
struct RemovableStatement {
  ConfigurationFile file;
  Excerpt where;  ///< The place of the finding, with the name of the file as it is shown.
  std::string pointer;
  std::size_t document;
  std::optional<std::string> replacement;  ///< Of the value. No value: the statement is removed.
  std::string item;  ///< Of which it states something. Empty: the results have no items that stand for themselves.
};

class Fixer {
 public:
  Fixer(const Question& question, const State& state, const FixSettings& settings)
      : question_(question), state_(edited(state, {}, settings.folder)), settings_(settings) {}

  FixReport run(const Look& look) {
    constexpr std::size_t kMostPasses = 1000;
    report_.first = look(state_);
    report_.left = report_.first;
    report_.found = told(report_.first);
    for (std::size_t pass = 0; pass < kMostPasses && take_all(candidates(report_.left)); ++pass)
      report_.left = look(current(texts_));
    report_.found = std::max(report_.found, report_.fixed + told(report_.left));
    finish();
    return std::move(report_);
  }

 private:
  using Wave = std::vector<const RemovableStatement*>;
  using Texts = std::map<std::string, std::string>;  ///< Of changed files, by path.

  static std::size_t told(const CheckReport& report) {
    return static_cast<std::size_t>(
        std::ranges::count_if(report.findings, [](const Finding& one) { return !one.silence; }));
  }

  [[nodiscard]] State current(const Texts& texts) const {
    Edits edits;
    for (const auto& [path, text] : texts) edits[path] = text;
    return edited(state_, edits, settings_.folder);
  }

  /// Those with fewest readers first, then by file, the last place first.
  [[nodiscard]] std::vector<RemovableStatement> candidates(const CheckReport& report) const {
    std::vector<const Finding*> findings;
    for (const Finding& one : report.findings) {
      if (one.removable && !one.silence && settings_.codes.contains(code_name(one.what.code))) findings.push_back(&one);
    }
    std::ranges::stable_sort(findings, [](const Finding* left, const Finding* right) {
      const Place& place = left->what.where.place;
      const Place& other = right->what.where.place;
      const auto key = [](const Finding& one) { return std::tie(one.removable->readers, one.what.where.place.file); };
      if (key(*left) != key(*right)) return key(*left) < key(*right);
      return std::tie(place.line, place.column) > std::tie(other.line, other.column);
    });
    const bool has_items = question_.traits().items == query::ItemKind::root_member;
    std::vector<RemovableStatement> out;
    out.reserve(findings.size());
    std::set<std::tuple<std::string, std::size_t, std::string>> known;
    for (const Finding* one : findings) {
      edit::Form form = one->removable->file.form;
      std::string place = detail::real_path(*state_.files, one->removable->file.path);
      // One file can be read by several names.
      if (!known.emplace(place, one->document.value_or(0), one->pointer).second) continue;
      out.push_back({.file = {.path = std::move(place), .form = form},
                     .where = one->what.where,
                     .pointer = one->pointer,
                     .document = one->document.value_or(0),
                     .replacement = one->removable->replacement,
                     .item = has_items ? parse_pointer(one->pointer).front() : std::string()});
    }
    return out;
  }

  /// Whether something was taken. What is stated of different items is tried together; of one item one after the other.
  bool take_all(const std::vector<RemovableStatement>& candidates) {
    const std::size_t before = report_.fixed;
    std::map<std::string, Wave> by_item;
    std::size_t most = 0;
    for (const RemovableStatement& one : candidates) {
      Wave& of_item = by_item[one.item];
      of_item.push_back(&one);
      most = std::max(most, of_item.size());
    }
    for (std::size_t i = 0; i < most; ++i) {
      Wave wave;
      for (const auto& [item, of_item] : by_item) {
        if (i < of_item.size()) wave.push_back(of_item[i]);
      }
      take(std::move(wave));
    }
    return report_.fixed > before;
  }

  void take(Wave wave) {
    Wave refused;
    while (!wave.empty()) {
      Texts texts = texts_;
      std::erase_if(wave, [&](const RemovableStatement* one) { return !remove(*one, texts); });
      std::set<std::string> changed;
      bool is_same = true;
      try_edits(question_, state_, current(texts), paths_of(texts), [&](const Tried& tried) {
        is_same = is_same && tried.is_same();
        changed.insert(tried.changed.begin(), tried.changed.end());
        return !tried.fails_otherwise;
      });
      if (is_same) {
        report_.fixed += wave.size();
        texts_ = std::move(texts);
        break;
      }
      if (wave.size() == 1) {
        keep_changing(*wave.front());
        break;
      }
      const auto guilty = std::stable_partition(
          wave.begin(), wave.end(), [&](const RemovableStatement* one) { return !changed.contains(one->item); });
      // Without any, it is not known which of them it was.
      const auto first = guilty == wave.end() ? wave.begin() : guilty;
      refused.insert(refused.end(), first, wave.end());
      wave.erase(first, wave.end());
    }
    // What one of them changed may have been because of another one.
    for (const RemovableStatement* one : refused) take({one});
  }

  /// Removes or replaces a statement in its text. False: that is impossible, which is reported once.
  bool remove(const RemovableStatement& candidate, Texts& texts) {
    const std::string& path = candidate.file.path;
    try {
      Arena arena;
      edit::Change change{
          .operation = edit::Operation::remove, .pointer = candidate.pointer, .document = candidate.document};
      if (candidate.replacement) {
        change.operation = edit::Operation::set;
        change.value = arena.text(*candidate.replacement);
      }
      texts[path] =
          edit::apply(candidate.where.place.file, text_of(path, texts), candidate.file.form, change, settings_.limits)
              .text;
      return true;
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      if (kept_.emplace(path, candidate.document, candidate.pointer).second) report_.kept.push_back(error.diagnostic());
      return false;
    }
  }

  /// Reports that a replacement, which the finding advises, changes results: whether it may is a person's decision.
  void keep_changing(const RemovableStatement& candidate) {
    if (!candidate.replacement || !kept_.emplace(candidate.file.path, candidate.document, candidate.pointer).second)
      return;
    Diagnostic told = Error("edit.changes-results",
                            fmt::format("'{}' changes results, so the old string stays", *candidate.replacement))
                          .hint("write it by hand if the new results are right")
                          .diagnostic();
    told.where = candidate.where;
    report_.kept.push_back(std::move(told));
  }

  [[nodiscard]] std::string text_of(const std::string& path, const Texts& texts) const {
    const auto changed = texts.find(path);
    return changed != texts.end() ? changed->second : state_.files->read(path).value_or(std::string());
  }

  static std::set<std::string> paths_of(const Texts& texts) {
    std::set<std::string> out;
    for (const auto& [path, text] : texts) out.insert(path);
    return out;
  }

  /// All together once more, as they will be written.
  void finish() {
    if (texts_.empty()) return;
    try_edits(question_, state_, current(texts_), paths_of(texts_), [](const Tried& tried) {
      if (!tried.is_same())
        throw Error("edit.unsafe", "the results would not stay the same: nothing was written")
            .hint("this is a fault of strata");
      return true;
    });
    for (auto& [path, text] : texts_) {
      report_.files.push_back(
          {.path = path, .before = state_.files->read(path).value_or(std::string()), .after = std::move(text)});
    }
  }

  const Question& question_;
  State state_;  ///< Its warnings were reported before.
  const FixSettings& settings_;
  Texts texts_;
  FixReport report_;
  std::set<std::tuple<std::string, std::size_t, std::string>> kept_;
};

}  // namespace

FixReport fix(const Question& question, const State& state, const FixSettings& settings, const Look& look) {
  return Fixer(question, state, settings).run(look);
}

}  // namespace strata::analysis
