// SPDX-License-Identifier: Apache-2.0
// Prints values for another reader to check: write_values FIRST_SEED COUNT for random ones, write_values short for all
// short texts. One JSON object a line: the value with its types spelled out, and what the writers make of it.
// yaml_writer.py reads it.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "strata/error.hpp"
#include "strata/scalar_text.hpp"
#include "strata/text.hpp"
#include "support/random_values.hpp"

namespace strata {
namespace {

void append_pair(std::string& out, std::string_view tag, std::string_view text) {
  out += "[\"";
  out += tag;
  out += "\",";
  text::append_json_text(out, text);
  out += ']';
}

// Recursion: the generator bounds the depth.
void append_typed(std::string& out, const Value& value) {
  switch (value.kind()) {
    case Kind::null:
    case Kind::absent:
    case Kind::object:
      return append_pair(out, "null", "");
    case Kind::boolean:
      return append_pair(out, "bool", scalar_text(value));
    case Kind::integer:
    case Kind::big_integer:
      return append_pair(out, "int", scalar_text(value));
    case Kind::floating: {
      // In base 16, so that nothing depends on the printing of decimals.
      char buffer[64];
      std::snprintf(buffer, sizeof buffer, "%a", value.as_floating());
      return append_pair(out, "float", buffer);
    }
    case Kind::text:
      return append_pair(out, "text", value.text());
    case Kind::binary:
      return append_pair(out, "binary", base64_encode(value.text()));
    case Kind::date:
      return append_pair(out, "date", date_text(value.as_date()));
    case Kind::timestamp:
      return append_pair(out, "timestamp", timestamp_text(value.as_timestamp()));
    case Kind::sequence: {
      out += "[\"sequence\",[";
      const char* comma = "";
      for (const Value& item : value.items()) {
        out += comma;
        append_typed(out, item);
        comma = ",";
      }
      out += "]]";
      return;
    }
    case Kind::mapping:
    case Kind::set: {
      out += value.is_mapping() ? "[\"mapping\",[" : "[\"set\",[";
      const char* comma = "";
      for (const Entry& entry : value.entries()) {
        out += comma;
        out += '[';
        append_typed(out, entry.key);
        out += ',';
        append_typed(out, entry.value);
        out += ']';
        comma = ",";
      }
      out += "]]";
      return;
    }
  }
}

void print_case(std::uint64_t seed, const Value& value) {
  std::string out = "{\"seed\":" + std::to_string(seed) + ",\"value\":";
  append_typed(out, value);
  text::YamlStyle style;
  style.indent = static_cast<int>(2 + seed % 4);
  style.sort_keys = seed % 7 == 0;
  out += ",\"yaml\":";
  text::append_json_text(out, text::write_yaml(value, style));
  std::string lines;
  text::write_yaml_lines(value, style, [&lines](const text::YamlLine& line) { (lines += line.text) += '\n'; });
  out += ",\"lines\":";
  text::append_json_text(out, lines);
  try {
    const std::string json =
        text::write_json(value, {.sort_keys = seed % 7 == 0, .indent = static_cast<int>(seed % 5) - 1});
    out += ",\"json\":";
    text::append_json_text(out, json);
  } catch (const Error& error) {
    out += ",\"json_error\":";
    text::append_json_text(out, error.code());
  }
  out += "}\n";
  std::fwrite(out.data(), 1, out.size(), stdout);
}

void print_random(std::uint64_t seed) {
  Arena arena;
  testing::RandomOptions options;
  options.beyond_json = seed % 3 != 0;
  print_case(seed, testing::RandomValues(arena, seed, options).value());
}

void print_short_texts() {
  std::uint64_t number = 0;
  testing::for_short_texts([&number](const std::string& text) {
    Arena arena;
    print_case(++number, testing::in_every_position(arena, text));
    print_case(++number, arena.text(text));
  });
}

}  // namespace
}  // namespace strata

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "short") {
    strata::print_short_texts();
    return 0;
  }
  if (argc != 3) return 2;
  const std::uint64_t first = std::strtoull(argv[1], nullptr, 10);
  const std::uint64_t count = std::strtoull(argv[2], nullptr, 10);
  for (std::uint64_t seed = first; seed < first + count; ++seed) strata::print_random(seed);
}
