// SPDX-License-Identifier: Apache-2.0
// How texts are read by whoever hides parts of them, and what of them readers pass over.
#pragma once

#include <string_view>

#include "strata/question.hpp"
#include "strata/text_edit.hpp"

namespace strata::analysis {

/// How a text is read, as its name and the dialect say. `given`: as somebody has read it; may be null.
[[nodiscard]] edit::Form form_of(std::string_view path, std::string_view text, Results results,
                                 const edit::Form* given);
/// Whether the values that are read are all that a text has. Of HOCON, what stands further down replaces and joins what
/// stood before.
[[nodiscard]] bool tells_all(const edit::Form& form);
/// Whether a document follows the first one of a YAML text.
[[nodiscard]] bool has_more_documents(std::string_view text);
/// Whether lines end in other ways than those that people see.
[[nodiscard]] bool has_other_breaks(std::string_view text);

}  // namespace strata::analysis
