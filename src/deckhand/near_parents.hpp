// SPDX-License-Identifier: Apache-2.0
// Documents that nearly carry the labels of a selector, for warnings.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "document.hpp"

namespace strata::deckhand {

/// A document that is nearly the parent.
struct NearParent {
  std::size_t document = kNone;
  Value labels;            ///< For their place.
  std::string difference;  ///< `its label 'name' is 'bse', not 'base'`.
};

/// Looks for them, as long as its budget lasts: a site may have many documents without a parent.
class NearParents {
 public:
  /// Both must outlive the object. The layers of `documents` must be ranked.
  NearParents(std::span<const Document> documents, Session& session) : documents_(documents), session_(session) {}

  /// The nearest ones to what `child` selects, at most three, the nearest first: those with most of its labels, then
  /// those in whose labels one looks mistyped, and, where there are none, those with other values of the same labels.
  /// Only documents of its schema that may be its parent count. Errors: as Stop::check.
  [[nodiscard]] std::vector<NearParent> find(const Document& child);

 private:
  std::span<const Document> documents_;
  Session& session_;
  std::size_t looks_ = 0;  ///< Comparisons so far.
};

}  // namespace strata::deckhand
