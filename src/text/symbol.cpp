#include <string_view>

#include "strata/text.hpp"

namespace strata::text {

bool Symbol::equals(const Object& other) const {
  const auto* symbol = dynamic_cast<const Symbol*>(&other);
  return symbol != nullptr && symbol->name_ == name_;
}

std::size_t Symbol::hash() const { return std::hash<std::string_view>{}(name_); }

}  // namespace strata::text
