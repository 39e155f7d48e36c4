// What a text is, by how it begins.
#pragma once

#include <string_view>

namespace strata::cloudinit {

/// The content type that the first words of a text stand for; empty where they are no known marker.
/// Case and white space in front do not count, a byte order mark does. The result is a literal. Rule: cloud-init's inclusion types.
[[nodiscard]] std::string_view detect_type(std::string_view text) noexcept;

}  // namespace strata::cloudinit
