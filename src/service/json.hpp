// SPDX-License-Identifier: Apache-2.0
// JSON in bodies of requests and answers.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/face.hpp"
#include "strata/limits.hpp"
#include "strata/text.hpp"
#include "strata/value.hpp"

namespace strata::service {

/// How much a client wants a type of media, or an encoding, of 1000. Rule: RFC 9110, 12.5; the most specific range
/// counts.
[[nodiscard]] int wish_for(std::string_view accepted, std::string_view type);

/// A text that was read as JSON, with the memory of its values.
struct JsonBody {
  std::shared_ptr<Sources> sources;
  text::Document document;
  [[nodiscard]] const Value& root() const noexcept { return document.root; }
};
/// Reads the body of a request. Errors: `json.syntax`, `limit.*`.
[[nodiscard]] JsonBody read_json_body(const Call& call);
/// The type of a `Content-Type` without its parameters.
[[nodiscard]] std::string_view media_type(std::string_view content_type) noexcept;
/// Whether a media type is YAML: `application/yaml` (RFC 9512), or as it was called before.
[[nodiscard]] bool is_yaml(std::string_view content_type) noexcept;
/// Reads the body of a request as JSON, or as YAML if its type says so. Errors: as above, and those of the YAML reader.
[[nodiscard]] JsonBody read_data_body(const Call& call);
/// Writes a JSON answer as YAML for a client that wants that: `Accept: application/yaml`.
void answer_as_wanted(const Request& request, Response& response);
/// Reads a text of the store. Errors: as above.
[[nodiscard]] JsonBody read_json_text(std::string_view text, std::string_view name, const Limits& limits);

/// An answer with a value as JSON, on one line.
[[nodiscard]] Response json_response(const Value& value, unsigned status = 200,
                                     std::string_view content_type = "application/json");

/// A refusal as `application/problem+json` (RFC 9457).
[[nodiscard]] Response problem_response(const Request& request, const Refusal& refusal);

/// A time of the store, in microseconds since 1970: `2026-01-31T12:00:00Z`. Null without one.
[[nodiscard]] Value json_time(Arena& arena, std::optional<std::int64_t> microseconds);

/// A string, or null without one.
[[nodiscard]] Value json_string(Arena& arena, const std::optional<std::string>& text);
/// A list of strings.
[[nodiscard]] Value json_list(Arena& arena, const std::vector<std::string>& strings);
/// A mapping of a few members.
[[nodiscard]] Value json_object(Arena& arena, std::initializer_list<std::pair<std::string_view, Value>> members);

}  // namespace strata::service
