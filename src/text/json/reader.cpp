#include <fmt/format.h>
#include <simdjson.h>

#include <charconv>
#include <limits>
#include <optional>
#include <vector>

#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/text.hpp"
#include "text/json/comments.hpp"
#include "text/json/diagnosis.hpp"
#include "text/stretch.hpp"
#include "value/metered.hpp"
#include "value/seeded_hash.hpp"

namespace strata::text {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kBlanks = " \t\r\n";

/// Thrown where the text is not JSON; what is wrong with it, `diagnose_json` finds out.
struct NotJson {};

std::string_view trim_end(std::string_view token) noexcept { return token.substr(0, token.find_last_not_of(kBlanks) + 1); }

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
      exponent = digits.starts_with('-') ? std::numeric_limits<std::int32_t>::min() : std::numeric_limits<std::int32_t>::max();
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

/// The string that begins behind a quote, for JsonDialect::any_escape; simdjson, which read it first, knows only the grammar's escapes.
std::string read_any_escapes(std::string_view rest) {
  static constexpr std::string_view kLetters = "bfnrt";
  static constexpr std::string_view kMeanings = "\b\f\n\r\t";
  std::string out;
  while (true) {
    const std::size_t plain = rest.find_first_of("\"\\");
    if (plain == std::string_view::npos) throw NotJson{};
    out += rest.substr(0, plain);
    if (rest[plain] == '"') return out;
    if (plain + 1 == rest.size()) throw NotJson{};
    const char escape = rest[plain + 1];
    rest.remove_prefix(plain + 2);
    const std::size_t letter = kLetters.find(escape);
    if (escape == 'u') {
      append_utf8(out, read_unicode_escape(rest));
    } else {
      out += letter == std::string_view::npos ? escape : kMeanings[letter];
    }
  }
}

/// Builds values from simdjson's on-demand parser. Scalars other than strings are read from their raw tokens: integers of any size, and NaN, Infinity
/// and -Infinity, which Python's reader accepts and simdjson knows nothing of.
class JsonReader {
 public:
  /// `text`: what stands at `offset` of the source, without comments.
  JsonReader(const Sources& sources, SourceId source, const Limits& limits, std::size_t offset, std::string_view text, const JsonDialect& dialect)
      : sources_(sources),
        source_(source),
        limits_(limits),
        dialect_(dialect),
        start_(sources.at(source, offset)),
        text_(text),
        arena_(std::make_shared<Arena>(text_.size() + text_.size() / 2)) {}

  Document read() {
    const Metered metered(*arena_, limits_.stop);
    // The parser reads beyond the end, so that it needs a copy with room there.
    const simdjson::padded_string padded(text_);
    base_ = padded.data();
    ondemand::parser parser;
    ondemand::document document = parser.iterate(padded);
    const std::size_t first = std::min(text_.find_first_not_of(kBlanks), text_.size());
    Value root;
    if (text_.substr(first).starts_with('{') || text_.substr(first).starts_with('[')) {
      root = read_value(document.get_value(), 1);
      expect_end(document);
    } else if (text_.substr(first).starts_with('"')) {
      root = arena_->text(characters(document.get_string(), text_.substr(first + 1)));
      expect_end(document);
    } else {
      root = read_word(trim_end(text_.substr(first)));
    }
    return {.arena = arena_,
            .root = root.with_origin(at(first)),
            .source = source_,
            .origin = start_,
            .nodes = 0,
            .repeated_keys = std::move(repeated_keys_)};
  }

 private:
  static constexpr std::size_t kMaxRepeatedKeys = 1000;  ///< More of them tell nobody more.

  [[nodiscard]] Origin at(std::size_t offset) const noexcept { return {start_.location + static_cast<std::uint32_t>(offset)}; }
  [[nodiscard]] std::size_t offset_of(const char* token) const noexcept { return static_cast<std::size_t>(token - base_); }

  static void expect_end(ondemand::document& document) {
    // There is no current token once all of them are consumed.
    if (document.current_location().error() != simdjson::OUT_OF_BOUNDS) throw NotJson{};
  }

