// SPDX-License-Identifier: Apache-2.0
// The result of a subject as `--blame` prints it, line by line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/explore/levels.hpp"
#include "strata/analysis.hpp"
#include "strata/error.hpp"
#include "strata/origin.hpp"

namespace strata::service::explore {

/// A line.
struct Row {
  std::optional<std::string> item = {};  ///< No value: the line belongs to none.
  std::string path = {};                 ///< A JSON Pointer in the item.
  std::size_t depth = 0;
  std::string text = {};
  std::string_view kind = {};
  std::size_t below = 0;  ///< Rows that follow and belong to it.
  bool is_leaf = false;
  Place origin = {};  ///< Of a leaf.
  std::string layer = {};
  std::string level = {};  ///< The one of Table::layers that it belongs to.
  std::size_t colour = 0;  ///< Of its level.
  std::size_t losers = 0;
  bool is_computed = false;
  bool is_secret = false;
  std::uint64_t value = 0;  ///< A hash of a leaf's value. All secrets have the same.
  std::uint64_t exact = 0;  ///< The same, of secrets as well: for comparing two states, and never to be sent.
  std::optional<Diagnostic> failure = {};  ///< Of the item: then there is nothing else.
};

struct Table {
  std::vector<Row> rows = {};
  std::vector<Diagnostic> warnings = {};
  std::vector<std::string> layers = {};    ///< Those of the rows, strongest first.
  LevelNames names = {};                   ///< Of these.
  std::optional<Diagnostic> failure = {};  ///< Of the subject as a whole.
};

/// How items make a result.
enum class Layout : std::uint8_t {
  members,     ///< One without a name is the result; others are members of a mapping.
  documents,   ///< Documents of a stream.
  parameters,  ///< As an inventory has them: those that do not stand beside the parameters are members of these.
};
/// `sort_keys`: as the command sorts.
[[nodiscard]] Table make_table(const analysis::Outcome& outcome, Layout layout, bool sort_keys);

/// Where an item of a result that is no stream stands in it: the keys that lead there.
[[nodiscard]] std::vector<std::string> keys_of_item(Layout layout, const std::string& item);

/// The kind of a value for people and programs: `mapping`, `text`.
[[nodiscard]] std::string_view kind_name(const Value& value) noexcept;
/// A hash of a value with its kind. All secrets have the same.
[[nodiscard]] std::uint64_t hash_of(const Value& value);
/// The same, of secrets as well: for comparing two states of one place, and never to be sent.
[[nodiscard]] std::uint64_t exact_hash_of(const Value& value);

/// The result as one value, without items that failed. Of documents, a sequence.
[[nodiscard]] Value whole_value(Arena& arena, const analysis::Outcome& outcome, Layout layout);

}  // namespace strata::service::explore
