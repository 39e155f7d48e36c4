// SPDX-License-Identifier: Apache-2.0
#include "deckhand/redaction.hpp"

#include "python/data.hpp"
#include "strata/builder.hpp"
#include "tree/sha256.hpp"

namespace strata::deckhand {
namespace {

/// A copy of a mapping with another value for a key that it has.
Value with_member(const Value& mapping, std::string_view key, const Value& value, Arena& arena) {
  MappingBuilder copy = MappingBuilder::copy_of(arena, mapping);
  copy.insert(key, value);
  return copy.finish();
}

/// A source or destination with its path hashed.
Value with_hashed_path(const Value& end, int times, Arena& arena) {
  const Value* path = end.is_mapping() ? end.find("path") : nullptr;
  if (path == nullptr || !path->is_text()) return end;
  std::string text(path->text());
  for (int i = 0; i < times; ++i) text = hash_of(text);
  return with_member(end, "path", arena.text(text).with_origin(path->origin()), arena);
}

Value redacted_entry(const Value& entry, int times, Arena& arena) {
  if (!entry.is_mapping()) return entry;
  Value result = entry;
  if (const Value* source = entry.find("src"))
    result = with_member(result, "src", with_hashed_path(*source, times, arena), arena);
  const Value* destination = entry.find("dest");
  if (destination == nullptr) return result;
  if (!destination->is_sequence())
    return with_member(result, "dest", with_hashed_path(*destination, times, arena), arena);
  SequenceBuilder list(arena, destination->size());
  for (const Value& one : destination->items()) list.append(with_hashed_path(one, times, arena));
  return with_member(result, "dest", list.finish().with_origin(destination->origin()), arena);
}

}  // namespace

std::string hash_of(const Value& value) { return sha256_text(python::json(value)); }

std::string hash_of(std::string_view text) {
  Arena arena;
  return hash_of(arena.text(text));
}

int path_hashes(bool document_is_encrypted, bool source_is_encrypted) noexcept {
  return source_is_encrypted ? 2 : document_is_encrypted ? 1 : 0;
}

Value redacted_data(const Value& data, Arena& arena) {
  // Short secrets can be guessed from their hash: reports do not show it.
  return arena.text(hash_of(data)).with_origin(data.origin()).with_secret();
}

Value redacted_metadata(const Value& metadata, const std::function<bool(std::size_t)>& source_is_encrypted,
                        Arena& arena) {
  if (!metadata.is_mapping()) return metadata;
  const Value* policy = metadata.find("storagePolicy");
  Value result =
      with_member(metadata, "storagePolicy",
                  arena.text("encrypted").with_origin((policy != nullptr ? *policy : metadata).origin()), arena);
  const Value* entries = metadata.find("substitutions");
  if (entries == nullptr || !entries->is_sequence()) return result;
  SequenceBuilder list(arena, entries->size());
  for (std::size_t i = 0; i < entries->size(); ++i)
    list.append(redacted_entry(entries->items()[i], path_hashes(true, source_is_encrypted(i)), arena));
  return with_member(result, "substitutions", list.finish().with_origin(entries->origin()), arena);
}

}  // namespace strata::deckhand
