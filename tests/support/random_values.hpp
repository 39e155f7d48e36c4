// SPDX-License-Identifier: Apache-2.0
// Random values with hostile texts, the same for a seed on every platform.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include "strata/builder.hpp"
#include "strata/value.hpp"

namespace strata::testing {

struct RandomOptions {
  KeyEquality keys = KeyEquality::python;
  bool container_keys = false;
  bool beyond_json = true;  ///< Binary, dates, timestamps, sets, infinities, keys that are not text.
};

/// Calls `use` with every text of up to two printable ASCII characters, tabs and line feeds, and of three of the
/// characters that mean something to YAML.
template <typename Use>
void for_short_texts(const Use& use) {
  std::string all = "\t\n";
  for (char c = ' '; c <= '~'; ++c) all += c;
  static constexpr std::string_view kIndicators = "-?:,[]{}#&*!|>'\"%@`=.<0a \n\t\\";
  for (const char a : all) {
    use(std::string{a});
    for (const char b : all) use(std::string{a, b});
  }
  for (const char a : kIndicators) {
    for (const char b : kIndicators) {
      for (const char c : kIndicators) use(std::string{a, b, c});
    }
  }
}

/// A text in every position: key, value, item, inside of others.
inline Value in_every_position(Arena& arena, std::string_view text) {
  MappingBuilder inner(arena);
  const Value last = arena.text(text);
  inner.insert(text, arena.sequence(std::span(&last, 1)));
  SequenceBuilder items(arena);
  items.append(arena.text(text));
  items.append(inner.finish());
  MappingBuilder value(arena);
  value.insert(text, arena.text(text));
  value.insert("items", items.finish());
  return value.finish();
}

class RandomValues {
 public:
  RandomValues(Arena& arena, std::uint64_t seed, const RandomOptions& options)
      : arena_(arena), random_(seed), options_(options) {}

  // Recursion: `depth` bounds it.
  Value value(int depth = 4) {
    const std::uint64_t choice = below(10);
    if (depth == 0 || choice < 3) return scalar();
    if (choice == 3 && options_.beyond_json && chance(4)) {
      MappingBuilder set = MappingBuilder::set(arena_, options_.keys);
      for (std::uint64_t i = below(4); i > 0; --i) set.insert(key(depth), Value::null());
      return set.finish();
    }
    if (choice < 7) {
      MappingBuilder mapping(arena_, options_.keys);
      for (std::uint64_t i = below(5); i > 0; --i) mapping.insert(key(depth), value(depth - 1));
      return mapping.finish();
    }
    SequenceBuilder sequence(arena_);
    for (std::uint64_t i = below(5); i > 0; --i) sequence.append(value(depth - 1));
    return sequence.finish();
  }

  std::string text() {
    switch (below(8)) {
      case 0:
        return word();
      case 1:
        return std::string(1, punctuation()) + (chance(2) ? "" : std::string(1, punctuation()));
      case 2:
        return lines();
      case 3:
        return std::string(kHostile[below(kHostile.size())]);
      case 4:
        return piece() + piece();
      case 5:
        return piece() + piece() + piece() + piece();
      case 6:
        return number_like();
      default:
        return word() + " " + word();
    }
  }

