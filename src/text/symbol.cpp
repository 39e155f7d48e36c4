// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "strata/text.hpp"
#include "value/seeded_hash.hpp"

namespace strata::text {

bool Symbol::equals(const Object& other) const {
  const auto* symbol = dynamic_cast<const Symbol*>(&other);
  return symbol != nullptr && symbol->name_ == name_;
}

std::size_t Symbol::hash() const { return seeded_hash(name_); }

}  // namespace strata::text
