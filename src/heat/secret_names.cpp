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
  const auto same = [](char left, char right) { return lower(left) == right; };
  return std::ranges::any_of(
      kWords, [&](std::string_view word) { return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end(); });
}

}  // namespace strata::heat
