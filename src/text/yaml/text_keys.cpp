// SPDX-License-Identifier: Apache-2.0
#include "text/yaml/text_keys.hpp"

#include <unordered_map>

#include "strata/builder.hpp"
#include "strata/path.hpp"
#include "strata/text.hpp"
#include "text/json/python_number.hpp"

namespace strata::text {
namespace {

class KeyRenamer {
 public:
  KeyRenamer(Arena& arena, TextKeys keys) : arena_(arena), keys_(keys) {}

  // Recursion: bounded by Limits::depth, which the reader keeps.
  Value rename(const Value& value) {
    if (value.size() == 0 || (!value.is_sequence() && !value.is_mapping())) return value;
    const void* const node =
        value.is_sequence() ? static_cast<const void*>(value.items().data()) : value.entries().data();
    auto found = renamed_.find(node);
    if (found == renamed_.end())
      found = renamed_.emplace(node, value.is_sequence() ? sequence(value) : mapping(value)).first;
    return found->second.with_origin(value.origin());
  }

 private:
  Value sequence(const Value& value) {
    SequenceBuilder result(arena_, value.size());
    for (const Value& item : value.items()) result.append(rename(item));
    return result.finish();
  }

  Value mapping(const Value& value) {
    MappingBuilder result(arena_, Arena::equality(value), value.size());
    for (const Entry& entry : value.entries()) result.insert(key(entry.key), rename(entry.value));
    return result.finish();
  }

  Value key(const Value& key) {
    if (key.is_text() || key.is_container()) return key;
    if (keys_ == TextKeys::json) {
      return arena_.key(key.kind() == Kind::floating ? python_json_number(key.as_floating()) : key_text(key))
          .with_origin(key.origin());
    }
    const auto* symbol = key.kind() == Kind::object ? dynamic_cast<const Symbol*>(&key.as_object()) : nullptr;
    return symbol != nullptr ? arena_.key(symbol->name()).with_origin(key.origin()) : key;
  }

  Arena& arena_;
  TextKeys keys_;
  std::unordered_map<const void*, Value> renamed_;  ///< By the members of the container.
};

}  // namespace

Value with_text_keys(Arena& arena, const Value& value, TextKeys keys) { return KeyRenamer(arena, keys).rename(value); }

}  // namespace strata::text