 private:
  static constexpr std::array kHostile = std::to_array<std::string_view>({"",
                                                                          "yes",
                                                                          "No",
                                                                          "on",
                                                                          "y",
                                                                          "n",
                                                                          "1_000",
                                                                          "0o7",
                                                                          "010",
                                                                          "08",
                                                                          "1:30",
                                                                          "1:30.5",
                                                                          "-1:30",
                                                                          "0x1F",
                                                                          "0b11",
                                                                          "+5",
                                                                          "1e3",
                                                                          "1.5e3",
                                                                          "1.0e+3",
                                                                          ".5",
                                                                          "-.5",
                                                                          "1.",
                                                                          ".inf",
                                                                          "-.INF",
                                                                          ".nan",
                                                                          ".",
                                                                          "..",
                                                                          "...",
                                                                          "... a",
                                                                          "...a",
                                                                          "-",
                                                                          "--",
                                                                          "---",
                                                                          "--- a",
                                                                          "---a",
                                                                          "2001-01-01",
                                                                          "2001-1-2",
                                                                          "2001-12-14t21:59:43.10-05:00",
                                                                          "2001-12-14 21:59:43",
                                                                          "~",
                                                                          "null",
                                                                          "Null",
                                                                          "NULL",
                                                                          "nuLL",
                                                                          "true",
                                                                          "False",
                                                                          "=",
                                                                          "<<",
                                                                          "<",
                                                                          "!",
                                                                          "!!str",
                                                                          "! a",
                                                                          "&a",
                                                                          "*a",
                                                                          "|",
                                                                          ">",
                                                                          "|-",
                                                                          "%",
                                                                          "%YAML 1.1",
                                                                          "@a",
                                                                          "`a`",
                                                                          " a",
                                                                          "a ",
                                                                          "  ",
                                                                          " ",
                                                                          "a: b",
                                                                          "a:",
                                                                          ":a",
                                                                          "a:b",
                                                                          ": a",
                                                                          ":",
                                                                          "a #b",
                                                                          "a#b",
                                                                          "#b",
                                                                          "# b",
                                                                          "- x",
                                                                          "-x",
                                                                          "? x",
                                                                          "?x",
                                                                          "?",
                                                                          "[a]",
                                                                          "{a: b}",
                                                                          "a, b",
                                                                          "[",
                                                                          "]",
                                                                          "'",
                                                                          "''",
                                                                          "it's",
                                                                          "'a'",
                                                                          "\"a\"",
                                                                          "\"",
                                                                          "a\\nb",
                                                                          "\\",
                                                                          "it's: \"x\"",
                                                                          "\t",
                                                                          "a\tb",
                                                                          "\ta",
                                                                          "a\t",
                                                                          "a:\tb",
                                                                          "a\t#b",
                                                                          "a\n",
                                                                          "a\nb",
                                                                          "a\nb\n",
                                                                          "a\n\n",
                                                                          "\n",
                                                                          "\n\n",
                                                                          "\na",
                                                                          "\n a\nb",
                                                                          " a\nb",
                                                                          "\ta\nb",
                                                                          "a\n b\n",
                                                                          "a \nb",
                                                                          "a\n \nb",
                                                                          "a\r\nb",
                                                                          "a\rb",
                                                                          "# a\nb",
                                                                          "---\na",
                                                                          "- a\n- b\n",
                                                                          "a: b\nc: d\n",
                                                                          "%a\nb",
                                                                          "a\n\n\n",
                                                                          "a\n\tb",
                                                                          "a\n\n  b\n",
                                                                          "...\n",
                                                                          "\xC2\x85",
                                                                          "a\xC2\x85"
                                                                          "b",
                                                                          "\xE2\x80\xA8",
                                                                          "a\xE2\x80\xA9",
                                                                          "\xEF\xBB\xBF",
                                                                          "a\xEF\xBB\xBF",
                                                                          "\xEF\xBB\xBF"
                                                                          "a\nb",
                                                                          "\xC2\xA0",
                                                                          "\xF0\x9F\x98\x80",
                                                                          "\xF0\x9F\x98\x80\n\xF0\x9F\x98\x80",
                                                                          "\xC3\xA9",
                                                                          "\x7F",
                                                                          "\x1b[0m",
                                                                          "\x01",
                                                                          "\a\b\v\f",
                                                                          "\xC2\x80",
                                                                          "\xEF\xBF\xBE",
                                                                          "\xEF\xBF\xBF",
                                                                          "\xE2\x80\xAE"
                                                                          "abc",
                                                                          "http://example.org/a?b=c#d",
                                                                          "${a}",
                                                                          "{{ a }}",
                                                                          "%{lookup('a')}",
                                                                          "10.0.0.1/24",
                                                                          "a::b",
                                                                          "*",
                                                                          "&",
                                                                          "key: |\n  a\n",
                                                                          "\xEF\xBF\xBD",
                                                                          "123456789012345678901234567890",
                                                                          "1,000",
                                                                          "0",
                                                                          "-0",
                                                                          "00",
                                                                          "0.0",
                                                                          "1__2",
                                                                          "_1",
                                                                          "190:20:30",
                                                                          "-",
                                                                          "+",
                                                                          "0x",
                                                                          "0b",
                                                                          "0o",
                                                                          "e",
                                                                          "1e",
                                                                          "infinity",
                                                                          "NaN"});

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  bool chance(std::uint64_t of) { return below(of) == 0; }

