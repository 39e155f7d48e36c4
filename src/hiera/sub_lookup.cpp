// SPDX-License-Identifier: Apache-2.0
#include "sub_lookup.hpp"

#include <fmt/format.h>

#include "strata/hiera.hpp"

namespace strata::hiera {
namespace {

/// What Ruby calls the class of a value.
std::string_view class_name(const Value& value) {
  switch (value.kind()) {
    case Kind::boolean:
      return value.as_boolean() ? "TrueClass" : "FalseClass";
    case Kind::integer:
    case Kind::big_integer:
      return "Integer";
    case Kind::floating:
      return "Float";
    case Kind::sequence:
      return "Array";
    case Kind::text:
    case Kind::binary:
      return "String";
    default:
      return "Object";
  }
}

}  // namespace

std::size_t find_step(const Value& value, const Segment& segment, std::string_view key) {
  if (value.is_null()) return Arena::npos;
  const auto* index = std::get_if<std::int64_t>(&segment);
  if (index != nullptr && value.is_sequence()) {
    return *index >= 0 && static_cast<std::size_t>(*index) < value.size() ? static_cast<std::size_t>(*index)
                                                                          : Arena::npos;
  }
  if (!value.is_mapping()) {
    throw LookupError(
        Error("hiera.dig",
              fmt::format(
                  "Data Provider type mismatch: Got {} when a hash-like object was expected to access value using "
                  "'{}' from key '{}'",
                  class_name(value), to_string(segment), key)))
        .tells(std::string(key));
  }
  if (index != nullptr) {
    Arena scratch;
    return Arena::index_of(value, scratch.key(Value::integer(*index)));
  }
  const Entry* entry = value.find_entry(std::get<std::string>(segment));
  return entry == nullptr ? Arena::npos : static_cast<std::size_t>(entry - value.entries().data());
}

Value step_into(const Value& value, const Segment& segment, std::string_view key) {
  const std::size_t position = find_step(value, segment, key);
  if (position == Arena::npos) return {};
  return value.is_sequence() ? value.items()[position] : value.entries()[position].value;
}

}  // namespace strata::hiera
