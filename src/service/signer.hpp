// SPDX-License-Identifier: Apache-2.0
// Proof that a text is of this service.
#pragma once

#include <string>
#include <string_view>

#include "store/secret_bytes.hpp"

namespace strata::service {

// What is signed. A signature for one purpose is not valid for another.
inline constexpr std::string_view kCursors = "strata:1|cursor";
inline constexpr std::string_view kTags = "strata:1|tag";

/// Signs by HMAC-SHA256. Services with the same secret verify each other's signatures. Thread-safe.
class Signer {
 public:
  /// `purpose`: texts that are signed for one purpose are not valid for another. Error `crypto.unavailable`.
  Signer(const store::SecretBytes& secret, std::string_view purpose);
  /// With a random secret: nobody else verifies its signatures.
  explicit Signer(std::string_view purpose);

  /// 16 bytes.
  [[nodiscard]] std::string sign(std::string_view text) const;
  /// The same as an entity tag.
  [[nodiscard]] std::string tag(std::string_view text) const;
  /// In constant time.
  [[nodiscard]] bool is_signature(std::string_view text, std::string_view signature) const;

 private:
  store::SecretBytes key_;
};

}  // namespace strata::service
