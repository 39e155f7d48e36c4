// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <vector>

#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/secret_keys.hpp"
#include "strata/text.hpp"
#include "text/json/comments.hpp"
#include "text/json/diagnosis.hpp"
#include "text/repeated_keys.hpp"
#include "text/stretch.hpp"
#include "text/yaml/characters.hpp"
#include "value/metered.hpp"
#include "value/seeded_hash.hpp"

namespace strata::text {
namespace {

/// Thrown where the text is not JSON; what is wrong with it, `diagnose_json` finds out.
struct NotJson {};

/// What ends numbers and words, by their bytes.
constexpr std::array<bool, 256> kEndsWord = [] {
  std::array<bool, 256> ends{};
  for (const char c : std::string_view(" \t\r\n,:[]{}\"")) ends[static_cast<unsigned char>(c)] = true;
  return ends;
}();

/// A number that from_chars finds too large or too small for a double: infinity or zero, as Python's reader has it.
double out_of_range(std::string_view number) noexcept {
  const bool negative = number.starts_with('-');
  if (negative) number.remove_prefix(1);
  const std::size_t letter = number.find_first_of("eE");
  const std::string_view mantissa = number.substr(0, letter);
  std::int64_t exponent = 0;
  if (letter != std::string_view::npos) {
    std::string_view digits = number.substr(letter + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const std::errc status = std::from_chars(digits.data(), digits.data() + digits.size(), exponent).ec;
    if (status != std::errc{})
      exponent =
          digits.starts_with('-') ? std::numeric_limits<std::int32_t>::min() : std::numeric_limits<std::int32_t>::max();
  }
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = std::min(mantissa.find_first_of("123456789"), mantissa.size());
  const std::int64_t magnitude = exponent + static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  const double size = magnitude > 0 && first != mantissa.size() ? std::numeric_limits<double>::infinity() : 0.0;
  return negative ? -size : size;
}

/// The code unit of the four hexadecimal digits at the start of `digits`.
char32_t read_unit(std::string_view digits) {
  std::uint32_t unit = 0;
  const std::string_view four = digits.substr(0, 4);
  const auto [end, status] = std::from_chars(four.data(), four.data() + four.size(), unit, 16);
  if (four.size() != 4 || status != std::errc{} || end != four.data() + 4) throw NotJson{};
  return unit;
}

/// A `\u` escape and, behind half of a surrogate pair, its other half; `rest` begins behind the `u` and is moved on.
char32_t read_unicode_escape(std::string_view& rest) {
  const char32_t unit = read_unit(rest);
  rest.remove_prefix(4);
  if (unit < 0xD800 || unit > 0xDFFF) return unit;
  if (unit > 0xDBFF || !rest.starts_with("\\u")) throw NotJson{};
  const char32_t low = read_unit(rest.substr(2));
  if (low < 0xDC00 || low > 0xDFFF) throw NotJson{};
  rest.remove_prefix(6);
  return 0x10000U + ((unit - 0xD800U) << 10U) + (low - 0xDC00U);
}

/// Builds values while it checks the grammar. What is wrong with a text that is not JSON, and where, is left to
/// `diagnose_json`.
class JsonReader {
 public:
  /// `text`: the text at `offset` of the source, without comments.
  JsonReader(const Sources& sources, SourceId source, const Limits& limits, std::size_t offset, std::string_view text,
             const JsonDialect& dialect)
      : sources_(sources),
        source_(source),
        limits_(limits),
        dialect_(dialect),
        start_(sources.at(source, offset)),
        text_(text),
        arena_(std::make_shared<Arena>(text_.size() + text_.size() / 2)) {}

  Document read() {
    const Metered metered(*arena_, limits_.stop);
    if (find_invalid_utf8(text_) != std::string_view::npos) throw NotJson{};
    const Value root = read_value(1);
    peek();
    if (next_ != end_) throw NotJson{};
    return {.arena = arena_,
            .root = root,
            .source = source_,
            .origin = start_,
            .nodes = 0,
            .repeated_keys = std::move(repeated_keys_)};
  }

 private:
  [[nodiscard]] Origin at(std::size_t offset) const noexcept {
    return {start_.location + static_cast<std::uint32_t>(offset)};
  }
  [[nodiscard]] std::size_t offset() const noexcept { return static_cast<std::size_t>(next_ - text_.data()); }

  /// The next character that is not blank; '\0' at the end.
  char peek() noexcept {
    while (next_ != end_ && (*next_ == ' ' || *next_ == '\n' || *next_ == '\r' || *next_ == '\t')) ++next_;
    return next_ == end_ ? '\0' : *next_;
  }
  void expect(char wanted) {
    if (peek() != wanted) throw NotJson{};
    ++next_;
  }

  void check_depth(std::size_t depth, std::size_t offset) const {
    if (dialect_.depth != 0 && depth > dialect_.depth) throw NotJson{};
    if (depth <= limits_.depth) return;
    throw Error("limit.depth", fmt::format("nested deeper than {} levels", limits_.depth))
        .at(sources_, at(offset))
        .hint("raise the limit with --limit depth=LEVELS");
  }

  // Recursion: bounded by Limits::depth.
  Value read_value(std::size_t depth) {
    const char first = peek();
    const std::size_t begin = offset();
    switch (first) {
      case '{':
        check_depth(depth, begin);
        return read_mapping(depth).with_origin(at(begin));
      case '[':
        check_depth(depth, begin);
        return read_sequence(depth).with_origin(at(begin));
      case '"':
        return arena_->text(read_string()).with_origin(at(begin));
      default:
        return read_word(word()).with_origin(at(begin));
    }
  }

  Value read_mapping(std::size_t depth) {
    const std::size_t begin = entries_.size();
    ++next_;
    if (peek() == '}') {
      ++next_;
    } else {
      read_entry(depth);
      for (; peek() == ','; read_entry(depth)) ++next_;
      expect('}');
    }
    MappingBuilder mapping(*arena_, KeyEquality::exact, entries_.size() - begin);
    for (std::size_t i = begin; i < entries_.size(); ++i) {
      const Value& key = entries_[i].key;
      if (mapping.insert(key, entries_[i].value) || repeated_keys_.size() >= kMostRepeatedKeys) continue;
      const bool is_shown = secret_levels_ == 0 && !sources_.is_secret(source_);
      repeated_keys_.push_back({.name = is_shown ? shown_key(key.text()) : std::string(),
                                .earlier = mapping.entries()[mapping.index_of(key)].key.origin(),
                                .later = key.origin()});
    }
    entries_.resize(begin);
    return mapping.finish();
  }

  void read_entry(std::size_t depth) {
    if (peek() != '"') throw NotJson{};
    const std::size_t quote = offset();
    const Value key = intern(read_string()).with_origin(at(quote));
    expect(':');
    const bool is_secret = limits_.secret_keys != nullptr && limits_.secret_keys->has(key);
    secret_levels_ += is_secret ? 1 : 0;
    const Value value = read_value(depth + 1);
    secret_levels_ -= is_secret ? 1 : 0;
    entries_.push_back({key, is_secret ? with_secrets(*arena_, value) : value});
  }

  Value read_sequence(std::size_t depth) {
    const std::size_t begin = items_.size();
    ++next_;
    if (peek() == ']') {
      ++next_;
    } else {
      items_.push_back(read_value(depth + 1));
      while (peek() == ',') {
        ++next_;
        items_.push_back(read_value(depth + 1));
      }
      expect(']');
    }
    const Value sequence = arena_->sequence(std::span(items_).subspan(begin));
    items_.resize(begin);
    return sequence;
  }

  /// The characters of the string whose quote is next: a part of the text, or valid until the next call.
  std::string_view read_string() {
    const char* const begin = ++next_;
    next_ = yaml_characters::find_end_of_literal(begin, end_);
    if (next_ != end_ && *next_ == '"') return {begin, next_++};
    unescaped_.assign(begin, next_);
    while (next_ != end_ && *next_ == '\\') {
      append_escape();
      const char* const plain = next_;
      next_ = yaml_characters::find_end_of_literal(plain, end_);
      unescaped_.append(plain, next_);
    }
    if (next_ == end_ || *next_ != '"') throw NotJson{};  // A control character.
    ++next_;
    return unescaped_;
  }

  /// Appends what the backslash that is next and what is behind it mean.
  void append_escape() {
    static constexpr std::string_view kLetters = "bfnrt\"\\/";
    static constexpr std::string_view kMeanings = "\b\f\n\r\t\"\\/";
    if (++next_ == end_) throw NotJson{};
    const char escape = *next_++;
    if (escape == 'u') {
      std::string_view rest(next_, end_);
      append_utf8(unescaped_, read_unicode_escape(rest));
      next_ = rest.data();
    } else if (const std::size_t letter = kLetters.find(escape); letter != std::string_view::npos) {
      unescaped_ += kMeanings[letter];
    } else {
      if (!dialect_.any_escape || static_cast<unsigned char>(escape) < 0x20) throw NotJson{};
      unescaped_ += escape;
    }
  }

  /// The number, or the word, that is next.
  std::string_view word() noexcept {
    const char* const begin = next_;
    while (next_ != end_ && !kEndsWord[static_cast<unsigned char>(*next_)]) ++next_;
    return {begin, next_};
  }

  Value intern(std::string_view text) {
    const auto found = interned_.find(text);
    if (found != interned_.end()) return found->second;
    const Value key = arena_->key(text);
    interned_.emplace(key.text(), key);
    return key;
  }

  Value read_word(std::string_view word) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (word == "true" || word == "false") return Value::boolean(word == "true");
    if (word == "null") return Value::null();
    if (dialect_.not_finite) {
      if (word == "NaN") return Value::floating(std::numeric_limits<double>::quiet_NaN());
      if (word == "Infinity") return Value::floating(kInfinity);
      if (word == "-Infinity") return Value::floating(-kInfinity);
    }
    const JsonNumber number = match_json_number(word);
    if (number.length == 0 || number.length != word.size()) throw NotJson{};
    if (number.is_integer) return arena_->integer(word);
    double amount = 0;
    if (std::from_chars(word.data(), word.data() + word.size(), amount).ec != std::errc{}) amount = out_of_range(word);
    return Value::floating(amount);
  }

  const Sources& sources_;
  SourceId source_;
  const Limits& limits_;
  const JsonDialect& dialect_;
  Origin start_;
  std::string_view text_;
  std::shared_ptr<Arena> arena_;
  const char* next_ = text_.data();
  const char* end_ = text_.data() + text_.size();
  std::string unescaped_;
  // Members of the containers that are open, so that each gets its memory once its size is known.
  std::vector<RepeatedKey> repeated_keys_;
  std::vector<Entry> entries_;
  std::vector<Value> items_;
  TextViewMap<Value> interned_;
  std::size_t secret_levels_ = 0;  ///< Open members with secret names.
};

}  // namespace

Document read_json(Sources& sources, SourceId source, const Limits& limits, std::size_t offset,
                   const JsonDialect& dialect) {
  return read_json_stretch(sources, source, {.begin = offset}, limits, dialect);
}

Document read_json_stretch(Sources& sources, SourceId source, const Stretch& stretch, const Limits& limits,
                           const JsonDialect& dialect) {
  const std::size_t offset = stretch.begin;
  std::string_view text = sources.text(source).substr(0, stretch.end).substr(offset);
  if (text.size() > limits.input) {
    throw Error("limit.input",
                fmt::format("the text has {} bytes, more than the limit of {}", text.size(), limits.input))
        .at(sources, sources.at(source, offset))
        .hint("raise it with --limit input=BYTES");
  }
  const std::optional<std::string> blanked = dialect.comments ? without_json_comments(text) : std::nullopt;
  if (blanked) text = *blanked;
  try {
    return JsonReader(sources, source, limits, offset, text, dialect).read();
  } catch (const NotJson&) {
  }
  throw diagnose_json(sources, source, offset, text, dialect);
}

}  // namespace strata::text
