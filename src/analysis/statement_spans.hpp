// SPDX-License-Identifier: Apache-2.0
// Which bytes of a text belong to which member or item.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "edit/target.hpp"

namespace strata::analysis {

/// The members and items of a text, as places: each reaches up to the next one that is not inside it. Those of aliases
/// and merge keys are left out.
class StatementSpans {
 public:
  struct Span {
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    std::size_t begin;  ///< Of the key, or of the item.
    std::size_t depth;  ///< 0: a document.
    std::size_t document;
    std::string token;
    std::size_t parent = kNone;  ///< The span around it.
    std::size_t end = 0;

    [[nodiscard]] bool is_document() const noexcept { return depth == 0; }
  };

  explicit StatementSpans(const edit::Reading& reading);

  /// By `begin`; outer ones first.
  [[nodiscard]] const std::vector<Span>& all() const noexcept { return spans_; }
  /// The first member or item that begins in [begin, end).
  [[nodiscard]] std::optional<std::size_t> first_in(std::size_t begin, std::size_t end) const;
  /// The JSON Pointer of a span.
  [[nodiscard]] std::string pointer(std::size_t number) const;

 private:
  void list(const edit::Reading& reading, const Value& value, std::size_t document, std::size_t depth);
  void nest(std::size_t size);

  std::vector<Span> spans_;
};

}  // namespace strata::analysis
