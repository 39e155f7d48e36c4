// SPDX-License-Identifier: Apache-2.0
// The methods of Python's str (and of its escaped kind, which stays escaped).
#include <algorithm>
#include <array>

#include "jinja/operations.hpp"
#include "text/unicode/characters.hpp"

namespace strata::jinja {
namespace {

/// A new text of the kind of `self`.
Datum like(Runtime& runtime, const Datum& self, std::string text) {
  runtime.work_on(text.size());
  return runtime.text(std::move(text), self.text().markup);
}

/// An argument that is joined to `self`: escaped where `self` is.
std::string part(Runtime& runtime, const Datum& self, const Datum& argument) {
  return self.text().markup ? escaped(runtime, argument).text().bytes : need_text(runtime, argument).bytes;
}

template <std::string (*convert)(std::string_view)>
Datum converted(Runtime& runtime, const Datum& self, Arguments& arguments) {
  no_arguments(runtime, arguments);
  return like(runtime, self, convert(self.text().bytes));
}

template <bool left, bool right>
Datum strip(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"chars"});
  std::optional<std::string> characters;
  if (is_given(bound[0])) characters = part(runtime, self, *bound[0]);
  runtime.work(self.text().bytes.size() * (characters ? characters->size() : 1) / 64);
  return like(runtime, self, std::string(text::unicode::strip(self.text().bytes, left, right, characters)));
}

/// The part of the text between the optional arguments `start` and `end`, in bytes.
struct Window {
  std::string_view text;
  std::size_t start = 0;  ///< Code points before it.
  bool is_valid = true;   ///< `start` is not behind the end.
};

Window window(Runtime& runtime, const Datum& self, const Bound& bound, std::size_t first) {
  const Text& text = self.text();
  const auto size = static_cast<std::int64_t>(text.length);
  const auto limit = [&](const std::optional<Datum>& datum, std::int64_t otherwise) {
    std::int64_t value = is_given(datum) ? need_integer(runtime, *datum) : otherwise;
    if (value < 0) value = std::max<std::int64_t>(0, value < -size ? 0 : value + size);
    return value;
  };
  runtime.work_on(text.bytes.size());
  const std::int64_t start = limit(bound[first], 0);
  const std::int64_t end = std::min(limit(bound[first + 1], size), size);
  Window result;
  result.start = static_cast<std::size_t>(start);
  result.is_valid = start <= size && start <= end;
  if (!result.is_valid) return result;
  const std::size_t begin = text::unicode::offset(text.bytes, static_cast<std::size_t>(start));
  const std::string_view rest = std::string_view(text.bytes).substr(begin);
  result.text = rest.substr(0, text::unicode::offset(rest, static_cast<std::size_t>(end - start)));
  return result;
}

template <bool from_right, bool must_find>
Datum find_text(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"sub", "start", "end"}, 1);
  const std::string& wanted = need_text(runtime, *bound[0]).bytes;
  const Window where = window(runtime, self, bound, 1);
  const std::size_t found = !where.is_valid ? std::string_view::npos
                            : from_right    ? where.text.rfind(wanted)
                                            : where.text.find(wanted);
  if (found != std::string_view::npos) {
    return Datum::of_integer(
        static_cast<std::int64_t>(where.start + text::unicode::length(where.text.substr(0, found))));
  }
  if (must_find) runtime.fail("the text is not found");
  return Datum::of_integer(-1);
}

Datum count(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"sub", "start", "end"}, 1);
  const std::string& wanted = need_text(runtime, *bound[0]).bytes;
  const Window where = window(runtime, self, bound, 1);
  if (!where.is_valid) return Datum::of_integer(0);
  if (wanted.empty()) return Datum::of_integer(static_cast<std::int64_t>(text::unicode::length(where.text) + 1));
  std::int64_t number = 0;
  for (std::size_t at = where.text.find(wanted); at != std::string_view::npos;
       at = where.text.find(wanted, at + wanted.size()))
    ++number;
  return Datum::of_integer(number);
}

template <bool at_end>
Datum starts_or_ends(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"prefix", "start", "end"}, 1);
  const Window where = window(runtime, self, bound, 1);
  const auto matches = [&](const Datum& affix) {
    const std::string& text = need_text(runtime, affix).bytes;
    return where.is_valid && (at_end ? where.text.ends_with(text) : where.text.starts_with(text));
  };
  if (!bound[0]->is(Type::tuple)) return Datum::of_boolean(matches(*bound[0]));
  const std::vector<Datum>& affixes = bound[0]->list().items;
  return Datum::of_boolean(std::any_of(affixes.begin(), affixes.end(), matches));
}

