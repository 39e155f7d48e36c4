// SPDX-License-Identifier: Apache-2.0
#include "deckhand/python_template.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "strata/error.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"
#include "text/unicode/characters.hpp"
#include "value/ascii.hpp"

namespace strata::deckhand {
namespace {

using strata::detail::is_digit;
using strata::detail::is_letter;

bool is_octal(char c) noexcept { return c >= '0' && c <= '7'; }

[[noreturn]] void fail(const std::string& reason) {
  throw Error("deckhand.template", "the value is a template of Python's re.sub here, and " + reason)
      .hint("a backslash in a value that goes into a pattern is written twice");
}

[[noreturn]] void fail_size(std::size_t most) {
  throw Error("limit.result", fmt::format("a substitution makes a text of more than {} bytes", most));
}

}  // namespace

PythonTemplate::PythonTemplate(std::string_view text, const text::Regex& regex, std::size_t most)
    : regex_(regex), most_parts_(most / sizeof(decltype(parts_)::value_type)) {
  read(text);
}

void PythonTemplate::add(std::string_view literal) {
  if (parts_.empty() || !std::holds_alternative<std::string>(parts_.back())) parts_.emplace_back(std::string());
  std::get<std::string>(parts_.back()) += literal;
}

void PythonTemplate::add_group(std::size_t number) {
  if (number > regex_.groups()) fail(fmt::format("its pattern has no group {}", number));
  if (parts_.size() >= most_parts_) fail_size(most_parts_ * sizeof(decltype(parts_)::value_type));
  parts_.emplace_back(number);
}

void PythonTemplate::read(std::string_view text) {
  constexpr std::string_view kEscapes = "abfnrtv\\";
  constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t backslash = std::min(text.find('\\', at), text.size());
    if (backslash > at) add(text.substr(at, backslash - at));
    at = backslash;
    if (at == text.size()) break;
    if (at + 1 == text.size()) fail("ends in a backslash");
    const char c = text[at + 1];
    if (c == 'g') {
      at = read_group(text, at + 2);
    } else if (is_digit(c)) {
      at = read_digits(text, at + 1);
    } else if (const std::size_t known = kEscapes.find(c); known != std::string_view::npos) {
      add(kMeanings.substr(known, 1));
      at += 2;
    } else if (is_letter(c)) {
      fail(fmt::format("there is no escape \\{}", c));
    } else {
      add(text.substr(at, 2));
      at += 2;
    }
  }
}

/// `<name>` or `<number>`, behind `\g`.
std::size_t PythonTemplate::read_group(std::string_view text, std::size_t at) {
  const std::size_t end = at < text.size() && text[at] == '<' ? text.find('>', at) : std::string_view::npos;
  if (end == std::string_view::npos || end == at + 1) fail("\\g is not followed by <group>");
  const std::string_view name = text.substr(at + 1, end - at - 1);
  if (std::ranges::all_of(name, is_digit)) {
    constexpr std::size_t kDigits = 6;
    std::string_view digits = name;
    while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
    if (digits.size() > kDigits) fail("its pattern does not have that many groups");
    add_group(std::stoul(std::string(digits)));
  } else {
    const auto number = regex_.group(name);
    if (!number) fail("\\g<..> names a group that its pattern does not have");
    add_group(*number);
  }
  return end + 1;
}

/// `\0`, `\07`, `\012` and `\123` are characters, `\1` and `\12` groups.
std::size_t PythonTemplate::read_digits(std::string_view text, std::size_t at) {
  const auto digit = [&](std::size_t offset, bool (*test)(char)) {
    return at + offset < text.size() && test(text[at + offset]);
  };
  std::size_t count = 1;
  bool is_character = text[at] == '0';
  if (is_character) {
    while (count < 3 && digit(count, is_octal)) ++count;
  } else if (digit(1, is_digit)) {
    is_character = is_octal(text[at]) && is_octal(text[at + 1]) && digit(2, is_octal);
    count = is_character ? 3 : 2;
  }
  const std::string digits(text.substr(at, count));
  if (!is_character) {
    add_group(std::stoul(digits));
    return at + count;
  }
  const unsigned long code = std::stoul(digits, nullptr, 8);
  if (code > 0xFF) fail(fmt::format("the octal escape \\{} is beyond \\377", digits));
  std::string character;
  text::append_utf8(character, static_cast<char32_t>(code));
  add(character);
  return at + count;
}

PythonTemplate::Replaced PythonTemplate::replace_all(std::string_view text, std::size_t most, const Stop* stop) const {
  Replaced result;
  StopCheck check(stop);
  std::size_t done = 0;
  std::size_t room = most;
  // Before it is there: one match may have many parts, and one part may be all of the text. A part without characters
  // is work, too.
  const auto add = [&](std::string_view piece) {
    if (piece.size() >= room) fail_size(most);
    room -= piece.size() + 1;
    check.tick();
    result.text += piece;
  };
  regex_.each_match(text, [&](const text::Regex::Match& match) {
    const text::Regex::Span whole = *match.groups[0];
    add(text.substr(done, whole.begin - done));
    done = whole.end;
    result.any = true;
    for (const auto& part : parts_) {
      const auto* literal = std::get_if<std::string>(&part);
      const auto group = literal != nullptr ? std::nullopt : match.groups[std::get<std::size_t>(part)];
      add(literal != nullptr ? std::string_view(*literal)
          : group            ? text.substr(group->begin, group->end - group->begin)
                             : std::string_view());
    }
  });
  if (result.any) add(text.substr(done));
  return result;
}

}  // namespace strata::deckhand
