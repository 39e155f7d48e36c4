// SPDX-License-Identifier: Apache-2.0
// A path from the root of a value to one of its nodes.
#pragma once

#include <cstddef>
#include <span>
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

/// Splits a JSON Pointer into its unescaped tokens. Error `pointer.syntax` if it is not empty and does not begin with
/// `/`, or has a bad escape.
[[nodiscard]] std::vector<std::string> parse_pointer(std::string_view pointer);

/// Appends `/` and a token, escaped, to a JSON Pointer.
void append_token(std::string& pointer, std::string_view token);
/// The pointer of tokens.
[[nodiscard]] std::string pointer_of(std::span<const std::string> tokens);

/// The index of the member or item that a token names: of a mapping a key with this text, of a sequence an index
/// without leading zeros. npos: none.
[[nodiscard]] std::size_t index_of_token(const Value& container, std::string_view token);
/// The value that tokens lead to. Absent: there is none.
[[nodiscard]] Value value_at(const Value& root, std::span<const std::string> tokens);

/// The JSON Pointer of a value that `wanted` probably means: a name, or a pointer that leads to nothing. Empty if no
/// path is similar. Error `pointer.syntax` for a bad escape. Cost: bounded.
[[nodiscard]] std::string near_pointer(const Value& root, std::string_view wanted);

/// A mapping key as text, as in JSON output: `true`, `1.5`, `null`.
[[nodiscard]] std::string key_text(const Value& key);

}  // namespace strata
