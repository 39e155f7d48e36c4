// SPDX-License-Identifier: Apache-2.0
#include "puppet/convert/arguments.hpp"
#include "puppet/types/make.hpp"
#include "strata/builder.hpp"

namespace strata::puppet {
namespace {

Value characters(const Conversion& call, std::string_view text) {
  need_room(call, text.size());
  SequenceBuilder out(call.arena);
  for (std::size_t at = 0; at < text.size();) {
    std::size_t size = 1;
    while (at + size < text.size() && (static_cast<unsigned char>(text[at + size]) & 0xC0U) == 0x80U) ++size;
    out.append(call.arena.text(text.substr(at, size)));
    at += size;
  }
  return out.finish();
}

Value pairs(const Conversion& call, const Value& hash) {
  need_room(call, hash.size() * 3);
  SequenceBuilder out(call.arena, hash.size());
  for (const Entry& entry : hash.entries()) {
    const Value pair[] = {entry.key, entry.value};
    out.append(call.arena.sequence(pair));
  }
  return out.finish();
}

/// The numbers of a range, both ends included.
Value integers_between(const Conversion& call, const Integer& from, const Integer& to) {
  const std::optional<std::int64_t> first = from.small();
  const std::optional<std::int64_t> last = to.small();
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;
  if (!first || !last || *first < -kFar || *last > kFar) need_room(call, static_cast<std::size_t>(-1));
  if (*last >= *first) need_room(call, static_cast<std::size_t>(*last - *first));
  SequenceBuilder out(call.arena);
  for (std::int64_t number = *first; number <= *last; ++number) out.append(Value::integer(number));
  return out.finish();
}

Value type_members(const Conversion& call, const Type& type) {
  const auto* integer = type.get_if<IntegerType>();
  if (integer != nullptr && integer->range.from && integer->range.to)
    return integers_between(call, *integer->range.from, *integer->range.to);
  const auto* enumeration = type.get_if<EnumType>();
  if (enumeration == nullptr) return {};
  SequenceBuilder out(call.arena);
  for (const std::string& text : enumeration->texts) out.append(call.arena.text(text));
  return out.finish();
}

/// What going through a value gives, as a sequence; absent where it cannot be gone through.
Value listed(const Conversion& call, const Value& from) {
  if (from.is_sequence()) return from;
  if (is_hash(from)) return pairs(call, from);
  if (from.is_text()) return characters(call, from.text());
  if (const TypeObject* type = as_type(from)) return type_members(call, *type->type());
  if (!is_whole(from) || Integer(from) < Integer(0)) return {};
  if (from.kind() == Kind::big_integer) need_room(call, static_cast<std::size_t>(-1));
  return integers_between(call, Integer(0), Integer(from.as_integer() - 1));
}

Value hash_of_pairs(const Conversion& call, const Value& list) {
  need_room(call, list.size() * 2);
  MappingBuilder out(call.arena, KeyEquality::exact, list.size());
  for (const Value& pair : list.items()) out.insert(call.arena.key(pair.items()[0]), pair.items()[1]);
  return out.finish();
}

/// Of keys and values in turn.
Value hash_of_flat(const Conversion& call, const Value& list) {
  const std::span<const Value> items = list.items();
  if (items.size() % 2 != 0) throw Error("puppet.convert", "odd number of arguments for Hash");
  MappingBuilder out(call.arena, KeyEquality::exact, items.size() / 2);
  for (std::size_t i = 0; i < items.size(); i += 2) out.insert(call.arena.key(items[i]), items[i + 1]);
  return out.finish();
}

/// Whether all items are pairs, of which the first is a sequence where `paths` is set.
bool are_key_pairs(const Value& list, bool paths) {
  for (const Value& item : list.items()) {
    if (!item.is_sequence() || item.size() != 2 || (paths && !item.items()[0].is_sequence())) return false;
  }
  return list.size() != 0;
}

}  // namespace

Value new_array(const Conversion& call) {
  constexpr std::string_view kExpected = "a value and whether to wrap it";
  need_arguments(call, 1, 2, kExpected);
  const Value& from = call.arguments[0];
  if (call.arguments.size() > 1 && call.arguments[1].kind() != Kind::boolean) throw wrong_arguments(call, kExpected);
  if (call.arguments.size() > 1 && call.arguments[1].as_boolean())
    return from.is_sequence() ? from : call.arena.sequence(call.arguments.first(1));
  const Value list = listed(call, from);
  if (!list) throw cannot_convert(from, "Array");
  return list;
}

Value new_hash(const Conversion& call) {
  constexpr std::string_view kExpected = "a value, for paths with 'tree' or 'hash_tree'";
  need_arguments(call, 1, 2, kExpected);
  const Value& from = call.arguments[0];
  if (call.arguments.size() > 1) {
    const Value& option = call.arguments[1];
    const bool tree = option.is_text() && (option.text() == "tree" || option.text() == "hash_tree");
    if (!tree || !from.is_sequence() || !are_key_pairs(from, true)) throw wrong_arguments(call, kExpected);
    return hash_of_paths(call, option.text() == "hash_tree");
  }
  if (is_hash(from)) return from;
  if (from.is_sequence() && are_key_pairs(from, false)) return hash_of_pairs(call, from);
  const Value list = listed(call, from);
  if (!list) throw cannot_convert(from, "Hash");
  return hash_of_flat(call, list);
}

}  // namespace strata::puppet
