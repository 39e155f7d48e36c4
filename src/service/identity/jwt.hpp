// SPDX-License-Identifier: Apache-2.0
// JSON Web Tokens (RFC 7519) as they are presented: what they say, before anybody believes it.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "service/identity/recognisers.hpp"
#include "service/json.hpp"

namespace strata::service {

inline constexpr std::size_t kLongestJwt = 8192;

enum class JwtAlgorithm : std::uint8_t { rs256, ps256, es256, es384 };
/// No value: another one, which is refused.
[[nodiscard]] std::optional<JwtAlgorithm> jwt_algorithm(std::string_view name) noexcept;

/// A token that is well formed. Its signature was not looked at.
struct Jwt {
  std::string name_of_algorithm;
  JwtAlgorithm algorithm = JwtAlgorithm::rs256;
  std::optional<std::string> key_id;
  std::string signature;  ///< Bytes.
  JsonBody claims;
};

/// Whether a text has the shape of a JWT: three parts. Only then others may not recognise it.
[[nodiscard]] bool looks_like_jwt(std::string_view text) noexcept;
/// No value: it is not a JWT of an algorithm that is allowed, has `crit`, or more than kLongestJwt bytes. Never throws
/// for what it reads.
[[nodiscard]] std::optional<Jwt> read_jwt(std::string_view text);

/// Who asks, and until when, in seconds since 1970.
struct JwtClaims {
  Principal principal;
  std::int64_t expires = 0;
};
/// What the claims say. No value: they are for others, not yet or no longer valid, or lack something.
[[nodiscard]] std::optional<JwtClaims> read_claims(const Value& claims, const OidcOptions& options, std::int64_t now);

/// Bytes of base64url without padding. No value if the text is not exactly that.
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);

}  // namespace strata::service
