// SPDX-License-Identifier: Apache-2.0
// What is wrong with the comments that are found in a text, for the test and the fuzz target.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "strata/error.hpp"
#include "strata/text.hpp"
#include "strata/value.hpp"
#include "text/comments.hpp"
#include "text/yaml/profile.hpp"

namespace strata::text::testing {

enum class Commented { yaml, json, hocon };

/// The documents of a text.
inline std::vector<Document> documents_of(Sources& sources, SourceId source, Commented syntax, const Profile& profile,
                                          const Limits& limits) {
  if (syntax == Commented::yaml) return read_yaml_stream(sources, source, profile, limits);
  std::vector<Document> out;
  out.push_back(syntax == Commented::json ? read_json(sources, source, limits, 0, kRubyJson)
                                          : read_hocon(sources, source, limits));
  return out;
}

inline std::vector<Stretch> comments_of(Sources& sources, SourceId source, Commented syntax, const Profile& profile,
                                        const Limits& limits, std::size_t documents) {
  if (syntax == Commented::json) return json_comments(sources.text(source));
  return syntax == Commented::hocon ? hocon_comments(sources, source)
                                    : yaml_comments(sources, source, profile, limits, documents);
}

/// Comments are in order, begin and end as comments do, and mean nothing: with other texts in them the documents are
/// the same. Errors: those of the readers, for a text that cannot be read.
inline std::string comments_mistake(std::string_view text, Commented syntax, const Profile& profile,
                                    const Limits& limits) {
  Sources sources;
  const SourceId source = sources.add("f", std::string(text));
  const std::vector<Document> before = documents_of(sources, source, syntax, profile, limits);
  std::string other(text);
  std::size_t end = 0;
  for (const Stretch& comment : comments_of(sources, source, syntax, profile, limits, before.size())) {
    if (comment.begin < end || comment.end > text.size() || comment.end <= comment.begin)
      return "comments are not in order";
    end = comment.end;
    const std::string_view all = text.substr(comment.begin, comment.end - comment.begin);
    const bool is_block = syntax == Commented::json && all.starts_with("/*");
    if (!(syntax == Commented::yaml ? all.starts_with('#') : is_block || all.starts_with("//") || all.starts_with('#')))
      return "not a comment";
    for (std::size_t i = comment.begin + (all.front() == '#' ? 1 : 2); i < comment.end - (is_block ? 2 : 0); ++i) {
      if (other[i] != '\n' && other[i] != '\r') other[i] = 'x';
    }
  }
  const SourceId changed = sources.add("f", other);
  const std::vector<Document> after = documents_of(sources, changed, syntax, profile, limits);
  if (after.size() != before.size()) return "there are other documents without the texts of comments";
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!identical(before[i].root, after[i].root)) return "a comment is part of a value";
  }
  return {};
}

}  // namespace strata::text::testing
