// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>

#include "strata/error.hpp"
#include "strata/leaf_observer.hpp"
#include "strata/path.hpp"
#include "strata/scalar_text.hpp"
#include "strata/text.hpp"
#include "text/keyed_entries.hpp"
#include "text/output_buffer.hpp"
#include "text/unicode/valid_utf8.hpp"
#include "text/writer_frame.hpp"

namespace strata::text {
namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
constexpr std::uint64_t kHighs = 0x8080808080808080ULL;

/// Nonzero where one of eight bytes is a control character, a quote or a backslash.
std::uint64_t escape_mask(std::uint64_t word) noexcept {
  const std::uint64_t quote = word ^ (kOnes * '"');
  const std::uint64_t backslash = word ^ (kOnes * '\\');
  return (((word - kOnes * 0x20) & ~word) | ((quote - kOnes) & ~quote) | ((backslash - kOnes) & ~backslash)) & kHighs;
}

char* put_escaped(char* to, char c) noexcept {
  static constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x20 && c != '"' && c != '\\') {
    *to++ = c;
    return to;
  }
  *to++ = '\\';
  switch (c) {
    case '"':
    case '\\':
      *to++ = c;
      return to;
    case '\n':
      *to++ = 'n';
      return to;
    case '\t':
      *to++ = 't';
      return to;
    case '\r':
      *to++ = 'r';
      return to;
    case '\b':
      *to++ = 'b';
      return to;
    case '\f':
      *to++ = 'f';
      return to;
    default:
      std::memcpy(to, "u00", 3);  // NOLINT(bugprone-not-null-terminated-result): three characters of a longer text
      to[3] = kHex[byte >> 4U];
      to[4] = kHex[byte & 15U];
      return to + 5;
  }
}

constexpr std::size_t kLongestEscape = 6;  // \u001f

/// Copies a text of one to two `Half`s in two pieces, which may overlap. False where a character must be escaped.
template <class Half>
bool put_halves(char* to, std::string_view text, std::uint64_t& seen) noexcept {
  Half first = 0;
  Half last = 0;
  const std::size_t second = text.size() - sizeof(Half);
  std::memcpy(&first, text.data(), sizeof(Half));
  std::memcpy(&last, text.data() + second, sizeof(Half));
  // Blanks, which need no escape, fill the word.
  constexpr std::uint64_t kBlanks = sizeof(Half) == 4 ? 0 : (kOnes * ' ') << 32U;
  const std::uint64_t word = first | std::uint64_t{last} << (8 * sizeof(Half)) | kBlanks;
  if (escape_mask(word) != 0) return false;
  seen |= word;
  std::memcpy(to, &first, sizeof(Half));
  std::memcpy(to + second, &last, sizeof(Half));
  return true;
}

/// Writes the characters of a literal where there is room for all of them; `seen` collects their bits.
char* put_characters(char* to, std::string_view text, std::uint64_t& seen) noexcept {
  const char* from = text.data();
  const char* const end = from + text.size();
  for (; end - from >= 8; from += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, 8);
    seen |= word;
    if (escape_mask(word) == 0) {
      std::memcpy(to, &word, 8);
      to += 8;
    } else {
      for (int i = 0; i < 8; ++i) to = put_escaped(to, from[i]);
    }
  }
  const std::string_view rest(from, static_cast<std::size_t>(end - from));
  if (rest.size() >= 4 ? put_halves<std::uint32_t>(to, rest, seen)
                       : rest.size() >= 2 && put_halves<std::uint16_t>(to, rest, seen)) {
    return to + rest.size();
  }
  for (; from != end; ++from) {
    seen |= static_cast<unsigned char>(*from);
    to = put_escaped(to, *from);
  }
  return to;
}

/// A literal with its quotes. False where some characters are not ASCII.
bool put_literal(OutputBuffer& out, std::string_view text) {
  constexpr std::size_t kChunk = 512;
  std::uint64_t seen = 0;
  std::string_view chunk = text.substr(0, kChunk);
  char* to = out.reserve(chunk.size() * kLongestEscape + 2);
  *to++ = '"';
  while (true) {
    to = put_characters(to, chunk, seen);
    text.remove_prefix(chunk.size());
    if (text.empty()) break;
    out.advance(to);
    chunk = text.substr(0, kChunk);
    to = out.reserve(chunk.size() * kLongestEscape + 1);
  }
  *to++ = '"';
  out.advance(to);
  return (seen & kHighs) == 0;
}

