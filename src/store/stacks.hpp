// SPDX-License-Identifier: Apache-2.0
// Stacks: what the Heat face keeps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/projects.hpp"

namespace strata::store {

struct Stack {
  std::string id = {};                     ///< A UUID.
  std::string name = {};                   ///< Unique among the living stacks of a project.
  std::int64_t ordinal = 0;                ///< The order of creation.
  std::int64_t generation = 0;             ///< Counts its writes.
  std::string state = {};                  ///< As a state file, without hidden values.
  std::optional<std::string> sealed = {};  ///< The id of the hidden values.
  std::string settings = {};               ///< JSON: tags, timeout, …
  std::string action = {};                 ///< `CREATE`, `UPDATE`
  std::string status = {};                 ///< `COMPLETE`
  std::int64_t created_at = 0;
  std::optional<std::int64_t> updated_at = {};
  std::optional<std::int64_t> deleted_at = {};
  friend bool operator==(const Stack&, const Stack&) = default;
};

/// Stores a new stack of a locked project. Id, ordinal, generation and time are set; the ordinal is the project's last
/// change, so add that first. Error `store.conflict` if a living one has the name.
void add_stack(Transaction& transaction, const Project& project, Stack& stack);
/// Replaces what a living stack has. `stack.generation` must be the stored one, and is the next afterwards. False if it
/// is another: nothing is changed.
[[nodiscard]] bool update_stack(Transaction& transaction, const Project& project, Stack& stack);
/// Marks a living stack as deleted, and removes its sealed values. False if there is none.
[[nodiscard]] bool delete_stack(Transaction& transaction, const Project& project, std::string_view id);

[[nodiscard]] std::optional<Stack> find_stack(Transaction& transaction, const Project& project, std::string_view id);
[[nodiscard]] std::optional<Stack> find_living_stack(Transaction& transaction, const Project& project,
                                                     std::string_view name);
/// Stacks, the newest first. Their states are left empty.
[[nodiscard]] std::vector<Stack> stacks(Transaction& transaction, const Project& project, bool with_deleted = false);

struct StackEvent {
  std::int64_t number = 0;  ///< 1, 2, … within the stack.
  std::string id = {};
  std::string action = {};
  std::string status = {};
  std::string reason = {};
  std::int64_t created_at = 0;
  friend bool operator==(const StackEvent&, const StackEvent&) = default;
};
inline constexpr std::int64_t kKeptEvents = 100;
/// Adds an event to a stack of a locked project; its number, id and time are set. The last `kKeptEvents` are kept.
void add_event(Transaction& transaction, const Project& project, std::string_view stack, StackEvent& event);
/// The events of a stack, the oldest first.
[[nodiscard]] std::vector<StackEvent> events(Transaction& transaction, const Project& project, std::string_view stack);

}  // namespace strata::store
