// SPDX-License-Identifier: Apache-2.0
// How texts are read to hide parts of them, and which parts the readers skip.
#pragma once

#include <string_view>

#include "strata/text_edit.hpp"
#include "strata/traits.hpp"
#include "strata/value.hpp"

namespace strata::analysis {

/// How a text is read, as its name and the dialect say. `given`: the form in which it was read; may be null.
[[nodiscard]] edit::Form form_of(std::string_view path, std::string_view text, const query::Traits& traits,
                                 const edit::Form* given);
/// Whether the values that are read are all that a text has. Of HOCON, what stands further down replaces and joins what
/// stood before.
[[nodiscard]] bool tells_all(const edit::Form& form);
/// Whether a document follows the first one of a YAML text.
[[nodiscard]] bool has_more_documents(std::string_view text);
/// Whether lines end in other ways than those that people see.
[[nodiscard]] bool has_other_breaks(std::string_view text);

[[nodiscard]] inline bool is_in(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace strata::analysis