void put_text(OutputBuffer& out, std::string_view text) {
  const std::size_t begin = out.size();
  if (!put_literal(out, text) && find_invalid_utf8(text) != std::string_view::npos) {
    out.rewind(begin);
    put_literal(out, unicode::with_replacements(text));
  }
}

/// As Python's `repr`: shortest digits, an exponent from 1e16 up and below 1e-4, else always a point.
void put_float(OutputBuffer& out, double number) {
  constexpr std::size_t kRoom = 40;
  char* const begin = out.reserve(kRoom);
  const double size = std::fabs(number);
  const bool fixed = number == 0 || (size >= 1e-4 && size < 1e16);
  char* end =
      std::to_chars(begin, begin + kRoom, number, fixed ? std::chars_format::fixed : std::chars_format::scientific).ptr;
  if (fixed && std::memchr(begin, '.', static_cast<std::size_t>(end - begin)) == nullptr) {
    *end++ = '.';
    *end++ = '0';
  }
  out.advance(end);
}

using Frame = WriterFrame;

/// What has no JSON form, and where it was written.
class Unwritable : public Error {
 public:
  Unwritable(Error error, Origin origin) : Error(std::move(error)), origin_(origin) {}
  [[nodiscard]] Origin origin() const noexcept { return origin_; }

 private:
  Origin origin_;
};

[[noreturn]] void fail_not_finite(const Value& value, const Frame* frame) {
  const double number = value.as_floating();
  const std::string_view name = std::isnan(number) ? "not-a-number" : number > 0 ? "infinity" : "minus infinity";
  throw Unwritable(Error("json.not-finite", fmt::format("{} {} has no JSON form", name, place_of(frame)))
                       .hint("use --output yaml, or --output text where there is no YAML"),
                   value.origin());
}

/// Two keys such as 1 and "1" would become one name twice. Readers keep either of the two, so that printing both would
/// lose data silently.
void refuse_collisions(const Value& mapping, const Frame* frame) {
  const Entry* collision = find_key_collision(mapping);
  if (collision == nullptr) return;
  throw Unwritable(
      Error("json.key-collision", fmt::format("two keys of the mapping {} have the same JSON name '{}'",
                                              place_of(frame), key_text(collision->key)))
          .hint("use --output yaml, which keeps the types of keys, or --output text where there is no YAML"),
      collision->key.origin());
}

/// Throws what writing a value would throw, so that its first bytes can go out before its last are made.
// Recursion: bounded by Limits::depth, which every maker of values keeps.
void check_writable(const Value& value, const Frame* frame) {
  switch (value.kind()) {
    case Kind::floating:
      if (!std::isfinite(value.as_floating())) fail_not_finite(value, frame);
      return;
    case Kind::sequence: {
      Frame inner{frame, nullptr, 0};
      for (const Value& item : value.items()) {
        check_writable(item, &inner);
        ++inner.index;
      }
      return;
    }
    case Kind::mapping: {
      bool all_text = true;
      for (const Entry& entry : value.entries()) {
        all_text = all_text && entry.key.is_text();
        const Frame inner{frame, &entry.key, 0};
        check_writable(entry.value, &inner);
      }
      if (!all_text) refuse_collisions(value, frame);
      return;
    }
    case Kind::set: {
      Frame inner{frame, nullptr, 0};
      for (const Entry& entry : value.entries()) {
        check_writable(entry.key, &inner);
        ++inner.index;
      }
      return;
    }
    default:
      return;
  }
}

/// With an observer, or without one: then nothing of it is compiled.
template <bool kObserved>
class JsonWriter {
 public:
  JsonWriter(OutputBuffer& out, const JsonStyle& style) noexcept : out_(out), style_(style) {}
  /// What is written goes to `sink` in pieces; the value must have been checked.
  JsonWriter(OutputBuffer& out, const JsonStyle& style, const Sink& sink, LeafObserver* observer = nullptr) noexcept
      : out_(out), style_(style), sink_(&sink), observer_(observer) {}

