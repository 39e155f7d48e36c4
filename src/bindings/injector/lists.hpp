// SPDX-License-Identifier: Apache-2.0
// The lists that several statements build: classes and dependencies. Rule: docs/bindings/language.md, "Statements".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/injector/multibinds.hpp"

namespace strata::bindings {

class Lookup;

/// `/classes`, `/dependencies`, and the two lists of names that make up the first.
class StatementLists {
 public:
  StatementLists(Composition& composition, Expressions& expressions, Provenance& provenance, LayerSources& layers,
                 Multibinds& multibinds, Lookup& lookup)
      : composition_(composition),
        sources_(expressions.sources()),
        limits_(expressions.limits()),
        arena_(expressions.arena()),
        expressions_(expressions),
        provenance_(provenance),
        layers_(layers),
        multibinds_(multibinds),
        lookup_(lookup) {}

  [[nodiscard]] static bool is_special(std::string_view name) noexcept;
  /// The list with this name. Absent if the name is none of them.
  [[nodiscard]] merge::Traced special(std::string_view name);
  /// The effective classes, unless a statement binds the list.
  [[nodiscard]] merge::Traced classes();
  [[nodiscard]] merge::Traced dependency_list();
  [[nodiscard]] bool has_inclusions() { return !inclusions().empty(); }
  /// Adds each statement that concerns a list, and what happened to it.
  void explain_list(std::string_view name, Explanation& out);

 private:
  struct Inclusion {
    std::string name;
    Rank rank = 0;
    bool excluded = false;
    merge::Traced value;
    std::uint32_t position = 0;
    const Statement* statement = nullptr;
    std::uint32_t document = 0;
    std::uint32_t guard = 0;
    std::uint32_t layer = 0;
    const Composition::Source* source = nullptr;  ///< Instead of a statement.
  };
  /// Why an inclusion is not in the list.
  struct Verdict {
    const Inclusion* excluded_by = nullptr;
    const Inclusion* repeats = nullptr;
  };
  struct Dependency {
    std::string from;
    std::string to;
    std::string_view kind;
    Origin source;
    Origin target;
    Origin edge;
    [[nodiscard]] std::string shown() const { return from + ' ' + std::string(kind) + ' ' + to; }
  };
  [[nodiscard]] const std::vector<Inclusion>& inclusions();
  [[nodiscard]] std::vector<Inclusion> gathered_inclusions();
  [[nodiscard]] static std::vector<Verdict> verdicts(const std::vector<Inclusion>& all, bool is_effective);
  [[nodiscard]] merge::Traced class_list(std::string_view which);
  [[nodiscard]] std::vector<Dependency> dependencies_of(const Statement& statement);
  void explain_classes(std::string_view which, Explanation& out);
  void explain_dependencies(Explanation& out);

  Composition& composition_;
  const Sources& sources_;
  const Limits& limits_;
  Arena& arena_;
  Expressions& expressions_;
  Provenance& provenance_;
  LayerSources& layers_;
  Multibinds& multibinds_;
  Lookup& lookup_;
  std::optional<std::vector<Inclusion>> inclusions_;
  bool gathers_inclusions_ = false;
  std::optional<merge::Traced> classes_;
  std::optional<merge::Traced> dependencies_;
};

}  // namespace strata::bindings
