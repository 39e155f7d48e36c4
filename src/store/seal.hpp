// SPDX-License-Identifier: Apache-2.0
// Sealing: values that only the holder of the key can read (AES-256-GCM).
#pragma once

#include <string>
#include <string_view>

#include "store/keys.hpp"
#include "store/secret_bytes.hpp"

namespace strata::store {

/// Where a sealed value belongs. It opens nowhere else: a row that is moved is useless.
struct SealPlace {
  std::string_view project;  ///< The name.
  std::string_view table;    ///< `document`, `stack`, …
  std::string_view id;       ///< Of the sealed value: a UUID.
};

/// A sealed value: a random key of its own, which is encrypted (`wrapped`) under a key of the service.
struct SealedValue {
  std::string key_id;      ///< Of the key of the service.
  std::string wrapped;     ///< Nonce, key of the value, tag.
  std::string nonce;       ///< 12 bytes.
  std::string ciphertext;  ///< With the tag at its end.
};

/// Seals a value. Errors: `crypto.unavailable`.
[[nodiscard]] SealedValue seal(const Key& key, const SealPlace& place, std::string_view secret);
/// Opens a value. Errors: `store.no-key` if the key is not on the ring; `store.sealed-broken` if the value, its place
/// or the key are not those of the sealing.
[[nodiscard]] SecretBytes open(const Keyring& keys, const SealPlace& place, const SealedValue& value);
/// Puts a value under another key: only the key of the value is encrypted anew. Errors: as `open`.
[[nodiscard]] SealedValue rewrap(const Keyring& from, const Key& to, const SealPlace& place, const SealedValue& value);

/// The HMAC-SHA256 of a text: 32 bytes. Errors: `crypto.unavailable`.
[[nodiscard]] SecretBytes hmac(std::string_view key, std::string_view text);

/// Bytes that nobody can guess. Errors: `crypto.unavailable`.
[[nodiscard]] SecretBytes random_bytes(std::size_t size);

}  // namespace strata::store