  void write(const Value& value, std::size_t depth, const Frame* frame) {
    if constexpr (kObserved) {
      if (hidden_ == 0 && !value.is_leaf() && value.is_secret()) return write_as_one(value, value, depth, frame);
      if (hidden_ == 0 && value.is_leaf()) observer_->leaf(value, sent_ + out_.size(), false);
    }
    write_value(value, depth, frame);
  }

 private:
  // Recursion: bounded by Limits::depth, which every maker of values keeps.
  void write_value(const Value& value, std::size_t depth, const Frame* frame) {
    switch (value.kind()) {
      case Kind::mapping:
        return write_mapping(value, depth, frame);
      case Kind::text:
        return put_text(out_, value.text());
      case Kind::sequence:
        return write_sequence(value, depth, frame);
      case Kind::integer: {
        constexpr std::size_t kRoom = 24;
        char* const begin = out_.reserve(kRoom);
        return out_.advance(std::to_chars(begin, begin + kRoom, value.as_integer()).ptr);
      }
      case Kind::boolean:
        return out_.append(std::string_view(value.as_boolean() ? "true" : "false"));
      case Kind::absent:
      case Kind::null:
        return out_.append("null");
      case Kind::big_integer:
        return out_.append(value.text());
      case Kind::floating:
        if (!std::isfinite(value.as_floating())) fail_not_finite(value, frame);
        return put_float(out_, value.as_floating());
      case Kind::set:
        return write_set(value, depth, frame);
      case Kind::binary:
      case Kind::date:
      case Kind::timestamp:
      case Kind::object:
        return put_text(out_, scalar_text(value));
    }
  }

  /// Writes a value that is one leaf for the observer.
  void write_as_one(const Value& written, const Value& leaf, std::size_t depth, const Frame* frame) {
    observer_->leaf(leaf, sent_ + out_.size(), true);
    ++hidden_;
    write_value(written, depth, frame);
    --hidden_;
    observer_->end(sent_ + out_.size());
  }
  template <typename Step>
  void enter([[maybe_unused]] const Step& step) {
    if constexpr (kObserved) {
      if (hidden_ == 0) observer_->enter(step);
    }
  }
  void leave() {
    if constexpr (kObserved) {
      if (hidden_ == 0) observer_->leave();
    }
  }

  void separate(bool first, std::size_t depth) {
    constexpr std::size_t kPiece = std::size_t{1} << 16U;
    if (sink_ != nullptr && out_.size() > kPiece) {
      if constexpr (kObserved) sent_ += out_.size();
      (*sink_)(out_.view());
      out_.check();
      out_.clear();
    }
    if (style_.indent < 0) {
      if (!first) out_.append(", ");
      return;
    }
    const std::size_t blanks = depth * static_cast<std::size_t>(style_.indent);
    char* to = out_.reserve(blanks + 2);
    if (!first) *to++ = ',';
    *to++ = '\n';
    std::memset(to, ' ', blanks);
    out_.advance(to + blanks);
  }
  void close(char bracket, std::size_t depth) {
    if (style_.indent >= 0) separate(true, depth);
    out_.append(bracket);
  }

  void write_entry(const Entry& entry, bool first, std::size_t depth, const Frame* frame) {
    separate(first, depth + 1);
    if (entry.key.is_text()) {
      put_text(out_, entry.key.text());
    } else {
      put_text(out_, key_text(entry.key));
    }
    out_.append(": ");
    const Frame inner{frame, &entry.key, 0};
    enter(entry.key);
    write(entry.value, depth + 1, &inner);
    leave();
  }

  void write_mapping(const Value& mapping, std::size_t depth, const Frame* frame) {
    if (mapping.size() == 0) return out_.append("{}");
    out_.append('{');
    bool first = true;
    bool checked = false;
    const auto write = [&](const Entry& entry) {
      // Only a key that is not a text can become the same text as another one.
      if (!entry.key.is_text() && !std::exchange(checked, true)) refuse_collisions(mapping, frame);
      write_entry(entry, std::exchange(first, false), depth, frame);
    };
    if (style_.sort_keys) {
      for (const Entry* entry : sorted_by_key_text(mapping)) write(*entry);
    } else {
      for (const Entry& entry : mapping.entries()) write(entry);
    }
    close('}', depth);
  }

