// SPDX-License-Identifier: Apache-2.0
#include "service/stacks/arguments.hpp"

#include <fmt/format.h>

#include <charconv>

#include "service/stacks/refusals.hpp"

namespace strata::service::stacks {
namespace {

constexpr std::size_t kLongestStackTag = 80;  // Characters.

bool flag_of_text(std::string_view name, std::string_view text) {
  if (same_name(text, "true")) return true;
  if (same_name(text, "false")) return false;
  refuse_request(fmt::format(R"(Unrecognized value "{}" for "{}", acceptable values are: true, false)", text, name));
}

std::int64_t number_of_text(std::string_view name, std::string_view text) {
  std::int64_t out = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, out);
  // As the reference: what is not written as Python writes it is none.
  if (error != std::errc() || stopped != end || std::to_string(out) != text)
    refuse_request(fmt::format("Only integer is acceptable by '{}'.", name));
  if (out < 0)
    refuse_request(fmt::format("Value '{}' is invalid for '{}' which only accepts non-negative integer.", text, name));
  return out;
}

}  // namespace

const std::string* given(const Query& query, std::string_view name) {
  const std::string* text = query.find(name);
  return text == nullptr || text->empty() ? nullptr : text;
}

std::optional<bool> flag_of(const Query& query, std::string_view name) {
  const std::string* text = given(query, name);
  if (text == nullptr) return std::nullopt;
  return flag_of_text(name, *text);
}

bool flag_of(std::string_view name, const Value& value) {
  if (value.kind() == Kind::boolean) return value.as_boolean();
  if (value.is_text()) return flag_of_text(name, value.text());
  refuse_request(fmt::format(R"(Unrecognized value for "{}", acceptable values are: true, false)", name));
}

std::optional<std::int64_t> number_of(const Query& query, std::string_view name) {
  const std::string* text = given(query, name);
  if (text == nullptr) return std::nullopt;
  return number_of_text(name, *text);
}

std::int64_t number_of(std::string_view name, const Value& value) {
  if (value.kind() == Kind::integer) return number_of_text(name, std::to_string(value.as_integer()));
  return number_of_text(name, value.is_text() ? value.text() : std::string_view());
}

std::vector<std::string> tags_of(std::string_view text) {
  std::vector<std::string> out;
  while (true) {
    const std::string_view tag = text.substr(0, text.find(','));
    std::size_t characters = 0;
    for (const char byte : tag) characters += (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U ? 1U : 0U;
    if (characters > kLongestStackTag)
      refuse_request(fmt::format(R"(Invalid tag, "{}" is longer than {} characters)", tag, kLongestStackTag));
    if (!tag.empty()) out.emplace_back(tag);
    if (tag.size() == text.size()) return out;
    text.remove_prefix(tag.size() + 1);
  }
}

}  // namespace strata::service::stacks
