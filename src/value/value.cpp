// SPDX-License-Identifier: Apache-2.0
#include "strata/value.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <functional>

#include "nodes.hpp"
#include "same_text.hpp"
#include "seeded_hash.hpp"
#include "value_hash.hpp"

namespace strata {

std::string_view describe(Kind kind) noexcept {
  switch (kind) {
    case Kind::absent:
      return "nothing";
    case Kind::null:
      return "null";
    case Kind::boolean:
      return "a boolean";
    case Kind::integer:
    case Kind::big_integer:
      return "an integer";
    case Kind::floating:
      return "a float";
    case Kind::text:
      return "text";
    case Kind::binary:
      return "binary data";
    case Kind::date:
      return "a date";
    case Kind::timestamp:
      return "a timestamp";
    case Kind::sequence:
      return "a sequence";
    case Kind::mapping:
      return "a mapping";
    case Kind::set:
      return "a set";
    case Kind::object:
      return "an object";
  }
  return "nothing";
}

Value Value::boolean(bool value) noexcept {
  Value result(Kind::boolean);
  result.payload_.integer = value ? 1 : 0;
  return result;
}

Value Value::integer(std::int64_t value) noexcept {
  Value result(Kind::integer);
  result.payload_.integer = value;
  return result;
}

Value Value::floating(double value) noexcept {
  Value result(Kind::floating);
  result.payload_.floating = value;
  return result;
}

bool Value::as_boolean() const noexcept {
  assert(kind_ == Kind::boolean);
  return payload_.integer != 0;
}

std::int64_t Value::as_integer() const noexcept {
  assert(kind_ == Kind::integer);
  return payload_.integer;
}

double Value::as_floating() const noexcept {
  assert(kind_ == Kind::floating);
  return payload_.floating;
}

Date Value::as_date() const noexcept {
  assert(kind_ == Kind::date);
  return payload_.date;
}

const Timestamp& Value::as_timestamp() const noexcept {
  assert(kind_ == Kind::timestamp);
  return *payload_.timestamp;
}

const Object& Value::as_object() const noexcept {
  assert(kind_ == Kind::object);
  return *payload_.object;
}

const Value* Value::find(const Value& key) const noexcept {
  assert(kind_ == Kind::mapping || kind_ == Kind::set);
  const std::size_t position = payload_.mapping->find(key, detail::hash_key(key));
  return position == Arena::npos ? nullptr : &payload_.mapping->entries[position].value;
}

const Entry* Value::find_entry(std::string_view key) const noexcept {
  assert(kind_ == Kind::mapping || kind_ == Kind::set);
  const detail::Mapping& mapping = *payload_.mapping;
  const std::uint32_t hash = detail::hash_text(key);
  const std::uint16_t tag = detail::Mapping::tag(hash);
  const auto matches = [&](const Entry& entry) {
    return entry.key.is_text() && entry.key.tag_ == tag && detail::same_text(entry.key.text(), key);
  };
  if (mapping.index == nullptr) {
    for (std::uint32_t i = 0; i < mapping.size; ++i) {
      if (matches(mapping.entries[i])) return &mapping.entries[i];
    }
    return nullptr;
  }
  for (std::uint32_t slot = hash & mapping.index_mask; mapping.index[slot] != 0;
       slot = (slot + 1) & mapping.index_mask) {
    const Entry& entry = mapping.entries[mapping.index[slot] - 1];
    if (matches(entry)) return &entry;
  }
  return nullptr;
}
const Value* Value::find(std::string_view key) const noexcept {
  const Entry* entry = find_entry(key);
  return entry == nullptr ? nullptr : &entry->value;
}

std::size_t ValueHash::operator()(const Value& value) const noexcept { return detail::hash_key(value); }

namespace detail {
namespace {

std::uint32_t mix(std::uint64_t bits) noexcept { return static_cast<std::uint32_t>(seeded_hash(bits) >> 32U) | 1U; }

/// The amount of a number or boolean as a 64-bit integer, where it is one exactly.
bool whole_amount(const Value& value, std::int64_t& amount) noexcept {
  switch (value.kind()) {
    case Kind::boolean:
      amount = value.as_boolean() ? 1 : 0;
      return true;
    case Kind::integer:
      amount = value.as_integer();
      return true;
    case Kind::floating: {
      const double number = value.as_floating();
      if (!(number >= -0x1p63 && number < 0x1p63) || number != std::floor(number)) return false;
      amount = static_cast<std::int64_t>(number);
      return true;
    }
    default:
      return false;
  }
}

std::uint32_t hash_date(const Date& date) noexcept {
  return mix(static_cast<std::uint64_t>(date.year) * 400 + date.month * std::uint64_t{32} + date.day);
}

std::uint32_t hash_timestamp(const Timestamp& time) noexcept {
  const std::uint64_t second = time.hour * 3600U + time.minute * 60U + time.second;
  return mix((static_cast<std::uint64_t>(hash_date(time.date)) << 32U) + (second << 8U) + time.microsecond);
}

bool is_numeric(Kind kind) noexcept {
  return kind == Kind::boolean || kind == Kind::integer || kind == Kind::big_integer || kind == Kind::floating;
}

/// A float without a fraction, written out in full.
class Digits {
 public:
  explicit Digits(double number) noexcept
      : end_(std::to_chars(digits_.data(), digits_.data() + digits_.size(), number, std::chars_format::fixed, 0).ptr) {}
  [[nodiscard]] std::string_view text() const noexcept { return {digits_.data(), end_}; }

