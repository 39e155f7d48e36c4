// What is wrong with a JSON text, and where exactly.
#pragma once

#include <cstddef>
#include <string_view>

#include "strata/error.hpp"
#include "strata/text.hpp"

namespace strata::text {

/// A number at the start of a text.
struct JsonNumber {
  std::size_t length = 0;  ///< 0 where there is none.
  bool is_integer = true;
};

/// The longest JSON number that `text` begins with. Rule: RFC 8259, section 6.
[[nodiscard]] JsonNumber match_json_number(std::string_view text) noexcept;

/// The error `json.syntax` for the first thing in `text`, the text at `offset` of a source, that is not JSON of the dialect. Its comments must be
/// blanked out. Nesting matters only where the dialect bounds it. Cost: linear.
[[nodiscard]] Error diagnose_json(const Sources& sources, SourceId source, std::size_t offset, std::string_view text, const JsonDialect& dialect);

}  // namespace strata::text
