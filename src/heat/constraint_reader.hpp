// SPDX-License-Identifier: Apache-2.0
// Parses constraints of templates: the list of HOT and the keys of CFN.
#pragma once

#include <string>
#include <vector>

#include "heat/schema.hpp"

namespace strata::heat {

/// Parses the constraints of one parameter. Each function throws Error `heat.template-parameters` for invalid input.
class ConstraintReader {
 public:
  ConstraintReader(const Sources& sources, Arena& arena, const std::string& parameter)
      : sources_(sources), arena_(arena), parameter_(parameter) {}

  /// `constraints` of HOT: a list of mappings. Each mapping gives one constraint. Null: none.
  [[nodiscard]] std::vector<Constraint> read_hot(const Value& list, bool has_modulo) const;
  /// `MinValue`, `AllowedPattern`, … of CFN, which are members of the declaration.
  [[nodiscard]] std::vector<Constraint> read_cfn(const Value& declaration) const;

 private:
  [[nodiscard]] Constraint read_one(const Value& constraint, bool has_modulo) const;
  [[nodiscard]] Constraint bounds(Constraint::Kind kind, const Value& holder, std::string_view low,
                                  std::string_view high) const;
  [[nodiscard]] Constraint modulo(const Value& holder) const;
  [[nodiscard]] Constraint allowed_values(const Value& values) const;
  [[nodiscard]] Constraint allowed_pattern(const Value& pattern) const;
  [[nodiscard]] Value number(const Value& holder, std::string_view key) const;
  void check_keys(const Value& mapping, std::initializer_list<std::string_view> keys, std::string_view what) const;
  [[noreturn]] void fail(Origin origin, std::string_view message) const;

  const Sources& sources_;
  Arena& arena_;
  const std::string& parameter_;
};

}  // namespace strata::heat
