// `lookup_options`: how keys are merged and converted, as the data itself says.
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
  /// `options`: what the layers say, merged; absent for nothing. Errors: LookupError `hiera.lookup-options`, for a pattern that is none also.
  LookupOptions(const Sources& sources, const Value& options);

  /// What is said of a root key: the entry of its name, else the first pattern that matches; absent for nothing. Error `limit.regex`.
  [[nodiscard]] Value find(std::string_view root_key) const;
  /// What the layers say, merged; absent for nothing.
  [[nodiscard]] const Value& named() const noexcept { return named_; }

 private:
  struct Pattern {
    text::Regex regex;
    Value options;
  };
  Value named_;
  std::vector<Pattern> patterns_;
};

/// Checks that `options` is a mapping with text keys, and that a module (empty: none) speaks of its own names only.
/// Absent for null. Errors: LookupError `hiera.lookup-options`.
[[nodiscard]] Value check_lookup_options(const Sources& sources, const Value& options, std::string_view module);

}  // namespace strata::hiera