template <bool at_end>
Datum remove_affix(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const std::string affix = part(runtime, self, *bind(runtime, arguments, {"affix"}, 1)[0]);
  std::string_view text = self.text().bytes;
  if (at_end ? text.ends_with(affix) : text.starts_with(affix)) {
    at_end ? text.remove_suffix(affix.size()) : text.remove_prefix(affix.size());
  }
  return like(runtime, self, std::string(text));
}

template <bool from_right>
Datum split(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"sep", "maxsplit"});
  const std::int64_t limit = bound[1] ? need_integer(runtime, *bound[1]) : -1;
  const std::optional<std::size_t> at_most =
      limit < 0 ? std::nullopt : std::optional<std::size_t>(static_cast<std::size_t>(limit));
  std::string_view text = self.text().bytes;
  runtime.work_on(text.size());
  std::vector<std::string_view> parts;
  if (is_given(bound[0])) {
    const std::string& separator = need_text(runtime, *bound[0]).bytes;
    if (separator.empty()) runtime.fail("the separator is empty");
    while (!at_most || parts.size() < *at_most) {
      const std::size_t found = from_right ? text.rfind(separator) : text.find(separator);
      if (found == std::string_view::npos) break;
      parts.push_back(from_right ? text.substr(found + separator.size()) : text.substr(0, found));
      text = from_right ? text.substr(0, found) : text.substr(found + separator.size());
    }
    parts.push_back(text);
  } else if (from_right) {
    for (text = text::unicode::strip(text, false, true); !text.empty();
         text = text::unicode::strip(text, false, true)) {
      if (at_most && parts.size() == *at_most) {
        parts.push_back(text);
        break;
      }
      std::size_t begin = text.size();
      while (begin > 0) {
        std::size_t previous = begin - 1;
        while (previous > 0 && (static_cast<unsigned char>(text[previous]) & 0xC0) == 0x80) --previous;
        std::size_t at = previous;
        if (text::unicode::is_space(text::unicode::decode(text, at))) break;
        begin = previous;
      }
      parts.push_back(text.substr(begin));
      text = text.substr(0, begin);
    }
  } else {
    parts = text::unicode::split_space(text, at_most);
  }
  if (from_right) std::reverse(parts.begin(), parts.end());
  std::vector<Datum> items;
  items.reserve(parts.size());
  for (const std::string_view each : parts) items.push_back(like(runtime, self, std::string(each)));
  return runtime.list(std::move(items));
}

template <bool from_right>
Datum partition(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const std::string separator = part(runtime, self, *bind(runtime, arguments, {"sep"}, 1)[0]);
  if (separator.empty()) runtime.fail("the separator is empty");
  const std::string& text = self.text().bytes;
  const std::size_t found = from_right ? text.rfind(separator) : text.find(separator);
  const Datum nothing = like(runtime, self, {});
  if (found == std::string::npos)
    return from_right ? runtime.tuple({nothing, nothing, self}) : runtime.tuple({self, nothing, nothing});
  return runtime.tuple({like(runtime, self, text.substr(0, found)), like(runtime, self, separator),
                        like(runtime, self, text.substr(found + separator.size()))});
}

Datum split_lines(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"keepends"});
  std::vector<Datum> lines;
  for (const std::string_view line :
       text::unicode::split_lines(self.text().bytes, bound[0] && truth(runtime, *bound[0]))) {
    lines.push_back(like(runtime, self, std::string(line)));
  }
  return runtime.list(std::move(lines));
}

Datum join_with_self(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const Datum items = *bind(runtime, arguments, {"iterable"}, 1)[0];
  std::string out;
  bool first = true;
  for (const Datum& item : collect(runtime, items)) {
    if (!first) out += self.text().bytes;
    first = false;
    out += part(runtime, self, item);
    if (out.size() > kMaxText) runtime.fail_limit("limit.result", "a text of the template is larger than 64 MiB");
  }
  return like(runtime, self, std::move(out));
}

