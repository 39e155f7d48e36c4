// SPDX-License-Identifier: Apache-2.0
// Joins paths as Ruby's Pathname does.
#pragma once

#include <string>
#include <string_view>

namespace strata::hiera {

/// `base + path`. A leading `.` or `..` in `path` is resolved in the text; an absolute `path` is the result.
[[nodiscard]] std::string join_path(std::string_view base, std::string_view path);
/// The folder of a file.
[[nodiscard]] std::string parent_path(std::string_view path);

}  // namespace strata::hiera