  /// A string as simdjson has it, or else as the dialect has what begins behind its opening quote.
  std::string_view characters(simdjson::simdjson_result<std::string_view> string, std::string_view behind_quote) {
    if (string.error() != simdjson::STRING_ERROR || !dialect_.any_escape) return string.value();
    unescaped_ = read_any_escapes(behind_quote);
    return unescaped_;
  }

  void check_depth(std::size_t depth, std::size_t offset) const {
    if (dialect_.depth != 0 && depth > dialect_.depth) throw NotJson{};
    if (depth <= limits_.depth) return;
    throw Error("limit.depth", fmt::format("nested deeper than {} levels", limits_.depth))
        .at(sources_, at(offset))
        .hint("raise the limit with --limit depth=LEVELS");
  }

  // Recursion: bounded by Limits::depth.
  Value read_value(ondemand::value value, std::size_t depth) {
    const std::string_view token = value.raw_json_token();
    const std::size_t offset = offset_of(token.data());
    switch (token.empty() ? '\0' : token.front()) {
      case '{':
        check_depth(depth, offset);
        return read_mapping(value.get_object(), depth).with_origin(at(offset));
      case '[':
        check_depth(depth, offset);
        return read_sequence(value.get_array(), depth).with_origin(at(offset));
      case '"':
        return arena_->text(characters(value.get_string(), text_.substr(offset + 1))).with_origin(at(offset));
      default:
        // Not consumed: the parser steps over it.
        return read_word(trim_end(token)).with_origin(at(offset));
    }
  }

  Value read_mapping(ondemand::object object, std::size_t depth) {
    const std::size_t begin = entries_.size();
    for (ondemand::field field : object) {
      const std::size_t quote = offset_of(field.key().raw()) - 1;
      const Value key = intern(characters(field.unescaped_key(), text_.substr(quote + 1))).with_origin(at(quote));
      const Value value = read_value(field.value(), depth + 1);
      entries_.push_back({key, value});
    }
    MappingBuilder mapping(*arena_, KeyEquality::exact, entries_.size() - begin);
    for (std::size_t i = begin; i < entries_.size(); ++i) {
      const bool is_new = mapping.insert(entries_[i].key, entries_[i].value);
      if (!is_new && repeated_keys_.size() < kMaxRepeatedKeys) repeated_keys_.push_back(entries_[i].key.origin());
    }
    entries_.resize(begin);
    return mapping.finish();
  }

  Value read_sequence(ondemand::array array, std::size_t depth) {
    const std::size_t begin = items_.size();
    for (ondemand::value item : array) items_.push_back(read_value(item, depth + 1));
    const Value sequence = arena_->sequence(std::span(items_).subspan(begin));
    items_.resize(begin);
    return sequence;
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
  const char* base_ = nullptr;
  std::string unescaped_;
  // Members of the containers that are open, so that each gets its memory once its size is known.
  std::vector<Origin> repeated_keys_;
  std::vector<Entry> entries_;
  std::vector<Value> items_;
  TextViewMap<Value> interned_;
};

}  // namespace

Document read_json(Sources& sources, SourceId source, const Limits& limits, std::size_t offset, const JsonDialect& dialect) {
  return read_json_stretch(sources, source, {.begin = offset}, limits, dialect);
}

Document read_json_stretch(Sources& sources, SourceId source, const Stretch& stretch, const Limits& limits, const JsonDialect& dialect) {
  const std::size_t offset = stretch.begin;
  std::string_view text = sources.text(source).substr(0, stretch.end).substr(offset);
  if (text.size() > limits.input) {
    throw Error("limit.input", fmt::format("the text has {} bytes, more than the limit of {}", text.size(), limits.input))
        .at(sources, sources.at(source, offset))
        .hint("raise it with --limit input=BYTES");
  }
  const std::optional<std::string> blanked = dialect.comments ? without_json_comments(text) : std::nullopt;
  if (blanked) text = *blanked;
  try {
    return JsonReader(sources, source, limits, offset, text, dialect).read();
  } catch (const NotJson&) {
  } catch (const simdjson::simdjson_error& error) {
    if (error.error() == simdjson::MEMALLOC) throw std::bad_alloc();
  }
  throw diagnose_json(sources, source, offset, text, dialect);
}

}  // namespace strata::text
