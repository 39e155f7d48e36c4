// SPDX-License-Identifier: Apache-2.0
// Two sides of a meeting that waits: strata/settle.hpp.
#pragma once

#include <cstdint>
#include <string>

#include "strata/merge.hpp"

namespace strata::merge {

/// The value at a place where two sides wait. Either side may be such a value itself: three layers are ((first,
/// second), third).
class Pending final : public Object {
 public:
  Pending(const Traced& old, const Traced& incoming, Strategy::Table Strategy::*table, std::size_t depth)
      : old_(old), incoming_(incoming), table_(table), depth_(depth) {}

  [[nodiscard]] const Traced& old() const noexcept { return old_; }
  [[nodiscard]] const Traced& incoming() const noexcept { return incoming_; }
  /// The table of the strategy that said `wait`.
  [[nodiscard]] Strategy::Table Strategy::*table() const noexcept { return table_; }
  /// How deep below the root of the merge the place is.
  [[nodiscard]] std::size_t depth() const noexcept { return depth_; }

  [[nodiscard]] std::string to_string() const override { return "values that wait to be merged"; }
  [[nodiscard]] bool equals(const Object& other) const override { return this == &other; }
  [[nodiscard]] std::size_t hash() const override { return std::hash<const void*>{}(this); }

 private:
  Traced old_;
  Traced incoming_;
  Strategy::Table Strategy::*table_;
  std::size_t depth_;
};

/// Null if nothing waits here.
[[nodiscard]] inline const Pending* pending_of(const Value& value) noexcept {
  return value.kind() == Kind::object ? dynamic_cast<const Pending*>(&value.as_object()) : nullptr;
}

}  // namespace strata::merge
