// Paths as Ruby's Pathname joins them.
#pragma once

#include <string>
#include <string_view>

namespace strata::hiera {

/// `base + path`: `.` and `..` at the front of `path` are resolved by text, an absolute `path` stands for itself.
[[nodiscard]] std::string join_path(std::string_view base, std::string_view path);
/// The folder that a file stands in.
[[nodiscard]] std::string parent_path(std::string_view path);

}  // namespace strata::hiera
