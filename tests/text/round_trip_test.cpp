#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "strata/path.hpp"
#include "strata/text.hpp"
#include "support/random_values.hpp"

namespace strata::text {
namespace {

Value random_value(Arena& arena, std::uint64_t seed, const testing::RandomOptions& options) {
  return testing::RandomValues(arena, seed, options).value();
}

Document read_back(Sources& sources, const std::string& text, const Profile& profile) {
  return read_yaml(sources, sources.add("printed", text), profile, {});
}

/// What core12 has no scalars for is written as text, and sets as mappings: the value that reading gives.
Value without_types_of_yaml11(Arena& arena, const Value& value) {
  switch (value.kind()) {
    case Kind::sequence: {
      const Value sequence = arena.sequence();
      for (const Value& item : value.items()) arena.append(sequence, without_types_of_yaml11(arena, item));
      return sequence;
    }
    case Kind::mapping:
    case Kind::set: {
      const Value mapping = arena.mapping(KeyEquality::exact);
      for (const Entry& entry : value.entries()) {
        arena.insert(mapping, without_types_of_yaml11(arena, entry.key), without_types_of_yaml11(arena, entry.value));
      }
      return mapping;
    }
    case Kind::binary:
    case Kind::date:
    case Kind::timestamp:
      return arena.text(key_text(value));
    default:
      return value;
  }
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

TEST(RoundTrip, EveryShortText) {
  for (const Profile* profile : {&pyyaml(), &core12()}) {
    testing::for_short_texts([profile](const std::string& characters) {
      Arena arena;
      const Value value = testing::in_every_position(arena, characters);
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
