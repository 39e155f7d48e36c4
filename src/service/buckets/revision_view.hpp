// SPDX-License-Identifier: Apache-2.0
// Revisions as answers show them, and what handlers ask of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "service/core.hpp"
#include "store/documents.hpp"
#include "store/revisions.hpp"
#include "strata/value.hpp"

namespace strata::service::buckets {

/// A number of a revision: digits alone. Those that no revision can have are the largest one.
[[nodiscard]] std::optional<std::int64_t> revision_number(std::string_view text) noexcept;

/// The revision that a path names. Error (Failure, 404) if there is none; `type` as in no_revision.
[[nodiscard]] store::Revision demanded_revision(store::Transaction& transaction, const store::Project* project,
                                                const std::string& text, std::string type = "RevisionNotFound");

/// The ValidationPolicies that a revision itself stored.
[[nodiscard]] std::vector<store::Document> validation_policies(store::Transaction& transaction,
                                                               const store::Project& project, std::int64_t revision);

/// A stored JSON text as a value of an arena.
[[nodiscard]] Value stored_value(Arena& arena, const std::string& text);
/// Tags with their data.
[[nodiscard]] Value tags_value(Arena& arena, std::span<const store::Tag> tags);
[[nodiscard]] Value buckets_value(Arena& arena, std::span<const std::string> buckets);
/// All that is known of a revision.
[[nodiscard]] Value revision_value(Arena& arena, const store::Revision& revision, std::span<const store::Tag> tags,
                                   std::span<const store::Document> policies);

/// Writes to the project, as Core::write, if it is as the client knows it: `If-Match` names the newest revision. Error
/// (Failure, 412) if that is another one.
Response write(const Call& call, const std::function<Response(Writing&)>& work);
/// The ETag of a revision as the newest one: `"7"`.
[[nodiscard]] std::string revision_tag(std::int64_t revision);

}  // namespace strata::service::buckets
