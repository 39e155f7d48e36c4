// The keys of encrypted values, and what they open: CMS EnvelopedData for RSA keys, which hiera-eyaml calls PKCS7.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace strata::hiera::eyaml {

/// A PEM text and what messages call it: its file or environment variable.
struct Pem {
  std::string_view text;
  std::string name;
};

/// Overwrites a text that held a key, and empties it.
void wipe(std::string& text) noexcept;

/// A private key, with its certificate where there is one. Movable. Overwritten when it goes.
/// Thread safety: `open` may be called from several threads at once.
class Keys {
 public:
  /// Reads an RSA key without passphrase (PKCS#1 or PKCS#8). hiera-eyaml 3 always needs the certificate, 4 does not: with it only what was encrypted
  /// for this certificate (its issuer and serial number) is opened, without it whatever the key fits.
  /// Errors: `eyaml.key`, which names the file, for what is no such key or certificate and for a certificate of another key.
  [[nodiscard]] static Keys from_pem(const Pem& private_key, const std::optional<Pem>& certificate = std::nullopt);

  Keys(Keys&& other) noexcept;
  Keys& operator=(Keys&& other) noexcept;
  ~Keys();

  /// The content of a DER EnvelopedData. Errors, which name the key's file: `eyaml.envelope` for bytes that are none, `eyaml.recipient` for one that
  /// was encrypted for another certificate or key, `eyaml.decrypt` where it does not open. Messages never hold what was opened.
  /// Cost: one RSA operation; without certificate up to one a recipient.
  [[nodiscard]] std::string open(std::string_view der) const;

 private:
  struct State;
  explicit Keys(std::unique_ptr<State> state) noexcept;
  std::unique_ptr<State> state_;
};

}  // namespace strata::hiera::eyaml
