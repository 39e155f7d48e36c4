// SPDX-License-Identifier: Apache-2.0
#include "seal.hpp"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <climits>
#include <memory>
#include <new>
#include <optional>

#include "store/encoding.hpp"
#include "strata/error.hpp"
#include "tree/crypto_library.hpp"

namespace strata::store {
namespace {

constexpr std::size_t kNonceSize = 12;
constexpr std::size_t kTagSize = 16;

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

/// What is authenticated with a value and with its key. Only the project's name may have a `|`, so that no two places
/// have the same text.
std::string associated(const SealPlace& place) {
  return fmt::format("strata:1|{}|{}|{}", place.project, place.table, place.id);
}

/// One use of AES-256-GCM.
class Cipher {
 public:
  Cipher(bool encrypts, std::string_view key, std::string_view nonce, std::string_view associated)
      : context_(crypto_.EVP_CIPHER_CTX_new(), Free{&crypto_}) {
    if (context_ == nullptr) throw std::bad_alloc();
    require(crypto_.EVP_CipherInit_ex(context_.get(), crypto_.EVP_aes_256_gcm(), nullptr, bytes_of(key),
                                      bytes_of(nonce), encrypts ? 1 : 0));
    int size = 0;
    require(crypto_.EVP_CipherUpdate(context_.get(), nullptr, &size, bytes_of(associated),
                                     static_cast<int>(associated.size())));
  }

  /// Encrypts or decrypts `from` into as many bytes at `to`.
  void apply(std::string_view from, char* to) {
    if (from.size() > INT_MAX) throw Error("store.failed", "a secret is too large for the store");
    int size = 0;
    if (!from.empty()) {
      require(crypto_.EVP_CipherUpdate(context_.get(), reinterpret_cast<unsigned char*>(to), &size, bytes_of(from),
                                       static_cast<int>(from.size())));
    }
  }
  void finish_with_tag(char* tag) {
    require(end());
    require(crypto_.EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_GCM_GET_TAG, kTagSize, tag));
  }
  /// Whether the tag is right: else what was decrypted means nothing.
  [[nodiscard]] bool has_tag(std::string_view tag) {
    std::string copy(tag);
    require(crypto_.EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_GCM_SET_TAG, kTagSize, copy.data()));
    const bool is_right = end() == 1;
    if (!is_right) crypto_.ERR_clear_error();
    return is_right;
  }

 private:
  struct Free {
    const Crypto* crypto;
    void operator()(EVP_CIPHER_CTX* context) const noexcept { crypto->EVP_CIPHER_CTX_free(context); }
  };

  int end() {
    unsigned char nothing = 0;
    int size = 0;
    return crypto_.EVP_CipherFinal_ex(context_.get(), &nothing, &size);
  }
  static void require(int result) {
    if (result != 1) throw std::bad_alloc();  // Nothing else can go wrong with sizes that are right.
  }

  const Crypto& crypto_ = Crypto::loaded();
  std::unique_ptr<EVP_CIPHER_CTX, Free> context_;
};

std::string encrypted(std::string_view key, std::string_view nonce, std::string_view associated,
                      std::string_view plain) {
  std::string out(plain.size() + kTagSize, '\0');
  Cipher cipher(true, key, nonce, associated);
  cipher.apply(plain, out.data());
  cipher.finish_with_tag(out.data() + plain.size());
  return out;
}

/// No value if anything is not as it was encrypted.
std::optional<SecretBytes> decrypted(std::string_view key, std::string_view nonce, std::string_view associated,
                                     std::string_view sealed) {
  if (nonce.size() != kNonceSize || sealed.size() < kTagSize) return std::nullopt;
  const std::string_view body = sealed.substr(0, sealed.size() - kTagSize);
  SecretBytes plain(body.size());
  Cipher cipher(false, key, nonce, associated);
  cipher.apply(body, plain.data());
  if (!cipher.has_tag(sealed.substr(body.size()))) return std::nullopt;
  return plain;
}

std::string wrapped_key(const Key& key, const SealPlace& place, std::string_view value_key) {
  const SecretBytes nonce = random_bytes(kNonceSize);
  return std::string(nonce.view()) + encrypted(key.bytes.view(), nonce.view(), associated(place), value_key);
}

Error broken(const SealPlace& place) {
  return Error("store.sealed-broken",
               fmt::format("the sealed value {} cannot be opened: it, its place or the key was changed", place.id));
}

SecretBytes unwrapped_key(const Keyring& keys, const SealPlace& place, const SealedValue& value) {
  const Key* key = keys.find(value.key_id);
  if (key == nullptr) {
    throw Error("store.no-key",
                fmt::format("the sealed value {} needs the key {}, which was not given", place.id, hex(value.key_id)))
        .hint("--key file:PATH or --key env:NAME");
  }
  const std::string_view wrapped = value.wrapped;
  if (wrapped.size() != kNonceSize + kKeySize + kTagSize) throw broken(place);
  auto opened =
      decrypted(key->bytes.view(), wrapped.substr(0, kNonceSize), associated(place), wrapped.substr(kNonceSize));
  if (!opened) throw broken(place);
  return std::move(*opened);
}

}  // namespace

SealedValue seal(const Key& key, const SealPlace& place, std::string_view secret) {
  const SecretBytes value_key = random_bytes(kKeySize);
  const SecretBytes nonce = random_bytes(kNonceSize);
  return {.key_id = key.id,
          .wrapped = wrapped_key(key, place, value_key.view()),
          .nonce = std::string(nonce.view()),
          .ciphertext = encrypted(value_key.view(), nonce.view(), associated(place), secret)};
}

SecretBytes open(const Keyring& keys, const SealPlace& place, const SealedValue& value) {
  const SecretBytes value_key = unwrapped_key(keys, place, value);
  auto plain = decrypted(value_key.view(), value.nonce, associated(place), value.ciphertext);
  if (!plain) throw broken(place);
  return std::move(*plain);
}

SealedValue rewrap(const Keyring& from, const Key& to, const SealPlace& place, const SealedValue& value) {
  const SecretBytes value_key = unwrapped_key(from, place, value);
  return {.key_id = to.id,
          .wrapped = wrapped_key(to, place, value_key.view()),
          .nonce = value.nonce,
          .ciphertext = value.ciphertext};
}

SecretBytes hmac(std::string_view key, std::string_view text) {
  const Crypto& crypto = Crypto::loaded();
  SecretBytes out(SHA256_DIGEST_LENGTH);
  unsigned size = 0;
  if (crypto.HMAC(crypto.EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes_of(text), text.size(),
                  reinterpret_cast<unsigned char*>(out.data()), &size) == nullptr) {
    throw Error("crypto.unavailable", "libcrypto cannot sign");
  }
  return out;
}

SecretBytes random_bytes(std::size_t size) {
  SecretBytes bytes(size);
  if (Crypto::loaded().RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(size)) != 1) {
    throw Error("crypto.unavailable", "libcrypto has no random numbers");
  }
  return bytes;
}

}  // namespace strata::store
