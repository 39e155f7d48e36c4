// SPDX-License-Identifier: Apache-2.0
#include "service/identity/key_set.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "service/identity/jose_library.hpp"
#include "strata/error.hpp"

namespace strata::service {
namespace {

constexpr std::size_t kLargestKeySet = 64;
constexpr std::size_t kLeastModulus = 256;  ///< Bytes of RSA's modulus: 2048 bits.
constexpr std::size_t kMostModulus = 1024;

std::string_view jwk_member(const Value& key, std::string_view name) noexcept {
  const Value* found = key.find(name);
  return found != nullptr && found->is_text() ? found->text() : std::string_view();
}

/// Whether `key_ops`, if it is there, has `verify`.
bool may_verify(const Value& key) {
  const Value* found = key.find("key_ops");
  if (found == nullptr) return true;
  return found->is_sequence() &&
         std::ranges::any_of(found->items(), [](const Value& one) { return one.is_text() && one.text() == "verify"; });
}

struct Released {
  void operator()(cjose_jws_t* jws) const noexcept { Jose::loaded().jws_release(jws); }
  void operator()(cjose_jwk_t* jwk) const noexcept { Jose::loaded().jwk_release(jwk); }
};

}  // namespace

struct KeySet::Key {
  std::optional<std::string> id;
  std::optional<JwtAlgorithm> only;  ///< What the key says it is for.
  bool is_rsa = false;
  std::size_t signature = 0;  ///< Bytes of a signature.
  std::unique_ptr<cjose_jwk_t, Released> jwk;
  mutable std::mutex mutex;  ///< libcjose counts uses without care for threads.

  [[nodiscard]] bool fits(JwtAlgorithm algorithm) const noexcept {
    if (only && *only != algorithm) return false;
    switch (algorithm) {
      case JwtAlgorithm::rs256:
      case JwtAlgorithm::ps256:
        return is_rsa;
      case JwtAlgorithm::es256:
        return !is_rsa && signature == 64;
      case JwtAlgorithm::es384:
        return !is_rsa && signature == 96;
    }
    return false;
  }
};

KeySet::~KeySet() = default;

KeySet::KeySet(const std::string& text, const std::string& name) {
  const auto refuse = [&name](std::string why) { return std::move(Error("service.jwks", std::move(why)).in(name)); };
  JsonBody body;
  try {
    body = read_json_text(text, name, {.depth = 32, .input = std::size_t{1} << 20U});
  } catch (const Error& error) {
    throw refuse("this is not a JWKS").because(error);
  }
  const Value* keys = body.root().is_mapping() ? body.root().find("keys") : nullptr;
  if (keys == nullptr || !keys->is_sequence()) throw refuse("this is not a JWKS: it has no list 'keys'");
  for (const Value& key : keys->items()) {
    if (key.is_mapping() && keys_.size() < kLargestKeySet) add(key);
  }
  if (keys_.empty())
    throw refuse("the JWKS has no key that can be used: RSA of 2048 bits or more, P-256 or P-384, for signatures");
}

void KeySet::add(const Value& key) {
  if (const Value* use = key.find("use"); use != nullptr && jwk_member(key, "use") != "sig") return;
  if (!may_verify(key)) return;
  auto out = std::make_unique<Key>();
  if (const Value* algorithm = key.find("alg"); algorithm != nullptr) {
    out->only = jwt_algorithm(jwk_member(key, "alg"));
    if (!out->only) return;
  }
  if (const Value* id = key.find("kid"); id != nullptr) {
    if (!id->is_text()) return;
    out->id = id->text();
  }
  // Only what is public is handed on: a set by mistake of private keys is not held in memory.
  std::string text;
  if (jwk_member(key, "kty") == "RSA") {
    const auto modulus = from_base64url(jwk_member(key, "n"));
    if (!modulus || !from_base64url(jwk_member(key, "e"))) return;
    if (modulus->size() < kLeastModulus || modulus->size() > kMostModulus) return;
    out->is_rsa = true;
    out->signature = modulus->size();
    text = fmt::format(R"({{"kty":"RSA","n":"{}","e":"{}"}})", jwk_member(key, "n"), jwk_member(key, "e"));
  } else if (jwk_member(key, "kty") == "EC" &&
             (jwk_member(key, "crv") == "P-256" || jwk_member(key, "crv") == "P-384")) {
    const auto x = from_base64url(jwk_member(key, "x"));
    const auto y = from_base64url(jwk_member(key, "y"));
    const std::size_t size = jwk_member(key, "crv") == "P-256" ? 32 : 48;
    if (!x || !y || x->size() != size || y->size() != size) return;
    out->signature = 2 * size;
    text = fmt::format(R"({{"kty":"EC","crv":"{}","x":"{}","y":"{}"}})", jwk_member(key, "crv"), jwk_member(key, "x"),
                       jwk_member(key, "y"));
  } else {
    return;
  }
  cjose_err error{};
  out->jwk.reset(Jose::loaded().jwk_import(text.data(), text.size(), &error));
  if (out->jwk != nullptr) keys_.push_back(std::move(out));
}

bool KeySet::has(std::string_view key_id) const noexcept {
  return std::ranges::any_of(keys_, [key_id](const auto& key) { return key->id == key_id; });
}

bool KeySet::signed_by_one(const Jwt& token, std::string_view text) const {
  const Jose& jose = Jose::loaded();
  for (const auto& key : keys_) {
    if (token.key_id && key->id != token.key_id) continue;
    if (!key->fits(token.algorithm) || token.signature.size() != key->signature) continue;
    cjose_err error{};
    const std::unique_ptr<cjose_jws_t, Released> jws(jose.jws_import(text.data(), text.size(), &error));
    if (jws == nullptr) return false;
    // The library reads the header itself: both must have read the same.
    const char* algorithm = jose.header_get(jose.jws_get_protected(jws.get()), "alg", &error);
    if (algorithm == nullptr || algorithm != token.name_of_algorithm) return false;
    const std::lock_guard lock(key->mutex);
    if (jose.jws_verify(jws.get(), key->jwk.get(), &error)) return true;
  }
  return false;
}

}  // namespace strata::service
