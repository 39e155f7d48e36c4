// What is told of revisions: listings, single ones, tags, validations.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "service/face.hpp"
#include "store/revisions.hpp"
#include "strata/value.hpp"

namespace strata::service::buckets {

/// A whole number of a path. No value: it is none.
[[nodiscard]] std::optional<std::int64_t> revision_number(std::string_view text);
/// A revision as clients know it, with its tags and policies of validations.
[[nodiscard]] Value revision_value(Arena& arena, store::Transaction& transaction, const store::Project& project, const store::Revision& revision);
/// The revision that a path names. Error: Refused.
[[nodiscard]] store::Revision revision_of(store::Transaction& transaction, const store::Project* project, std::string_view number,
                                          bool in_listing = false);

[[nodiscard]] Response list_revisions(const Call& call);
[[nodiscard]] Response show_revision(const Call& call);

[[nodiscard]] Response list_tags(const Call& call);
[[nodiscard]] Response show_tag(const Call& call);
[[nodiscard]] Response create_tag(const Call& call);
[[nodiscard]] Response delete_tag(const Call& call);
[[nodiscard]] Response delete_tags(const Call& call);

[[nodiscard]] Response list_validations(const Call& call);
[[nodiscard]] Response list_validation_details(const Call& call);
[[nodiscard]] Response list_validation_entries(const Call& call);
[[nodiscard]] Response show_validation_entry(const Call& call);
[[nodiscard]] Response create_validation(const Call& call);

}  // namespace strata::service::buckets
