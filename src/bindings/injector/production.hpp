// SPDX-License-Identifier: Apache-2.0
// A statement, or a member of its hash, whose value is to be produced.
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
  const Expression* expression = nullptr;  ///< For a value that is not a whole producer.
  Value value{};                           ///< If it is already known.
  std::uint32_t document = 0;
  std::uint32_t guard = 0;
  bool is_contribution = false;  ///< Its type is checked by the collector.
  KeyText key{};                 ///< For messages and extensions. For a contribution: the key of its multibind.
};

/// The production of a candidate of a key.
[[nodiscard]] Production production_of(const Composition& composition, std::uint32_t key, const Candidate& candidate);
/// The type that its value must have.
[[nodiscard]] const Type& declared_type(const Production& work);
/// Adds the place of the production to an error without a place, and a note that names it. If an error has passed
/// through many productions, further notes are omitted.
[[nodiscard]] Error located(const Sources& sources, const Production& work, const Error& error);
/// Whether a value contains anything that is not data: types, instances, patterns.
[[nodiscard]] bool holds_objects(const Value& value);
/// A value for callers: types and instances become their reference texts.
[[nodiscard]] Value printed(Arena& arena, const Value& value);

}  // namespace strata::bindings
