// Rendered documents to what is shown of them. Rule: docs/deckhand/render.md, "Output" and "Secrets".
#pragma once

#include <array>
#include <vector>

#include "document.hpp"
#include "renderer.hpp"

namespace strata::deckhand {

/// Gathers the documents that are wanted.
/// Warning: `deckhand.secret-leak`: a cleartext document was layered on a secret, which is shown.
class Output {
 public:
  Output(const Request& request, Session& session, Arena& arena);
  void add(const Document& document, const Rendered& rendered);
  /// The documents so far.
  [[nodiscard]] Result finish();

 private:
  const Request& request_;
  Sources& sources_;
  Diagnostics& diagnostics_;
  Arena& arena_;
  merge::Recorder& recorder_;
  std::array<Value, 3> keys_;  ///< Of each document.
  std::vector<merge::Traced> documents_;
  std::vector<Identity> identities_;
};

}  // namespace strata::deckhand
