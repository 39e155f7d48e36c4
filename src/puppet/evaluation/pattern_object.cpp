// SPDX-License-Identifier: Apache-2.0
#include "puppet/evaluation/pattern_object.hpp"

#include <functional>
#include <memory>

#include "value/seeded_hash.hpp"

namespace strata::puppet {

std::string PatternObject::to_string() const {
  std::string text = "/";
  bool escaped = false;
  for (const char c : pattern()) {
    if (c == '/' && !escaped) text += '\\';
    text += c;
    escaped = c == '\\' && !escaped;
  }
  return text + '/';
}

bool PatternObject::equals(const Object& other) const {
  const auto* pattern = dynamic_cast<const PatternObject*>(&other);
  return pattern != nullptr && pattern->pattern() == this->pattern();
}

std::size_t PatternObject::hash() const { return seeded_hash(pattern()); }

Value make_pattern(Arena& arena, std::string_view pattern) {
  return arena.object(std::make_shared<PatternObject>(pattern));
}

const PatternObject* as_pattern(const Value& value) noexcept {
  return value.kind() == Kind::object ? dynamic_cast<const PatternObject*>(&value.as_object()) : nullptr;
}

}  // namespace strata::puppet
