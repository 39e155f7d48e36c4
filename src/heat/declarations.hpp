// What the templates of a request declare.
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
  std::optional<Template> root;  ///< The template of the stack; none where nobody gave one: then every name counts as declared.
  Schemata schemata;             ///< Of the root template and of all nested ones.
  std::vector<std::shared_ptr<Arena>> arenas;

  /// Whether values of a parameter are hidden: some template says so, or, where none declares it, its name does.
  [[nodiscard]] bool is_hidden(std::string_view name) const;
  /// Whether some template hides a parameter.
  [[nodiscard]] bool hides_any() const noexcept;
  /// Whether lines of an environment's text are hidden: a template hides a parameter, or, where there is none, the text may hold a secret.
  [[nodiscard]] bool hides_lines(std::string_view text) const;
};

}  // namespace strata::heat
