// SPDX-License-Identifier: Apache-2.0
#include "service/fields.hpp"

#include <algorithm>
#include <charconv>

#include "strata/error.hpp"
#include "strata/text.hpp"

namespace strata::service {
namespace {

char lowercase(char one) noexcept { return one >= 'A' && one <= 'Z' ? static_cast<char>(one - 'A' + 'a') : one; }

int hex_digit(char one) noexcept {
  if (one >= '0' && one <= '9') return one - '0';
  one = lowercase(one);
  return one >= 'a' && one <= 'f' ? one - 'a' + 10 : -1;
}

std::string query_part(std::string_view text) {
  std::string blanks(text);
  std::ranges::replace(blanks, '+', ' ');
  std::optional<std::string> out = percent_decoded(blanks);
  if (!out || text::find_invalid_utf8(*out) != std::string::npos) {
    throw Error("request.query", "the query has broken percent encoding, or text that is not UTF-8");
  }
  return *std::move(out);
}

}  // namespace

bool same_name(std::string_view left, std::string_view right) noexcept {
  return std::ranges::equal(left, right, [](char one, char other) { return lowercase(one) == lowercase(other); });
}

std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> members_of(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  bool is_quoted = false;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_quoted && text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      is_quoted = !is_quoted;
    } else if (text[at] == separator && !is_quoted) {
      out.push_back(trimmed(text.substr(begin, at - begin)));
      begin = at + 1;
    }
  }
  out.push_back(trimmed(text.substr(begin)));
  return out;
}

std::string unquoted(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::string(text);
  std::string out;
  for (std::size_t at = 1; at + 1 < text.size(); ++at) {
    if (text[at] == '\\' && at + 2 < text.size()) ++at;
    out += text[at];
  }
  return out;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  if (text.find('%') == std::string_view::npos) return std::string(text);
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    if (text.size() - at < 3) return std::nullopt;
    const int high = hex_digit(text[at + 1]);
    const int low = hex_digit(text[at + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return out;
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
  std::string out;
  for (const char one : text) {
    if (kPlain.find(one) != std::string_view::npos) {
      out += one;
    } else {
      const auto byte = static_cast<unsigned char>(one);
      out += '%';
      out += kDigits[byte >> 4U];
      out += kDigits[byte & 15U];
    }
  }
  return out;
}

Query::Query(std::string_view text) {
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    fields_.push_back({query_part(part.substr(0, equals)),
                       equals == std::string_view::npos ? std::string() : query_part(part.substr(equals + 1))});
  }
}

const std::string* Query::find(std::string_view name) const noexcept {
  const auto found = std::ranges::find(fields_, name, &Field::name);
  return found == fields_.end() ? nullptr : &found->value;
}

std::vector<std::string> Query::all(std::string_view name) const {
  std::vector<std::string> out;
  for (const Field& one : fields_) {
    if (one.name == name) out.push_back(one.value);
  }
  return out;
}

bool Query::flag(std::string_view name, bool otherwise) const {
  const std::string* value = find(name);
  if (value == nullptr) return otherwise;
  if (value->empty() || *value == "1" || *value == "true") return true;
  if (*value == "0" || *value == "false") return false;
  throw Error("request.query", "'" + std::string(name) + "' is 1 or 0, not '" + *value + "'");
}

std::optional<std::size_t> Query::number(std::string_view name, std::size_t most) const {
  const std::string* value = find(name);
  if (value == nullptr) return std::nullopt;
  std::size_t out = 0;
  const char* const end = value->data() + value->size();
  const auto [stopped, error] = std::from_chars(value->data(), end, out);
  if (error != std::errc() || stopped != end || out > most) {
    throw Error("request.query",
                "'" + std::string(name) + "' is a number up to " + std::to_string(most) + ", not '" + *value + "'");
  }
  return out;
}

void Headers::set(std::string name, std::string value) {
  std::erase_if(fields_, [&name](const Field& one) { return same_name(one.name, name); });
  add(std::move(name), std::move(value));
}

void Headers::remove(std::string_view name) {
  std::erase_if(fields_, [name](const Field& one) { return same_name(one.name, name); });
}

const std::string* Headers::find(std::string_view name) const noexcept {
  const auto found = std::ranges::find_if(fields_, [name](const Field& one) { return same_name(one.name, name); });
  return found == fields_.end() ? nullptr : &found->value;
}

std::string_view Headers::get(std::string_view name) const noexcept {
  const std::string* value = find(name);
  return value == nullptr ? std::string_view() : *value;
}

std::vector<std::string_view> Headers::members(std::string_view name) const {
  std::vector<std::string_view> out;
  for (const Field& one : fields_) {
    if (!same_name(one.name, name)) continue;
    for (const std::string_view member : members_of(one.value, ',')) out.push_back(member);
  }
  return out;
}

std::string Headers::list(std::string_view name) const {
  std::string out;
  for (const Field& one : fields_) {
    if (same_name(one.name, name)) out.append(out.empty() ? "" : ", ").append(one.value);
  }
  return out;
}

std::size_t Headers::count(std::string_view name) const noexcept {
  return static_cast<std::size_t>(
      std::ranges::count_if(fields_, [name](const Field& one) { return same_name(one.name, name); }));
}

}  // namespace strata::service