 private:
  std::array<char, 352> digits_;
  const char* end_;
};

/// A big integer equals a float of the same digits.
bool same_big(const Value& big, const Value& other) noexcept {
  if (other.kind() == Kind::big_integer) return big.text() == other.text();
  if (other.kind() != Kind::floating || !std::isfinite(other.as_floating())) return false;
  return std::floor(other.as_floating()) == other.as_floating() && big.text() == Digits(other.as_floating()).text();
}

}  // namespace

std::uint32_t hash_text(std::string_view text) noexcept {
  return static_cast<std::uint32_t>(seeded_hash(text) >> 8U) | 1U;
}

// Recursion: bounded by Limits::depth.
std::uint32_t hash_key(const Value& key) noexcept {
  std::int64_t amount = 0;
  if (whole_amount(key, amount)) return mix(static_cast<std::uint64_t>(amount));
  switch (key.kind()) {
    case Kind::text:
      return Mapping::kept_hash(key) != 0 ? Mapping::kept_hash(key) : hash_text(key.text());
    case Kind::binary:
      return hash_text(key.text()) ^ 0x5U;
    case Kind::floating:
      // No big integer is equal to a number with a fraction.
      if (const double number = key.as_floating(); number != std::floor(number))
        return std::isnan(number) ? 0x7U : mix(std::bit_cast<std::uint64_t>(number));
      return hash_text(Digits(key.as_floating()).text());
    case Kind::big_integer:
      return hash_text(key.text());
    case Kind::date:
      return hash_date(key.as_date());
    case Kind::timestamp:
      return hash_timestamp(key.as_timestamp());
    case Kind::sequence: {
      std::uint64_t hash = 0x100 + key.size();
      for (const Value& item : key.items()) hash = mix(hash) * std::uint64_t{31} + hash_key(item);
      return mix(hash);
    }
    case Kind::mapping:
    case Kind::set: {
      // Without order, as they compare.
      std::uint64_t hash = 0x200 + key.size();
      for (const Entry& entry : key.entries())
        hash += mix(hash_key(entry.key) * std::uint64_t{31} + hash_key(entry.value));
      return mix(hash);
    }
    case Kind::object:
      return mix(key.as_object().hash());
    default:
      return 0x3U;
  }
}

std::uint32_t index_hash(const Value& key, KeyEquality equality, std::uint32_t position) noexcept {
  const bool is_alone =
      equality == KeyEquality::python && key.kind() == Kind::floating && std::isnan(key.as_floating());
  return is_alone ? mix(position) : kept_or_new_hash(key);
}

bool same_key(const Value& left, const Value& right, KeyEquality equality) noexcept {
  if (left.is_text() && right.is_text()) return left.text() == right.text();
  if (equality == KeyEquality::python && is_numeric(left.kind()) && is_numeric(right.kind())) {
    if (left.kind() == Kind::big_integer) return same_big(left, right);
    if (right.kind() == Kind::big_integer) return same_big(right, left);
    std::int64_t a = 0;
    std::int64_t b = 0;
    const bool whole_left = whole_amount(left, a);
    const bool whole_right = whole_amount(right, b);
    if (whole_left && whole_right) return a == b;
    return !whole_left && !whole_right && left.as_floating() == right.as_floating();
  }
  return equal(left, right);
}

std::size_t Mapping::find(const Value& key, std::uint32_t hash) const noexcept {
  const std::uint16_t wanted = tag(hash);
  if (key.is_text()) {
    const std::string_view text = key.text();
    const auto is_it = [&](std::uint32_t i) {
      return tag(entries[i].key) == wanted && entries[i].key.is_text() && same_text(entries[i].key.text(), text);
    };
    if (index == nullptr) {
      for (std::uint32_t i = 0; i < size; ++i) {
        if (is_it(i)) return i;
      }
      return Arena::npos;
    }
    for (std::uint32_t slot = hash & index_mask; index[slot] != 0; slot = (slot + 1) & index_mask) {
      if (is_it(index[slot] - 1)) return index[slot] - 1;
    }
    return Arena::npos;
  }
  if (index == nullptr) {
    for (std::uint32_t i = 0; i < size; ++i) {
      if (tag(entries[i].key) == wanted && same_key(entries[i].key, key, equality)) return i;
    }
    return Arena::npos;
  }
  for (std::uint32_t slot = hash & index_mask; index[slot] != 0; slot = (slot + 1) & index_mask) {
    const std::uint32_t position = index[slot] - 1;
    if (tag(entries[position].key) == wanted && same_key(entries[position].key, key, equality)) return position;
  }
  return Arena::npos;
}

}  // namespace detail

namespace {

bool equal_floats(double left, double right) noexcept {
  return left == right || (std::isnan(left) && std::isnan(right));
}

// Recursion: bounded by Limits::depth, which every maker of values keeps.
bool compare_values(const Value& left, const Value& right, bool ordered) noexcept {
  if (left.kind() != right.kind()) return false;
  switch (left.kind()) {
    case Kind::absent:
    case Kind::null:
      return true;
    case Kind::boolean:
      return left.as_boolean() == right.as_boolean();
    case Kind::integer:
      return left.as_integer() == right.as_integer();
    case Kind::floating:
      return equal_floats(left.as_floating(), right.as_floating());
    case Kind::big_integer:
    case Kind::text:
    case Kind::binary:
      return left.text() == right.text();
    case Kind::date:
      return left.as_date() == right.as_date();
    case Kind::timestamp:
      return left.as_timestamp() == right.as_timestamp();
    case Kind::object:
      return left.as_object().equals(right.as_object());
    case Kind::sequence:
      return std::ranges::equal(left.items(), right.items(),
                                [ordered](const Value& a, const Value& b) { return compare_values(a, b, ordered); });
    case Kind::mapping:
    case Kind::set:
      break;
  }
  if (left.size() != right.size()) return false;
  if (ordered) {
    return std::ranges::equal(left.entries(), right.entries(), [](const Entry& a, const Entry& b) {
      return compare_values(a.key, b.key, true) && compare_values(a.value, b.value, true);
    });
  }
  // Under Python's equality `find` also finds keys that are merely of the same amount.
  return std::ranges::all_of(left.entries(), [&right](const Entry& entry) {
    const std::size_t position = Arena::index_of(right, entry.key);
    if (position == Arena::npos) return false;
    const Entry& other = right.entries()[position];
    return compare_values(entry.key, other.key, false) && compare_values(entry.value, other.value, false);
  });
}
}  // namespace

bool equal(const Value& left, const Value& right) noexcept { return compare_values(left, right, false); }
bool identical(const Value& left, const Value& right) noexcept { return compare_values(left, right, true); }

}  // namespace strata
