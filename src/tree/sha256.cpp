// SPDX-License-Identifier: Apache-2.0
#include "sha256.hpp"

#include <new>

#include "crypto_library.hpp"

namespace strata {

std::array<unsigned char, 32> sha256(std::string_view bytes) {
  const Crypto& crypto = Crypto::loaded();
  // Looking for the algorithm costs more than the digest of a short text. It is kept as long as the library: for ever.
  static const EVP_MD* const algorithm = crypto.EVP_MD_fetch(nullptr, "SHA2-256", nullptr);
  std::array<unsigned char, 32> digest{};
  if (algorithm == nullptr ||
      crypto.EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, algorithm, nullptr) != 1)
    throw std::bad_alloc();
  return digest;
}

std::string sha256_text(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : sha256(bytes)) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

}  // namespace strata
