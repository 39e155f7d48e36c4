// SPDX-License-Identifier: Apache-2.0
// JWTs of an issuer (OpenID Connect).
#include <algorithm>

#include "service/identity/key_source.hpp"
#include "service/identity/recognisers.hpp"
#include "service/identity/timed_cache.hpp"
#include "strata/error.hpp"

namespace strata::service {
namespace {

constexpr std::size_t kMostJwts = 8192;
constexpr std::chrono::minutes kJwtKept{5};

class ByJwt final : public Recogniser {
 public:
  ByJwt(OidcOptions options, std::unique_ptr<KeySource> keys, IdentityClocks clocks)
      : options_(std::move(options)), keys_(std::move(keys)), clocks_(std::move(clocks)), known_(kMostJwts) {}

  [[nodiscard]] std::string_view name() const noexcept override { return "oidc"; }
  [[nodiscard]] std::string challenge() const override { return "Bearer realm=\"strata\""; }

  [[nodiscard]] bool is_brief(const Request& request) const override {
    const std::string_view bearer = bearer_of(request);
    if (!looks_like_jwt(bearer)) return true;
    return keys_->is_ready() && known_.find(credentials_key(bearer), clocks_.steady()).has_value();
  }

  [[nodiscard]] std::optional<Principal> recognise(const Request& request) const override {
    const std::string_view bearer = bearer_of(request);
    if (!looks_like_jwt(bearer)) return std::nullopt;
    const std::string key = credentials_key(bearer);
    std::shared_ptr<const KeySet> keys = keys_->current(request);
    const auto now = clocks_.steady();
    // A key that its issuer has taken back does not stand behind tokens that were looked at before.
    if (auto known = known_.find(key, now); known && known->keys.lock() == keys) return std::move(known->principal);
    const std::optional<Jwt> token = read_jwt(bearer);
    if (!token) throw wrong_credentials();
    const std::int64_t time =
        std::chrono::duration_cast<std::chrono::seconds>(clocks_.wall().time_since_epoch()).count();
    std::optional<JwtClaims> claims = read_claims(token->claims.root(), options_, time);
    if (!claims) throw wrong_credentials();
    if (token->key_id && !keys->has(*token->key_id)) keys = keys_->newer(request);
    if (!keys->signed_by_one(*token, bearer)) throw wrong_credentials();
    // No leeway here: what was valid until then is looked at again.
    if (claims->expires > time) {
      const std::chrono::seconds rest(claims->expires - time);
      known_.put(key, {.principal = claims->principal, .keys = keys},
                 now + std::min<std::chrono::seconds>(rest, kJwtKept), now);
    }
    return std::move(claims->principal);
  }

 private:
  struct Known {
    Principal principal;
    std::weak_ptr<const KeySet> keys;  ///< By which it was signed.
  };

  const OidcOptions options_;
  const std::unique_ptr<KeySource> keys_;
  const IdentityClocks clocks_;
  mutable TimedCache<Known> known_;
};

}  // namespace

std::unique_ptr<Recogniser> recognise_by_jwt(OidcOptions options, IdentityEvents events, IdentityClocks clocks) {
  const auto refuse = [](const char* why, const char* hint) {
    return std::move(Error("service.auth", why).hint(hint));
  };
  if (options.issuer.empty()) throw refuse("oidc needs the issuer of the tokens", "--oidc-issuer URL");
  if (options.audiences.empty())
    throw refuse("oidc needs the audience of the tokens: another service's tokens must not open this one",
                 "--oidc-audience NAME");
  if (options.jwks.empty()) throw refuse("oidc needs the keys of the issuer", "--jwks FILE or --jwks https://…");
  std::unique_ptr<KeySource> keys;
  if (options.jwks.find("://") != std::string::npos) {
    if (!is_safe_url(options.jwks))
      throw refuse("the keys of an issuer come from a file, or by https", "--jwks https://…");
    keys = keys_of_url(options.jwks, options.ca, std::move(events), clocks);
  } else {
    keys = keys_of_file(options.jwks, std::move(events), clocks);
  }
  return std::make_unique<ByJwt>(std::move(options), std::move(keys), std::move(clocks));
}

}  // namespace strata::service
