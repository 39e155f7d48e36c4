// A statement, or a member of its hash, whose value is to be made.
#pragma once

#include <cstdint>

#include "bindings/composition/composition.hpp"
#include "strata/error.hpp"
#include "strata/value.hpp"

namespace strata::bindings {

/// One run of a producer.
struct Production {
  const Statement* statement = nullptr;
  const Prepared* prepared = nullptr;
  std::uint32_t declared = 0;              ///< A type of `prepared`; 0: Data.
  const Expression* expression = nullptr;  ///< Of the value, where it is no whole producer.
  Value value{};                           ///< Where it is known already.
  std::uint32_t document = 0;
  std::uint32_t guard = 0;
  bool is_contribution = false;  ///< Its type is checked by who collects it.
  KeyText key{};                 ///< For messages, and for extensions; of a contribution that of its multibind.
};

/// The production that a candidate of a key stands for.
[[nodiscard]] Production production_of(const Composition& composition, std::uint32_t key, const Candidate& candidate);
/// The type that its value must have.
[[nodiscard]] const Type& declared_type(const Production& work);
/// An error with the place of the production, where it has none, and with a note that names it. Further notes of an error that went through many
/// productions are left out.
[[nodiscard]] Error located(const Sources& sources, const Production& work, const Error& error);
/// Whether a value holds what is no data: types, instances, patterns.
[[nodiscard]] bool holds_objects(const Value& value);
/// A value as it is handed out: types and instances as their reference texts.
[[nodiscard]] Value printed(Arena& arena, const Value& value);

}  // namespace strata::bindings
