// SPDX-License-Identifier: Apache-2.0
// The facts that agents of release 8 no longer send.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace strata::analysis {

/// A fact that agents send only where they run release 7 or `include_legacy_facts`.
struct LegacyFact {
  std::string name;  ///< `osfamily`.
  /// The path of the structured fact below `facts`: `os.family`, `networking.interfaces.eth0.ip`. Empty: no structured
  /// fact has the value.
  std::string path;
  bool is_exact = true;  ///< The path is right for sure. False: the name of an interface was perhaps spelled otherwise.
};

/// The legacy fact that an expression with this name takes: `osfamily` of `osfamily`, `::osfamily` and
/// `facts.osfamily`. No value: it names something else. Legacy facts are strings, so an expression that goes below one
/// names a fact of the site. Rule: the core facts of OpenFact 5 that are hidden.
[[nodiscard]] std::optional<LegacyFact> legacy_fact_of(std::string_view variable);

/// A string of Hiera data in which expressions name structured facts in place of legacy ones: `%{facts.os.family}` for
/// `%{osfamily}`, `%{::osfamily}`, `%{facts.osfamily}` and `%{scope('osfamily')}`. Legacy facts without an exact
/// replacement stay. Linear in the string.
[[nodiscard]] std::string with_structured_facts(std::string_view text);

}  // namespace strata::analysis
