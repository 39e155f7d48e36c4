// SPDX-License-Identifier: Apache-2.0
// Answers in YAML, and small YAML bodies.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "service/json.hpp"
#include "service/request.hpp"
#include "strata/value.hpp"

namespace strata::service::buckets {

inline constexpr std::string_view kYaml = "application/x-yaml";

/// A value as block style YAML with sorted keys.
[[nodiscard]] std::string yaml_text(const Value& value);
[[nodiscard]] Response yaml_response(const Value& value, unsigned status = 200);
/// An answer whose body is YAML already.
[[nodiscard]] Response yaml_response(std::string body, unsigned status = 200);
/// Documents with `---` between them. Error `service.deadline`.
[[nodiscard]] std::string yaml_stream(const Call& call, std::span<const Value> documents);

/// Checks that a body, which may be only announced, is said to be YAML. Error (Refused) if not. Without a body nothing
/// need be said.
void require_yaml(const Request& request);
/// Whether a text becomes far longer when its aliases are written out: `nodes` are those of its values.
[[nodiscard]] bool is_blown_up(std::size_t nodes, std::string_view text) noexcept;
/// A body that is one YAML document. Its root is null if the body is empty. Error (Failure).
[[nodiscard]] JsonBody read_yaml_body(const Call& call);
/// What is wrong with a text that is not YAML. Error (the same) if the request must end.
[[noreturn]] void fail_as_bad_yaml(const Error& error);

/// `2026-01-31T12:34:56.789012`
[[nodiscard]] std::string time_text(std::int64_t microseconds);
/// Characters of a text in UTF-8.
[[nodiscard]] std::size_t length_of(std::string_view text) noexcept;
/// A name in the path. Error (Failure) if it has more than `most` characters.
[[nodiscard]] const std::string& checked_name(const std::string& name, std::string_view what, std::size_t most);

}  // namespace strata::service::buckets
