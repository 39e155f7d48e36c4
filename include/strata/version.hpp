// SPDX-License-Identifier: Apache-2.0
// The version of strata, and where its project lives.
#pragma once

#include <string_view>

namespace strata {

/// The version of these headers, by semantic versioning. The build reads it from here; it is defined nowhere else.
inline constexpr int kVersionMajor = 0;
inline constexpr int kVersionMinor = 1;
inline constexpr int kVersionPatch = 0;

/// The home of the project: the address of its repository. Issues and releases are below it. `script/release --home
/// URL` changes it here and in every file that repeats it.
inline constexpr std::string_view kHome = "https://strata.example/strata";

/// The version of the library at run time: `0.1.0`.
[[nodiscard]] std::string_view version() noexcept;

}  // namespace strata
