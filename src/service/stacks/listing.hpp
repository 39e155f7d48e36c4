// SPDX-License-Identifier: Apache-2.0
// Which stacks a listing shows, and in which order.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "service/fields.hpp"
#include "store/stacks.hpp"

namespace strata::service::stacks {

/// A stack with the project that it belongs to.
struct Listed {
  std::string project;
  store::Stack stack;
};

/// The question of a listing: filters, order and page.
class Listing {
 public:
  /// Error (Refused, 400) for values that the reference refuses.
  explicit Listing(const Query& query);

  [[nodiscard]] bool shows_deleted() const noexcept { return shows_deleted_; }
  [[nodiscard]] bool shows_all_projects() const noexcept { return shows_all_projects_; }

  struct Page {
    std::vector<Listed> stacks;
    std::optional<std::size_t> count;  ///< Of all that fit, where it is asked for.
    bool is_full = false;              ///< It has as many as the limit allows.
  };
  [[nodiscard]] Page page(std::vector<Listed> all) const;

 private:
  enum class Key : std::uint8_t { name, status, created, updated };
  struct TagFilter {
    std::vector<std::string> tags;
    bool needs_all;
    bool is_wanted;
  };

  [[nodiscard]] bool fits(const Listed& one) const;
  [[nodiscard]] bool is_before(const Listed& left, const Listed& right) const;

  std::vector<std::pair<std::string, std::vector<std::string>>> filters_;
  std::vector<TagFilter> tags_;
  std::vector<Key> keys_;
  bool is_descending_ = false;
  bool shows_deleted_ = false;
  bool shows_all_projects_ = false;
  bool counts_ = false;
  std::optional<std::size_t> limit_;
  std::string marker_;
};

/// Query text for the next page: the same question with another marker.
[[nodiscard]] std::string next_query(const Query& query, const std::string& marker);

}  // namespace strata::service::stacks
