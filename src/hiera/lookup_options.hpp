// SPDX-License-Identifier: Apache-2.0
// `lookup_options`: merge behaviours and conversions of keys, in the data themselves.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "strata/error.hpp"
#include "strata/value.hpp"
#include "text/regex/regex.hpp"

namespace strata::hiera {

inline constexpr std::string_view kLookupOptions = "lookup_options";

/// Options by name and by pattern. Immutable. Rule: docs/hiera/lookup.md, "lookup_options".
class LookupOptions {
 public:
  /// `options`: merged from the layers; absent: none. Errors: LookupError `hiera.lookup-options`, also for an invalid
  /// pattern.
  LookupOptions(const Sources& sources, const Value& options);

  /// The options of a root key: the entry of its name, or else the first pattern that matches. Absent: none. Error
  /// `limit.regex`.
  [[nodiscard]] Value find(std::string_view root_key) const;
  /// Merged from the layers. Absent: none.
  [[nodiscard]] const Value& named() const noexcept { return named_; }

 private:
  struct Pattern {
    text::Regex regex;
    Value options;
  };
  Value named_;
  std::vector<Pattern> patterns_;
};

/// Checks that `options` is a mapping with text keys, and that a module (empty: none) only names its own keys. Absent
/// for null. Errors: LookupError `hiera.lookup-options`.
[[nodiscard]] Value check_lookup_options(const Sources& sources, const Value& options, std::string_view module);

}  // namespace strata::hiera
