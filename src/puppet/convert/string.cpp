// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "puppet/characters.hpp"
#include "puppet/convert/arguments.hpp"
#include "puppet/convert/format.hpp"
#include "puppet/evaluation/objects.hpp"
#include "puppet/evaluation/pattern_object.hpp"
#include "puppet/quote.hpp"
#include "puppet/types/make.hpp"
#include "strata/builder.hpp"
#include "strata/scalar_text.hpp"
#include "strata/text.hpp"
#include "text/decimal.hpp"

namespace strata::puppet {
namespace {

constexpr std::string_view kWholeLetters = "dxXobB";
constexpr std::string_view kFloatLetters = "eEfgGaA";

bool among(char letter, std::string_view letters) noexcept { return letters.find(letter) != std::string_view::npos; }

bool is_container(const Value& value) noexcept { return value.is_sequence() || is_hash(value); }

void strip_right(std::string& text) {
  while (!text.empty() && among(text.back(), std::string_view(" \t\n\v\f\r\0", 7))) text.pop_back();
}

/// How deep a line stands.
struct Indentation {
  std::size_t level = 0;
  bool first = true;  ///< Nothing stands before it in its container.
  bool on = false;
  [[nodiscard]] bool breaks() const noexcept { return on && level > 0 && !first; }
  [[nodiscard]] std::string padding() const { return std::string(2 * level, ' '); }
};

// Scalars.

std::string undef_text(const Format& format) {
  const bool alternative = format.alternative();
  const char letter = format.letter;
  if (letter == 'n') return pad_text(format, alternative ? "null" : "nil");
  if (letter == 'u') return pad_text(format, alternative ? "undefined" : "undef");
  if (letter == 'v') return pad_text(format, "n/a");
  if (letter == 'V') return pad_text(format, "N/A");
  if (letter == 's') return pad_text(format, alternative ? "\"\"" : "");
  if (letter == 'p') return pad_text(format, alternative ? "\"undef\"" : "undef");
  if (among(letter, kWholeLetters) || among(letter, kFloatLetters)) return pad_text(format, "NaN");
  throw illegal_format(letter, "Undef", "nudxXobBeEfgGaAvVsp");
}

std::string boolean_text(const Format& format, bool value) {
  const auto word = [&](std::string_view yes, std::string_view no) {
    const std::string_view chosen = value ? yes : no;
    return pad_text(format, format.alternative() ? chosen.substr(0, 1) : chosen);
  };
  const char letter = format.letter;
  if (letter == 't') return word("true", "false");
  if (letter == 'T') return word("True", "False");
  if (letter == 'y') return word("yes", "no");
  if (letter == 'Y') return word("Yes", "No");
  if (letter == 's' || letter == 'p') return pad_text(format, value ? "true" : "false");
  if (among(letter, kWholeLetters)) return format_integer(format, letter, value ? 1 : 0);
  if (among(letter, kFloatLetters)) return format_float(format, letter, value ? 1 : 0);
  throw illegal_format(letter, "Boolean", "tTyYdxXobBeEfgGaAsp");
}

std::string character(const Integer& number) {
  const std::int64_t code = number.small().value_or(-1);
  if (code < 0 || code > 0x10FFFF || !is_code_point(static_cast<std::uint32_t>(code)))
    throw Error("puppet.format", "there is no character of the number " + number.to_string());
  std::string out;
  text::append_utf8(out, static_cast<std::uint32_t>(code));
  return out;
}

std::string integer_text(const Format& format, const Value& value) {
  const Integer number(value);
  const char letter = format.letter;
  if (among(letter, kWholeLetters)) return format_integer(format, letter, number);
  if (among(letter, kFloatLetters)) return format_float(format, letter, *text::parse_decimal(number.to_string()));
  if (letter == 'p') return format_text(format, number.to_string());
  if (letter == 's')
    return format_text(format, format.alternative() ? "\"" + number.to_string() + "\"" : number.to_string());
  if (letter == 'c')
    return format_text(format, format.alternative() ? "\"" + character(number) + "\"" : character(number));
  throw illegal_format(letter, "Integer", "dxXobBeEfgGaAspc");
}

Integer truncated_integer(double number) {
  const std::optional<Integer> out = whole_part(number);
  if (!out) throw Error("puppet.format", "infinity and not-a-number are not integers");
  return *out;
}

std::string floating_text(const Format& format, double number) {
  const char letter = format.letter;
  if (among(letter, kWholeLetters)) return format_integer(format, letter, truncated_integer(number));
  if (among(letter, kFloatLetters)) return format_float(format, letter, number);
  if (letter == 'p') return format_text(format, float_inspect(number));
  if (letter == 's')
    return format_text(format, format.alternative() ? "\"" + float_inspect(number) + "\"" : float_inspect(number));
  throw illegal_format(letter, "Float", "dxXobBeEfgGaAsp");
}

std::string capitalized(std::string_view text) {
  std::string out = lower(text);
  if (!out.empty()) out.front() = upper(out.front());
  return out;
}

std::string capitalized_segments(std::string_view text) {
  while (text.ends_with("::")) text.remove_suffix(2);
  std::string out;
  for (bool more = !text.empty(); more;) {
    const std::size_t end = text.find("::");
    more = end != std::string_view::npos;
    out += capitalized(text.substr(0, end));
    if (!more) break;
    out += "::";
    text.remove_prefix(end + 2);
  }
  return out;
}

std::string stripped(std::string_view text) {
  static constexpr std::string_view kBlank("\0 \t\n\v\f\r", 7);
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(kBlank) - first + 1));
}

