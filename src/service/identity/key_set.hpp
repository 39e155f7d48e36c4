// SPDX-License-Identifier: Apache-2.0
// The keys of an issuer of JWTs: a JWKS (RFC 7517).
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/identity/jwt.hpp"

namespace strata::service {

/// Immutable. Thread-safe.
class KeySet {
 public:
  /// Reads a JWKS. Keys for other uses, of other kinds, or of RSA with fewer than 2048 bits are left out. Errors:
  /// `service.jwks` for a text that is not a JWKS, or one without a key that can be used; `service.jose`.
  explicit KeySet(const std::string& text, const std::string& name);
  ~KeySet();
  KeySet(const KeySet&) = delete;
  KeySet& operator=(const KeySet&) = delete;

  /// Whether there is a key with this id.
  [[nodiscard]] bool has(std::string_view key_id) const noexcept;
  /// Whether one of the keys signed the token. `text` is the whole of it.
  [[nodiscard]] bool signed_by_one(const Jwt& token, std::string_view text) const;
  [[nodiscard]] std::size_t size() const noexcept { return keys_.size(); }

 private:
  struct Key;
  void add(const Value& key);

  std::vector<std::unique_ptr<Key>> keys_;
};

}  // namespace strata::service
