#include "heat/digest.hpp"

#include <openssl/sha.h>

#include <array>

namespace strata::heat {

std::string digest(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> raw{};
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), raw.data());
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : raw) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

}  // namespace strata::heat
