// SPDX-License-Identifier: Apache-2.0
// The declared parameters of templates, for combining environments and checking values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "heat/name_set.hpp"
#include "strata/error.hpp"
#include "strata/value.hpp"
#include "value/seeded_hash.hpp"

namespace strata::heat {

enum class ParameterType : std::uint8_t { string, number, json, comma_delimited_list, boolean };

/// The name of a type in HOT: `comma_delimited_list`.
[[nodiscard]] std::string_view to_string(ParameterType type) noexcept;

/// The type of a value that no template declares.
[[nodiscard]] ParameterType implied_type(const Value& value) noexcept;

/// A constraint on a value. The kind decides which members are used.
struct Constraint {
  enum class Kind : std::uint8_t {
    allowed_values,   ///< `values`.
    allowed_pattern,  ///< `pattern`: matches the whole text.
    length,           ///< `low` and `high`; one of them may be absent. Also for lists and mappings.
    range,            ///< The same, for numbers.
    modulo,           ///< `low` is the step, `high` the offset.
    custom,           ///< Only a server can check it; always passes here. `pattern` is its name.
  };
  Kind kind = Kind::custom;
  Value low;
  Value high;
  Value values;         ///< A sequence.
  std::string pattern;  ///< A regular expression of Python's `re`.
  std::string message;  ///< The template's own message for a violation. Empty: none.
};

/// One declared parameter.
struct ParameterSchema {
  std::string name;
  Kind kind = Kind::text;  ///< Of its name: `on` and `1` are not texts and differ from the texts.
  ParameterType type = ParameterType::string;
  std::string_view type_name;  ///< The type as the template spells it, for messages: `Json`, `json`. Static.
  Value default_value;         ///< Absent if the template has none (null counts as none).
  bool hidden = false;         ///< `hidden: true`, or `NoEcho` in CFN.
  std::vector<Constraint> constraints;
  Origin origin;  ///< Of its name in the template. Nowhere if no template declares it.
};

/// Declared parameters in their order. Found by name in O(1).
class Schemata {
 public:
  /// Adds a declaration. It replaces an earlier one with the same name, but stays hidden if that one was.
  void add(ParameterSchema schema);
  [[nodiscard]] const ParameterSchema* find(std::string_view name) const;
  /// The same for a name as a file gives it, which may not be text.
  [[nodiscard]] const ParameterSchema* find(const Value& name) const;
  [[nodiscard]] const std::vector<ParameterSchema>& all() const noexcept { return all_; }

  /// `encrypted_param_names` of some environment lists a name: whatever it is declared as, its values are secret.
  void encrypt(std::string name) { encrypted_.insert(std::move(name)); }
  [[nodiscard]] bool encrypts_any() const noexcept { return !encrypted_.empty(); }
  /// Whether values of a parameter are secret: by an environment or a template, or, if no template declares it, by its
  /// name.
  [[nodiscard]] bool hides(std::string_view name) const;
  [[nodiscard]] bool hides(const Value& name) const;

 private:
  NameSet encrypted_;
  std::vector<ParameterSchema> all_;
  TextMap<std::size_t> index_;
};

}  // namespace strata::heat
