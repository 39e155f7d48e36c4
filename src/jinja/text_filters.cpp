// SPDX-License-Identifier: Apache-2.0
// Filters that work on texts.
#include <algorithm>
#include <array>

#include "jinja/filters.hpp"
#include "jinja/text_wrap.hpp"
#include "strata/text.hpp"
#include "text/unicode/characters.hpp"

namespace strata::jinja {
namespace {

/// The value as text; escaped text stays escaped.
Datum soft_text(Runtime& runtime, const Datum& value) {
  return value.is(Type::text) ? value : runtime.text(to_text(runtime, value));
}

/// A method of str as a filter, with the parameters `names`.
Datum through(Runtime& runtime, std::string_view method, const Datum& value, std::vector<Datum> positional) {
  Arguments arguments;
  arguments.positional = std::move(positional);
  return text_method(method)(runtime, soft_text(runtime, value), arguments);
}

Datum upper(Runtime& runtime, const Datum& value, Arguments& arguments) {
  return no_arguments(runtime, arguments), through(runtime, "upper", value, {});
}
Datum lower(Runtime& runtime, const Datum& value, Arguments& arguments) {
  return no_arguments(runtime, arguments), through(runtime, "lower", value, {});
}
Datum capitalize(Runtime& runtime, const Datum& value, Arguments& arguments) {
  return no_arguments(runtime, arguments), through(runtime, "capitalize", value, {});
}
Datum string(Runtime& runtime, const Datum& value, Arguments& arguments) {
  return no_arguments(runtime, arguments), soft_text(runtime, value);
}
Datum safe(Runtime& runtime, const Datum& value, Arguments& arguments) {
  return no_arguments(runtime, arguments), runtime.text(to_text(runtime, value), true);
}
Datum escape(Runtime& runtime, const Datum& value, Arguments& arguments) {
  return no_arguments(runtime, arguments), escaped(runtime, value);
}

Datum force_escape(Runtime& runtime, const Datum& value, Arguments& arguments) {
  no_arguments(runtime, arguments);
  return runtime.text(escape_html(to_text(runtime, value)), true);
}

Datum center(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"width"});
  return through(runtime, "center", value, {bound[0] ? *bound[0] : Datum::of_integer(80)});
}

Datum trim(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"chars"});
  return through(runtime, "strip", value, {bound[0] ? *bound[0] : Datum()});
}

Datum replace_filter(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"old", "new", "count"}, 2);
  const Datum plain = runtime.text(to_text(runtime, value));
  const Datum count = is_given(bound[2]) ? *bound[2] : Datum::of_integer(-1);
  return through(runtime, "replace", plain,
                 {runtime.text(to_text(runtime, *bound[0])), runtime.text(to_text(runtime, *bound[1])), count});
}

/// Words begin after white space and any of `-({[<`.
Datum title(Runtime& runtime, const Datum& value, Arguments& arguments) {
  no_arguments(runtime, arguments);
  const Datum text = soft_text(runtime, value);
  const std::string& bytes = text.text().bytes;
  std::string out;
  std::size_t begin = 0;
  const auto flush = [&](std::size_t end) {
    if (end == begin) return;
    std::size_t rest = begin;
    text::unicode::decode(bytes, rest);
    out += text::unicode::upper(std::string_view(bytes).substr(begin, rest - begin));
    out += text::unicode::lower(std::string_view(bytes).substr(rest, end - rest));
  };
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t place = at;
    const char32_t point = text::unicode::decode(bytes, at);
    if (!text::unicode::is_space(point) &&
        (point >= 0x80 || std::string_view("-({[<").find(static_cast<char>(point)) == std::string_view::npos))
      continue;
    flush(place);
    out.append(bytes, place, at - place);
    begin = at;
  }
  flush(bytes.size());
  return runtime.text(std::move(out));
}

Datum indent(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"width", "first", "blank"});
  const Text& text = need_text(runtime, value);
  std::string margin;
  if (bound[0] && bound[0]->is(Type::text)) {
    margin = text.markup ? escaped(runtime, *bound[0]).text().bytes : bound[0]->text().bytes;
  } else {
    margin = std::string(static_cast<std::size_t>(
                             std::clamp<std::int64_t>(bound[0] ? need_integer(runtime, *bound[0]) : 4, 0, kMaxText)),
                         ' ');
  }
  const bool blank = flag(runtime, bound[2]);
  // One break more, so that a text that ends with one keeps it.
  const std::string whole = text.bytes + "\n";
  std::string out;
  bool first = true;
  for (const std::string_view line : text::unicode::split_lines(whole)) {
    if (!first) out += '\n';
    if (first ? flag(runtime, bound[1]) : blank || !line.empty()) out += margin;
    first = false;
    out += line;
    if (out.size() > kMaxText) runtime.fail_limit("limit.result", "a text of the template is larger than 64 MiB");
  }
  return runtime.text(std::move(out), text.markup);
}

