// Documents by path: each is read and parsed once a Snapshot.
#pragma once

#include <memory>
#include <string_view>

#include "bindings/model.hpp"
#include "bindings/request/names.hpp"
#include "strata/session.hpp"

namespace strata::bindings {

/// What the syntax tree of a text takes, about: for the budget of the cache.
[[nodiscard]] constexpr std::size_t syntax_bytes(std::string_view text) noexcept {
  constexpr std::size_t kPerByte = 8;
  return text.size() * kPerByte;
}

/// The document of this name at this path. Errors: `layer.missing`, those of read_document and of the tree.
[[nodiscard]] std::shared_ptr<const Document> load_document(const FoundDocument& found, Session& session);

}  // namespace strata::bindings
