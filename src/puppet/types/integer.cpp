// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <limits>

#include "puppet/types/integer.hpp"

namespace strata::puppet {
namespace {

bool negative(std::string_view digits) noexcept { return !digits.empty() && digits.front() == '-'; }

std::strong_ordering compare_digits(std::string_view left, std::string_view right) noexcept {
  if (left.size() != right.size()) return left.size() <=> right.size();
  return left.compare(right) <=> 0;
}

}  // namespace

Integer::Integer(const Value& value) {
  if (value.kind() == Kind::integer) {
    small_ = value.as_integer();
  } else {
    *this = from_digits(value.text());
  }
}

Integer Integer::from_digits(std::string_view digits) {
  Integer out(0);
  const bool minus = negative(digits);
  if (minus || digits.starts_with('+')) digits.remove_prefix(1);
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  const std::string exact = (minus ? "-" : "") + std::string(digits);
  if (std::from_chars(exact.data(), exact.data() + exact.size(), out.small_).ec != std::errc{}) {
    out.small_ = 0;
    out.big_ = exact;
  }
  return out;
}

std::string Integer::to_string() const { return big_.empty() ? std::to_string(small_) : big_; }

Integer Integer::successor() const {
  if (big_.empty() && small_ != std::numeric_limits<std::int64_t>::max()) return small_ + 1;
  std::string digits = to_string();
  const bool minus = negative(digits);
  for (std::size_t i = digits.size(); i-- > (minus ? 1U : 0U);) {
    const char wraps = minus ? '0' : '9';
    if (digits[i] != wraps) {
      digits[i] = static_cast<char>(digits[i] + (minus ? -1 : 1));
      return from_digits(digits);
    }
    digits[i] = minus ? '9' : '0';
  }
  return from_digits("1" + digits);
}

std::strong_ordering operator<=>(const Integer& left, const Integer& right) noexcept {
  if (left.big_.empty() && right.big_.empty()) return left.small_ <=> right.small_;
  // What is big lies outside of what is small.
  if (left.big_.empty()) return negative(right.big_) ? std::strong_ordering::greater : std::strong_ordering::less;
  if (right.big_.empty()) return negative(left.big_) ? std::strong_ordering::less : std::strong_ordering::greater;
  if (negative(left.big_) != negative(right.big_))
    return negative(left.big_) ? std::strong_ordering::less : std::strong_ordering::greater;
  return negative(left.big_) ? compare_digits(right.big_, left.big_) : compare_digits(left.big_, right.big_);
}

bool IntegerRange::contains(const Integer& number) const noexcept {
  return (!from || *from <= number) && (!to || number <= *to);
}

bool IntegerRange::contains(const IntegerRange& other) const noexcept {
  return (!from || (other.from && *from <= *other.from)) && (!to || (other.to && *other.to <= *to));
}

}  // namespace strata::puppet
