// Regular expressions of the languages that strata reads.
#pragma once

#include <memory>
#include <string_view>

namespace strata::text {

/// A compiled pattern. Immutable; may be used from several threads.
class Regex {
 public:
  enum class Syntax { ruby, python };
  /// Throws an Error `regex.syntax`.
  explicit Regex(std::string_view pattern, Syntax syntax = Syntax::ruby);
  /// Whether it matches anywhere. Throws an Error `limit.regex` where it takes too long.
  [[nodiscard]] bool search(std::string_view text) const;

 private:
  std::shared_ptr<const void> program_;
};

}  // namespace strata::text
