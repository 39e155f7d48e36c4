#include "heat/declarations.hpp"

#include <algorithm>

namespace strata::heat {

bool Declarations::is_hidden(std::string_view name) const {
  const ParameterSchema* schema = schemata.find(name);
  return schema != nullptr && schema->hidden;
}

bool Declarations::hides_any() const noexcept { return std::ranges::any_of(schemata.all(), &ParameterSchema::hidden); }

}  // namespace strata::heat
