// SPDX-License-Identifier: Apache-2.0
// Writes that change documents other than the one that wrote.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "deckhand/path/sharing.hpp"
#include "document.hpp"

namespace strata::deckhand {

struct Rendered;
struct Rendering;

/// Whether shared containers could be visible in a rendering: a document writes below a substituted value, or something
/// that contains a container twice is read or layered on. Only inspects paths of plain keys. False for most sets of
/// documents, which then need no sharing. Cost: linear in the destinations.
[[nodiscard]] bool may_show_sharing(std::span<const Document> documents);

/// Collects writes into containers that other documents hold.
class SharedWrites {
 public:
  /// For a document, by a substitution from a source. Both are document numbers.
  void add(std::size_t document, std::size_t source, std::vector<SharedWrite> writes);
  /// After all documents are rendered: warns `deckhand.shared-container` about each write that another document shows,
  /// with the first such document. Cost: nothing without writes; otherwise the shared containers of each document.
  void warn(std::span<const Document> documents, std::span<const Rendered> rendered, const Rendering& rendering) const;

 private:
  struct Entry {
    std::size_t document;
    std::size_t source;
    SharedWrite write;
  };
  std::vector<Entry> entries_;
};

}  // namespace strata::deckhand
