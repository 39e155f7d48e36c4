// SPDX-License-Identifier: Apache-2.0
// What the values of a node's texts follow from besides files: its variables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "scope.hpp"
#include "strata/builder.hpp"
#include "strata/hiera.hpp"

namespace strata::hiera {

/// The variables of a node, as far as expressions name them.
class Variables {
 public:
  /// `node` must outlive the object.
  explicit Variables(const NodeBasis& node) : node_(node) {}
  /// What an expression's value follows from: the variable, or a part of it. Null: there is none.
  [[nodiscard]] const Value* decider(const std::string& expression);

 private:
  const Scope& scope();

  const NodeBasis& node_;
  std::optional<Arena> arena_;
  std::optional<Scope> scope_;
};

/// Values that were seen before.
class KnownValues {
 public:
  /// The number given to an identical value, or to none; 0: it is new.
  [[nodiscard]] std::uint64_t number(const Value* value) const;
  void add(const Value* value, std::uint64_t number);

 private:
  using Numbers = std::unordered_multimap<std::size_t, std::pair<Value, std::uint64_t>>;
  std::unique_ptr<Arena> values_ = std::make_unique<Arena>();
  Numbers numbers_;
};

}  // namespace strata::hiera
