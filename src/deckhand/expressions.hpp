// SPDX-License-Identifier: Apache-2.0
// The paths and patterns of one rendering. Each is parsed once.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "deckhand/path/expression.hpp"
#include "text/regex/regex.hpp"
#include "value/seeded_hash.hpp"

namespace strata::deckhand {

/// Paths and patterns recur: the documents of a site use few different ones.
class Expressions {
 public:
  /// A path as written; valid as long as this. Errors: those of PathExpression::parse.
  const PathExpression& get(std::string_view text) {
    const auto found = read_.find(text);
    if (found != read_.end()) return found->second;
    PathExpression expression = PathExpression::parse(text);
    return read_.emplace(text, std::move(expression)).first->second;
  }

  /// A pattern in Python's syntax. Errors: those of text::Regex.
  std::shared_ptr<const text::Regex> pattern(std::string_view text) {
    const auto found = patterns_.find(text);
    if (found != patterns_.end()) return found->second;
    auto regex = std::make_shared<const text::Regex>(text, text::Regex::Syntax::python);
    if (patterns_.size() < kMostPatterns) patterns_.emplace(text, regex);
    return regex;
  }

 private:
  static constexpr std::size_t kMostPatterns = 256;  ///< A pattern takes many times the memory of its text.

  TextMap<PathExpression> read_;
  TextMap<std::shared_ptr<const text::Regex>> patterns_;
};

}  // namespace strata::deckhand
