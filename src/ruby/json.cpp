// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "ruby/ruby.hpp"
#include "strata/error.hpp"
#include "strata/scalar_text.hpp"
#include "strata/text.hpp"
#include "text/writer_frame.hpp"
#include "value/growth_charge.hpp"

namespace strata::ruby {
namespace {

using Frame = text::WriterFrame;

/// A finite float as json 3 writes it: the shortest digits, written out below 1e15 and down to 1e-9, with an exponent
/// of the fewest digits otherwise: `100000.0`, `0.00001`, `1e+15`, `1.5e-10`.
std::string json3_float(double number) {
  constexpr int kFirstExponent = 15;  // Integers from here up have an exponent.
  constexpr int kLastExponent = -10;  // And so have fractions from here down, if all their zeros are leading ones.
  std::array<char, 32> buffer{};
  const char* const end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::fabs(number), std::chars_format::scientific).ptr;
  const std::string_view written(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t e = written.find('e');
  int exponent = 0;
  std::from_chars(written.data() + e + (written[e + 1] == '+' ? 2 : 1), written.data() + written.size(), exponent);
  std::string digits(written.substr(0, 1));
  if (e > 2) digits += written.substr(2, e - 2);
  const int count = static_cast<int>(digits.size());
  const std::string sign = std::signbit(number) ? "-" : "";
  // The power of ten of the last digit.
  const int last = exponent - count + 1;
  if (last >= 0 && exponent < kFirstExponent)
    return sign + digits + std::string(static_cast<std::size_t>(last), '0') + ".0";
  if (last < 0 && (last > -7 || std::abs(exponent) < -kLastExponent)) {
    if (exponent < 0) return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    digits.insert(static_cast<std::size_t>(exponent) + 1, ".");
    return sign + digits;
  }
  if (count > 1) digits.insert(1, ".");
  return fmt::format("{}{}e{}{}", sign, digits, exponent < 0 ? '-' : '+', std::abs(exponent));
}

class Writer {
 public:
  explicit Writer(Release release) : release_(release) {}

  // Recursion: bounded by Limits::depth, which every maker of values keeps.
  void write(const Value& value, const Frame* frame) {
    if (value.is_sequence()) {
      write_sequence(value, frame);
    } else if (value.is_container()) {
      write_mapping(value, frame);
    } else {
      write_scalar(value, frame);
    }
  }

  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void write_sequence(const Value& sequence, const Frame* frame) {
    out_ += '[';
    Frame inner{frame, nullptr, 0};
    for (const Value& item : sequence.items()) {
      if (inner.index != 0) out_ += ',';
      write(item, &inner);
      ++inner.index;
    }
    out_ += ']';
  }

  void write_mapping(const Value& mapping, const Frame* frame) {
    out_ += '{';
    Frame inner{frame, nullptr, 0};
    for (const Entry& entry : mapping.entries()) {
      if (inner.key != nullptr) out_ += ',';
      inner.key = &entry.key;
      write_key(entry.key, &inner);
      out_ += ':';
      write(entry.value, &inner);
    }
    out_ += '}';
  }

  // What does not recurse is kept out of the frames of what does, so that the deepest values need little stack.
  [[gnu::noinline]] void write_scalar(const Value& value, const Frame* frame) {
    switch (value.kind()) {
      case Kind::absent:
      case Kind::null:
        out_ += "null";
        return;
      case Kind::floating:
        if (!std::isfinite(value.as_floating())) fail_not_finite(value.as_floating(), frame);
        out_ += release_ == Release::ruby3 ? float_text(value.as_floating()) : json3_float(value.as_floating());
        return;
      case Kind::boolean:
      case Kind::integer:
      case Kind::big_integer:
        out_ += scalar_text(value);
        return;
      case Kind::text:
        return write_text(value.text());
      case Kind::binary:
        return write_bytes(value.text(), frame);
      default:
        return write_text(scalar_text(value));
    }
  }

  [[gnu::noinline]] void write_key(const Value& key, const Frame* frame) {
    if (key.is_text()) return write_text(key.text());
    write_bytes(interpolated(key, release_), frame);
  }

  void write_text(std::string_view text) {
    std::string literal;  // Not `out_` itself: each call may fill what that has reserved.
    text::append_json_text(literal, text);
    out_ += literal;
    growth_.look(out_.size());
  }

  void write_bytes(std::string_view bytes, const Frame* frame) {
    if (text::find_invalid_utf8(bytes) != std::string_view::npos) {
      throw Error("json.not-utf8", fmt::format("bytes {} that are not UTF-8 have no JSON form", place_of(frame)))
          .hint("use --render-as yaml");
    }
    write_text(bytes);
  }

  [[noreturn]] static void fail_not_finite(double number, const Frame* frame) {
    throw Error("json.not-finite", fmt::format("{} {} has no JSON form", float_text(number), place_of(frame)))
        .hint("use --render-as yaml");
  }

  Release release_;
  std::string out_;
  detail::GrowthCharge growth_;
};

}  // namespace

std::string json(const Value& value, Release release) {
  Writer writer(release);
  writer.write(value, nullptr);
  std::string out = writer.take();
  out += '\n';
  return out;
}

}  // namespace strata::ruby
