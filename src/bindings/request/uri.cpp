// SPDX-License-Identifier: Apache-2.0
#include "bindings/request/uri.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "puppet/characters.hpp"
#include "puppet/quote.hpp"
#include "strata/error.hpp"

namespace strata::bindings {
namespace {

Error wrong(const Sources& sources, std::string_view layer, const Uri& uri, std::string_view why) {
  return Error("layer.uri",
               fmt::format("layer {}: the URI {} {}", puppet::quote(layer), puppet::quote(uri.written), why))
      .at(sources, uri.origin);
}

bool is_scheme(std::string_view text) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_part = [&](char c) {
    return is_letter(c) || puppet::is_digit(c) || c == '_' || c == '-' || c == '.' || c == '+';
  };
  return !text.empty() && is_letter(text[0]) && std::ranges::all_of(text, is_part);
}

/// Takes apart what stands behind the `?`.
void take_query(Uri& uri, std::string_view query) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view item = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (item == "optional") {
      uri.is_optional = true;
    } else if (!item.empty()) {
      uri.text.append(uri.query.empty() ? "?" : "&").append(item);
      uri.query.emplace_back(item);
    }
  }
}

}  // namespace

Uri parse_uri(const Sources& sources, std::string_view layer, std::string_view text, Origin origin) {
  Uri uri;
  uri.origin = origin;
  uri.text = text;
  uri.written = text;
  const std::size_t colon = text.find(':');
  uri.scheme = puppet::lower(text.substr(0, colon == std::string_view::npos ? 0 : colon));
  if (!is_scheme(uri.scheme))
    throw wrong(sources, layer, uri, "has no scheme").hint("write 'confdir:/NAME' or 'module:/MODULE::NAME'");
  if (text.substr(colon).starts_with("::"))
    throw wrong(sources, layer, uri, "has no scheme").hint(fmt::format("did you mean 'module:/{}'?", text));
  if (uri.scheme == "modules") uri.scheme = "module";
  const std::size_t mark = std::min(text.find('?'), text.size());
  uri.path = text.substr(colon + 1, mark - colon - 1);
  uri.text = text.substr(0, mark);
  if (mark < text.size()) take_query(uri, text.substr(mark + 1));
  return uri;
}

NamePattern pattern_of(const Sources& sources, std::string_view layer, const Uri& uri) {
  if (!uri.query.empty()) throw wrong(sources, layer, uri, "may only have 'optional' after its '?'");
  if (!uri.path.starts_with('/')) throw wrong(sources, layer, uri, "has no '/' after its scheme");
  NamePattern pattern;
  const std::string names = puppet::lower(std::string_view(uri.path).substr(1));
  if (names.empty()) throw wrong(sources, layer, uri, "does not name bindings");
  for (std::size_t at = 0; at <= names.size();) {
    const std::size_t end = std::min(names.find("::", at), names.size());
    std::string segment = names.substr(at, end - at);
    at = end + 2;
    if (segment != "*" && segment != "**" && !is_name_segment(segment)) {
      throw wrong(sources, layer, uri,
                  fmt::format("has the segment {}, which is neither a name nor '*' nor '**'", puppet::quote(segment)));
    }
    pattern.segments.push_back(std::move(segment));
  }
  if (uri.scheme == "module" && pattern.segments.size() == 1 && pattern.segments[0] != "**") {
    throw wrong(sources, layer, uri, "has no bindings name after the module's name")
        .hint(fmt::format("did you mean '{}::default'?", uri.text));
  }
  return pattern;
}

EncPart enc_part_of(const Sources& sources, std::string_view layer, const Uri& uri) {
  const std::string_view path = uri.path;
  const bool has_query = !uri.query.empty();
  if (!has_query && (path.empty() || path == "/" || path == "/*")) return EncPart::all;
  if (!has_query && path == "/classes") return EncPart::classes;
  if (!has_query && path == "/parameters") return EncPart::parameters;
  if (!has_query && path == "/variables") return EncPart::variables;
  throw wrong(sources, layer, uri, "is not a part of an ENC")
      .hint("the parts are enc:, enc:/classes, enc:/parameters and enc:/variables");
}

}  // namespace strata::bindings
