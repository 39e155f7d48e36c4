// SPDX-License-Identifier: Apache-2.0
// Two outcomes of a question, and what differs between them.
#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "strata/analysis.hpp"
#include "strata/path.hpp"
#include "strata/stop.hpp"
#include "value/alignment.hpp"
#include "value/seeded_hash.hpp"
#include "value/value_hash.hpp"

namespace strata::analysis {
namespace {

/// The entries of a mapping in the order in which they are shown.
std::vector<Entry> ordered(const Value& mapping, bool sort_keys) {
  std::vector<Entry> out(mapping.entries().begin(), mapping.entries().end());
  if (sort_keys) std::ranges::stable_sort(out, {}, [](const Entry& entry) { return key_text(entry.key); });
  return out;
}

/// A value within a result, and the alias that led to it.
struct ComparedValue {
  Value value;
  Origin via;

  [[nodiscard]] ComparedValue member(const Value& child) const {
    return {.value = child, .via = value.origin().through_alias() ? value.origin() : via};
  }
};

class OutcomeComparer {
 public:
  OutcomeComparer(const Outcome& before, const Outcome& after, const Comparison& how, std::vector<Change>& out)
      : before_(before), after_(after), how_(how), out_(out) {}

  void run() {
    if (before_.failure || after_.failure) {
      fail(before_.failure, after_.failure);
      return;
    }
    TextViewMap<const Item*> others;
    for (const Item& item : after_.items) others.emplace(item.name, &item);
    for (const Item& item : before_.items) {
      const auto other = others.extract(item.name);
      compare_items(item, other.empty() ? nullptr : other.mapped());
    }
    for (const Item& item : after_.items) {
      if (others.contains(item.name)) add_item(item);
    }
  }

 private:
  void fail(const std::optional<Diagnostic>& before, const std::optional<Diagnostic>& after) {
    if (before && after && is_same_failure(*before, *after)) return;
    const ChangeKind kind = !before ? ChangeKind::broken : !after ? ChangeKind::mended : ChangeKind::fails_otherwise;
    Change change{.item = item_, .path = {}, .kind = kind};
    if (before) change.before = {.failure = std::make_shared<const Diagnostic>(*before)};
    if (after) change.after = {.failure = std::make_shared<const Diagnostic>(*after)};
    out_.push_back(std::move(change));
  }

  void compare_items(const Item& before, const Item* after) {
    item_ = before.name;
    if (before.failure || (after != nullptr && after->failure)) {
      fail(before.failure, after == nullptr ? std::nullopt : after->failure);
      return;
    }
    if (after == nullptr) {
      report(ChangeKind::removed, {before.value, {}}, {});
    } else {
      walk({before.value, {}}, {after->value, {}});
    }
  }

  void add_item(const Item& item) {
    item_ = item.name;
    if (item.failure) {
      fail(std::nullopt, item.failure);
    } else {
      report(ChangeKind::added, {}, {item.value, {}});
    }
  }

  // Recursion: bounded by Limits::depth.
  void walk(const ComparedValue& before, const ComparedValue& after) {
    check_.tick();
    const Value& left = before.value;
    const Value& right = after.value;
    const bool is_hidden = left.is_secret() || right.is_secret();
    if (!is_hidden && left.is_mapping() && right.is_mapping()) {
      walk_mappings(before, after);
    } else if (!is_hidden && left.is_sequence() && right.is_sequence()) {
      walk_sequences(before, after);
    } else if (!equal(left, right)) {
      report(ChangeKind::changed, before, after);
    }
  }

  void walk_mappings(const ComparedValue& before, const ComparedValue& after) {
    for (const Entry& entry : ordered(before.value, how_.sort_keys)) {
      const Value* other = after.value.find(entry.key);
      left_path_.push(entry.key);
      right_path_.push(entry.key);
      if (other == nullptr) {
        report(ChangeKind::removed, before.member(entry.value), {});
      } else {
        walk(before.member(entry.value), after.member(*other));
      }
      left_path_.pop();
      right_path_.pop();
    }
    for (const Entry& entry : ordered(after.value, how_.sort_keys)) {
      if (before.value.find(entry.key) != nullptr) continue;
      right_path_.push(entry.key);
      report(ChangeKind::added, {}, after.member(entry.value));
      right_path_.pop();
    }
  }

