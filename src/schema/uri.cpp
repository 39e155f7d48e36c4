// SPDX-License-Identifier: Apache-2.0
#include "schema/uri.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <utility>
#include <vector>

#include "value/ascii.hpp"
#include "value/split_at.hpp"

namespace strata::json_schema::detail {
namespace {

using strata::detail::is_digit;
using strata::detail::is_letter;

struct Uri {
  std::string scheme;
  std::string_view authority;
  std::string_view path;
  std::string_view query;
  std::string_view fragment;
};

bool is_in_scheme(char c) noexcept { return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.'; }

/// Cuts off what follows the first of `mark`, without it.
std::string_view cut_after(std::string_view& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view after = text.substr(at + mark.size());
  text = text.substr(0, at);
  return after;
}

Uri parse(std::string_view text) {
  Uri uri;
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos && colon > 0 && is_letter(text.front()) &&
      std::ranges::all_of(text.substr(0, colon), is_in_scheme)) {
    for (const char c : text.substr(0, colon))
      uri.scheme += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    text.remove_prefix(colon + 1);
  }
  if (text.starts_with("//")) {
    const std::size_t end = std::min(text.find_first_of("/?#", 2), text.size());
    uri.authority = text.substr(2, end - 2);
    text.remove_prefix(end);
  }
  uri.fragment = cut_after(text, "#");
  uri.query = cut_after(text, "?");
  uri.path = text;
  return uri;
}

/// Whether Python joins addresses of a scheme.
bool has_paths(std::string_view scheme) {
  static constexpr std::array<std::string_view, 20> kSchemes{
      "",    "ftp",      "http", "gopher", "nntp",  "imap", "wais", "file",    "https", "shttp",
      "mms", "prospero", "rtsp", "rtsps",  "rtspu", "sftp", "svn",  "svn+ssh", "ws",    "wss"};
  return std::ranges::find(kSchemes, scheme) != kSchemes.end();
}

std::string written(const Uri& uri, std::string_view path) {
  std::string out;
  if (!uri.scheme.empty()) out += uri.scheme + ":";
  if (!uri.authority.empty() || (!uri.scheme.empty() && has_paths(uri.scheme) && !path.starts_with("//"))) {
    out += "//";
    out += uri.authority;
    if (!path.empty() && path.front() != '/') out += '/';
  }
  out += path;
  if (!uri.query.empty()) (out += '?') += uri.query;
  if (!uri.fragment.empty()) (out += '#') += uri.fragment;
  return out;
}

std::string joined_path(std::string_view base, std::string_view path) {
  std::vector<std::string_view> segments;
  const bool is_relative = !path.starts_with('/');
  if (is_relative) {
    segments = strata::detail::split_at(base, '/');
    if (!segments.back().empty()) segments.pop_back();
  }
  std::ranges::copy(strata::detail::split_at(path, '/'), std::back_inserter(segments));
  std::vector<std::string_view> kept;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::string_view segment = segments[i];
    if (segment == "..") {
      if (!kept.empty()) kept.pop_back();
    } else if (segment != "." && (!segment.empty() || !is_relative || i == 0 || i + 1 == segments.size())) {
      kept.push_back(segment);
    }
  }
  if (segments.back() == "." || segments.back() == "..") kept.emplace_back();
  std::string out;
  for (std::size_t i = 0; i < kept.size(); ++i) (out += i == 0 ? "" : "/") += kept[i];
  return out.empty() ? "/" : out;
}

}  // namespace

std::string join_uri(std::string_view base, std::string_view reference) {
  if (base.empty()) return std::string(reference);
  if (reference.empty()) return std::string(base);
  const Uri from = parse(base);
  Uri to = parse(reference);
  const bool has_own_scheme = !to.scheme.empty() && to.scheme != from.scheme;
  if (has_own_scheme || !has_paths(from.scheme)) return std::string(reference);
  to.scheme = from.scheme;
  if (!to.authority.empty()) return written(to, to.path);
  to.authority = from.authority;
  if (!to.path.empty()) return written(to, joined_path(from.path, to.path));
  if (to.query.empty()) to.query = from.query;
  return written(to, from.path);
}

SplitUri split_uri(std::string_view text) {
  const std::size_t mark = text.find('#');
  if (mark == std::string_view::npos) return {.uri = std::string(text), .fragment = {}};
  Uri uri = parse(text);
  const std::string_view fragment = std::exchange(uri.fragment, {});
  return {.uri = written(uri, uri.path), .fragment = std::string(fragment)};
}

std::string unescaped_uri(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned code = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, code, 16).ptr == text.data() + i + 3) {
      out += static_cast<char>(code);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace strata::json_schema::detail
