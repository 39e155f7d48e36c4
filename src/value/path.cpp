#include "strata/path.hpp"

#include <fmt/format.h>

#include <charconv>

#include "strata/error.hpp"
#include "strata/scalar_text.hpp"

namespace strata {
namespace {

void append_token(std::string& out, std::string_view token) {
  out += '/';
  for (const char c : token) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
}

}  // namespace

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
    throw Error("pointer.syntax", fmt::format("'{}' is not a JSON Pointer: it must be empty or begin with '/'", pointer))
        .hint("write /key/0 for the first item of 'key'");
  }
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      tokens.emplace_back();
    } else if (pointer[i] == '~') {
      const char next = i + 1 < pointer.size() ? pointer[i + 1] : '\0';
      if (next != '0' && next != '1')
        throw Error("pointer.syntax", fmt::format("'{}' is not a JSON Pointer: after '~' only 0 and 1 are allowed", pointer));
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
