// SPDX-License-Identifier: Apache-2.0
#include "transfer.hpp"

#include <algorithm>
#include <optional>

#include "python_text.hpp"
#include "strata/text.hpp"

namespace strata::cloudinit {
namespace {

/// The next line of `rest`, without its end (CR, LF or CR LF), which is removed with it.
std::string_view take_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find_first_of("\r\n"), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(rest.substr(end).starts_with("\r\n") ? end + 2 : std::min(end + 1, rest.size()));
  return line;
}

/// Foreign characters are skipped and missing padding is added; a length that no padding can fix leaves the text as it
/// is, without line ends.
std::string decode_base64_body(std::string_view body) {
  std::string joined;
  joined.reserve(body.size() + 2);
  for (const char c : body) {
    if (c != '\r' && c != '\n') joined += c;
  }
  if (auto bytes = text::decode_base64(joined)) return std::move(*bytes);
  joined += "==";
  if (auto bytes = text::decode_base64(joined)) return std::move(*bytes);
  joined.resize(joined.size() - 2);
  return joined;
}

std::string decode_quoted_printable(std::string_view body) {
  std::string result;
  result.reserve(body.size());
  for (std::size_t at = 0; at < body.size();) {
    if (body[at] != '=') {
      result += body[at++];
      continue;
    }
    if (++at == body.size()) break;
    if (body[at] == '\n' || body[at] == '\r') {
      at = std::min(body.find('\n', at), body.size() - 1) + 1;
    } else if (body[at] == '=') {  // Of two, one is meant: some writers did not know better.
      result += '=';
      ++at;
    } else if (at + 1 < body.size() && hex_digit(body[at]) >= 0 && hex_digit(body[at + 1]) >= 0) {
      result += static_cast<char>(hex_digit(body[at]) * 16 + hex_digit(body[at + 1]));
      at += 2;
    } else {
      result += '=';
    }
  }
  return result;
}

/// One line of uuencoded text; `lenient` stops at the characters that the length asks for. None where the reference
/// refuses it.
std::optional<std::string> decode_uu_line(std::string_view line) {
  auto wanted = static_cast<std::size_t>((static_cast<unsigned char>(line[0]) - 32U) & 63U);
  line.remove_prefix(1);
  std::string result;
  unsigned bits = 0;
  unsigned count = 0;
  while (result.size() < wanted) {
    unsigned value = 0;
    if (!line.empty()) {
      const auto c = static_cast<unsigned char>(line[0]);
      if (c < 32 || c > 96) return std::nullopt;
      value = (c - 32U) & 63U;
      line.remove_prefix(1);
    }
    bits = bits << 6U | value;
    count += 6;
    if (count >= 8) {
      count -= 8;
      result += static_cast<char>(bits >> count & 0xFFU);
    }
  }
  if (line.find_first_not_of(" `") != std::string_view::npos) return std::nullopt;
  return result;
}

bool is_octal(std::string_view text) {
  text = trim(text);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with("0o") || text.starts_with("0O")) text.remove_prefix(2);
  return !text.empty() && text.find_first_not_of("01234567") == std::string_view::npos;
}

bool is_begin_line(std::string_view line) {
  if (!line.starts_with("begin ")) return false;
  line.remove_prefix(6);
  return is_octal(line.substr(0, line.find(' ')));
}

std::optional<std::string> decode_uuencoded(std::string_view rest) {
  bool begun = false;
  while (!begun && !rest.empty()) begun = is_begin_line(take_line(rest));
  if (!begun) return std::nullopt;
  std::string result;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    if (line.empty()) return std::nullopt;
    const std::size_t first = line.find_first_not_of(" \t\f");
    if (first != std::string_view::npos && line.substr(first, line.find_last_not_of(" \t\f") - first + 1) == "end")
      break;
    auto bytes = decode_uu_line(line);
    if (!bytes) {
      // Some encoders pad the line with whatever was in their buffer.
      const std::size_t length = (((static_cast<unsigned char>(line[0]) - 32U) & 63U) * 4 + 5) / 3;
      bytes = decode_uu_line(line.substr(0, std::max<std::size_t>(length, 1)));
      if (!bytes) return std::nullopt;
    }
    result += *bytes;
  }
  return result;
}

}  // namespace

Transfer transfer_of(std::string_view value) {
  const std::string name = lower(value);
  if (name == "base64") return Transfer::base64;
  if (name == "quoted-printable") return Transfer::quoted_printable;
  if (name == "x-uuencode" || name == "uuencode" || name == "uue" || name == "x-uue") return Transfer::uuencode;
  return Transfer::identity;
}

std::string decode_transfer(std::string_view body, Transfer transfer) {
  switch (transfer) {
    case Transfer::base64:
      return decode_base64_body(body);
    case Transfer::quoted_printable:
      return decode_quoted_printable(body);
    case Transfer::uuencode:
      if (auto bytes = decode_uuencoded(body)) return std::move(*bytes);
      return std::string(body);
    case Transfer::identity:
      break;
  }
  return std::string(body);
}

}  // namespace strata::cloudinit
