// SPDX-License-Identifier: Apache-2.0
// Values that are kept from merging until everything else is known.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "strata/traced.hpp"

namespace strata::merge {

/// Stands for a value that a strategy must not look into: its shape is `scalar`, which may wait (strata/settle.hpp).
/// Two are never equal.
class Held final : public Object {
 public:
  using Spell = std::string (*)(const Value& value);
  /// `tag`: what the dialect wants to know of it. `spell`: its text in histories.
  Held(const Value& value, int tag, Spell spell) : value_(value), tag_(tag), spell_(spell) {}
  [[nodiscard]] const Value& value() const noexcept { return value_; }
  [[nodiscard]] int tag() const noexcept { return tag_; }
  [[nodiscard]] std::string to_string() const override { return spell_(value_); }
  [[nodiscard]] bool equals(const Object& other) const override { return this == &other; }
  [[nodiscard]] std::size_t hash() const override { return std::hash<const void*>{}(this); }

 private:
  Value value_;
  int tag_;
  Spell spell_;
};

/// Null if the value is no Held.
[[nodiscard]] inline const Held* held_of(const Value& value) noexcept {
  return value.kind() == Kind::object ? dynamic_cast<const Held*>(&value.as_object()) : nullptr;
}

/// A Held with the place, the mark and the history of its value.
[[nodiscard]] inline Traced held(const Builder& make, const Traced& value, int tag, Held::Spell spell) {
  const Value made = make.arena().object(std::make_shared<Held>(value.value, tag, spell));
  return {made.with_origin(value.value.origin()).with_secret(value.value.is_secret()), value.slot};
}

}  // namespace strata::merge
