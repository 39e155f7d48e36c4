// SPDX-License-Identifier: Apache-2.0
// Reads arbitrary bytes as what clients and issuers send: a JWT, the claims of one, a JWKS, a token of strata, an
// answer's Cache-Control.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "service/identity/jwt.hpp"
#include "service/identity/key_set.hpp"
#include "service/identity/key_source.hpp"
#include "store/tokens.hpp"
#include "strata/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace strata;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const service::OidcOptions options{
      .issuer = "i", .audiences = {"a"}, .jwks = "k", .roles_claim = "r.s", .project_claim = "p"};
  // A key that signed nothing.
  static const service::KeySet keys(
      R"({"keys":[{"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}]})",
      "keys");
  if (const auto token = service::read_jwt(text)) {
    if (text.size() > service::kLongestJwt || token->signature.empty()) std::abort();
    (void)service::read_claims(token->claims.root(), options, 1'000'000'000);
    if (keys.signed_by_one(*token, text)) std::abort();
  }
  try {
    const service::JsonBody body = service::read_json_text(text, "claims", {.depth = 32, .input = 8192});
    if (body.root().is_mapping()) {
      const auto claims = service::read_claims(body.root(), options, 1'000'000'000);
      if (claims && (claims->principal.project.empty() || claims->principal.name.empty())) std::abort();
    }
  } catch (const Error& error) {
    if (error.diagnostic().message.empty()) std::abort();
  }
  try {
    const service::KeySet set(text, "jwks");
    if (set.size() == 0) std::abort();
  } catch (const Error& error) {
    if (error.code() != "service.jwks") std::abort();
  }
  if (const auto token = store::read_token(text); token && token->secret.size() != 43) std::abort();
  const auto kept = service::kept_for(text);
  if (kept < std::chrono::minutes(5) || kept > std::chrono::hours(24)) std::abort();
  (void)service::is_safe_url(text);
  return 0;
}
