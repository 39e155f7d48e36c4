// SPDX-License-Identifier: Apache-2.0
// The names of parameters while files are combined: their types and strategies.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <span>
#include <string>

#include "heat/documents.hpp"
#include "heat/merge_strategies.hpp"
#include "heat/schema.hpp"
#include "strata/builder.hpp"

namespace strata::heat {

/// A strategy as a file gives it. An unknown word acts as `overwrite` if it is a default, and is kept as written.
struct ChosenStrategy {
  MergeStrategy kind = MergeStrategy::overwrite;
  Value odd;           ///< The unknown word. Absent if the word is known.
  Origin where;        ///< In the file that gave it, or the name itself.
  Origin option = {};  ///< The key that gave it. Nowhere: no file did.

  [[nodiscard]] static ChosenStrategy of(const Value& word);
  [[nodiscard]] bool is_same(const ChosenStrategy& other) const noexcept {
    return kind == other.kind && equal(odd, other.odd);
  }
  [[nodiscard]] std::string text() const;
};

struct Name {
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

  Value key;
  ParameterType type = ParameterType::string;
  bool declared = false;
  bool hidden = false;
  std::optional<ChosenStrategy> strategy;                   ///< Kept for the whole combination.
  std::array<std::size_t, 2> position{kNowhere, kNowhere};  ///< In the two sections of parameters.
};

/// Names by key. Each is found in O(1).
class Names {
 public:
  /// `implicit`: no template declares parameters, so a name counts as soon as it has a value.
  Names(Arena& arena, const Schemata& schemata, bool implicit);

  [[nodiscard]] Name& of(const Value& key);
  /// Declares the names of a section that have no type yet by their values, except `cleared` ones. Does nothing unless
  /// `implicit`.
  void declare(const Value& section, const NameSet& cleared);
  void declare(Name& name, ParameterType type) const;
  /// Replaces each kept value by `copy` of it.
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
  MappingBuilder index_;
};

/// The strategies in one file. Rule: docs/heat/compose.md, "Which strategy".
class StrategySection {
 public:
  /// `section`: the value of `parameter_merge_strategies`. Absent if the file has none.
  StrategySection(const Documents& documents, const Value& section, std::string_view file);

  /// Whether names can have strategies. Error `heat.strategies` if the section is not a mapping.
  void check() const;
  /// Chooses and remembers the strategy of a declared name with a value at `where`. Call it after `check`.
  /// Error `heat.strategy-conflict`.
  void choose(Name& name, Origin where) const;

 private:
  const Documents& documents_;
  Value section_;
  std::string_view file_;
  ChosenStrategy default_;
};

}  // namespace strata::heat
