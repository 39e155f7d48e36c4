// SPDX-License-Identifier: Apache-2.0
// A strata_value is the address of a Value in the memory of its result.
#include "guarded.hpp"
#include "strata/value.hpp"

namespace {

using strata::Kind;
using strata::Value;
using strata::c::text_of;
using strata::c::view;

const Value& of(const strata_value* value) noexcept { return *reinterpret_cast<const Value*>(value); }
const strata_value* handle(const Value& value) noexcept { return reinterpret_cast<const strata_value*>(&value); }
bool is(const strata_value* value, Kind kind) noexcept { return value != nullptr && of(value).kind() == kind; }
bool has_keys(const strata_value* value) noexcept { return is(value, Kind::mapping) || is(value, Kind::set); }

}  // namespace

int32_t strata_value_kind(const strata_value* value) {
  if (value == nullptr) return STRATA_ABSENT;
  switch (of(value).kind()) {
    case Kind::absent:
      return STRATA_ABSENT;
    case Kind::null:
      return STRATA_NULL;
    case Kind::boolean:
      return STRATA_BOOLEAN;
    case Kind::integer:
      return STRATA_INTEGER;
    case Kind::floating:
      return STRATA_DOUBLE;
    case Kind::binary:
      return STRATA_BINARY;
    case Kind::big_integer:
      return STRATA_BIG_INTEGER;
    case Kind::sequence:
      return STRATA_SEQUENCE;
    case Kind::mapping:
      return STRATA_MAPPING;
    case Kind::date:
      return STRATA_DATE;
    case Kind::timestamp:
      return STRATA_TIMESTAMP;
    case Kind::set:
      return STRATA_SET;
    case Kind::text:
    case Kind::object:  // Results have texts in their place.
      return STRATA_TEXT;
  }
  return STRATA_ABSENT;
}

int32_t strata_value_boolean(const strata_value* value) {
  return is(value, Kind::boolean) && of(value).as_boolean() ? 1 : 0;
}
int64_t strata_value_integer(const strata_value* value) {
  return is(value, Kind::integer) ? of(value).as_integer() : 0;
}

double strata_value_double(const strata_value* value) {
  if (is(value, Kind::integer)) return static_cast<double>(of(value).as_integer());
  return is(value, Kind::floating) ? of(value).as_floating() : 0;
}

strata_text strata_value_text(const strata_value* value) {
  const bool has_text = is(value, Kind::text) || is(value, Kind::binary) || is(value, Kind::big_integer);
  return has_text ? text_of(of(value).text()) : strata_text{"", 0};
}

size_t strata_value_size(const strata_value* value) { return strata_value_text(value).size; }

size_t strata_value_count(const strata_value* value) { return value == nullptr ? 0 : of(value).size(); }

const strata_value* strata_value_item(const strata_value* value, size_t index) {
  if (index >= strata_value_count(value)) return nullptr;
  return handle(of(value).is_sequence() ? of(value).items()[index] : of(value).entries()[index].value);
}

const strata_value* strata_value_key(const strata_value* mapping, size_t index) {
  return !has_keys(mapping) || index >= of(mapping).size() ? nullptr : handle(of(mapping).entries()[index].key);
}

const strata_value* strata_value_member(const strata_value* mapping, strata_text key) {
  if (!has_keys(mapping)) return nullptr;
  const Value* found = of(mapping).find(view(key));
  return found == nullptr ? nullptr : handle(*found);
}

int32_t strata_value_is_secret(const strata_value* value) { return value != nullptr && of(value).is_secret() ? 1 : 0; }

int32_t strata_value_time(const strata_value* value, strata_time* time) {
  if (time == nullptr || time->size < sizeof(strata_time)) return 0;
  const bool has_time = is(value, Kind::timestamp);
  if (!has_time && !is(value, Kind::date)) return 0;
  const strata::Timestamp out = has_time ? of(value).as_timestamp() : strata::Timestamp{.date = of(value).as_date()};
  time->year = out.date.year;
  time->month = out.date.month;
  time->day = out.date.day;
  time->hour = out.hour;
  time->minute = out.minute;
  time->second = out.second;
  time->microsecond = out.microsecond;
  time->has_zone = out.has_zone ? 1 : 0;
  time->zone_seconds = out.zone_seconds;
  return 1;
}