Datum truncate(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"length", "killwords", "end", "leeway"});
  const std::int64_t length = bound[0] ? need_integer(runtime, *bound[0]) : 255;
  const Datum end = bound[2] ? *bound[2] : runtime.text("...");
  const std::optional<std::int64_t> end_size = size_of(end);
  const std::int64_t leeway = is_given(bound[3]) ? need_integer(runtime, *bound[3]) : 5;
  if (!end_size || length < *end_size || leeway < 0) runtime.fail("the lengths of 'truncate' do not fit together");
  const std::optional<std::int64_t> size = size_of(value);
  if (!size) runtime.fail("a value of type " + std::string(type_name(value)) + " has no length");
  if (*size <= length || *size - length <= leeway) return value;
  Datum kept = slice(runtime, value, {}, Datum::of_integer(length - *end_size), {});
  if (!flag(runtime, bound[1])) {
    const Text& text = need_text(runtime, kept);
    const std::size_t blank = text.bytes.rfind(' ');
    if (blank != std::string::npos) kept = runtime.text(text.bytes.substr(0, blank), text.markup);
  }
  return calculate(runtime, Operator::add, kept, end);
}

Datum word_wrap(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"width", "break_long_words", "wrapstring", "break_on_hyphens"});
  WrapStyle style;
  style.width = bound[0] ? need_integer(runtime, *bound[0]) : 79;
  style.break_long_words = !bound[1] || truth(runtime, *bound[1]);
  style.break_on_hyphens = !bound[3] || truth(runtime, *bound[3]);
  const std::string between = is_given(bound[2]) ? need_text(runtime, *bound[2]).bytes : "\n";
  const std::string& text = need_text(runtime, value).bytes;
  runtime.work(text.size());
  std::string out;
  bool first = true;
  for (const std::string_view paragraph : text::unicode::split_lines(text)) {
    if (style.width <= 0) runtime.fail("the width must be above zero");
    std::string lines;
    for (const std::string& line : wrap(paragraph, style)) lines += (lines.empty() ? "" : between) + line;
    out += (first ? "" : between) + lines;
    first = false;
    if (out.size() > kMaxText) runtime.fail_limit("limit.result", "a text of the template is larger than 64 MiB");
  }
  return runtime.text(std::move(out));
}

Datum word_count(Runtime& runtime, const Datum& value, Arguments& arguments) {
  no_arguments(runtime, arguments);
  const std::string text = to_text(runtime, value);
  std::int64_t words = 0;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t point = text::unicode::decode(text, at);
    const bool is_word = point == '_' || text::unicode::is_alnum(point);
    if (is_word && !inside) ++words;
    inside = is_word;
  }
  return Datum::of_integer(words);
}

Datum format_filter(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Datum text = soft_text(runtime, value);
  if (!arguments.positional.empty() && !arguments.named.empty())
    runtime.fail("'format' takes values with names or without, not both");
  if (arguments.named.empty()) return format_percent(runtime, text, runtime.tuple(arguments.positional));
  const Datum named = runtime.dict();
  for (const auto& [name, argument] : arguments.named) insert(runtime, named.dict(), name, argument);
  return format_percent(runtime, text, named);
}

std::string quoted(std::string_view text, bool in_query) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    const bool is_plain = (code < 0x80 && text::unicode::is_alnum(code)) || byte == '_' || byte == '.' || byte == '-' ||
                          byte == '~' || (byte == '/' && !in_query);
    if (is_plain) {
      out += byte;
    } else if (byte == ' ' && in_query) {
      out += '+';
    } else {
      out += '%';
      out += kDigits[code >> 4];
      out += kDigits[code & 0xF];
    }
  }
  return out;
}

Datum url_encode(Runtime& runtime, const Datum& value, Arguments& arguments) {
  no_arguments(runtime, arguments);
  Iterator* iterator = value.is(Type::text) ? nullptr : iterate(runtime, value);
  if (iterator == nullptr) return runtime.text(quoted(to_text(runtime, value), false));
  std::string out;
  const auto add = [&](const Datum& key, const Datum& item) {
    out += (out.empty() ? "" : "&") + quoted(to_text(runtime, key), true) + "=" + quoted(to_text(runtime, item), true);
  };
  if (value.is(Type::dict)) {
    for (const auto& [key, item] : value.dict().entries) add(key, item);
  } else {
    while (const std::optional<Datum> item = iterator->next()) {
      const std::vector<Datum> pair = unpack(runtime, *item, 2);
      add(pair[0], pair[1]);
    }
  }
  return runtime.text(std::move(out));
}

