// The names of parameters while files are combined: their types, and the strategy that each one keeps.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <span>
#include <string>

#include "heat/documents.hpp"
#include "heat/merge_strategies.hpp"
#include "heat/schema.hpp"

namespace strata::heat {

/// A strategy as a file gives it. What is none of the three words acts as `overwrite` where it is a default, and is remembered as it is.
struct ChosenStrategy {
  MergeStrategy kind = MergeStrategy::overwrite;
  Value odd;     ///< What was written instead of one of the words; absent where it was one.
  Origin where;  ///< Of the file that gave it, or of the name itself.

  [[nodiscard]] static ChosenStrategy of(const Value& word);
  [[nodiscard]] bool is_same(const ChosenStrategy& other) const noexcept { return kind == other.kind && equal(odd, other.odd); }
  [[nodiscard]] std::string text() const;
};

struct Name {
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

  Value key;
  ParameterType type = ParameterType::string;
  bool declared = false;
  bool hidden = false;
  std::optional<ChosenStrategy> strategy;                   ///< Remembered for the whole combination.
  std::array<std::size_t, 2> position{kNowhere, kNowhere};  ///< Among the members of the two sections of parameters.
};

/// Names by key, each found in O(1).
class Names {
 public:
  /// `implicit`: nobody declares parameters, so that every name counts once it has a value.
  Names(Arena& arena, const Schemata& schemata, bool implicit);

  [[nodiscard]] Name& of(const Value& key);
  /// Declares the names of a section that have no type yet by their values, but for `cleared` ones. Does nothing unless `implicit`.
  void declare(const Value& section, const NameSet& cleared);
  void declare(Name& name, ParameterType type) const;
  /// Puts `copy` of each value that is kept in its place.
  template <class Copy>
  void move(const Copy& copy) {
    for (Name& name : all_) {
      if (name.strategy && name.strategy->odd) name.strategy->odd = copy(name.strategy->odd);
    }
  }
  [[nodiscard]] bool is_implicit() const noexcept { return implicit_; }
  [[nodiscard]] const std::deque<Name>& all() const noexcept { return all_; }

 private:
  Arena& arena_;
  const Schemata& schemata_;
  bool implicit_;
  std::deque<Name> all_;
  Value index_;
};

/// The strategies that one file gives. Rule: docs/heat/compose.md, "Which strategy".
class StrategySection {
 public:
  /// `section`: the value of `parameter_merge_strategies`; absent where the file has none.
  StrategySection(const Documents& documents, const Value& section, std::string_view file);

  /// Whether names can have strategies. Error `heat.strategies` where the section is no mapping.
  void check() const;
  /// Chooses the strategy of a declared name with a value at `where`, and has it remembered; after `check`.
  /// Error `heat.strategy-conflict`.
  void choose(Name& name, Origin where) const;

 private:
  const Documents& documents_;
  Value section_;
  std::string_view file_;
  ChosenStrategy default_;
};

}  // namespace strata::heat
