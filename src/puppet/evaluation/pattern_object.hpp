// SPDX-License-Identifier: Apache-2.0
// A regular expression as a value of the Puppet language.
#pragma once

#include <string>

#include "strata/value.hpp"
#include "text/regex/regex.hpp"

namespace strata::puppet {

/// `/a.*b/`. Immutable; searching it from several threads is safe.
class PatternObject final : public Object {
 public:
  /// Errors: those of text::Regex.
  explicit PatternObject(std::string_view pattern) : regex_(pattern) {}
  [[nodiscard]] const text::Regex& regex() const noexcept { return regex_; }
  /// As written between the slashes, with `\/` as `/`.
  [[nodiscard]] const std::string& pattern() const noexcept { return regex_.pattern(); }
  /// `/a.*b/`.
  [[nodiscard]] std::string to_string() const override;
  [[nodiscard]] bool equals(const Object& other) const override;
  [[nodiscard]] std::size_t hash() const override;

 private:
  text::Regex regex_;
};

/// A pattern as a value. Errors: those of text::Regex.
[[nodiscard]] Value make_pattern(Arena& arena, std::string_view pattern);
/// Null if the value is not a pattern.
[[nodiscard]] const PatternObject* as_pattern(const Value& value) noexcept;

}  // namespace strata::puppet
