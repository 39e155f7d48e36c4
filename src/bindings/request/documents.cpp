// SPDX-License-Identifier: Apache-2.0
#include "bindings/request/documents.hpp"

#include <fmt/format.h>

#include "bindings/syntax/document.hpp"

namespace strata::bindings {

std::shared_ptr<const Document> load_document(const FoundDocument& found, Session& session) {
  auto document =
      session.read<Document>(found.path, found.name, [&](Sources& texts, SourceId source, const Limits& limits) {
        return Reading<Document>{.parsed = read_document(texts, source, found.name, limits),
                                 .bytes = syntax_bytes(texts.text(source))};
      });
  if (!document)
    throw Error("layer.missing", fmt::format("the bindings '{}' cannot be read", found.name)).in(found.path);
  return document;
}

}  // namespace strata::bindings