/// An empty text stands before each character and at the end.
std::string replace_empty(std::string_view text, const std::string& after, std::int64_t limit) {
  std::string out;
  std::int64_t done = 0;
  for (const std::string_view character : text::unicode::characters(text)) {
    if (limit < 0 || done < limit) out += after;
    ++done;
    out += character;
    if (out.size() > kMaxText) return out;  // The maker of the text will complain.
  }
  if (limit < 0 || done < limit) out += after;
  return out;
}

Datum replace(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"old", "new", "count"}, 2);
  const std::string before = part(runtime, self, *bound[0]);
  const std::string after = part(runtime, self, *bound[1]);
  const std::int64_t limit = bound[2] ? need_integer(runtime, *bound[2]) : -1;
  const std::string& text = self.text().bytes;
  if (before.empty()) return like(runtime, self, replace_empty(text, after, limit));
  std::string out;
  std::size_t at = 0;
  for (std::int64_t done = 0; limit < 0 || done < limit; ++done) {
    const std::size_t found = text.find(before, at);
    if (found == std::string::npos) break;
    out.append(text, at, found - at);
    out += after;
    at = found + before.size();
    if (out.size() > kMaxText) break;
  }
  out.append(text, at);
  return like(runtime, self, std::move(out));
}

enum class Justification { left, right, both };

template <Justification side>
Datum pad(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"width", "fillchar"}, 1);
  const std::int64_t width = need_integer(runtime, *bound[0]);
  const std::string fill = bound[1] ? part(runtime, self, *bound[1]) : " ";
  if (text::unicode::length(fill) != 1) runtime.fail("the fill must be one character");
  const auto length = static_cast<std::int64_t>(self.text().length);
  if (width <= length) return self;
  const std::int64_t missing = width - length;
  if (missing > static_cast<std::int64_t>(kMaxText))
    runtime.fail_limit("limit.result", "a text of the template is larger than 64 MiB");
  const std::int64_t before = side == Justification::left    ? 0
                              : side == Justification::right ? missing
                                                             : missing / 2 + (missing & width & 1);
  std::string out;
  for (std::int64_t index = 0; index < before; ++index) out += fill;
  out += self.text().bytes;
  for (std::int64_t index = before; index < missing; ++index) out += fill;
  return like(runtime, self, std::move(out));
}

Datum zero_fill(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const std::int64_t width = need_integer(runtime, *bind(runtime, arguments, {"width"}, 1)[0]);
  const std::string& text = self.text().bytes;
  const auto length = static_cast<std::int64_t>(self.text().length);
  if (width <= length) return self;
  if (width > static_cast<std::int64_t>(kMaxText))
    runtime.fail_limit("limit.result", "a text of the template is larger than 64 MiB");
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  return like(runtime, self,
              text.substr(0, sign) + std::string(static_cast<std::size_t>(width - length), '0') + text.substr(sign));
}

Datum expand_tabs(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"tabsize"});
  const std::int64_t size = bound[0] ? need_integer(runtime, *bound[0]) : 8;
  std::string out;
  std::int64_t column = 0;
  for (const std::string_view character : text::unicode::characters(self.text().bytes)) {
    if (character == "\t") {
      const std::int64_t spaces = size > 0 ? size - column % size : 0;
      if (spaces > 10'000) runtime.fail_unsupported("a tab of more than 10000 columns");
      out.append(static_cast<std::size_t>(spaces), ' ');
      column += spaces;
    } else {
      out += character;
      column = character == "\n" || character == "\r" ? 0 : column + 1;
    }
    if (out.size() > kMaxText) runtime.fail_limit("limit.result", "a text of the template is larger than 64 MiB");
  }
  return like(runtime, self, std::move(out));
}

template <bool (*test)(char32_t) noexcept>
Datum all_are(Runtime& runtime, const Datum& self, Arguments& arguments) {
  no_arguments(runtime, arguments);
  const std::string& text = self.text().bytes;
  runtime.work_on(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (!test(text::unicode::decode(text, at))) return Datum::of_boolean(false);
  }
  return Datum::of_boolean(!text.empty() || test == text::unicode::is_printable);
}

template <bool (*wanted)(char32_t) noexcept, bool (*unwanted)(char32_t) noexcept>
Datum is_cased(Runtime& runtime, const Datum& self, Arguments& arguments) {
  no_arguments(runtime, arguments);
  const std::string& text = self.text().bytes;
  bool found = false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t point = text::unicode::decode(text, at);
    if (unwanted(point)) return Datum::of_boolean(false);
    found = found || wanted(point);
  }
  return Datum::of_boolean(found);
}

