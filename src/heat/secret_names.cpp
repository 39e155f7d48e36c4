#include "heat/secret_names.hpp"

#include <algorithm>
#include <array>

namespace strata::heat {
namespace {

constexpr std::array<std::string_view, 13> kWords{"password",   "passwd",  "passphrase", "_pass",   "adminpass",   "secret",    "token",
                                                  "credential", "authkey", "apikey",     "api_key", "private_key", "privatekey"};

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

bool sounds_secret(std::string_view text) {
  return std::ranges::any_of(kWords, [text](std::string_view word) { return !std::ranges::search(text, word, {}, lower).empty(); });
}

}  // namespace strata::heat
