// SPDX-License-Identifier: Apache-2.0
#include "text/repeated_keys.hpp"

#include <fmt/format.h>

namespace strata::text {

std::string shown_key(std::string_view key) {
  constexpr std::size_t kShown = 60;
  if (key.size() <= kShown) return std::string(key);
  std::size_t end = kShown;
  while (end > 0 && (static_cast<unsigned char>(key[end]) & 0xC0U) == 0x80U) --end;
  return std::string(key.substr(0, end)) + "…";
}

Error repeated_key_error(const Sources& sources, const RepeatedKey& key, std::string_view code,
                         std::string_view prefix) {
  const bool is_spelled_otherwise = !key.earlier_name.empty();
  std::string name = key.name.empty() ? std::string() : fmt::format(" '{}'", key.name);
  if (is_spelled_otherwise) name += fmt::format(", the same key as '{}'", key.earlier_name);
  Error error(code, fmt::format("{}duplicate key{}: the earlier value is lost", prefix, name));
  error.at(sources, key.later).note(sources, key.earlier, "the earlier one");
  error.hint(is_spelled_otherwise ? "keep one of the two, or quote them if they are meant as text"
                                  : "keep one of the two");
  return error;
}

std::vector<Diagnostic> repeated_key_warnings(const Sources& sources, const Document& document, std::string_view code,
                                              std::string_view prefix, std::size_t most) {
  std::vector<Diagnostic> out;
  for (const RepeatedKey& key : document.repeated_keys) {
    if (out.size() == most) break;
    Error error = repeated_key_error(sources, key, code, prefix);
    out.push_back(error.without_lines().diagnostic());
  }
  return out;
}

}  // namespace strata::text
