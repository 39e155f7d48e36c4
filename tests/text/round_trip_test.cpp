// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "strata/builder.hpp"
#include "strata/path.hpp"
#include "strata/text.hpp"
#include "support/random_values.hpp"

namespace strata::text {
namespace {

Value random_value(Arena& arena, std::uint64_t seed, const strata::testing::RandomOptions& options) {
  return strata::testing::RandomValues(arena, seed, options).value();
}

Document read_back(Sources& sources, const std::string& text, const Profile& profile) {
  return read_yaml(sources, sources.add("printed", text), profile, {});
}

/// What a profile has no scalars for is written as text, and sets as mappings: the value that reading gives.
/// `keep_bytes`: as `psych` has bytes, which are text where they are UTF-8.
Value without_types_of_yaml11(Arena& arena, const Value& value, bool keep_bytes = false) {
  switch (value.kind()) {
    case Kind::sequence: {
      SequenceBuilder sequence(arena);
      for (const Value& item : value.items()) sequence.append(without_types_of_yaml11(arena, item, keep_bytes));
      return sequence.finish();
    }
    case Kind::mapping:
    case Kind::set: {
      MappingBuilder mapping(arena, KeyEquality::exact);
      for (const Entry& entry : value.entries()) {
        mapping.insert(without_types_of_yaml11(arena, entry.key, keep_bytes),
                       without_types_of_yaml11(arena, entry.value, keep_bytes));
      }
      return mapping.finish();
    }
    case Kind::binary:
      if (!keep_bytes) return arena.text(key_text(value));
      return find_invalid_utf8(value.text()) == std::string_view::npos ? arena.text(value.text()) : value;
    case Kind::date:
    case Kind::timestamp:
      return arena.text(key_text(value));
    default:
      return value;
  }
}

/// Of a tree, keys counted.
std::size_t nodes_in(const Value& value) {
  std::size_t nodes = 1;
  if (value.is_sequence()) {
    for (const Value& item : value.items()) nodes += nodes_in(item);
  } else if (value.is_container()) {
    for (const Entry& entry : value.entries()) nodes += nodes_in(entry.key) + nodes_in(entry.value);
  }
  return nodes;
}

RC_GTEST_PROP(RoundTrip, YamlUnderPyYaml, (std::uint64_t seed)) {
  Arena arena;
  const Value value = random_value(arena, seed, {});
  const YamlStyle style{.profile = &pyyaml(), .indent = static_cast<int>(2 + seed % 3)};
  const std::string text = write_yaml(value, style);
  Sources sources;
  const Document again = read_back(sources, text, pyyaml());
  RC_LOG() << text;
  RC_ASSERT(identical(again.root, value));
  RC_ASSERT(write_yaml(again.root, style) == text);
}

RC_GTEST_PROP(RoundTrip, YamlUnderCore12, (std::uint64_t seed)) {
  Arena arena;
  Value value = random_value(arena, seed, {.keys = KeyEquality::exact, .container_keys = true});
  const YamlStyle style{.profile = &core12()};
  const std::string text = write_yaml(value, style);
  RC_LOG() << text;
  value = without_types_of_yaml11(arena, value);
  if (write_yaml(value, style) != text) RC_DISCARD("two keys became one text");
  Sources sources;
  const Document again = read_back(sources, text, core12());
  RC_ASSERT(identical(again.root, value));
  RC_ASSERT(write_yaml(again.root, style) == text);
}

RC_GTEST_PROP(RoundTrip, YamlUnderPsych, (std::uint64_t seed)) {
  Arena arena;
  Value value = random_value(arena, seed, {.keys = KeyEquality::exact, .container_keys = true});
  const YamlStyle style{.profile = &psych(), .indent = static_cast<int>(2 + seed % 3)};
  const std::string text = write_yaml(value, style);
  RC_LOG() << text;
  const std::size_t nodes = nodes_in(value);
  value = without_types_of_yaml11(arena, value, true);
  if (nodes_in(value) != nodes) RC_DISCARD("two keys became one text");
  Sources sources;
  const Document again = read_back(sources, text, psych());
  RC_ASSERT(identical(again.root, value));
  RC_ASSERT(write_yaml(again.root, style) == write_yaml(value, style));
}

TEST(RoundTrip, SymbolsUnderPsych) {
  for (const std::string name : {"a", "a b", "", ":a", "1", "true", "\"a\"", "a\nb", "é", "<<", "2024-01-02"}) {
    Arena arena;
    const Value symbol = arena.object(std::make_shared<Symbol>(name));
    MappingBuilder key(arena);
    key.insert(symbol, symbol);  // Inside a key symbols as keys stay symbols.
    MappingBuilder value(arena);
    value.insert(key.finish(), arena.sequence(std::span(&symbol, 1)));
    Sources sources;
    const std::string text = write_yaml(value.finish(), {.profile = &psych()});
    EXPECT_TRUE(identical(read_back(sources, text, psych()).root, value.finish())) << text;
  }
}

TEST(RoundTrip, EveryShortText) {
  for (const Profile* profile : {&pyyaml(), &core12(), &psych()}) {
    strata::testing::for_short_texts([profile](const std::string& characters) {
      Arena arena;
      const Value value = strata::testing::in_every_position(arena, characters);
      Sources sources;
      const std::string text = write_yaml(value, {.profile = profile});
      EXPECT_TRUE(identical(read_back(sources, text, *profile).root, value)) << text;
      const std::string json = write_json(value);
      EXPECT_TRUE(identical(read_json(sources, sources.add("json", json), {}).root, value)) << json;
    });
  }
}

RC_GTEST_PROP(RoundTrip, Json, (std::uint64_t seed)) {
  Arena arena;
  const Value value = random_value(arena, seed, {.keys = KeyEquality::exact, .beyond_json = false});
  const JsonStyle style{.indent = static_cast<int>(seed % 4) - 1};
  const std::string text = write_json(value, style);
  RC_LOG() << text;
  Sources sources;
  const Document again = read_json(sources, sources.add("printed", text), {});
  RC_ASSERT(identical(again.root, value));
  RC_ASSERT(write_json(again.root, style) == text);
}

RC_GTEST_PROP(RoundTrip, YamlAndJsonAgree, (std::uint64_t seed)) {
  Arena arena;
  const Value value = random_value(arena, seed, {.keys = KeyEquality::exact, .beyond_json = false});
  Sources sources;
  const Document again = read_back(sources, write_yaml(value, {.profile = &core12()}), core12());
  RC_ASSERT(write_json(again.root) == write_json(value));
}

}  // namespace
}  // namespace strata::text
