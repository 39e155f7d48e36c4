// Writes that more documents show than the one that wrote.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "deckhand/path/sharing.hpp"
#include "document.hpp"

namespace strata::deckhand {

struct Rendered;
struct Rendering;

/// Whether a rendering could show that substitutions share containers: a document writes below what it took, or what holds a container twice is
/// read or layered on. Only paths of plain keys are looked at closely. False for most sets of documents, which need not pay for sharing then.
/// Cost: linear in the destinations.
[[nodiscard]] bool may_show_sharing(std::span<const Document> documents);

/// Gathers the writes of a rendering into containers that other documents hold.
class SharedWrites {
 public:
  /// Of a document, by a substitution from a source; both are numbers of documents.
  void add(std::size_t document, std::size_t source, std::vector<SharedWrite> writes);
  /// Once all are rendered: warns `deckhand.shared-container` of each write that another document shows, with the first of those documents.
  /// Cost: without writes, nothing; else the shared containers of each document.
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
