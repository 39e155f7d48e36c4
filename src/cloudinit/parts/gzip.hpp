// SPDX-License-Identifier: Apache-2.0
// gzip, with the reference's rules for damaged data.
#pragma once

#include <string>
#include <string_view>

#include "strata/limits.hpp"

namespace strata::cloudinit {

/// The result of inflating bytes that may be gzip.
struct Inflated {
  std::string text;     ///< The content. Empty if it is damaged.
  std::string problem;  ///< The damage. Empty if there is none.
};

/// Whether bytes begin as gzip data.
[[nodiscard]] inline bool has_gzip_magic(std::string_view bytes) noexcept { return bytes.starts_with("\x1f\x8b"); }

/// Inflates concatenated gzip members. Zeros after a member are padding; any other trailing bytes are damage. Empty
/// input has empty content. Errors: `limit.input` if the content exceeds `limits.input` bytes; as Stop::check.
[[nodiscard]] Inflated inflate_gzip(std::string_view bytes, const Limits& limits);

}  // namespace strata::cloudinit