  void walk_sequences(const ComparedValue& before, const ComparedValue& after) {
    if (how_.list_key.empty() && equal(before.value, after.value)) return;
    const auto [left, right] = numbered(before.value, after.value);
    for_each_stretch(
        align(left, right, how_.alignment, how_.stop), left.size(), right.size(),
        [&](std::size_t i, std::size_t i_end, std::size_t j, std::size_t j_end) {
          for (; i < i_end && j < j_end; ++i, ++j) walk_items(before, i, after, j);
          for (; i < i_end; ++i) {
            left_path_.push(i);
            report(ChangeKind::removed, before.member(before.value.items()[i]), {});
            left_path_.pop();
          }
          for (; j < j_end; ++j) {
            right_path_.push(j);
            report(ChangeKind::added, {}, after.member(after.value.items()[j]));
            right_path_.pop();
          }
        },
        [&](std::size_t i, std::size_t j) {
          if (!how_.list_key.empty()) walk_items(before, i, after, j);
        });
  }

  void walk_items(const ComparedValue& before, std::size_t i, const ComparedValue& after, std::size_t j) {
    left_path_.push(i);
    right_path_.push(j);
    walk(before.member(before.value.items()[i]), after.member(after.value.items()[j]));
    left_path_.pop();
    right_path_.pop();
  }

  /// The items of two sequences as numbers: the same number for what aligning takes for the same item.
  [[nodiscard]] std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> numbered(const Value& left,
                                                                                           const Value& right) const {
    using Numbers = std::unordered_map<Value, std::uint32_t, ValueHash, ValueEqual>;
    Numbers of_values;
    Numbers of_keys;
    std::uint32_t last = 0;
    const auto number = [&](const Value& item) {
      const Value* key =
          how_.list_key.empty() || !item.is_mapping() || item.is_secret() ? nullptr : item.find(how_.list_key);
      const bool is_keyed = key != nullptr && !key->is_container();
      const auto [found, is_new] = is_keyed ? of_keys.try_emplace(*key, last) : of_values.try_emplace(item, last);
      if (is_new) ++last;
      return found->second;
    };
    std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> out;
    std::ranges::transform(left.items(), std::back_inserter(out.first), number);
    std::ranges::transform(right.items(), std::back_inserter(out.second), number);
    return out;
  }

  void report(ChangeKind kind, const ComparedValue& before, const ComparedValue& after) {
    const Path& path = kind == ChangeKind::removed ? left_path_ : right_path_;
    Change change{.item = item_, .path = path.pointer(), .kind = kind};
    if (kind == ChangeKind::changed) {
      if (std::string from = left_path_.pointer(); from != change.path) change.from = std::move(from);
    }
    if (before.value) change.before = {.value = before.value, .place = place_of(before_.sources, before)};
    if (after.value) change.after = {.value = after.value, .place = place_of(after_.sources, after)};
    out_.push_back(std::move(change));
  }

  /// Of the first leaf.
  [[nodiscard]] Place place_of(const Sources* sources, ComparedValue spot) const {
    if (sources == nullptr) return {};
    while (!spot.value.is_leaf() && !spot.value.is_secret()) {
      spot = spot.member(spot.value.is_sequence() ? spot.value.items().front()
                                                  : ordered(spot.value, how_.sort_keys).front().value);
    }
    return report::leaf_place(*sources, spot.value.origin(), spot.via);
  }

  const Outcome& before_;
  const Outcome& after_;
  const Comparison& how_;
  std::vector<Change>& out_;
  StopCheck check_{how_.stop};
  std::string item_;
  Path left_path_;
  Path right_path_;
};

}  // namespace

bool is_same_failure(const Diagnostic& left, const Diagnostic& right) {
  return left.code == right.code && left.message == right.message;
}

void set_failure(Outcome& outcome, const Error& error) {
  outcome.failure = error.diagnostic();
  if (error.further()) outcome.further = *error.further();
}

bool is_failure(const Error& error) noexcept {
  // A file that cannot be read is its readers' trouble.
  return !error.ends_request() && (error.category() != Category::internal || error.code().starts_with("tree."));
}

std::string_view to_string(ChangeKind kind) noexcept {
  switch (kind) {
    case ChangeKind::added:
      return "added";
    case ChangeKind::removed:
      return "removed";
    case ChangeKind::changed:
      return "changed";
    case ChangeKind::broken:
      return "broken";
    case ChangeKind::mended:
      return "mended";
    case ChangeKind::fails_otherwise:
      return "fails-otherwise";
    case ChangeKind::appeared:
      return "appeared";
    case ChangeKind::disappeared:
      return "disappeared";
  }
  return "";
}

std::vector<Change> compare(const Outcome& before, const Outcome& after, const Comparison& how) {
  std::vector<Change> out;
  OutcomeComparer(before, after, how, out).run();
  return out;
}

}  // namespace strata::analysis