  void write_item(const Value& item, std::size_t index, std::size_t depth, const Frame* frame) {
    separate(index == 0, depth + 1);
    const Frame inner{frame, nullptr, index};
    enter(index);
    write(item, depth + 1, &inner);
    leave();
  }

  void write_sequence(const Value& sequence, std::size_t depth, const Frame* frame) {
    if (sequence.size() == 0) return out_.append("[]");
    out_.append('[');
    std::size_t index = 0;
    for (const Value& item : sequence.items()) write_item(item, index++, depth, frame);
    close(']', depth);
  }

  /// For observers, members of sets are leaves below their keys.
  void write_member(const Entry& entry, std::size_t index, std::size_t depth, const Frame* frame) {
    if constexpr (kObserved) {
      if (hidden_ == 0) {
        separate(index == 0, depth + 1);
        const Frame inner{frame, nullptr, index};
        observer_->enter(entry.key);
        write_as_one(entry.key, entry.value, depth + 1, &inner);
        observer_->leave();
        return;
      }
    }
    write_item(entry.key, index, depth, frame);
  }

  /// A set is the array of its members, which keep their types.
  void write_set(const Value& set, std::size_t depth, const Frame* frame) {
    if (set.size() == 0) return out_.append("[]");
    out_.append('[');
    std::size_t index = 0;
    if (style_.sort_keys) {
      for (const Entry* entry : sorted_by_key_text(set)) write_member(*entry, index++, depth, frame);
    } else {
      for (const Entry& entry : set.entries()) write_member(entry, index++, depth, frame);
    }
    close(']', depth);
  }

  OutputBuffer& out_;
  const JsonStyle& style_;
  const Sink* sink_ = nullptr;
  LeafObserver* observer_ = nullptr;
  int hidden_ = 0;        ///< Leaves for the observer around what is written.
  std::size_t sent_ = 0;  ///< Bytes that the sink got.
};

}  // namespace

void append_json(std::string& out, const Value& value, const JsonStyle& style, int depth) {
  OutputBuffer buffer(out);
  JsonWriter<false>(buffer, style).write(value, static_cast<std::size_t>(depth), nullptr);
  buffer.finish();
}

void append_json_text(std::string& out, std::string_view text) {
  const bool is_plain =
      std::ranges::all_of(text, [](char one) { return one >= ' ' && one <= '~' && one != '"' && one != '\\'; });
  if (is_plain) {
    out.append("\"").append(text).append("\"");
    return;
  }
  OutputBuffer buffer(out);
  put_text(buffer, text);
  buffer.finish();
}

namespace {

/// Throws what writing would throw, with its place where the style knows that.
void check_writable(const Value& value, const JsonStyle& style) {
  try {
    check_writable(value, nullptr);
  } catch (const Unwritable& error) {
    if (style.sources == nullptr) throw;
    // The same line may contain secrets.
    Error placed = error;
    placed.at(*style.sources, error.origin()).without_lines();
    throw Error(std::move(placed));
  }
}

}  // namespace

void write_json(const Value& value, const JsonStyle& style, const Sink& sink) {
  check_writable(value, style);
  std::string piece;
  OutputBuffer buffer(piece);
  JsonWriter<false>(buffer, style, sink).write(value, 0, nullptr);
  buffer.append('\n');
  sink(buffer.view());
}

void write_json(const Value& value, const JsonStyle& style, const Sink& sink, LeafObserver& observer) {
  check_writable(value, style);
  std::string piece;
  OutputBuffer buffer(piece);
  JsonWriter<true>(buffer, style, sink, &observer).write(value, 0, nullptr);
  buffer.append('\n');
  sink(buffer.view());
}

std::string write_json(const Value& value, const JsonStyle& style) {
  std::string out;
  OutputBuffer buffer(out);
  JsonWriter<false>(buffer, style).write(value, 0, nullptr);
  buffer.append('\n');
  buffer.finish();
  return out;
}

}  // namespace strata::text
