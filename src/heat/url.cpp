// SPDX-License-Identifier: Apache-2.0
#include "heat/url.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "value/ascii.hpp"
#include "value/split_at.hpp"

namespace strata::heat {
namespace {

/// Schemes whose references may be relative, and which have hosts.
constexpr std::array<std::string_view, 6> kHierarchic{"", "file", "http", "https", "ftp", "sftp"};

using strata::detail::is_digit;
using strata::detail::is_letter;

bool is_hierarchic(std::string_view scheme) { return std::ranges::find(kHierarchic, scheme) != kHierarchic.end(); }

/// The segments of a reference that is not empty, as seen from the base's path.
std::vector<std::string_view> joined_segments(std::string_view base, std::string_view path) {
  if (path.starts_with('/')) return detail::split_at(path, '/');
  std::vector<std::string_view> segments = detail::split_at(base, '/');
  if (!segments.back().empty()) segments.pop_back();
  std::ranges::copy(detail::split_at(path, '/'), std::back_inserter(segments));
  if (segments.size() > 2) {
    // Not of std::ranges: clang 14 does not compile that one's result.
    segments.erase(std::remove(segments.begin() + 1, segments.end() - 1, std::string_view()), segments.end() - 1);
  }
  return segments;
}

std::string folded(const std::vector<std::string_view>& segments) {
  std::vector<std::string_view> kept;
  for (const std::string_view segment : segments) {
    if (segment == "..") {
      if (!kept.empty()) kept.pop_back();
    } else if (segment != ".") {
      kept.push_back(segment);
    }
  }
  if (segments.back() == "." || segments.back() == "..") kept.emplace_back();
  std::string path = fmt::format("{}", fmt::join(kept, "/"));
  return path.empty() ? "/" : path;
}

/// `.`, `..` and double slashes of an absolute path, away.
std::string normal_path(std::string_view path) {
  std::vector<std::string_view> kept;
  for (const std::string_view segment : detail::split_at(path, '/')) {
    if (segment == ".." && !kept.empty()) kept.pop_back();
    if (!segment.empty() && segment != "." && segment != "..") kept.push_back(segment);
  }
  std::string normal;
  for (const std::string_view segment : kept) normal.append("/").append(segment);
  return normal.empty() ? "/" : normal;
}

std::string percent_encoded(std::string_view path) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  constexpr std::string_view kSafe = "/_.-~";
  std::string out;
  for (const char c : path) {
    if (is_letter(c) || is_digit(c) || kSafe.find(c) != std::string_view::npos) {
      out.push_back(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out.append({'%', kHex[byte >> 4U], kHex[byte & 15U]});
    }
  }
  return out;
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape =
        text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0;
    out.push_back(is_escape ? static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2])) : text[i]);
    if (is_escape) i += 2;
  }
  return out;
}

/// The length of a scheme at the front of a text; 0 where there is none.
std::size_t scheme_size(std::string_view text) {
  if (text.empty() || !is_letter(text.front())) return 0;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return 0;
  const bool is_scheme = std::ranges::all_of(
      text.substr(0, colon), [](char c) { return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.'; });
  return is_scheme ? colon : 0;
}

}  // namespace

std::string Url::to_string() const {
  std::string out = path;
  if (!host.empty() || (!scheme.empty() && is_hierarchic(scheme) && !out.starts_with("//"))) {
    if (!out.empty() && !out.starts_with('/')) out.insert(0, "/");
    out.insert(0, "//" + host);
  }
  if (!scheme.empty()) out.insert(0, scheme + ":");
  if (!query.empty()) out += "?" + query;
  if (!fragment.empty()) out += "#" + fragment;
  return out;
}

Url parse_url(std::string_view text) {
  std::string clean(text);
  std::erase_if(clean, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
  std::string_view rest = clean;
  Url url;
  if (const std::size_t size = scheme_size(rest); size != 0) {
    url.scheme = rest.substr(0, size);
    std::ranges::transform(url.scheme, url.scheme.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    rest.remove_prefix(size + 1);
  }
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    const std::size_t end = std::min(rest.find_first_of("/?#"), rest.size());
    url.host = rest.substr(0, end);
    rest.remove_prefix(end);
  }
  if (const std::size_t hash = rest.find('#'); hash != std::string_view::npos) {
    url.fragment = rest.substr(hash + 1);
    rest = rest.substr(0, hash);
  }
  if (const std::size_t mark = rest.find('?'); mark != std::string_view::npos) {
    url.query = rest.substr(mark + 1);
    rest = rest.substr(0, mark);
  }
  url.path = rest;
  return url;
}

std::string join_urls(const std::string& base, const std::string& reference) {
  if (base.empty()) return reference;
  if (reference.empty()) return base;
  const Url from = parse_url(base);
  Url url = parse_url(reference);
  if (url.scheme.empty()) url.scheme = from.scheme;
  if (url.scheme != from.scheme || !is_hierarchic(url.scheme)) return reference;
  if (!url.host.empty()) return url.to_string();
  url.host = from.host;
  if (url.path.empty()) {
    url.path = from.path;
    if (url.query.empty()) url.query = from.query;
    return url.to_string();
  }
  url.path = folded(joined_segments(from.path, url.path));
  return url.to_string();
}

std::string folder_of(const std::string& url) {
  const std::string path = parse_url(url).path;
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return url;
  std::string folder = path.substr(0, slash + 1);
  // Only a path of slashes alone keeps them.
  if (const std::size_t last = folder.find_last_not_of('/'); last != std::string::npos) folder.resize(last + 1);
  return join_urls(url, folder);
}

std::string url_of_path(std::string_view path, std::string_view folder) {
  if (scheme_size(path) != 0) return std::string(path);
  const std::string absolute =
      path.starts_with('/') ? std::string(path) : std::string(folder) + "/" + std::string(path);
  return "file://" + percent_encoded(normal_path(absolute));
}

std::string path_of(const Url& url) {
  return percent_decoded(url.query.empty() ? url.path : url.path + "?" + url.query);
}

}  // namespace strata::heat
