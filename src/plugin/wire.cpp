// SPDX-License-Identifier: Apache-2.0
#include "wire.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/path.hpp"
#include "strata/text.hpp"

namespace strata::plugin {
namespace {

enum class Tag : std::uint8_t {
  absent,
  null,
  no,
  yes,
  integer,
  floating,
  text,
  binary,
  big_integer,
  sequence,
  mapping
};
constexpr auto kLastTag = static_cast<std::uint8_t>(Tag::mapping);

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

template <class Number>
void append_number(std::string& out, Number number) {
  char bytes[sizeof(Number)];
  std::memcpy(bytes, &number, sizeof(Number));
  out.append(bytes, sizeof(Number));
}

void append_characters(std::string& out, Tag tag, std::string_view characters) {
  out += static_cast<char>(tag);
  append_number(out, static_cast<std::uint32_t>(characters.size()));
  out += characters;
}

// Recursion: as deep as the value, which its maker bounds.
void append(std::string& out, const Value& value) {
  if (out.size() > kLongest)
    throw Error("limit.input", fmt::format("a message to a plugin has more than {} bytes", kLongest));
  switch (value.kind()) {
    case Kind::absent:
      out += static_cast<char>(Tag::absent);
      return;
    case Kind::null:
      out += static_cast<char>(Tag::null);
      return;
    case Kind::boolean:
      out += static_cast<char>(value.as_boolean() ? Tag::yes : Tag::no);
      return;
    case Kind::integer:
      out += static_cast<char>(Tag::integer);
      append_number(out, value.as_integer());
      return;
    case Kind::floating:
      out += static_cast<char>(Tag::floating);
      append_number(out, value.as_floating());
      return;
    case Kind::text:
      append_characters(out, Tag::text, value.text());
      return;
    case Kind::binary:
      append_characters(out, Tag::binary, value.text());
      return;
    case Kind::big_integer:
      append_characters(out, Tag::big_integer, value.text());
      return;
    case Kind::sequence:
      out += static_cast<char>(Tag::sequence);
      append_number(out, static_cast<std::uint32_t>(value.size()));
      for (const Value& item : value.items()) append(out, item);
      return;
    case Kind::mapping:
    case Kind::set:
      out += static_cast<char>(Tag::mapping);
      append_number(out, static_cast<std::uint32_t>(value.size()));
      for (const Entry& entry : value.entries()) {
        append(out, entry.key);
        append(out, entry.value);
      }
      return;
    case Kind::object:
      append_characters(out, Tag::text, value.as_object().to_string());
      return;
    default:
      append_characters(out, Tag::text, key_text(value));
  }
}

class Decoder {
 public:
  Decoder(std::string_view bytes, Arena& arena, const Limits& limits, bool marks_secret)
      : rest_(bytes), arena_(arena), limits_(limits), marks_secret_(marks_secret) {}

  std::vector<Value> all() {
    std::vector<Value> parts;
    while (!rest_.empty()) parts.push_back(read(0));
    return parts;
  }

 private:
  [[noreturn]] static void fail(const char* why) { throw Error("plugin.protocol", why); }

