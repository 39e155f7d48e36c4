// SPDX-License-Identifier: Apache-2.0
// Refusals in the words of the Orchestration service.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "service/face.hpp"

namespace strata::service::stacks {

/// Error (Refused): with the type and the message that clients of the reference see.
[[noreturn]] void refuse(unsigned status, std::string type, std::string message);
/// Error (Refused, 400, `HTTPBadRequest`).
[[noreturn]] void refuse_request(std::string message);
/// Error (Refused, 404, `EntityNotFound`): the project has no such stack.
[[noreturn]] void refuse_unknown_stack(std::string_view name);

/// Names of texts that are not files, in the places of errors.
inline constexpr std::string_view kBodyText = "<body>";
inline constexpr std::string_view kTemplateText = "<template>";
inline constexpr std::string_view kEnvironmentText = "<environment>";
inline constexpr std::string_view kStateText = "<state>";

/// What an error of the dialect or of a reader is to a client: mostly 400. Errors that say nothing about the request
/// are thrown as they are.
[[noreturn]] void refuse(const Error& error);

/// Does work of the dialect. Error (Refused) for what is wrong with the request.
template <class Work>
decltype(auto) in_heat(Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const Error& error) {
    refuse(error);
  }
}

/// The body of a refusal.
[[nodiscard]] Response refusal_response(const Refusal& refusal);

}  // namespace strata::service::stacks
