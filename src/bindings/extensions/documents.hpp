// SPDX-License-Identifier: Apache-2.0
// Converts the result of a provider to bindings documents. Rule: docs/bindings/extensions.md, "Bindings as data".
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bindings/model.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/value.hpp"

namespace strata::bindings::extensions {

/// Writes each `{document, bindings}` of `list` as a text of the bindings language, adds it to `sources` under the
/// document's name, and parses it: the same checks apply as for files, and errors show the statement. Errors:
/// `extension.result`, and those of read_document.
[[nodiscard]] std::vector<std::shared_ptr<const Document>> read_documents(const Value& list, Sources& sources,
                                                                          const Limits& limits);

/// The text of one document. Error `extension.result`.
[[nodiscard]] std::string document_text(const Value& bindings);

}  // namespace strata::bindings::extensions
