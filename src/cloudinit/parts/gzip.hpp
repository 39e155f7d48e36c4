// gzip, with the reference's idea of what is intact.
#pragma once

#include <string>
#include <string_view>

#include "strata/limits.hpp"

namespace strata::cloudinit {

/// What became of some bytes that may be gzip.
struct Inflated {
  std::string text;     ///< The content; empty where there was damage.
  std::string problem;  ///< What is damaged; empty where all is well.
};

/// True where the bytes begin as gzip does.
[[nodiscard]] inline bool has_gzip_magic(std::string_view bytes) noexcept { return bytes.starts_with("\x1f\x8b"); }

/// Inflates concatenated gzip members. Zeros after a member are padding; any other trailing bytes are damage. Empty input has empty content.
/// Errors: `limit.input` where the content has more than `limits.input` bytes; as Stop::check.
[[nodiscard]] Inflated inflate_gzip(std::string_view bytes, const Limits& limits);

}  // namespace strata::cloudinit
