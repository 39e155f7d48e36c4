// SPDX-License-Identifier: Apache-2.0
// Making values for the tests of this room.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "strata/builder.hpp"
#include "strata/value.hpp"

namespace strata::ruby {

/// An object that is its text, such as a Sensitive one.
class Named : public Object {
 public:
  explicit Named(std::string name) : name_(std::move(name)) {}
  [[nodiscard]] std::string to_string() const override { return name_; }
  [[nodiscard]] bool equals(const Object& other) const override { return to_string() == other.to_string(); }
  [[nodiscard]] std::size_t hash() const override { return std::hash<std::string>()(name_); }

 private:
  std::string name_;
};

class WithValues : public ::testing::Test {
 protected:
  Value text(std::string_view characters) { return arena_.text(characters); }
  Value binary(std::string_view bytes) { return arena_.binary(bytes); }
  Value big(std::string_view digits) { return arena_.integer(digits); }
  Value list(std::initializer_list<Value> items) { return arena_.sequence(std::span(items.begin(), items.size())); }
  Value hash(std::initializer_list<std::pair<Value, Value>> entries) {
    MappingBuilder made(arena_);
    for (const auto& [key, value] : entries) made.insert(arena_.key(key), value);
    return made.finish();
  }
  Value sensitive() { return arena_.object(std::make_shared<Named>("Sensitive [value redacted]")); }
  /// A list of a list of ... nothing.
  Value nested(int depth) {
    Value value = list({});
    for (int i = 0; i < depth; ++i) value = list({value});
    return value;
  }

 private:
  Arena arena_;
};

}  // namespace strata::ruby
