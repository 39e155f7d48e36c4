// SPDX-License-Identifier: Apache-2.0
#include "service/api/cursors.hpp"

#include <fmt/format.h>

#include <charconv>

#include "service/identity/jwt.hpp"
#include "service/signer.hpp"
#include "strata/text.hpp"

namespace strata::service::api {
namespace {

constexpr std::size_t kLongestCursor = 16'384;

std::string base64url(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view three = bytes.substr(at, 3);
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 3; ++i)
      word = word << 8U | (i < three.size() ? static_cast<unsigned char>(three[i]) : 0U);
    for (std::size_t i = 0; i <= three.size(); ++i) out += kDigits[word >> (18U - 6U * i) & 63U];
  }
  return out;
}

/// What is signed: the list is not in the cursor, but counts.
std::string signed_text(std::string_view list, std::string_view payload) {
  return fmt::format("{}:{}{}", list.size(), list, payload);
}

}  // namespace

std::string cursor_text(const Cursor& cursor, const Signer& signer) {
  const std::string payload = fmt::format("{}:{}", cursor.snapshot, cursor.after);
  return base64url(payload) + '.' + base64url(signer.sign(signed_text(cursor.list, payload)));
}

std::optional<Cursor> read_cursor(std::string_view text, std::string_view list, const Signer& signer) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos || text.size() > kLongestCursor) return std::nullopt;
  const auto payload = from_base64url(text.substr(0, dot));
  const auto signature = from_base64url(text.substr(dot + 1));
  if (!payload || !signature || !signer.is_signature(signed_text(list, *payload), *signature)) return std::nullopt;
  Cursor out{.list = std::string(list)};
  const char* const end = payload->data() + payload->size();
  const auto [stopped, wrong] = std::from_chars(payload->data(), end, out.snapshot);
  if (wrong != std::errc() || stopped == end || *stopped != ':') return std::nullopt;
  out.after.assign(stopped + 1, end);
  return out;
}

}  // namespace strata::service::api
