// SPDX-License-Identifier: Apache-2.0
// Words, numbers and tags of queries and bodies, read as the reference reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/fields.hpp"
#include "strata/value.hpp"

namespace strata::service::stacks {

/// A value of a query. Null: there is none, or it is empty, which the reference ignores.
[[nodiscard]] const std::string* given(const Query& query, std::string_view name);
/// `true` or `false`, in any case. No value: the query has none of the name. Error (Refused, 400).
[[nodiscard]] std::optional<bool> flag_of(const Query& query, std::string_view name);
/// The same for a member of a body: a boolean, or such a text.
[[nodiscard]] bool flag_of(std::string_view name, const Value& value);
/// A whole number that is not negative. Error (Refused, 400).
[[nodiscard]] std::optional<std::int64_t> number_of(const Query& query, std::string_view name);
[[nodiscard]] std::int64_t number_of(std::string_view name, const Value& value);
/// Tags between commas. Error (Refused, 400) for one that is too long.
[[nodiscard]] std::vector<std::string> tags_of(std::string_view text);

}  // namespace strata::service::stacks
