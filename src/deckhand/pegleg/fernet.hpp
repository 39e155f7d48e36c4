// SPDX-License-Identifier: Apache-2.0
// Opens what Pegleg encrypts: tokens of Fernet, with a key that is derived from a passphrase and a salt.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace strata::deckhand {

/// A key of Fernet. Its bytes are erased when the object ends. Immutable; thread-safe.
class FernetKey {
 public:
  /// As Pegleg derives it: PBKDF2 with HMAC-SHA256 and 10,000 iterations. Cost: some milliseconds. Errors:
  /// `crypto.unavailable`; `deckhand.passphrase` if the library refuses.
  FernetKey(std::string_view passphrase, std::string_view salt);
  ~FernetKey();
  FernetKey(const FernetKey&) = delete;
  FernetKey& operator=(const FernetKey&) = delete;

  /// The bytes in a token, which is text in URL-safe base64. The age of the token does not count. Error
  /// `deckhand.decrypt`: the text is not a token, or it was made with another key, or it was changed afterwards; the
  /// message holds nothing of the token or the bytes. Cost: linear in the token.
  [[nodiscard]] std::string open(std::string_view token) const;

 private:
  static constexpr std::size_t kHalf = 16;

  std::array<unsigned char, 2 * kHalf> bytes_{};  ///< First the key of the signature, then that of the cipher.
};

}  // namespace strata::deckhand
