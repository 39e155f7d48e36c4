// SPDX-License-Identifier: Apache-2.0
// The syntax tree of a path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata::deckhand::detail {

/// A node of a path's syntax tree.
struct Node {
  enum class Type : std::uint8_t {
    root,
    self,      ///< `this`, in backquotes.
    parent,    ///< `parent`, in backquotes.
    fields,    ///< Members by their keys, or all of them.
    indexes,   ///< Items by their numbers.
    slice,     ///< A range of items.
    sequence,  ///< Applies each operand to the matches of the one before.
    deep,      ///< Applies its operand here and everywhere below. Only in a sequence.
    where,     ///< The matches of the first operand from which the second one has a match.
    where_not,
    either,     ///< The matches of the first operand, then those of the second.
    intersect,  ///< Accepted by the grammar; using it fails.
  };
  Type type = Type::self;
  bool all = false;                     ///< For fields: every key.
  std::vector<std::string> names{};     ///< For fields.
  std::vector<std::int64_t> numbers{};  ///< For indexes. A number that does not fit becomes the largest one.
  std::optional<std::int64_t> start{};
  std::optional<std::int64_t> stop{};
  std::optional<std::int64_t> step{};
  std::vector<Node> operands{};
  std::size_t height = 1;  ///< The depth of the operands.
};
using NodeType = Node::Type;

/// A parsed path.
struct Plan {
  std::string text{};
  Node root{};                      ///< May be empty for a simple path: its keys say everything.
  bool is_simple = false;           ///< Only single keys from the root, perhaps none.
  bool may_fail_late = false;       ///< Later matches may fail although the first one does not.
  bool may_nest = false;            ///< One match may be inside another.
  std::vector<std::string> keys{};  ///< For a simple path.
};

/// Parses a path. Error `deckhand.path-syntax`.
[[nodiscard]] Plan parse_path(std::string_view text);

}  // namespace strata::deckhand::detail