  std::string_view take(std::size_t size) {
    if (size > rest_.size()) fail("a message ends too early");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  template <class Number>
  Number number() {
    Number out;
    std::memcpy(&out, take(sizeof(Number)).data(), sizeof(Number));
    return out;
  }
  std::string_view characters() { return take(number<std::uint32_t>()); }

  // Recursion: bounded by Limits::depth.
  Value read(std::size_t depth) {
    if (depth > limits_.depth)
      throw Error("limit.depth", fmt::format("a value of a plugin is nested deeper than {} levels", limits_.depth));
    if (++nodes_ > limits_.result)
      throw Error("limit.result", fmt::format("a message of a plugin has more than {} values", limits_.result));
    const auto tag = static_cast<std::uint8_t>(take(1).front());
    if (tag > kLastTag) fail("a message has a tag that is not known");
    if (static_cast<Tag>(tag) == Tag::absent && depth > 0) fail("a container holds an absent value");
    const Value value = body(static_cast<Tag>(tag), depth);
    return marks_secret_ && value ? value.with_secret() : value;
  }

  Value body(Tag tag, std::size_t depth) {
    switch (tag) {
      case Tag::absent:
        return {};
      case Tag::null:
        return Value::null();
      case Tag::no:
      case Tag::yes:
        return Value::boolean(tag == Tag::yes);
      case Tag::integer:
        return Value::integer(number<std::int64_t>());
      case Tag::floating:
        return Value::floating(number<double>());
      case Tag::text: {
        const std::string_view text = characters();
        if (text::find_invalid_utf8(text) != std::string_view::npos) fail("a text is not UTF-8");
        return arena_.text(text);
      }
      case Tag::binary:
        return arena_.binary(characters());
      case Tag::big_integer:
        return big_integer(characters());
      case Tag::sequence:
        return sequence(depth);
      case Tag::mapping:
        return mapping(depth);
    }
    return {};
  }

  Value big_integer(std::string_view digits) {
    std::string_view figures = digits;
    if (figures.starts_with('-')) figures.remove_prefix(1);
    const bool is_number =
        !figures.empty() && std::ranges::all_of(figures, [](char c) { return c >= '0' && c <= '9'; });
    if (!is_number) fail("a big integer has characters other than digits");
    return arena_.integer(digits);
  }

  /// Each member has a byte at least, so that the count cannot ask for more memory than the message has.
  std::uint32_t count() {
    const auto size = number<std::uint32_t>();
    if (size > rest_.size()) fail("a message ends too early");
    return size;
  }

  Value sequence(std::size_t depth) {
    std::vector<Value> items;
    const std::uint32_t size = count();
    items.reserve(size);
    for (std::uint32_t i = 0; i < size; ++i) items.push_back(read(depth + 1));
    return arena_.sequence(std::span<const Value>(items));
  }

  Value mapping(std::size_t depth) {
    const std::uint32_t size = count();
    MappingBuilder out(arena_);
    for (std::uint32_t i = 0; i < size; ++i) {
      const Value key = read(depth + 1);
      if (key.is_container()) fail("a key is a container");
      out.insert(arena_.key(key), read(depth + 1));
    }
    return out.finish();
  }

  std::string_view rest_;
  Arena& arena_;
  const Limits& limits_;
  bool marks_secret_;
  std::size_t nodes_ = 0;
};

}  // namespace

std::string encode(std::span<const Value> parts) {
  std::string out(kHead, '\0');
  for (const Value& part : parts) append(out, part);
  const std::size_t size = out.size() - kHead;
  if (size > kLongest)
    throw Error("limit.input", fmt::format("a message to a plugin has more than {} bytes", kLongest));
  const auto told = static_cast<std::uint32_t>(size);
  std::memcpy(out.data(), &told, kHead);
  return out;
}

std::size_t size_of(std::string_view head) {
  std::uint32_t size = 0;
  std::memcpy(&size, head.data(), kHead);
  if (size > kLongest) throw Error("plugin.protocol", fmt::format("a message of {} bytes is announced", size));
  return size;
}

std::vector<Value> decode(std::string_view bytes, Arena& arena, const Limits& limits, bool marks_secret) {
  return Decoder(bytes, arena, limits, marks_secret).all();
}

// Recursion: as deep as the value, which its maker bounds.
bool has_secret(const Value& value) noexcept {
  if (value.is_secret()) return true;
  if (value.is_sequence()) return std::ranges::any_of(value.items(), has_secret);
  if (!value.is_container()) return false;
  return std::ranges::any_of(value.entries(),
                             [](const Entry& entry) { return has_secret(entry.key) || has_secret(entry.value); });
}

}  // namespace strata::plugin
