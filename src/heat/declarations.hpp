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

  /// Whether values of a parameter are hidden: some template says so.
  [[nodiscard]] bool is_hidden(std::string_view name) const;
  [[nodiscard]] bool hides_any() const noexcept;
};

}  // namespace strata::heat
