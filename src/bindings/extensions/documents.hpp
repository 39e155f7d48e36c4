// Bindings documents out of what a provider returns. Rule: docs/bindings/extensions.md, "Bindings as data".
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bindings/model.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/value.hpp"

namespace strata::bindings::extensions {

/// Writes each `{document, bindings}` of `list` as a text of the bindings language, adds that to `sources` under the document's name, and reads it:
/// so the forms are checked as those of files are, and errors show the statement. Errors: `extension.result`, and those of read_document.
[[nodiscard]] std::vector<std::shared_ptr<const Document>> read_documents(const Value& list, Sources& sources, const Limits& limits);

/// The text of one document. Error `extension.result`.
[[nodiscard]] std::string document_text(const Value& bindings);

}  // namespace strata::bindings::extensions
