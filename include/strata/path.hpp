// A path from the root of a value to one of its nodes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "strata/value.hpp"

namespace strata {

/// Keys and indexes from the root. A step into a mapping is a key; a step into a sequence is an index from 0.
class Path {
 public:
  using Step = std::variant<Value, std::size_t>;

  Path() = default;
  void push(const Value& key) { steps_.emplace_back(key); }
  void push(std::size_t index) { steps_.emplace_back(index); }
  void pop() { steps_.pop_back(); }
  [[nodiscard]] const std::vector<Step>& steps() const noexcept { return steps_; }

  /// As a JSON Pointer (RFC 6901) into the JSON form. "" is the root.
  [[nodiscard]] std::string pointer() const;

 private:
  std::vector<Step> steps_;
};

/// Splits a JSON Pointer into its unescaped tokens. Error `pointer.syntax` if it is not empty and does not begin with `/`, or has a bad escape.
[[nodiscard]] std::vector<std::string> parse_pointer(std::string_view pointer);

/// A mapping key as text, as in JSON output: `true`, `1.5`, `null`.
[[nodiscard]] std::string key_text(const Value& key);

}  // namespace strata
