// SPDX-License-Identifier: Apache-2.0
#include "heat/checked_value.hpp"

#include <fmt/format.h>

#include <optional>

#include "heat/values.hpp"
#include "python/data.hpp"
#include "strata/builder.hpp"
#include "strata/path.hpp"
#include "strata/text.hpp"

namespace strata::heat {
namespace {

std::string hint_of(const Joining& joining) {
  switch (joining.name.type) {
    case ParameterType::number:
    case ParameterType::boolean:
      return fmt::format(
          "numbers and booleans do not merge: give '{}' the strategy overwrite in the first file that sets it",
          key_text(joining.name.key));
    default:
      return fmt::format("keep one shape, or give '{}' the strategy overwrite in the first file that sets it",
                         key_text(joining.name.key));
  }
}

Error error_of(const Documents& documents, const Joining& joining, const std::string& what, Origin where) {
  return Error("heat.merge",
               fmt::format("parameter '{}': {} (file {})", key_text(joining.name.key), what, joining.file))
      .at(documents.session().sources(), where)
      .hint(hint_of(joining));
}

Value read_json_text(Documents& documents, const Joining& joining, const Value& value) {
  const auto outer = documents.session().sources().source_of(value.origin());
  const std::string part = fmt::format("{}/{}", joining.title, key_text(joining.name.key));
  const SourceId source = outer ? documents.session().sources().add_decoded(*outer, part, std::string(value.text()))
                                : documents.session().sources().add(part, std::string(value.text()));
  if (joining.name.hidden) documents.session().sources().mark_secret(source);
  try {
    // Its nodes live as long as the request.
    const text::Document document =
        text::read_json(documents.session().sources(), source, documents.session().limits());
    documents.count(document.nodes);
    return documents.arena().deep_copy(document.root);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    throw Error("heat.json-text",
                fmt::format("parameter '{}': strategy '{}' needs JSON, but this text is not JSON: {} (file {})",
                            key_text(joining.name.key), joining.name.strategy->text(),
                            joining.name.hidden ? "it is hidden" : error.what(), joining.file))
        .at(documents.session().sources(), value.origin())
        .hint("write a mapping instead of a text, or correct the text");
  }
}

/// The way to the node that stands at a place, as `.key` and `[index]`.
// Recursion: bounded by Limits::depth.
bool find_path(const Value& value, Origin origin, std::string& path) {
  if (value.origin() == origin) return true;
  const std::size_t size = path.size();
  for (std::size_t i = 0; i < value.size(); ++i) {
    path += value.is_sequence() ? fmt::format("[{}]", i) : "." + key_text(value.entries()[i].key);
    if (find_path(value.is_sequence() ? value.items()[i] : value.entries()[i].value, origin, path)) return true;
    path.resize(size);
  }
  return false;
}

}  // namespace

Value checked_value(Documents& documents, const Joining& joining, const Value& value) {
  if (joining.name.type == ParameterType::json) {
    if (!value.is_text()) return json_form(documents.arena(), value).value;
    if (value.text().empty()) return value;
    return read_json_text(documents, joining, value).with_secret(value.is_secret());
  }
  if (!value.is_text() && !value.is_sequence()) {
    throw error_of(documents, joining,
                   fmt::format("strategy '{}' cannot take {} for a parameter of type {}", joining.name.strategy->text(),
                               describe(value.kind()), to_string(joining.name.type)),
                   value.origin());
  }
  if (joining.name.type == ParameterType::boolean) {
    throw error_of(documents, joining,
                   fmt::format("invalid merge strategy '{}' for a boolean", joining.name.strategy->text()),
                   value.origin());
  }
  return value;
}

// Recursion: bounded by Limits::depth.
std::optional<Value> without_idle(Arena& arena, const Value& old, const Value& incoming, bool deep) {
  if (!incoming.is_mapping() || !python::truth(old)) return std::nullopt;
  if (!old.is_mapping()) return is_idle(incoming) ? std::optional(Value()) : std::nullopt;
  if (!deep) return std::nullopt;
  std::optional<MappingBuilder> rest;
  const auto entries = incoming.entries();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& [key, value] = entries[i];
    const Value* known = old.find(key);
    const auto kept = known == nullptr ? std::nullopt : without_idle(arena, *known, value, true);
    if (kept && !rest) {
      rest.emplace(arena, KeyEquality::exact, entries.size());
      for (const Entry& before : entries.first(i)) rest->insert(before.key, before.value);
    }
    if (rest && (!kept || *kept)) rest->insert(key, kept.value_or(value));
  }
  if (!rest) return std::nullopt;
  return rest->finish().with_origin(incoming.origin()).with_secret(incoming.is_secret());
}

Error mismatch_error(const Documents& documents, const Joining& joining, const Value& incoming,
                     const merge::KindMismatch& mismatch) {
  std::string path = key_text(joining.name.key);
  if (mismatch.incoming() && !find_path(incoming, mismatch.incoming(), path)) path = key_text(joining.name.key);
  const std::string_view strategy = to_string(joining.name.strategy->kind);
  if (mismatch.old_kind() == Kind::absent) {
    return error_of(
        documents, joining,
        fmt::format("cannot {} {}: there is nothing at {}", strategy, describe(mismatch.incoming_kind()), path),
        mismatch.incoming());
  }
  Error error = error_of(documents, joining,
                         fmt::format("cannot {} {} onto {} at {}", strategy, describe(mismatch.incoming_kind()),
                                     describe(mismatch.old_kind()), path),
                         mismatch.incoming());
  return std::move(error).note(documents.session().sources(), mismatch.old(),
                               fmt::format("the existing value is {}", describe(mismatch.old_kind())));
}

}  // namespace strata::heat
