// What a path was read into.
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
    self,      ///< `this`, in back quotes.
    parent,    ///< `parent`, in back quotes.
    fields,    ///< Members by their keys, or all of them.
    indexes,   ///< Items by their numbers.
    slice,     ///< A stretch of items.
    sequence,  ///< Each operand on what the one before it led to.
    deep,      ///< Its operand here and everywhere below. Only inside of a sequence.
    where,     ///< What the first operand leads to, as far as the second one leads somewhere from there.
    where_not,
    either,     ///< What the first operand leads to, then what the second one does.
    intersect,  ///< Known to the grammar; using it fails.
  };
  Type type = Type::self;
  bool all = false;                     ///< Of fields: every key.
  std::vector<std::string> names{};     ///< Of fields.
  std::vector<std::int64_t> numbers{};  ///< Of indexes. What does not fit is as large as can be.
  std::optional<std::int64_t> start{};
  std::optional<std::int64_t> stop{};
  std::optional<std::int64_t> step{};
  std::vector<Node> operands{};
  std::size_t height = 1;  ///< Levels of operands.
};

/// A path that was read.
struct Plan {
  std::string text{};
  Node root{};                      ///< Of a simple path perhaps without content: its keys say it all.
  bool is_simple = false;           ///< Nothing but single keys from the root, perhaps none.
  bool may_fail_late = false;       ///< The first match does not tell whether others fail.
  bool may_nest = false;            ///< A place that it leads to may lie inside of another one.
  std::vector<std::string> keys{};  ///< Of a simple path.
};

/// Reads a path. Error `deckhand.path-syntax`.
[[nodiscard]] Plan parse_path(std::string_view text);

}  // namespace strata::deckhand::detail
