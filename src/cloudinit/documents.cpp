// SPDX-License-Identifier: Apache-2.0
#include "documents.hpp"

#include <algorithm>

#include "strata/builder.hpp"
#include "strata/secret_keys.hpp"
#include "template_header.hpp"
#include "text/repeated_keys.hpp"
#include "value/fields.hpp"

#include <fmt/format.h>

namespace strata::cloudinit {
namespace {

bool have_same_keys(const Value& one, const Value& other) {
  return one.size() == other.size() &&
         std::ranges::equal(one.entries(), other.entries(),
                            [](const Entry& a, const Entry& b) { return equal(a.key, b.key); });
}

/// The value with marks on what is not as in `other`; absent: on all of it. Recursion: bounded by Limits::depth, which
/// the reader kept.
Value with_marks(Arena& arena, const Value& value, const Value& other) {
  if (!other || value.kind() != other.kind()) return with_secrets(arena, value);
  std::size_t at = 0;
  if (value.is_mapping() && have_same_keys(value, other)) {
    return value.size() == 0 ? value : with_members(arena, value, [&](const Value& member) {
      return with_marks(arena, member, other.entries()[at++].value);
    });
  }
  if (value.is_sequence() && value.size() == other.size()) {
    return value.size() == 0 ? value : with_members(arena, value, [&](const Value& member) {
      return with_marks(arena, member, other.items()[at++]);
    });
  }
  return !value.is_container() && equal(value, other) ? value : with_secrets(arena, value);
}

}  // namespace

text::Document Documents::read_mapping(SourceId source) {
  Sources& sources = session_.sources();
  text::Document document = ahead_.take(source, pool_);
  if (document.arena != pool_.arena()) session_.keep(ahead_.memory());
  if (!document.root || document.root.is_null()) {
    throw Error("cloud-config.empty", "the cloud-config is empty")
        .at(sources, sources.at(source, 0))
        .hint("write {} if that is meant");
  }
  if (!document.root.is_mapping()) {
    throw Error("cloud-config.root", wrong_kind("a cloud-config", "a mapping", document.root))
        .at(sources, document.root.origin());
  }
  if (const auto other = others_.find(source); other != others_.end()) {
    // What other data would make otherwise is made of what is secret.
    document.root = with_marks(*document.arena, document.root, read_other(other->second));
  }
  return document;
}

Value Documents::read_other(SourceId source) {
  try {
    const text::Document out = ahead_.take(source, pool_);
    if (out.arena != pool_.arena()) session_.keep(ahead_.memory());
    return out.root;
  } catch (const Error& error) {
    if (error.gives_up()) throw;
    return {};
  }
}

void Documents::warn_of_repeated_keys(const text::Document& document, std::string_view name) const {
  text::warn_of_repeated_keys(session_.diagnostics(), session_.sources(), document, "cloud-config.repeated-key",
                              fmt::format("{}: ", name));
}

std::string_view template_hint(const Error& error, std::string_view text, std::string_view if_headed) {
  const std::string& line = error.diagnostic().where.line;
  const bool is_template = error.code().starts_with("yaml.") &&
                           (line.find("{{") != std::string::npos || line.find("{%") != std::string::npos);
  if (!is_template) return {};
  const auto header = template_header(text);
  return header && header->kind == "jinja"
             ? if_headed
             : "a template begins with the line '## template: jinja'; in other files quote the text";
}

std::string name_of(const Sources& sources, SourceId source) {
  return sources.part(source).empty() ? sources.file(source) : sources.part(source);
}

}  // namespace strata::cloudinit
