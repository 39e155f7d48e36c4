// SPDX-License-Identifier: Apache-2.0
// The process as the Host of a command.
#pragma once

#include <memory>
#include <string_view>

#include "strata/file_bounds.hpp"
#include "strata/gated_host.hpp"
#include "strata/host.hpp"
#include "strata/limits.hpp"

namespace strata::cli {

inline constexpr std::string_view kStdin = "-";  ///< Standard input as an argument.

/// With the standard input of the console, if the thread has one. `limits` must outlive it. `bounds`: what may be read
/// of its files; null: all.
[[nodiscard]] std::unique_ptr<GatedHost> command_host(const Limits& limits, Permissions permissions,
                                                      std::shared_ptr<const FileBounds> bounds = nullptr,
                                                      OnRefusal on_refusal = OnRefusal::fail);

}  // namespace strata::cli