std::string changed_case(char letter, std::string_view text) {
  if (letter == 't') return stripped(text);
  const bool ascii = std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (!ascii)
    throw Error("puppet.unsupported",
                std::string("the format '") + letter + "' is not supported for texts with letters beyond ASCII");
  if (letter == 'c') return capitalized(text);
  if (letter == 'C') return capitalized_segments(text);
  return letter == 'u' ? upper(text) : lower(text);
}

std::string text_text(const Format& format, std::string_view text) {
  const char letter = format.letter;
  if (letter == 's') return format_text(format, text);
  if (letter == 'p') return pad_text(format, format.alternative() ? double_quote(text) : quote(text));
  if (!among(letter, "cCudt")) throw illegal_format(letter, "String", "cCudspt");
  const std::string changed = changed_case(letter, text);
  return format.alternative() ? pad_text(format, quote(changed)) : format_text(format, changed);
}

std::string default_text(const Format& format) {
  const std::string_view word = format.letter == 'D' ? "Default" : "default";
  if (!among(format.letter, "dDsp")) throw illegal_format(format.letter, "Default", "dDsp");
  return pad_text(format, format.alternative() ? double_quote(word) : std::string(word));
}

std::string format_pattern(const Format& format, const PatternObject& pattern) {
  if (format.letter == 'p') return format_text(format, pattern.to_string());
  if (format.letter != 's') throw illegal_format(format.letter, "Regexp", "sp");
  return format_text(format, format.alternative() ? quote(pattern.pattern()) : pattern.pattern());
}

std::string object_text(const Format& format, const Value& value) {
  if (is_default(value)) return default_text(format);
  if (const PatternObject* pattern = as_pattern(value)) return format_pattern(format, *pattern);
  const bool type = as_type(value) != nullptr;
  if (format.letter != 's' && format.letter != 'p') throw illegal_format(format.letter, type ? "Type" : "Object", "sp");
  const std::string text = value.as_object().to_string();
  if (type) return format_text(format, format.letter == 's' && format.alternative() ? "\"" + text + "\"" : text);
  if (format.letter == 's') return format_text(format, text);
  return format_text(format, as_sensitive(value) != nullptr ? "#<" + text + ">" : quote(text));
}

/// Writes one value with all of its parts.
class Writer {
 public:
  explicit Writer(const Conversion& call) : call_(call) {}

  // Recursion: Limits::depth bounds values.
  std::string write(const Value& value, const FormatMap& formats, Indentation indentation) {
    secret_ = secret_ || is_hidden(value);
    const Format& format = formats.find(value);
    std::string out = value.is_sequence() ? sequence(value, format, formats, indentation)
                      : is_hash(value)    ? hash(value, format, formats, indentation)
                                          : scalar(value, format);
    if (out.size() > call_.limits.input)
      throw Error("limit.result", "the text would be longer than " + std::to_string(call_.limits.input) + " bytes");
    return out;
  }

  std::string scalar(const Value& value, const Format& format) {
    secret_ = secret_ || is_hidden(value);
    switch (value.kind()) {
      case Kind::absent:
      case Kind::null:
        return undef_text(format);
      case Kind::boolean:
        return boolean_text(format, value.as_boolean());
      case Kind::integer:
      case Kind::big_integer:
        return integer_text(format, value);
      case Kind::floating:
        return floating_text(format, value.as_floating());
      case Kind::text:
      case Kind::binary:
        return text_text(format, value.text());
      case Kind::object:
        return object_text(format, value);
      default:
        return text_text(format, scalar_text(value));
    }
  }

  [[nodiscard]] bool saw_secret() const noexcept { return secret_; }

 private:
  /// A Sensitive is written without what it holds.
  static bool is_hidden(const Value& value) noexcept { return value.is_secret() && as_sensitive(value) == nullptr; }

  static const FormatMap& inner(const Format& format) {
    return format.inner == nullptr ? *default_inner_formats() : *format.inner;
  }

