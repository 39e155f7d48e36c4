// The parameters that templates declare: what the combination of environments and the check of values go by.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "strata/error.hpp"
#include "strata/value.hpp"
#include "value/seeded_hash.hpp"

namespace strata::heat {

enum class ParameterType : std::uint8_t { string, number, json, comma_delimited_list, boolean };

/// The name of a type in HOT: `comma_delimited_list`.
[[nodiscard]] std::string_view to_string(ParameterType type) noexcept;

/// The type that a value has where no template declares one.
[[nodiscard]] ParameterType implied_type(const Value& value) noexcept;

/// One thing that a value must be. What it may hold depends on its kind.
struct Constraint {
  enum class Kind : std::uint8_t {
    allowed_values,   ///< `values`.
    allowed_pattern,  ///< `pattern`: matches the whole text.
    length,           ///< `low` and `high`, of which one may be absent; also of lists and mappings.
    range,            ///< The same, for numbers.
    modulo,           ///< `low` is the step, `high` the offset.
    custom,           ///< Known to a server only: never checked here. `pattern` is its name.
  };
  Kind kind = Kind::custom;
  Value low;
  Value high;
  Value values;         ///< A sequence.
  std::string pattern;  ///< A regular expression, as Python's `re` has them.
  std::string message;  ///< The template's own words for a value that breaks it; empty: none.
};

/// One declared parameter.
struct ParameterSchema {
  std::string name;
  Kind kind = Kind::text;  ///< Of its name: `on` and `1` are no texts, and other names than the texts.
  ParameterType type = ParameterType::string;
  std::string_view type_name;  ///< As the template spells the type, for messages: `Json`, `json`. Static.
  Value default_value;         ///< Absent where the template gives none (null counts as none).
  bool hidden = false;         ///< `hidden: true`, or `NoEcho` in CFN.
  std::vector<Constraint> constraints;
  Origin origin;  ///< Of its name in the template; nowhere where no template declares it.
};

/// Declared parameters in the order in which they came, found by name in O(1).
class Schemata {
 public:
  /// Adds a declaration; one of the same name takes the place of the earlier one, and stays hidden where that was.
  void add(ParameterSchema schema);
  [[nodiscard]] const ParameterSchema* find(std::string_view name) const;
  /// The same of a name as a file has it, which may be no text.
  [[nodiscard]] const ParameterSchema* find(const Value& name) const;
  [[nodiscard]] const std::vector<ParameterSchema>& all() const noexcept { return all_; }

 private:
  std::vector<ParameterSchema> all_;
  TextMap<std::size_t> index_;
};

}  // namespace strata::heat