Datum is_title(Runtime& runtime, const Datum& self, Arguments& arguments) {
  no_arguments(runtime, arguments);
  const std::string& text = self.text().bytes;
  bool found = false;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t point = text::unicode::decode(text, at);
    const bool upper = text::unicode::is_upper(point);
    const bool lower = text::unicode::is_lower(point);
    if ((upper && inside) || (lower && !inside)) return Datum::of_boolean(false);
    inside = upper || lower;
    found = found || inside;
  }
  return Datum::of_boolean(found);
}

bool is_digit(char32_t point) noexcept {
  return (point >= '0' && point <= '9') || point == 0xB2 || point == 0xB3 || point == 0xB9;
}

Datum is_ascii(Runtime& runtime, const Datum& self, Arguments& arguments) {
  no_arguments(runtime, arguments);
  return Datum::of_boolean(self.text().is_ascii());
}

Datum is_identifier(Runtime& runtime, const Datum& self, Arguments& arguments) {
  no_arguments(runtime, arguments);
  const std::string& text = self.text().bytes;
  for (std::size_t at = 0; at < text.size();) {
    const bool first = at == 0;
    const char32_t point = text::unicode::decode(text, at);
    if (point != '_' && !(first ? text::unicode::is_alpha(point) : text::unicode::is_alnum(point)))
      return Datum::of_boolean(false);
  }
  return Datum::of_boolean(!text.empty());
}

Datum format_self(Runtime& runtime, const Datum& self, Arguments& arguments) {
  return format_braces(runtime, self, arguments);
}

constexpr std::array kMethods = {
    MethodEntry{"upper", converted<text::unicode::upper>},
    MethodEntry{"lower", converted<text::unicode::lower>},
    MethodEntry{"casefold", converted<text::unicode::casefold>},
    MethodEntry{"title", converted<text::unicode::title>},
    MethodEntry{"capitalize", converted<text::unicode::capitalize>},
    MethodEntry{"swapcase", converted<text::unicode::swapcase>},
    MethodEntry{"strip", strip<true, true>},
    MethodEntry{"lstrip", strip<true, false>},
    MethodEntry{"rstrip", strip<false, true>},
    MethodEntry{"find", find_text<false, false>},
    MethodEntry{"rfind", find_text<true, false>},
    MethodEntry{"index", find_text<false, true>},
    MethodEntry{"rindex", find_text<true, true>},
    MethodEntry{"count", count},
    MethodEntry{"startswith", starts_or_ends<false>},
    MethodEntry{"endswith", starts_or_ends<true>},
    MethodEntry{"removeprefix", remove_affix<false>},
    MethodEntry{"removesuffix", remove_affix<true>},
    MethodEntry{"split", split<false>},
    MethodEntry{"rsplit", split<true>},
    MethodEntry{"partition", partition<false>},
    MethodEntry{"rpartition", partition<true>},
    MethodEntry{"splitlines", split_lines},
    MethodEntry{"join", join_with_self},
    MethodEntry{"replace", replace},
    MethodEntry{"ljust", pad<Justification::left>},
    MethodEntry{"rjust", pad<Justification::right>},
    MethodEntry{"center", pad<Justification::both>},
    MethodEntry{"zfill", zero_fill},
    MethodEntry{"expandtabs", expand_tabs},
    MethodEntry{"isalpha", all_are<text::unicode::is_alpha>},
    MethodEntry{"isalnum", all_are<text::unicode::is_alnum>},
    MethodEntry{"isspace", all_are<text::unicode::is_space>},
    MethodEntry{"isprintable", all_are<text::unicode::is_printable>},
    MethodEntry{"isdigit", all_are<is_digit>},
    MethodEntry{"isupper", is_cased<text::unicode::is_upper, text::unicode::is_lower>},
    MethodEntry{"islower", is_cased<text::unicode::is_lower, text::unicode::is_upper>},
    MethodEntry{"istitle", is_title},
    MethodEntry{"isascii", is_ascii},
    MethodEntry{"isidentifier", is_identifier},
    MethodEntry{"format", format_self},
};

}  // namespace

Method text_method(std::string_view name) noexcept { return find_method_among(kMethods, name); }

}  // namespace strata::jinja
