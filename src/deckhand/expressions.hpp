// The paths of one rendering. Each is parsed once.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "deckhand/path/expression.hpp"
#include "value/seeded_hash.hpp"

namespace strata::deckhand {

/// Paths recur: the documents of a site use few different ones.
class Expressions {
 public:
  /// A path as written. Errors: those of PathExpression::parse.
  const PathExpression& get(std::string_view text) {
    const auto found = read_.find(text);
    if (found != read_.end()) return found->second;
    PathExpression expression = PathExpression::parse(text);
    return read_.emplace(text, std::move(expression)).first->second;
  }

 private:
  TextMap<PathExpression> read_;
};

}  // namespace strata::deckhand
