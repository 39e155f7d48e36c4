// SPDX-License-Identifier: Apache-2.0
#include "strata/path.hpp"

#include <fmt/format.h>

#include <charconv>

#include "strata/error.hpp"
#include "strata/scalar_text.hpp"

namespace strata {

void append_token(std::string& pointer, std::string_view token) {
  pointer += '/';
  for (const char c : token) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
}

std::string pointer_of(std::span<const std::string> tokens) {
  std::string out;
  for (const std::string& token : tokens) append_token(out, token);
  return out;
}

std::size_t index_of_token(const Value& container, std::string_view token) {
  if (container.is_sequence()) {
    std::size_t index = 0;
    const char* const end = token.data() + token.size();
    const auto [read, status] = std::from_chars(token.data(), end, index);
    const bool is_index = status == std::errc{} && read == end && (token == "0" || token.front() != '0');
    return is_index && index < container.size() ? index : Arena::npos;
  }
  if (!container.is_mapping()) return Arena::npos;
  const auto entries = container.entries();
  if (const Entry* found = container.find_entry(token)) return static_cast<std::size_t>(found - entries.data());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i].key.is_text() && !entries[i].key.is_container() && key_text(entries[i].key) == token) return i;
  }
  return Arena::npos;
}

Value value_at(const Value& root, std::span<const std::string> tokens) {
  Value here = root;
  for (const std::string& token : tokens) {
    const std::size_t index = index_of_token(here, token);
    if (index == Arena::npos) return {};
    here = here.is_sequence() ? here.items()[index] : here.entries()[index].value;
  }
  return here;
}

std::string Path::pointer() const {
  std::string out;
  for (const Step& step : steps_) {
    if (const auto* index = std::get_if<std::size_t>(&step)) {
      append_token(out, std::to_string(*index));
    } else {
      append_token(out, key_text(std::get<Value>(step)));
    }
  }
  return out;
}

std::vector<std::string> parse_pointer(std::string_view pointer) {
  std::vector<std::string> tokens;
  if (pointer.empty()) return tokens;
  if (!pointer.starts_with('/')) {
    throw Error("pointer.syntax",
                fmt::format("'{}' is not a JSON Pointer: it must be empty or begin with '/'", pointer))
        .hint("write /key/0 for the first item of 'key'");
  }
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      tokens.emplace_back();
    } else if (pointer[i] == '~') {
      const char next = i + 1 < pointer.size() ? pointer[i + 1] : '\0';
      if (next != '0' && next != '1')
        throw Error("pointer.syntax",
                    fmt::format("'{}' is not a JSON Pointer: after '~' only 0 and 1 are allowed", pointer));
      tokens.back() += next == '0' ? '~' : '/';
      ++i;
    } else {
      tokens.back() += pointer[i];
    }
  }
  return tokens;
}

std::string key_text(const Value& key) { return scalar_text(key); }

}  // namespace strata
