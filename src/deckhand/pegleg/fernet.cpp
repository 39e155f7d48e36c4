// SPDX-License-Identifier: Apache-2.0
// Fernet is AES-128-CBC with a signature. A token is, in URL-safe base64:
//
//   byte 0        the version, 0x80
//   bytes 1-8     when it was made, in seconds
//   bytes 9-24    the initialisation vector
//   …             the ciphertext, padded as PKCS #7 says
//   last 32       HMAC-SHA256 of everything before, under the first half of the key
//
// The signature is checked before anything is decrypted, so that a wrong passphrase is found by the signature alone.
// Python's decoder of base64 skips characters outside of the alphabet; `text::decode_base64` does the same.
// Tested by tests/deckhand/pegleg_test.cpp, with tokens that Python's cryptography package made.
#include "deckhand/pegleg/fernet.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>
#include <new>

#include "strata/error.hpp"
#include "strata/stop_scope.hpp"
#include "strata/text.hpp"
#include "tree/crypto_library.hpp"
#include "value/charge.hpp"

namespace strata::deckhand {
namespace {

constexpr int kIterations = 10'000;
constexpr unsigned char kVersion = 0x80;
constexpr std::size_t kVectorAt = 9;
constexpr std::size_t kBlock = 16;
constexpr std::size_t kTextAt = kVectorAt + kBlock;
constexpr std::size_t kSignature = 32;

const unsigned char* unsigned_bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

int size_of(std::string_view text) { return static_cast<int>(std::min<std::size_t>(text.size(), INT_MAX)); }

Error damaged(const char* message) {
  return Error("deckhand.decrypt", message).hint("the file is damaged or cut off: encrypt the secret again");
}

std::string decoded(std::string_view token) {
  strata::detail::charge(StopScope::stop(), 2 * token.size());
  std::string plain(token);
  std::ranges::replace(plain, '-', '+');
  std::ranges::replace(plain, '_', '/');
  auto bytes = text::decode_base64(plain);
  constexpr std::size_t kShortest = kTextAt + kBlock + kSignature;
  const bool is_token = bytes && bytes->size() >= kShortest && static_cast<unsigned char>((*bytes)[0]) == kVersion &&
                        (bytes->size() - kShortest) % kBlock == 0 && bytes->size() <= INT_MAX;
  if (!is_token) throw damaged("its data are not an encrypted text (a token of Fernet)");
  return std::move(*bytes);
}

bool is_signed(std::string_view bytes, const unsigned char* key, std::size_t key_size) {
  const Crypto& crypto = Crypto::loaded();
  const std::string_view body = bytes.substr(0, bytes.size() - kSignature);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (crypto.HMAC(crypto.EVP_sha256(), key, static_cast<int>(key_size), unsigned_bytes(body), body.size(),
                  digest.data(), &size) == nullptr ||
      size != kSignature)
    throw Error("crypto.failed", "libcrypto computes no HMAC-SHA256");
  unsigned char difference = 0;  // No early end: the time reveals nothing about the signature.
  const unsigned char* const given = unsigned_bytes(bytes.substr(body.size()));
  for (std::size_t i = 0; i < kSignature; ++i) difference |= static_cast<unsigned char>(digest.at(i) ^ given[i]);
  return difference == 0;
}

}  // namespace

FernetKey::FernetKey(std::string_view passphrase, std::string_view salt) {
  const Crypto& crypto = Crypto::loaded();
  if (crypto.PKCS5_PBKDF2_HMAC(passphrase.data(), size_of(passphrase), unsigned_bytes(salt), size_of(salt), kIterations,
                               crypto.EVP_sha256(), static_cast<int>(bytes_.size()), bytes_.data()) != 1) {
    crypto.ERR_clear_error();
    throw Error("deckhand.passphrase", "no key can be derived from the passphrase and the salt");
  }
}

FernetKey::~FernetKey() { explicit_bzero(bytes_.data(), bytes_.size()); }

std::string FernetKey::open(std::string_view token) const {
  const Crypto& crypto = Crypto::loaded();
  const std::string bytes = decoded(token);
  if (!is_signed(bytes, bytes_.data(), kHalf)) {
    throw Error("deckhand.decrypt", "it cannot be decrypted: it was encrypted with another passphrase or salt")
        .hint("correct PEGLEG_PASSPHRASE and PEGLEG_SALT");
  }
  const std::string_view all = bytes;
  const std::string_view cipher_text = all.substr(kTextAt, all.size() - kTextAt - kSignature);
  struct Free {
    void operator()(EVP_CIPHER_CTX* context) const noexcept { Crypto::loaded().EVP_CIPHER_CTX_free(context); }
  };
  const std::unique_ptr<EVP_CIPHER_CTX, Free> context(crypto.EVP_CIPHER_CTX_new());
  if (context == nullptr) throw std::bad_alloc();
  strata::detail::charge(StopScope::stop(), cipher_text.size() + kBlock);
  std::string out(cipher_text.size() + kBlock, '\0');
  auto* const to = reinterpret_cast<unsigned char*>(out.data());
  int taken = 0;
  int rest = 0;
  const bool is_open = crypto.EVP_CipherInit_ex(context.get(), crypto.EVP_aes_128_cbc(), nullptr, bytes_.data() + kHalf,
                                                unsigned_bytes(all.substr(kVectorAt, kBlock)), 0) == 1 &&
                       crypto.EVP_CipherUpdate(context.get(), to, &taken, unsigned_bytes(cipher_text),
                                               static_cast<int>(cipher_text.size())) == 1 &&
                       crypto.EVP_CipherFinal_ex(context.get(), to + taken, &rest) == 1;
  if (!is_open) {
    crypto.ERR_clear_error();
    throw damaged("it is signed, but its padding is wrong");
  }
  out.resize(static_cast<std::size_t>(taken) + static_cast<std::size_t>(rest));
  return out;
}

}  // namespace strata::deckhand
