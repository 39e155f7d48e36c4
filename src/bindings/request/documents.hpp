// SPDX-License-Identifier: Apache-2.0
// Documents by path. Each is read and parsed once per Snapshot.
#pragma once

#include <memory>
#include <string_view>

#include "bindings/model.hpp"
#include "bindings/request/names.hpp"
#include "strata/session.hpp"

namespace strata::bindings {

/// An estimate of the memory of a text's syntax tree, for the budget of the cache.
[[nodiscard]] constexpr std::size_t syntax_bytes(std::string_view text) noexcept {
  constexpr std::size_t kPerByte = 8;
  return text.size() * kPerByte;
}

/// The document with this name at this path. Errors: `layer.missing`, those of read_document and of the tree.
[[nodiscard]] std::shared_ptr<const Document> load_document(const FoundDocument& found, Session& session);

}  // namespace strata::bindings
