// SPDX-License-Identifier: Apache-2.0
// The keys of encrypted values, and decryption: CMS EnvelopedData for RSA keys, which hiera-eyaml calls PKCS7.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace strata::hiera::eyaml {

/// A PEM text and its name in messages: a file or an environment variable.
struct Pem {
  std::string_view text;
  std::string name;
};

/// Overwrites a text that held a key, and empties it.
void wipe(std::string& text) noexcept;

/// A private key, with its certificate if there is one. Movable. Its destructor overwrites it.
/// Thread safety: `open` may be called from several threads at once.
class Keys {
 public:
  /// Reads an RSA key without passphrase (PKCS#1 or PKCS#8). hiera-eyaml 3 always needs the certificate, 4 does not.
  /// With a certificate, only values encrypted for it (its issuer and serial number) are opened; without one, all
  /// values that fit the key. Errors: `eyaml.key`, with the file, for anything that is not such a key or certificate,
  /// and for a certificate of another key.
  [[nodiscard]] static Keys from_pem(const Pem& private_key, const std::optional<Pem>& certificate = std::nullopt);

  Keys(Keys&& other) noexcept;
  Keys& operator=(Keys&& other) noexcept;
  ~Keys();

  /// The content of a DER EnvelopedData. Errors, with the key's file: `eyaml.envelope` if the bytes are not one,
  /// `eyaml.recipient` if it was encrypted for another certificate or key, `eyaml.decrypt` if decryption fails.
  /// Messages never contain decrypted text. Cost: one RSA operation; without a certificate, up to one per recipient.
  [[nodiscard]] std::string open(std::string_view der) const;

 private:
  struct State;
  explicit Keys(std::unique_ptr<State> state) noexcept;
  std::unique_ptr<State> state_;
};

}  // namespace strata::hiera::eyaml
