#include "text_keys.hpp"

#include "strata/text.hpp"

namespace strata::text {
namespace {

Value text_key(Arena& arena, const Value& key) {
  const auto* symbol = key.kind() == Kind::object ? dynamic_cast<const Symbol*>(&key.as_object()) : nullptr;
  return symbol != nullptr ? arena.key(symbol->name()).with_origin(key.origin()) : key;
}

}  // namespace

// Recursion: bounded by Limits::depth, which the reader keeps.
Value with_text_keys(Arena& arena, const Value& value) {
  if (value.is_sequence()) {
    const Value sequence = arena.sequence(value.size());
    for (const Value& item : value.items()) arena.append(sequence, with_text_keys(arena, item));
    return sequence.with_origin(value.origin());
  }
  if (!value.is_mapping()) return value;
  const Value mapping = arena.mapping(Arena::equality(value), value.size());
  for (const Entry& entry : value.entries()) arena.insert(mapping, text_key(arena, entry.key), with_text_keys(arena, entry.value));
  return mapping.with_origin(value.origin());
}

}  // namespace strata::text
