// SPDX-License-Identifier: Apache-2.0
#include "puppet/convert/arguments.hpp"
#include "puppet/types/make.hpp"
#include "puppet/types/names.hpp"

namespace strata::puppet {
namespace {

std::string name_of(const Type& type) {
  return std::string(type.kind() == TypeKind::alias ? type.as<AliasType>().name : kind_name(type.kind()));
}

[[noreturn]] void no_new(const Type& type) {
  throw Error("puppet.unsupported", "no value can be converted to the type " + to_string(type))
      .hint("convert to the type that the value should have, for instance Integer");
}

Value new_sensitive(const Conversion& call) {
  need_arguments(call, 1, 1, "one value");
  const Value& value = call.arguments[0];
  return as_sensitive(value) != nullptr ? value : make_sensitive(call.arena, value).with_origin(value.origin());
}

Value new_type(const Conversion& call) {
  need_arguments(call, 1, 1, "the text of a type");
  const Value& text = call.arguments[0];
  if (!text.is_text() || text.text().empty()) throw wrong_arguments(call, "the text of a type");
  return make_type_value(call.arena, parse_type(text.text(), call.limits));
}

Value new_of(const Conversion& call);

Value new_held(const Conversion& call) {
  const Type* inner = held(call.type).get();
  if (inner != nullptr) return new_of({*inner, call.arguments, call.arena, call.limits});
  if (call.type.kind() == TypeKind::optional) no_new(call.type);
  need_arguments(call, 1, 1, "one value");
  return call.arguments[0];
}

// Recursion: a type nests as deep as its text may.
Value new_of(const Conversion& call) {
  switch (call.type.kind()) {
    case TypeKind::integer:
      return new_integer(call);
    case TypeKind::floating:
      return new_float(call);
    case TypeKind::numeric:
      return new_numeric(call);
    case TypeKind::boolean:
      return new_boolean(call);
    case TypeKind::string:
      return new_string(call);
    case TypeKind::array:
    case TypeKind::tuple:
      return new_array(call);
    case TypeKind::hash:
    case TypeKind::structure:
      return new_hash(call);
    case TypeKind::optional:
    case TypeKind::not_undef:
      return new_held(call);
    case TypeKind::sensitive:
      return new_sensitive(call);
    case TypeKind::type:
      return new_type(call);
    case TypeKind::timestamp:
    case TypeKind::timespan:
    case TypeKind::sem_ver:
    case TypeKind::sem_ver_range:
    case TypeKind::regexp:
    case TypeKind::binary:
    case TypeKind::uri:
      throw Error("puppet.unsupported", "the conversion to " + name_of(call.type) + " is not supported")
          .hint("leave the value as it is");
    default:
      no_new(call.type);
  }
}

}  // namespace

Value convert(const Type& type, std::span<const Value> arguments, Arena& arena, const Limits& limits) {
  if (arguments.size() == 1 && is_instance(type, arguments[0])) return arguments[0];
  const Conversion call{type, arguments, arena, limits};
  if (arguments.empty()) throw wrong_arguments(call, "a value");
  Value result = new_of(call);
  const Value& from = arguments[0];
  // A Sensitive hides itself wherever it is put.
  if (from.is_secret() && as_sensitive(from) == nullptr) result = result.with_secret();
  if (!is_instance(type, result))
    throw Error("puppet.convert", mismatch(type, result, "Converted value from " + to_string(type) + ".new()"));
  return result.origin() == Origin{} ? result.with_origin(from.origin()) : result;
}

}  // namespace strata::puppet
