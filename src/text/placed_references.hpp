// SPDX-License-Identifier: Apache-2.0
// Puts References in the place of texts, in the values of a document.
#pragma once

#include <map>
#include <utility>

#include "strata/stop.hpp"
#include "strata/text.hpp"
#include "text/reference_text.hpp"

namespace strata::text {

/// For one document. A dialect derives from it. What has no reference is shared, and an alias stays one value: each
/// node is looked at once.
class PlacedReferences {
 public:
  PlacedReferences(const PlacedReferences&) = delete;
  PlacedReferences& operator=(const PlacedReferences&) = delete;

  /// The memory of all References.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 protected:
  /// Everything must outlive this object.
  PlacedReferences(const Document& document, const Sources& texts, const ReferenceGrammar& grammar,
                   const Limits& limits);
  ~PlacedReferences() = default;

  [[nodiscard]] Arena& arena() const noexcept { return arena_; }
  /// The value with its references. `is_merged`: if it is a mapping, `merged` gives what stands for it. Sets stay.
  [[nodiscard]] Value placed(const Value& value, bool is_merged);

 private:
  /// What stands for a text that may refer: with_references.
  [[nodiscard]] virtual Value referring(const Value& text) const = 0;
  /// What stands for a mapping whose keys matter. Calls `placed` for its members.
  [[nodiscard]] virtual Value merged(const Value& mapping) = 0;
  [[nodiscard]] Value made(const Value& value, bool is_merged);

  Arena& arena_;
  const ReferenceGrammar& grammar_;
  const Limits& limits_;
  StopCheck stop_;
  bool has_aliases_;
  std::map<std::pair<const void*, bool>, Value> placed_;  ///< By the address of members or characters.
  std::size_t bytes_ = 0;
};

}  // namespace strata::text