  char punctuation() {
    static constexpr std::string_view kAll = " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~0a\n\t";
    return kAll[below(kAll.size())];
  }
  std::string word() {
    std::string out;
    for (std::uint64_t i = 1 + below(chance(20) ? 200 : 12); i > 0; --i) out += static_cast<char>('a' + below(26));
    return out;
  }
  std::string piece() {
    switch (below(4)) {
      case 0:
        return word();
      case 1:
        return std::string(kHostile[below(kHostile.size())]);
      default:
        return std::string(1, punctuation());
    }
  }
  std::string lines() {
    std::string out;
    for (std::uint64_t i = below(5); i > 0; --i) {
      out += chance(4) ? "" : chance(3) ? std::string(below(4), ' ') + word() : chance(3) ? piece() + piece() : word();
      out += '\n';
    }
    return out + (chance(2) ? word() : "");
  }
  std::string number_like() {
    static constexpr std::string_view kAll = "0123456789+-.:_eExob";
    std::string out;
    for (std::uint64_t i = 1 + below(8); i > 0; --i) out += kAll[chance(2) ? below(10) : below(kAll.size())];
    return out;
  }

  double floating() {
    static constexpr std::array kEdges = std::to_array<double>(
        {0.0, -0.0, 1.0, 0.1, 1e15, 1e16, 1e17, 1e-4, 1e-5, 123456.789, 1e300, 5e-324, 1e22, 9007199254740993.0});
    switch (below(3)) {
      case 0:
        return kEdges[below(kEdges.size())];
      case 1:
        return static_cast<double>(below(100000)) / 100;
      default: {
        const std::uint64_t bits = random_();
        double number = 0;
        __builtin_memcpy(&number, &bits, 8);
        return number - number == 0 ? number : 2.5;  // Finite.
      }
    }
  }

  Date date() {
    return {.year = static_cast<std::int32_t>(1 + below(9999)),
            .month = static_cast<std::uint8_t>(1 + below(12)),
            .day = static_cast<std::uint8_t>(1 + below(28))};
  }
  Timestamp timestamp() {
    Timestamp result;
    result.date = date();
    result.date.year = static_cast<std::int32_t>(1970 + below(100));
    result.hour = static_cast<std::uint8_t>(below(24));
    result.minute = static_cast<std::uint8_t>(below(60));
    result.second = static_cast<std::uint8_t>(below(60));
    if (chance(2)) result.microsecond = static_cast<std::uint32_t>(chance(2) ? below(1000000) : below(10) * 100000);
    result.has_zone = chance(2);
    if (result.has_zone) result.zone_seconds = (static_cast<std::int32_t>(below(48)) - 24) * 1800;
    return result;
  }
  std::string bytes() {
    std::string out;
    for (std::uint64_t i = below(chance(4) ? 200 : 10); i > 0; --i) out += static_cast<char>(below(256));
    return out;
  }

  Value scalar() {
    switch (below(options_.beyond_json ? 14 : 10)) {
      case 0:
        return Value::null();
      case 1:
        return Value::boolean(chance(2));
      case 2:
        return Value::integer(static_cast<std::int64_t>(below(2000)) - 1000);
      case 3:
        return chance(2) ? Value::integer(static_cast<std::int64_t>(random_()))
                         : arena_.integer((chance(2) ? "-" : "") + std::to_string(1 + below(9)) +
                                          std::to_string(random_()) + std::to_string(random_()));
      case 4:
        return Value::floating(floating());
      case 10:
        return arena_.binary(bytes());
      case 11:
        return Arena::date(date());
      case 12:
        return arena_.timestamp(timestamp());
      case 13:
        return Value::floating(chance(3) ? __builtin_nan("") : chance(2) ? __builtin_inf() : -__builtin_inf());
      default:
        return arena_.text(text());
    }
  }

  Value key(int depth) {
    if (options_.container_keys && chance(8)) return value(depth - 1);
    if (options_.beyond_json && chance(5)) {
      const Value made = scalar();
      // Two not-a-numbers are one key here and two in Python.
      if (made.kind() != Kind::floating || made.as_floating() == made.as_floating()) return arena_.key(made);
    }
    return arena_.key(text());
  }

  Arena& arena_;
  std::mt19937_64 random_;
  RandomOptions options_;
};

}  // namespace strata::testing
