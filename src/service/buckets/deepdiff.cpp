// SPDX-License-Identifier: Apache-2.0
#include "service/buckets/deepdiff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <vector>

#include "service/buckets/sequence_matcher.hpp"
#include "service/json.hpp"
#include "strata/builder.hpp"
#include "strata/stop.hpp"
#include "value/seeded_hash.hpp"

namespace strata::service::buckets {
namespace {

constexpr std::size_t kMostItemPairs = 4'000'000;  ///< Of items of two lists. Larger lists are compared item by item.

enum class DifferenceKind : std::uint8_t { key_added, key_removed, value, type, item_added, item_removed };
constexpr std::array<std::string_view, 6> kChangeNames{"dictionary_item_added", "dictionary_item_removed",
                                                       "values_changed",        "type_changes",
                                                       "iterable_item_added",   "iterable_item_removed"};

struct Difference {
  DifferenceKind change;
  std::string path;
  Value before;
  Value after;
  bool is_replaced = false;  ///< An item removed and another one added at the same place.
};
using Differences = std::vector<Difference>;

/// The name of the type that Python has for a value.
std::string_view python_type(const Value& value) {
  switch (value.kind()) {
    case Kind::absent:
    case Kind::null:
      return "NoneType";
    case Kind::boolean:
      return "bool";
    case Kind::integer:
    case Kind::big_integer:
      return "int";
    case Kind::floating:
      return "float";
    case Kind::sequence:
      return "list";
    case Kind::mapping:
      return "dict";
    case Kind::set:
      return "set";
    case Kind::binary:
      return "bytes";
    default:
      return "str";
  }
}

/// Equal for scalars that Python says are equal: 1, 1.0 and true.
std::string scalar_key(const Value& value) {
  switch (value.kind()) {
    case Kind::boolean:
      return value.as_boolean() ? "1" : "0";
    case Kind::integer:
      return std::to_string(value.as_integer());
    case Kind::big_integer:
      return std::string(value.text());
    case Kind::floating: {
      const double number = value.as_floating();
      constexpr double kExact = 9e15;
      if (std::trunc(number) == number && std::abs(number) < kExact)
        return std::to_string(static_cast<std::int64_t>(number));
      return fmt::format("{}", number);
    }
    case Kind::text:
      return "'" + std::string(value.text());
    default:
      return "None";
  }
}

class DeepDiff {
 public:
  explicit DeepDiff(const Limits& limits) : stop_(limits.stop) {}

  // Recursion: bounded by Limits::depth, which those keep who made the values.
  void compare(const Value& before, const Value& after, Differences& out) {
    stop_.tick();
    if (is_same_node(before, after)) return;
    if (python_type(before) != python_type(after)) return add(DifferenceKind::type, before, after, out);
    if (before.is_mapping()) return compare_mappings(before, after, out);
    if (before.is_sequence()) return compare_lists(before, after, out);
    if (!equal(before, after)) add(DifferenceKind::value, before, after, out);
  }

 private:
  void add(DifferenceKind change, const Value& before, const Value& after, Differences& out) {
    out.push_back({.change = change, .path = "root" + path_, .before = before, .after = after});
  }

  template <class Do>
  void at_key(std::string_view key, const Do& act) {
    const std::size_t length = path_.size();
    path_.append("['").append(key).append("']");
    act();
    path_.resize(length);
  }
  template <class Do>
  void at_index(std::size_t index, const Do& act) {
    const std::size_t length = path_.size();
    path_.append("[").append(std::to_string(index)).append("]");
    act();
    path_.resize(length);
  }

  static bool is_private(const Entry& entry) { return entry.key.text().starts_with("__"); }

  void compare_mappings(const Value& before, const Value& after, Differences& out) {
    for (const Entry& entry : after.entries()) {
      if (is_private(entry) || before.find(entry.key) != nullptr) continue;
      at_key(entry.key.text(), [&] { add(DifferenceKind::key_added, {}, entry.value, out); });
    }
    for (const Entry& entry : before.entries()) {
      if (is_private(entry) || after.find(entry.key) != nullptr) continue;
      at_key(entry.key.text(), [&] { add(DifferenceKind::key_removed, entry.value, {}, out); });
    }
    for (const Entry& entry : after.entries()) {
      const Value* old = is_private(entry) ? nullptr : before.find(entry.key);
      if (old != nullptr) at_key(entry.key.text(), [&] { compare(*old, entry.value, out); });
    }
  }

