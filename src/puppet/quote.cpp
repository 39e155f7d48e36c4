// SPDX-License-Identifier: Apache-2.0
#include "puppet/quote.hpp"

#include <fmt/format.h>

namespace strata::puppet {

std::string double_quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '"':
      case '$':
      case '\\':
        out += '\\';
        out += c;
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += fmt::format("\\u{{{:X}}}", static_cast<unsigned>(c));
        } else {
          out += c;
        }
    }
  }
  return out + '"';
}

std::string quote(std::string_view text) {
  std::string out = "'";
  // A backslash is doubled where it would else escape what follows it; Puppet doubles it nowhere else.
  bool escaped = false;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) return double_quote(text);
    if (escaped) {
      out += '\\';
      out += c;
      escaped = false;
    } else if (c == '\\') {
      escaped = true;
    } else {
      if (c == '\'') out += '\\';
      out += c;
    }
  }
  if (escaped) out += '\\';
  return out + '\'';
}

}  // namespace strata::puppet
