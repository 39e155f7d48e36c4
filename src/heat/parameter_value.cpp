// SPDX-License-Identifier: Apache-2.0
#include "heat/parameter_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "heat/numbers.hpp"
#include "python/data.hpp"
#include "strata/builder.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"
#include "text/unicode/characters.hpp"

namespace strata::heat {
namespace {

constexpr std::array<std::string_view, 6> kTrue{"1", "t", "true", "on", "y", "yes"};
constexpr std::array<std::string_view, 6> kFalse{"0", "f", "false", "off", "n", "no"};

Parsed fail(std::string problem) { return {.value = {}, .problem = std::move(problem)}; }

Parsed parse_string(const Value& given, Arena& arena) {
  if (given.is_text()) return {given, {}};
  return {arena.text(shown_plain(given)).with_origin(given.origin()), {}};
}

Parsed parse_json(const ParameterSchema& schema, const Value& given, Sources& sources, const Limits& limits,
                  Arena& arena) {
  if (!given.is_text() || given.text().empty()) return {given, {}};
  const auto outer = sources.source_of(given.origin());
  const std::string text(given.text());
  const SourceId inner = outer ? sources.add_decoded(*outer, schema.name, text) : sources.add("<parameter>", text);
  if (schema.hidden) sources.mark_secret(inner);
  try {
    const text::Document document = text::read_json(sources, inner, limits);
    return {arena.deep_copy(document.root), {}};
  } catch (const Error& error) {
    if (error.category() != Category::input) throw;
    // What a message quotes may be part of the value.
    return fail(schema.hidden ? "value must be valid JSON" : fmt::format("value must be valid JSON: {}", error.what()));
  }
}

}  // namespace

std::string shown_plain(const Value& value) { return value.is_container() ? python::json(value) : python::str(value); }

std::string in_message(std::string text) {
  constexpr std::size_t kShown = 300;
  if (text.size() <= kShown) return text;
  std::size_t end = kShown;
  while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

Parsed parse_number(const Value& given, bool hidden, Arena& arena) {
  if (is_number(given)) return {given, {}};
  if (!given.is_text()) return fail(fmt::format("value must be a number, not {}", describe(given.kind())));
  if (const auto number = number_of(arena, given.text())) return {number->with_origin(given.origin()), {}};
  return fail(fmt::format("could not convert string to float: {}",
                          hidden ? std::string(report::kMask) : in_message(python::repr(given.text()))));
}

Parsed parse_boolean(const Value& given, bool hidden) {
  if (given.kind() == Kind::boolean) return {given, {}};
  const std::string text = shown_plain(given);
  const std::string word = text::unicode::lower(text::unicode::strip(text, true, true));
  const auto is_in = [&](const auto& words) { return std::ranges::find(words, word) != words.end(); };
  if (is_in(kTrue)) return {Value::boolean(true).with_origin(given.origin()), {}};
  if (is_in(kFalse)) return {Value::boolean(false).with_origin(given.origin()), {}};
  return fail(
      fmt::format("unrecognized value '{}', acceptable values are: '0', '1', 'f', 'false', 'n', 'no', 'off', 'on', "
                  "'t', 'true', 'y', 'yes'",
                  hidden ? std::string(report::kMask) : in_message(text)));
}

Parsed parse_list(const Value& given, Arena& arena) {
  SequenceBuilder list(arena);
  if (given.is_sequence()) {
    for (const Value& item : given.items())
      list.append(item.is_text() ? item : arena.text(shown_plain(item)).with_origin(item.origin()));
    return {list.finish().with_origin(given.origin()), {}};
  }
  if (!given.is_text())
    return fail(fmt::format("value must be a comma-delimited list string, not {}", describe(given.kind())));
  std::string_view rest = given.text();
  if (rest.empty()) return {list.finish().with_origin(given.origin()), {}};
  for (std::size_t comma = rest.find(','); comma != std::string_view::npos; comma = rest.find(',')) {
    list.append(arena.text(rest.substr(0, comma)).with_origin(given.origin()));
    rest.remove_prefix(comma + 1);
  }
  list.append(arena.text(rest).with_origin(given.origin()));
  return {list.finish().with_origin(given.origin()), {}};
}

Parsed parse(const ParameterSchema& schema, const Value& given, Arena& arena, Sources& sources, const Limits& limits) {
  switch (schema.type) {
    case ParameterType::string:
      return parse_string(given, arena);
    case ParameterType::number:
      return parse_number(given, schema.hidden, arena);
    case ParameterType::boolean:
      return parse_boolean(given, schema.hidden);
    case ParameterType::comma_delimited_list:
      return parse_list(given, arena);
    case ParameterType::json:
      break;
  }
  return parse_json(schema, given, sources, limits, arena);
}

std::string shown(const ParameterSchema& schema, const Value& parsed) {
  if (schema.hidden) return std::string(report::kMask);
  if (schema.type == ParameterType::json) return python::json(parsed);
  if (schema.type != ParameterType::comma_delimited_list) return shown_plain(parsed);
  std::string joined;
  for (const Value& item : parsed.items()) {
    if (&item != parsed.items().data()) joined.push_back(',');
    joined += item.text();
  }
  return joined;
}

}  // namespace strata::heat
