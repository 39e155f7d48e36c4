// SPDX-License-Identifier: Apache-2.0
#include "environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "value/sanitized.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX has programs declare it

namespace strata {
namespace {

bool is_passed_on(std::string_view name) {
  static constexpr std::array<std::string_view, 9> kNames{"PATH",     "HOME", "USER",   "LOGNAME",        "LANG",
                                                          "LANGUAGE", "TZ",   "TMPDIR", "LD_LIBRARY_PATH"};
  return std::ranges::find(kNames, name) != kNames.end() || name.starts_with("LC_") ||
         (kIsSanitized && name.ends_with("SAN_OPTIONS"));
}

}  // namespace

CleanEnvironment::CleanEnvironment() {
  for (char** variable = environ; variable != nullptr && *variable != nullptr;
       ++variable) {  // NOLINT(*-pointer-arithmetic)
    const std::string_view text(*variable);
    if (is_passed_on(text.substr(0, text.find('=')))) texts_.emplace_back(text);
  }
  for (std::string& text : texts_) pointers_.push_back(text.data());
  pointers_.push_back(nullptr);
}

}  // namespace strata
