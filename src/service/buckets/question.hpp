// SPDX-License-Identifier: Apache-2.0
// What a listing of documents is asked for, and the answer.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/buckets/loaded.hpp"
#include "service/request.hpp"

namespace strata::service::buckets {

/// The parameters of a listing, read. Unknown ones do not count.
struct Question {
  std::vector<std::string> schemas;
  std::vector<std::string> names;
  std::vector<std::string> layers;
  std::vector<std::string> buckets;
  std::vector<std::pair<std::string, std::string>> labels;
  std::optional<bool> is_abstract;
  std::vector<std::string> sort;
  bool is_descending = false;
  std::optional<std::size_t> limit;
  bool cleartext = true;

  /// Whether all documents are wanted, as they are.
  [[nodiscard]] bool is_plain() const noexcept;
  [[nodiscard]] bool wants(const Shown& document) const;
};

/// Error (Failure) for values that cannot be used. `is_raw`: documents that are not rendered can be asked for by
/// `abstract`.
[[nodiscard]] Question read_question(const Query& query, bool is_raw);

/// Puts values into the order of their members at the paths. What lacks one comes first. Equal ones keep their order.
void sort_by(std::vector<std::pair<Value, std::size_t>>& values, const std::vector<std::string>& paths,
             bool is_descending);

/// The wanted documents, sorted and limited.
[[nodiscard]] std::vector<const Shown*> selected(const Question& question, const std::vector<Shown>& documents);
[[nodiscard]] std::string listing_text(const Call& call, const std::vector<const Shown*>& documents);

}  // namespace strata::service::buckets
