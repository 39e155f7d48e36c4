#include "service/signer.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

#include "store/encoding.hpp"
#include "store/seal.hpp"
#include "strata/error.hpp"

namespace strata::service {
namespace {

constexpr std::size_t kSigned = 16;
constexpr std::size_t kDigest = 32;

std::array<unsigned char, kDigest> hmac(std::string_view key, std::string_view text) {
  std::array<unsigned char, kDigest> out{};
  unsigned size = 0;
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), reinterpret_cast<const unsigned char*>(text.data()), text.size(), out.data(),
           &size) == nullptr) {
    throw Error("crypto.unavailable", "the library of ciphers cannot sign");
  }
  return out;
}

}  // namespace

Signer::Signer(const store::SecretBytes& secret, std::string_view purpose) : key_(kDigest) {
  auto derived = hmac(secret.view(), purpose);
  key_ = store::SecretBytes(std::string_view(reinterpret_cast<const char*>(derived.data()), derived.size()));
  OPENSSL_cleanse(derived.data(), derived.size());
}

Signer::Signer(std::string_view purpose) : Signer(store::random_bytes(kDigest), purpose) {}

std::string Signer::sign(std::string_view text) const {
  const auto digest = hmac(key_.view(), text);
  return {reinterpret_cast<const char*>(digest.data()), kSigned};
}

std::string Signer::tag(std::string_view text) const { return '"' + store::hex(sign(text)) + '"'; }

bool Signer::is_signature(std::string_view text, std::string_view signature) const {
  const std::string right = sign(text);
  return signature.size() == right.size() && CRYPTO_memcmp(right.data(), signature.data(), right.size()) == 0;
}

}  // namespace strata::service
