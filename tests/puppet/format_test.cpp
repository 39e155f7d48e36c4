// SPDX-License-Identifier: Apache-2.0
// Texts of values in given formats. Expectations were printed by Puppet 7.23.
#include <gtest/gtest.h>

#include "puppet/world.hpp"
#include "strata/builder.hpp"
#include "support/expect_error.hpp"

namespace strata::puppet {
namespace {

using testing::type;
using testing::World;

struct FormatCase {
  const char* value;
  const char* format;
  std::string_view text;
};

std::string formatted(World& world, const Value& value, const Value& format) {
  const Value arguments[] = {value, format};
  return std::string(convert(*type("String"), arguments, world.arena, {}).text());
}

TEST(Format, OfOneValue) {
  constexpr FormatCase kCases[] = {
      {"255", "%#x", "0xff"},
      {"255", "%#X", "0XFF"},
      {"-255", "%x", "..f01"},
      {"-255", "%+x", "-ff"},
      {"-1", "%08x", "..ffffff"},
      {"-123", "%.8x", "..ffff85"},
      {"8", "%#o", "010"},
      {"5", "%08b", "00000101"},
      {"10000000000000000000", "%x", "8ac7230489e80000"},
      {"5", "%05d", "00005"},
      {"5", "%+d", "+5"},
      {"5", "%-5d", "5    "},
      {"5", "%8.3d", "     005"},
      {"5", "%s", "5"},
      {"5", "%#s", "\"5\""},
      {"5", "%p", "5"},
      {"5", "%.2f", "5.00"},
      {"8364", "%c", "€"},
      {"3.75", "%d", "3"},
      {"3.75", "%s", "3.75"},
      {"3.75", "%05.1f", "003.8"},
      {"3.75", "%e", "3.750000e+00"},
      {"true", "%d", "1"},
      {"true", "%y", "yes"},
      {"false", "%#T", "F"},
      {"null", "%s", ""},
      {"null", "%d", "NaN"},
      {"null", "%u", "undef"},
      {R"("aBc")", "%c", "Abc"},
      {R"("a::b")", "%C", "A::B"},
      {R"("aBc")", "%u", "ABC"},
      {R"(" a ")", "%t", "a"},
      {R"("a'b")", "%p", "'a\\'b'"},
      {R"("a$")", "%#p", "\"a\\$\""},
      {R"("éa")", "%.1s", "é"},
      {R"("éa")", "%4s", "  éa"},
      {"[1, [2]]", "%(a", "(1, (2))"},
      {"[1, [2]]", "% a", "1, 2"},
      {"[1, [2, 3], 4]", "%#a", "[1,\n  [2, 3],\n  4]"},
      {R"({"a": 1})", "%h", "{'a' => 1}"},
      {R"({"a": 1})", "%a", "[['a', 1]]"},
      {R"({"a": {"b": 1}})", "%#h", "{\n  'a' => {\n    'b' => 1\n  }\n}"},
  };
  World world;
  for (const FormatCase& one : kCases)
    EXPECT_EQ(formatted(world, world.json(one.value), world.arena.text(one.format)), one.text)
        << one.value << " " << one.format;
}

TEST(Format, ByType) {
  World world;
  Arena& arena = world.arena;
  MappingBuilder inner(arena);
  inner.insert(arena.key(make_type_value(arena, type("Integer"))), arena.text("%#x"));
  MappingBuilder array(arena);
  array.insert("format", arena.text("%(a"));
  array.insert("separator", arena.text("; "));
  array.insert("string_formats", inner.finish());
  MappingBuilder formats(arena);
  formats.insert(arena.key(make_type_value(arena, type("Array"))), array.finish());
  EXPECT_EQ(formatted(world, world.json(R"([10, "a", [11]])"), formats.finish()), "(0xa; 'a'; (0xb))");
}

TEST(Format, RefusesWhatIsNone) {
  World world;
  for (const char* bad : {"d", "%", "%zz", "%++d", "%5", "%[{s", "%(d", "%q", "%99999999999999999999d"})
    STRATA_EXPECT_ERROR(formatted(world, world.json("5"), world.arena.text(bad)), "puppet.format");
  STRATA_EXPECT_ERROR(formatted(world, world.json("[]"), world.arena.text("%d")), "puppet.format");
  STRATA_EXPECT_ERROR(formatted(world, world.arena.text("é"), world.arena.text("%u")), "puppet.unsupported");
}

TEST(Format, OfObjects) {
  World world;
  const Value secret = make_sensitive(world.arena, world.json("1"));
  EXPECT_EQ(formatted(world, secret, world.arena.text("%s")), "Sensitive [value redacted]");
  EXPECT_EQ(formatted(world, secret, world.arena.text("%p")), "#<Sensitive [value redacted]>");
  EXPECT_EQ(formatted(world, make_type_value(world.arena, type("Array[1, default]")), world.arena.text("%#s")),
            "\"Array[Any, 1]\"");
}

}  // namespace
}  // namespace strata::puppet