  /// Item by item, [from, to) of both lists.
  void compare_pairs(const Value& before, const Value& after, const Opcode& part, Differences& out) {
    const std::size_t old_size = part.first_to - part.first_from;
    const std::size_t new_size = part.second_to - part.second_from;
    for (std::size_t k = 0; k < std::max(old_size, new_size); ++k) {
      const std::size_t i = part.first_from + k;
      const std::size_t j = part.second_from + k;
      if (k >= new_size) {
        at_index(i, [&] { add(DifferenceKind::item_removed, before.items()[i], {}, out); });
      } else if (k >= old_size) {
        at_index(j, [&] { add(DifferenceKind::item_added, {}, after.items()[j], out); });
      } else {
        at_index(j, [&] { compare(before.items()[i], after.items()[j], out); });
      }
    }
  }

  void compare_lists(const Value& before, const Value& after, Differences& out) {
    const auto is_scalar = [](const Value& item) { return !item.is_container(); };
    const Opcode all{0, before.size(), 0, after.size(), false};
    const bool is_small = before.size() == 0 || after.size() <= kMostItemPairs / before.size();
    if (!is_small || !std::ranges::all_of(before.items(), is_scalar) ||
        !std::ranges::all_of(after.items(), is_scalar)) {
      return compare_pairs(before, after, all, out);
    }
    TextMap<std::uint32_t> numbers;
    const auto numbered = [&numbers](std::span<const Value> items) {
      std::vector<std::uint32_t> list;
      for (const Value& item : items)
        list.push_back(numbers.emplace(scalar_key(item), static_cast<std::uint32_t>(numbers.size())).first->second);
      return list;
    };
    const std::vector<std::uint32_t> first = numbered(before.items());
    const std::vector<std::uint32_t> second = numbered(after.items());
    Differences found;
    for (const Opcode& part : opcodes(first, second, stop_)) {
      if (!part.is_equal) compare_pairs(before, after, part, found);
    }
    // The library takes the plain comparison where that is not longer.
    if (found.size() > 1) {
      Differences plain;
      compare_pairs(before, after, all, plain);
      if (found.size() >= plain.size()) found = std::move(plain);
    }
    out.insert(out.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  }

  StopCheck stop_;
  std::string path_;
};

/// What is removed and added at one path is a changed value to the library, whatever its types.
void join_replaced(Differences& differences) {
  TextViewMap<std::size_t> removed;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    if (differences[i].change == DifferenceKind::item_removed) removed.emplace(differences[i].path, i);
  }
  if (removed.empty()) return;
  std::vector<bool> is_joined(differences.size());
  for (Difference& one : differences) {
    if (one.change != DifferenceKind::item_added) continue;
    const auto found = removed.find(one.path);
    if (found == removed.end()) continue;
    one.change = DifferenceKind::value;
    one.before = differences[found->second].before;
    one.is_replaced = true;
    is_joined[found->second] = true;
  }
  Differences left;
  left.reserve(differences.size());
  for (std::size_t i = 0; i < differences.size(); ++i) {
    if (!is_joined[i]) left.push_back(std::move(differences[i]));
  }
  differences = std::move(left);
}

Value value_changed(const Difference& one, const Limits& limits, Arena& arena) {
  MappingBuilder out(arena);
  const auto has_lines = [](const Value& value) {
    return value.is_text() && value.text().find('\n') != std::string_view::npos;
  };
  if (!one.is_replaced && (has_lines(one.before) || has_lines(one.after))) {
    const std::string diff = line_diff(one.before.text(), one.after.text(), limits);
    if (!diff.empty()) out.insert("diff", arena.text(diff));
  }
  out.insert("new_value", one.after);
  out.insert("old_value", one.before);
  return out.finish();
}

Value type_changed(const Difference& one, Arena& arena) {
  return json_object(arena, {{"new_type", arena.text(python_type(one.after))},
                             {"new_value", one.after},
                             {"old_type", arena.text(python_type(one.before))},
                             {"old_value", one.before}});
}

}  // namespace

Value deep_diff(const Value& before, const Value& after, const Limits& limits, Arena& arena) {
  Differences differences;
  DeepDiff(limits).compare(before, after, differences);
  join_replaced(differences);
  MappingBuilder out(arena);
  for (std::size_t kind = 0; kind < kChangeNames.size(); ++kind) {
    const auto change = static_cast<DifferenceKind>(kind);
    SequenceBuilder paths(arena);
    MappingBuilder values(arena);
    for (const Difference& one : differences) {
      if (one.change != change) continue;
      if (change == DifferenceKind::key_added || change == DifferenceKind::key_removed) {
        paths.append(arena.text(one.path));
      } else if (change == DifferenceKind::value) {
        values.insert(one.path, value_changed(one, limits, arena));
      } else if (change == DifferenceKind::type) {
        values.insert(one.path, type_changed(one, arena));
      } else {
        values.insert(one.path, change == DifferenceKind::item_added ? one.after : one.before);
      }
    }
    if (paths.size() != 0) out.insert(kChangeNames[kind], paths.finish());
    if (values.size() != 0) out.insert(kChangeNames[kind], values.finish());
  }
  return out.finish();
}

}  // namespace strata::service::buckets
