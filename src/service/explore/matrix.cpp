// SPDX-License-Identifier: Apache-2.0
// Keys beside groups of subjects that agree on them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "service/explore/answers.hpp"
#include "service/explore/handlers.hpp"
#include "service/explore/survey.hpp"
#include "service/explore/table.hpp"
#include "strata/path.hpp"
#include "strata/stop.hpp"
#include "strata/study.hpp"

namespace strata::service::explore {
namespace {

constexpr std::size_t kMostGroups = 500;
constexpr std::size_t kMostMatrixKeys = 2000;
constexpr std::size_t kSample = 5;
constexpr std::size_t kMostColumns = 20'000;  ///< Distinct groups while subjects are asked.

/// What a subject has at a key.
struct Cell {
  std::size_t key;
  std::uint64_t hash;
  Value value;
  Place place;
  std::optional<Diagnostic> failure;
};

struct Group {
  std::size_t count = 0;
  std::size_t first = 0;  ///< The place of its first subject.
  std::vector<std::string> sample;
  std::vector<Cell> cells;
};

/// Leaves of a value below a path.
// Recursion: bounded by Limits::depth.
template <class Visit>
void each_leaf(const Value& value, const std::string& path, const Visit& visit) {
  if (value.is_leaf() || value.is_secret()) return visit(path, value);
  const auto below = [&](const std::string& token, const Value& member) {
    std::string at = path;
    append_token(at, token);
    each_leaf(member, at, visit);
  };
  if (value.is_sequence()) {
    for (std::size_t i = 0; i < value.size(); ++i) below(std::to_string(i), value.items()[i]);
  } else {
    for (const Entry& entry : value.entries()) below(key_text(entry.key), entry.value);
  }
}

/// Subjects by the words of their names and by facts.
class Selection {
 public:
  explicit Selection(std::string_view text) : filter_({}) {
    std::string words;
    while (!text.empty()) {
      const std::string_view word = text.substr(0, text.find(' '));
      text.remove_prefix(std::min(word.size() + 1, text.size()));
      const std::size_t equals = word.find('=');
      if (word.starts_with("fact:") && equals != std::string_view::npos) {
        facts_.emplace_back(word.substr(5, equals - 5), word.substr(equals + 1));
      } else {
        words.append(word).append(" ");
      }
    }
    filter_ = Filter(words);
  }
  [[nodiscard]] bool takes(const std::string& name, analysis::Subject& subject) const {
    if (!filter_.takes(name)) return false;
    return std::ranges::all_of(facts_,
                               [&subject](const auto& fact) { return subject.fact(fact.first) == fact.second; });
  }

 private:
  Filter filter_;
  std::vector<std::pair<std::string, std::string>> facts_;
};

class Matrix {
 public:
  Matrix(const View& view, std::vector<std::string> patterns) : view_(view), patterns_(std::move(patterns)) {}

  void add(const std::string& name, const analysis::Outcome& outcome) {
    std::vector<Cell> cells;
    if (outcome.failure)
      cells.push_back({.key = key_of({}, {}), .hash = 0, .value = {}, .place = {}, .failure = outcome.failure});
    for (const analysis::Item& item : outcome.items) {
      if (item.failure) {
        if (takes(item.name, {}))
          cells.push_back({.key = key_of(item.name, {}), .hash = 0, .value = {}, .place = {}, .failure = item.failure});
        continue;
      }
      each_leaf(item.value, {}, [&](const std::string& path, const Value& leaf) {
        if (!takes(item.name, path)) return;
        cells.push_back(
            {.key = key_of(item.name, path), .hash = hash_of(leaf), .value = leaf, .place = {}, .failure = {}});
      });
    }
    std::ranges::stable_sort(cells, {}, &Cell::key);
    std::uint64_t signature = cells.size();
    for (const Cell& cell : cells) {
      const std::uint64_t own =
          cell.failure ? std::hash<std::string>()(cell.failure->code + cell.failure->message) : cell.hash;
      signature = (signature ^ (own + cell.key)) * 0x9E3779B97F4A7C15U + (signature >> 31U);
      ++keys_[cell.key].values[own];
    }
    const auto [found, is_new] = by_signature_.try_emplace(signature, groups_.size());
    if (is_new) {
      if (groups_.size() == kMostColumns) {
        by_signature_.erase(found);
        is_cut_ = true;
        ++subjects_;
        return;
      }
      Group group{.count = 0, .first = subjects_, .sample = {}, .cells = {}};
      for (Cell& cell : cells) {
        if (cell.value) cell.place = outcome.sources->place(cell.value.origin());
        cell.value = cell.value ? arena_.deep_copy(cell.value) : cell.value;
        group.cells.push_back(std::move(cell));
      }
      groups_.push_back(std::move(group));
    }
    Group& group = groups_[found->second];
    ++group.count;
    if (group.sample.size() < kSample) group.sample.push_back(name);
    ++subjects_;
  }

