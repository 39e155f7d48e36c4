// SPDX-License-Identifier: Apache-2.0
// Finds what is wrong with a JSON text, and where.
#pragma once

#include <cstddef>
#include <string_view>

#include "strata/error.hpp"
#include "strata/text.hpp"

namespace strata::text {

/// A number at the start of a text.
struct JsonNumber {
  std::size_t length = 0;  ///< 0 if there is none.
  bool is_integer = true;
};

/// The longest JSON number at the beginning of `text`. Rule: RFC 8259, section 6.
[[nodiscard]] JsonNumber match_json_number(std::string_view text) noexcept;

/// The error `json.syntax` for the first violation of the dialect in `text`, which is at `offset` of a source. Comments
/// must be blanked out. Nesting matters only if the dialect limits it. Cost: linear.
[[nodiscard]] Error diagnose_json(const Sources& sources, SourceId source, std::size_t offset, std::string_view text,
                                  const JsonDialect& dialect);

}  // namespace strata::text
