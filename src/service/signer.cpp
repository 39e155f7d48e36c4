// SPDX-License-Identifier: Apache-2.0
#include "service/signer.hpp"

#include <openssl/crypto.h>

#include "store/encoding.hpp"
#include "store/seal.hpp"

namespace strata::service {
namespace {

constexpr std::size_t kSigned = 16;
constexpr std::size_t kSecret = 32;

}  // namespace

Signer::Signer(const store::SecretBytes& secret, std::string_view purpose)
    : key_(store::hmac(secret.view(), purpose)) {}

Signer::Signer(std::string_view purpose) : Signer(store::random_bytes(kSecret), purpose) {}

std::string Signer::sign(std::string_view text) const {
  return std::string(store::hmac(key_.view(), text).view().substr(0, kSigned));
}

std::string Signer::tag(std::string_view text) const { return '"' + store::hex(sign(text)) + '"'; }

bool Signer::is_signature(std::string_view text, std::string_view signature) const {
  const std::string right = sign(text);
  return signature.size() == right.size() && CRYPTO_memcmp(right.data(), signature.data(), right.size()) == 0;
}

}  // namespace strata::service