  [[nodiscard]] Response finish(const Call& call, bool shows_all, const ErrorLines& lines) {
    std::ranges::stable_sort(groups_, [](const Group& left, const Group& right) { return left.count > right.count; });
    bool is_cut = is_cut_;
    if (groups_.size() > kMostGroups) {
      groups_.resize(kMostGroups);
      is_cut = true;
    }
    Arena& arena = arena_;
    std::vector<std::vector<std::pair<std::size_t, const Cell*>>> rows(keys_.size());
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      for (const Cell& cell : groups_[i].cells) rows[cell.key].emplace_back(i + 1, &cell);
    }
    SequenceBuilder keys(arena);
    std::size_t equal = 0;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const Key& key = keys_[i];
      // Who fails alike does not agree.
      const bool fails =
          std::ranges::any_of(rows[i], [](const auto& cell) { return cell.second->failure.has_value(); });
      const bool is_equal = !fails && key.values.size() == 1 && key.values.begin()->second == subjects_;
      equal += is_equal ? 1 : 0;
      if (is_equal && !shows_all) continue;
      if (keys.size() == kMostMatrixKeys) {
        is_cut = true;
        continue;
      }
      MappingBuilder one(arena);
      one.insert("item", arena.text(key.item));
      one.insert("path", arena.text(key.path));
      one.insert("values", number(key.values.size()));
      one.insert("cells", cells_value(rows[i], lines));
      keys.append(one.finish());
    }
    SequenceBuilder groups(arena, groups_.size());
    for (const Group& group : groups_) {
      SequenceBuilder sample(arena);
      for (const std::string& name : group.sample) sample.append(arena.text(name));
      MappingBuilder one(arena);
      one.insert("id", number(groups.size() + 1));
      one.insert("count", number(group.count));
      one.insert("sample", sample.finish());
      groups.append(one.finish());
    }
    MappingBuilder out(arena);
    out.insert("groups", groups.finish());
    out.insert("keys", keys.finish());
    out.insert("equal", number(equal));
    out.insert("subjects", number(subjects_));
    out.insert("truncated", Value::boolean(is_cut));
    return answer(call, out, view_.form().generation);
  }

 private:
  struct Key {
    std::string item;
    std::string path;
    std::map<std::uint64_t, std::size_t> values = {};  ///< Subjects by hash.
  };

  /// Groups that have the same from the same place share a cell.
  [[nodiscard]] Value cells_value(const std::vector<std::pair<std::size_t, const Cell*>>& row,
                                  const ErrorLines& lines) {
    struct Shared {
      const Cell* cell;
      std::vector<Value> groups = {};
    };
    std::vector<Shared> shared;
    std::unordered_map<std::string, std::size_t> known;
    for (const auto& [group, cell] : row) {
      const std::string what =
          cell->failure ? cell->failure->code + ' ' + cell->failure->message : std::to_string(cell->hash);
      const auto [found, is_new] =
          known.try_emplace(fmt::format("{} {}", what, cell->place.to_string()), shared.size());
      if (is_new) shared.push_back({.cell = cell});
      shared[found->second].groups.push_back(number(group));
    }
    SequenceBuilder out(arena_, shared.size());
    for (const Shared& one : shared) {
      MappingBuilder cell(arena_);
      cell.insert("groups", arena_.sequence(one.groups));
      if (one.cell->failure) {
        cell.insert("error", diagnostic_value(arena_, *one.cell->failure, "error", lines));
      } else {
        insert_value(arena_, cell, one.cell->value);
        cell.insert("origin", place_value(arena_, one.cell->place));
      }
      out.append(cell.finish());
    }
    return out.finish();
  }

  [[nodiscard]] bool takes(const std::string& item, const std::string& path) const {
    if (patterns_.empty()) return true;
    return std::ranges::any_of(patterns_, [&](const std::string& pattern) {
      return analysis::matches(pattern, item) || analysis::matches(pattern, item + path);
    });
  }
  std::size_t key_of(const std::string& item, const std::string& path) {
    const auto [found, is_new] = numbers_.try_emplace(place_key(item, path), keys_.size());
    if (is_new) keys_.push_back({.item = item, .path = path});
    return found->second;
  }

  const View& view_;
  std::vector<std::string> patterns_;
  Arena arena_;
  std::unordered_map<std::string, std::size_t> numbers_;  ///< Of keys, by their place.
  std::vector<Key> keys_;
  std::unordered_map<std::uint64_t, std::size_t> by_signature_;
  std::vector<Group> groups_;
  std::size_t subjects_ = 0;
  bool is_cut_ = false;
};

}  // namespace

Response show_matrix(const Call& call, Source& source) {
  const auto view = view_of(call, source);
  std::vector<std::string> patterns;
  for (std::string& one : call.request.query.all("keys")) {
    if (!one.empty()) patterns.push_back(std::move(one));
  }
  const std::string* text = call.request.query.find("q");
  const Selection selection(text == nullptr ? std::string_view() : std::string_view(*text));
  const std::vector<std::string> all = call.request.query.all("subject");
  const std::set<std::string> named(all.begin(), all.end());
  Matrix matrix(*view, std::move(patterns));
  view->subjects().each(analysis::Question::History::no, [&](const std::string& name, analysis::Subject& subject) {
    call.stop.check();
    if ((named.empty() || named.contains(name)) && selection.takes(name, subject))
      matrix.add(name, subject.ask(std::nullopt).outcome);
    return true;
  });
  return matrix.finish(call, call.request.query.flag("all"), ErrorLines(call, source));
}

}  // namespace strata::service::explore