  std::string member(const Value& value, const Format& format, const FormatMap& formats,
                     const Indentation& indentation) {
    return write(value, is_container(value) ? formats : inner(format), indentation);
  }

  /// Whether some run of scalars of an indented array is wider than its width.
  static bool too_wide(const Format& format, std::span<const Value> items, const std::vector<std::string>& texts) {
    if (!format.alternative() || !format.width) return false;
    std::size_t run = 0;
    std::size_t widest = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      run = is_container(items[i]) ? 0 : run + character_count(texts[i]);
      widest = std::max(widest, run);
    }
    return widest > *format.width;
  }

  std::string sequence(const Value& value, const Format& format, const FormatMap& formats, Indentation indentation) {
    if (!among(format.letter, "asp")) throw illegal_format(format.letter, "Array", "asp");
    const bool alternative = format.alternative();
    indentation.on = indentation.on || alternative;
    const std::string_view delimiters = format.delimiters("[]");
    const std::span<const Value> items = value.items();
    const Indentation inside{indentation.level + 1, false, alternative};
    std::vector<std::string> texts;
    texts.reserve(items.size());
    for (const Value& item : items) texts.push_back(member(item, format, formats, inside));
    const bool break_runs = too_wide(format, items, texts);

    std::string out;
    if (indentation.breaks()) out = "\n" + indentation.padding();
    out += delimiters.substr(0, 1);
    for (std::size_t i = 0; i < items.size(); ++i) {
      const bool breaks = break_runs && !is_container(items[i]);
      if (i == 0) {
        if (breaks) out += ' ';
      } else {
        out += format.separator.value_or(", ");
        if (breaks || (alternative && is_container(items[i - 1]) && !is_container(items[i]))) {
          if (!out.ends_with('\n')) strip_right(out);
          out += "\n" + inside.padding();
        }
      }
      if (out.ends_with(' ') && texts[i].starts_with('\n')) strip_right(out);
      out += texts[i];
    }
    if (delimiters.size() > 1) out += delimiters[1];
    return out;
  }

  /// As an array of pairs.
  std::string pairs(const Value& value, const FormatMap& formats, const Indentation& indentation) {
    SequenceBuilder list(call_.arena, value.size());
    for (const Entry& entry : value.entries()) {
      const Value pair[] = {entry.key, entry.value};
      list.append(call_.arena.sequence(pair));
    }
    return write(list.finish(), formats, indentation);
  }

  std::string hash(const Value& value, const Format& format, const FormatMap& formats, Indentation indentation) {
    if (format.letter == 'a') return pairs(value, formats, indentation);
    if (!among(format.letter, "hsp")) throw illegal_format(format.letter, "Hash", "hasp");
    const bool alternative = format.alternative();
    indentation.on = indentation.on || alternative;
    const std::string_view delimiters = format.delimiters("{}");
    std::string separator = format.separator.value_or(", ");
    if (alternative) {
      if (!separator.ends_with('\n')) strip_right(separator);
      separator += '\n';
    }
    const Indentation inside{indentation.level + 1, true, false};
    std::string out;
    if (indentation.breaks()) out = "\n" + indentation.padding();
    out += delimiters.substr(0, 1);
    if (alternative) out += '\n';
    bool first = true;
    for (const Entry& entry : value.entries()) {
      if (!first) out += separator;
      first = false;
      if (alternative) out += inside.padding();
      out += member(entry.key, format, formats, inside) + format.separator2.value_or(" => ") +
             member(entry.value, format, formats, inside);
    }
    if (alternative) out += "\n" + indentation.padding();
    if (delimiters.size() > 1) out += delimiters[1];
    return out;
  }

  const Conversion& call_;
  bool secret_ = false;
};

std::string written(const Conversion& call, Writer& writer) {
  const Value& from = call.arguments[0];
  if (call.arguments.size() < 2) return writer.write(from, default_formats(), {});
  const Value& formats = call.arguments[1];
  if (is_hash(formats)) return writer.write(from, merged_formats(formats, call.limits), {});
  if (!formats.is_text() || formats.text().empty())
    throw wrong_arguments(call, "a value and a format or a hash of formats");
  Format format = parse_format(formats.text());
  if (!is_container(from)) return writer.scalar(from, format);
  return writer.write(
      from, merged_formats(plain(from.is_sequence() ? TypeKind::array : TypeKind::hash), std::move(format)), {});
}

}  // namespace

Value new_string(const Conversion& call) {
  need_arguments(call, 1, 2, "a value and a format or a hash of formats");
  Writer writer(call);
  const std::string text = written(call, writer);
  return call.arena.text(text).with_secret(writer.saw_secret());
}

}  // namespace strata::puppet
