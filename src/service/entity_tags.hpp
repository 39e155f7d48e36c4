// SPDX-License-Identifier: Apache-2.0
// Entity tags: what lets a client ask whether it has an answer already.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "service/face.hpp"

namespace strata::service {

/// Whether a list of tags, as in `If-Match`, has one, or that of a description of it. Weak tags are none of it.
[[nodiscard]] bool has_tag(std::string_view list, std::string_view tag);
/// Whether the client has the answer with a tag already: `If-None-Match`, by the weak comparison (RFC 9110, 8.8.3.2
/// and 13.1.2).
[[nodiscard]] bool has_answer(const Request& request, std::string_view tag);
/// Whether `If-Match` allows a write to what has `tags` (none: it is not there): it names one of them, or the request
/// has none.
[[nodiscard]] bool allows_write(const Request& request, std::span<const std::string> tags);
/// Whether a write may be done to what is there, which has `tags` (the first is told), or where nothing is (none).
/// Errors (Refused): 412 by `If-Match` and `If-None-Match`; 428 if `demands_match` and a change of what is there comes
/// without `If-Match`. `is_there`: false where it is not there yet, and `tags` are those of what it will be a part of:
/// `If-Match` may name these.
void check_preconditions(const Call& call, std::span<const std::string> tags, bool demands_match = false,
                         bool is_there = true);
/// A strong entity tag of an answer: by what it says, not by when.
[[nodiscard]] std::string entity_tag(std::string_view content);
/// The tag of a description of what has `tag`: it differs where the description does, and stands for `tag` in the
/// conditions of writes.
[[nodiscard]] std::string description_tag(std::string_view tag, std::string_view content);
/// A tag as members of JSON have it: without its quotes.
[[nodiscard]] std::string_view bare_tag(std::string_view tag);
/// 304 if the client has what `tag` names; else 200 with the body.
[[nodiscard]] Response tagged(const Call& call, const std::string& tag, const std::string& body);

}  // namespace strata::service
