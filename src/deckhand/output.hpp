// SPDX-License-Identifier: Apache-2.0
// Converts rendered documents to the output. Rule: docs/deckhand/render.md, "Output" and "Secrets".
#pragma once

#include <array>
#include <vector>

#include "document.hpp"
#include "renderer.hpp"

namespace strata::deckhand {

/// Collects the documents that the filters select.
/// Warning: `deckhand.secret-leak`: a cleartext document shows a secret of a document that it is layered on.
class Output {
 public:
  Output(const Request& request, Session& session, Arena& arena);
  /// Documents that are not rendered stand in the output without data.
  void add(const Document& document, const Rendered& rendered);
  /// The documents so far.
  [[nodiscard]] Result finish();

 private:
  void add_withheld(const Document& document);

  const Request& request_;
  Sources& sources_;
  Diagnostics& diagnostics_;
  Arena& arena_;
  merge::Recorder& recorder_;
  std::array<Value, 3> keys_;  ///< For each document.
  std::vector<merge::Traced> documents_;
  std::vector<Identity> identities_;
  std::vector<bool> secrets_;
  std::vector<bool> withheld_;
};

}  // namespace strata::deckhand
