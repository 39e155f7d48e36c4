// SPDX-License-Identifier: Apache-2.0
// The declarations of the templates of a request.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "heat/schema.hpp"
#include "heat/template.hpp"

namespace strata::heat {

struct Declarations {
  std::optional<Template>
      root;           ///< The template of the stack. No value if none was given: every name then counts as declared.
  Schemata schemata;  ///< Of the root template and all nested ones.
  std::vector<std::shared_ptr<Arena>> arenas;

  /// Whether values of a parameter are hidden, as Schemata::hides.
  [[nodiscard]] bool is_hidden(std::string_view name) const;
  /// Whether any template hides a parameter, or an environment encrypts one.
  [[nodiscard]] bool hides_any() const noexcept;
  /// Whether source lines of an environment are hidden: a template hides a parameter, or the template is missing and
  /// the text may contain a secret.
  [[nodiscard]] bool hides_lines(std::string_view text) const;
};

}  // namespace strata::heat
