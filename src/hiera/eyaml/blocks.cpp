// SPDX-License-Identifier: Apache-2.0
#include "blocks.hpp"

#include "strata/text.hpp"

namespace strata::hiera::eyaml {
namespace {

constexpr std::string_view kOpening = "ENC[";

bool is_alphanumeric(char c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}
bool is_scheme_character(char c) noexcept { return is_alphanumeric(c) || c == '_'; }
bool is_payload(char c) noexcept {
  return is_alphanumeric(c) || c == '+' || c == '/' || c == '=' || c == ' ' || c == '\n';
}

std::size_t skip(std::string_view text, std::size_t from, bool (*accepted)(char) noexcept) noexcept {
  while (from < text.size() && accepted(text[from])) ++from;
  return from;
}

}  // namespace

std::optional<Block> find_block(std::string_view text, std::size_t from) noexcept {
  for (std::size_t begin = text.find(kOpening, from); begin != std::string_view::npos;
       begin = text.find(kOpening, begin + 1)) {
    std::size_t at = begin + kOpening.size();
    Block block{.begin = begin, .end = 0, .scheme = {}, .payload = {}};
    const std::size_t word = skip(text, at, is_scheme_character);
    if (word != at && word < text.size() && text[word] == ',') {
      block.scheme = text.substr(at, word - at);
      at = word + 1;
    }
    const std::size_t end = skip(text, at, is_payload);
    if (end == at || end == text.size() || text[end] != ']') continue;
    block.payload = text.substr(at, end - at);
    block.end = end + 1;
    return block;
  }
  return std::nullopt;
}

bool holds_block(std::string_view text) noexcept {
  for (std::size_t begin = text.find(kOpening); begin != std::string_view::npos;) {
    const std::size_t end = text.find_first_of("]\n", begin);
    if (end == std::string_view::npos) return false;
    if (text[end] == ']') return true;
    begin = text.find(kOpening, end);
  }
  return false;
}

std::string decode_payload(std::string_view payload) {
  std::string digits;
  digits.reserve(payload.size() + 3);
  for (const char c : payload) {
    if (c == '=' && digits.size() % 4 >= 2) break;
    if (is_alphanumeric(c) || c == '+' || c == '/') digits += c;
  }
  if (digits.size() % 4 == 1) digits.pop_back();
  digits.resize((digits.size() + 3) / 4 * 4, '=');
  return text::decode_base64(digits).value_or(std::string());
}

}  // namespace strata::hiera::eyaml
