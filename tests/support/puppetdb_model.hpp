// SPDX-License-Identifier: Apache-2.0
// What PuppetDB does with a filter, as far as strata sends them: SQL's logic of three values, PostgreSQL's regular
// expressions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bindings/queries/service.hpp"
#include "puppet/characters.hpp"
#include "text/regex/regex.hpp"

namespace strata::testing {

/// A regular expression of PostgreSQL as one of Ruby.
inline std::string from_postgres(std::string_view pattern) {
  const bool at_lines = pattern.starts_with("(?w)");
  if (at_lines) pattern.remove_prefix(4);
  std::string out;
  bool in_class = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\') {
      const char next = pattern[++i];
      out += '\\';
      out += next == 'Z' && !in_class ? 'z' : next;
      continue;
    }
    if (c == '[') in_class = true;
    if (c == ']') in_class = false;
    if (!in_class && c == '^' && at_lines) {
      out += "(?:^|(?<=\\n))";  // Behind the last line feed as well.
    } else if (!in_class && !at_lines && (c == '^' || c == '$')) {
      out += c == '^' ? "\\A" : "\\z";
    } else {
      out += c;
    }
  }
  return out;
}

/// None is SQL's NULL.
inline std::optional<bool> puppetdb_holds(const Value& filter, const bindings::queries::Resource& resource) {
  const auto parts = filter.items();
  const std::string_view word = parts[0].text();
  if (word == "not") {
    const auto inner = puppetdb_holds(parts[1], resource);
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  if (word == "and" || word == "or") {
    const bool decides = word == "or";
    bool has_null = false;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const auto part = puppetdb_holds(parts[i], resource);
      if (part == decides) return decides;
      has_null = has_null || !part;
    }
    return has_null ? std::nullopt : std::optional(!decides);
  }
  if (parts[1].is_sequence()) {
    const Value* found = resource.parameters.find(parts[1].items()[1].text());
    return found != nullptr && equal(*found, parts[2]);
  }
  const std::string_view field = parts[1].text();
  if (field == "exported") return resource.exported == parts[2].as_boolean();
  // Expressions for tags are turned into lower case (seen with PuppetDB 7.12).
  const auto fits = [&](std::string_view text) {
    const std::string pattern = field == "tag" ? puppet::lower(parts[2].text()) : std::string(parts[2].text());
    return word == "~" ? text::Regex(from_postgres(pattern)).search(text) : text == pattern;
  };
  if (field == "tag") {
    for (const Value& tag : resource.tags.items()) {
      if (word == "~" ? fits(tag.text()) : puppet::lower(tag.text()) == puppet::lower(parts[2].text())) return true;
    }
    return false;
  }
  if (field == "file") return resource.file ? std::optional(fits(resource.file.text())) : std::nullopt;
  return fits(field == "title" ? resource.title : field == "type" ? resource.type : resource.certname);
}

}  // namespace strata::testing
