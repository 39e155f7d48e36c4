// Listings: filters, order, limits.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "service/face.hpp"
#include "store/revisions.hpp"
#include "strata/value.hpp"

namespace strata::service::buckets {

/// `{count, results}`
[[nodiscard]] Response list_response(Arena& arena, std::span<const Value> results);
/// The data of a tag.
[[nodiscard]] Value tag_value(Arena& arena, const store::Tag& tag);

/// Sorts by the paths of `sort`, in the order of `order`. What lacks a path comes first. Equal ones keep their order.
void sort_by_query(const Query& query, std::vector<Value>& values);
/// What `limit` allows. Error: Refused for what is no number.
[[nodiscard]] std::size_t limit_of(const Query& query);
/// Whether secrets are asked for in clear text. Error: Refused.
[[nodiscard]] bool wants_cleartext(const Query& query);

/// Which documents a query asks for.
class DocumentFilters {
 public:
  /// `is_raw`: `metadata.layeringDefinition.abstract` counts, too.
  DocumentFilters(const Query& query, bool is_raw);
  /// `document`: as it is shown.
  [[nodiscard]] bool wants(const Value& document) const;

 private:
  std::vector<std::string> schemas_;
  std::vector<std::string> names_;
  std::vector<std::string> layers_;
  std::vector<std::string> buckets_;
  std::vector<std::pair<std::string, std::string>> labels_;
  std::vector<std::string> abstract_;
};

}  // namespace strata::service::buckets
