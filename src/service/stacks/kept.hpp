// SPDX-License-Identifier: Apache-2.0
// What the store has of a stack, in the memory of a request.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "service/core.hpp"
#include "service/stacks/body.hpp"
#include "store/keys.hpp"
#include "store/stacks.hpp"
#include "strata/session.hpp"
#include "strata/value.hpp"

namespace strata::service::stacks {

/// A stack, and what its state says. The members of the state are those of a state file, and `shown`: what only answers
/// need.
struct Kept {
  store::Stack stack;  ///< Its state is in `masked`.
  Value masked;        ///< The state, with `******` for hidden values.
  Value clear;         ///< With hidden values. Absent unless they were asked for.
};

// Captures of the routes of a stack, behind the project.
inline constexpr std::size_t kNameCapture = 1;
inline constexpr std::size_t kIdCapture = 2;

enum class Secrets : bool { masked, clear };

/// A Session for the work of a call: no files, no programs.
[[nodiscard]] std::unique_ptr<Session> session_of(const Call& call);

/// The living stack with this name and id. Error (Refused, 404).
[[nodiscard]] store::Stack find_stack(store::Transaction& transaction, const store::Project* project,
                                      std::string_view name, std::string_view id);
/// The living stack with this name or id. Error (Refused, 404).
[[nodiscard]] store::Stack find_stack(store::Transaction& transaction, const store::Project* project,
                                      std::string_view name_or_id);

/// The stack that the route names by its captures `{name}` and `{id}`. Errors: as find_stack; those of opening sealed
/// values.
[[nodiscard]] Kept read_kept(const Call& call, Session& session, Secrets secrets);
/// The state of a stack that was found, masked.
[[nodiscard]] Value read_state(Session& session, const store::Stack& stack);

/// How a stack is kept: without hidden values, and these.
struct Sealing {
  std::string state;
  std::string hidden;  ///< Empty: there are none.
};
/// Error (Refused, 400) for a state that is too large.
[[nodiscard]] Sealing sealing_of(Session& session, const Value& clear, const Value& masked);
/// Seals the hidden values for a stack of the project. Returns their id; none if there are none.
[[nodiscard]] std::optional<std::string> seal_hidden(const store::Keyring& keys, Writing& writing,
                                                     const Sealing& sealing);

/// What was sent with the stored values in the place of `******`: in the same place, or in the environment of the
/// stack.
[[nodiscard]] Sent with_kept_values(Session& session, Sent sent, const Kept& kept);

}  // namespace strata::service::stacks