/// The references that striptags resolves; HTML names many more.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kReferences = {{
    {"amp;", "&"},
    {"lt;", "<"},
    {"gt;", ">"},
    {"quot;", "\""},
    {"apos;", "'"},
    {"nbsp;", "\u00a0"},
    {"copy;", "\u00a9"},
    {"reg;", "\u00ae"},
    {"hellip;", "\u2026"},
    {"mdash;", "\u2014"},
    {"ndash;", "\u2013"},
}};

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at + 1);
    const auto* found = std::find_if(kReferences.begin(), kReferences.end(),
                                     [&](const auto& entry) { return rest.starts_with(entry.first); });
    const std::size_t end = rest.substr(0, 12).find(';');
    if (text[at] == '&' && found != kReferences.end()) {
      out += found->second;
      at += 1 + found->first.size();
    } else if (text[at] == '&' && rest.starts_with('#') && end != std::string_view::npos) {
      const bool hex = rest.size() > 1 && (rest[1] | 0x20) == 'x';
      char32_t point = 0;
      bool valid = end > (hex ? 2u : 1u);
      for (const char digit : rest.substr(hex ? 2 : 1, end - (hex ? 2 : 1))) {
        const std::size_t value = std::string_view("0123456789abcdef")
                                      .find(digit >= 'A' && digit <= 'F' ? static_cast<char>(digit | 0x20) : digit);
        valid = valid && value < (hex ? 16u : 10u);
        point = point * (hex ? 16 : 10) + static_cast<char32_t>(value);
      }
      valid = valid && point > 0 && point < 0x110000 && !(point >= 0xD800 && point < 0xE000);
      if (valid) {
        text::append_utf8(out, point);
        at += end + 2;
      } else {
        out += text[at++];
      }
    } else {
      out += text[at++];
    }
  }
  return out;
}

Datum strip_tags(Runtime& runtime, const Datum& value, Arguments& arguments) {
  no_arguments(runtime, arguments);
  const auto without = [](const std::string& text, std::string_view begin, std::string_view end) {
    std::string out;
    std::size_t at = 0;
    for (;;) {
      const std::size_t open = text.find(begin, at);
      const std::size_t close = open == std::string::npos ? open : text.find(end, open + begin.size());
      if (close == std::string::npos) return out + text.substr(at);
      out.append(text, at, open - at);
      at = close + end.size();
    }
  };
  const std::string text = without(without(to_text(runtime, value), "<!--", "-->"), "<", ">");
  std::string out;
  for (const std::string_view word : text::unicode::split_space(text))
    out += (out.empty() ? "" : " ") + std::string(word);
  return runtime.text(unescaped(out));
}

Datum xml_attributes(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"autospace"});
  runtime.need_defined(value);
  if (!value.is(Type::dict)) runtime.fail("'xmlattr' needs a dictionary");
  std::string out;
  for (const auto& [key, item] : value.dict().entries) {
    if (item.is(Type::none) || item.is_undefined()) continue;
    if (need_text(runtime, key).bytes.find_first_of(" \t\n\r\f\v/>=") != std::string::npos)
      runtime.fail("an attribute has an invalid name");
    out += (out.empty() ? "" : " ") + escaped(runtime, key).text().bytes + "=\"" + escaped(runtime, item).text().bytes +
           "\"";
  }
  if (!out.empty() && (!bound[0] || truth(runtime, *bound[0]))) out.insert(0, " ");
  return runtime.text(std::move(out));
}

constexpr std::array kTextFilters = {
    FilterEntry{"capitalize", capitalize},
    FilterEntry{"center", center},
    FilterEntry{"e", escape},
    FilterEntry{"escape", escape},
    FilterEntry{"forceescape", force_escape},
    FilterEntry{"format", format_filter},
    FilterEntry{"indent", indent},
    FilterEntry{"lower", lower},
    FilterEntry{"replace", replace_filter},
    FilterEntry{"safe", safe},
    FilterEntry{"string", string},
    FilterEntry{"striptags", strip_tags},
    FilterEntry{"title", title},
    FilterEntry{"trim", trim},
    FilterEntry{"truncate", truncate},
    FilterEntry{"upper", upper},
    FilterEntry{"urlencode", url_encode},
    FilterEntry{"wordcount", word_count},
    FilterEntry{"wordwrap", word_wrap},
    FilterEntry{"xmlattr", xml_attributes},
};

}  // namespace

Filter find_text_filter(std::string_view name) noexcept { return find_filter_among(kTextFilters, name); }

}  // namespace strata::jinja
