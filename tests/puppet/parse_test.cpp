// SPDX-License-Identifier: Apache-2.0
// Reading types and printing them.
#include <gtest/gtest.h>

#include "puppet/world.hpp"
#include "support/expect_error.hpp"

namespace strata::puppet {
namespace {

using testing::printed;

struct ParseCase {
  std::string_view text;
  std::string_view printed;
};

TEST(ParseType, PrintsAsPuppetDoes) {
  constexpr ParseCase kCases[] = {
      {"Any", "Any"},
      {"INTEGER", "Integer"},
      {"Data", "Data"},
      {"Integer[default, 5]", "Integer[default, 5]"},
      {"Integer[5, default]", "Integer[5]"},
      {"Integer[-0x10]", "Integer[-16]"},
      {"Float[0, 5]", "Float[0.0, 5.0]"},
      {"Float[1e20]", "Float[1.0e+20]"},
      {"String[default, 3]", "String[0, 3]"},
      {"String['x']", "String"},
      {"Optional['x']", "Optional['x']"},
      {"Boolean[true]", "Boolean[true]"},
      {"Enum[b, 'a', b]", "Enum['a', 'b']"},
      {"Enum[b, true]", "Enum['b', true]"},
      {"Enum[b, false]", "Enum['b']"},
      {"Pattern[/a\\/b/, 'c/d', Pattern[/e/]]", "Pattern[/a\\/b/, /c\\/d/, /e/]"},
      {"Regexp[/a/]", "Regexp[/a/]"},
      {"Array[1, default]", "Array[Any, 1]"},
      {"::Array[::Integer]", "Array[Integer]"},
      {"Array[1, 2]", "Array[Any, 1, 2]"},
      {"Array[String, 0, 0]", "Array[0, 0]"},
      {"Array[String, Integer[1, 2]]", "Array[String, 1, 2]"},
      {"Hash[String, Integer, 1]", "Hash[String, Integer, 1]"},
      {"Hash[0, 0]", "Hash[0, 0]"},
      {"Collection[1, 2]", "Collection[1, 2]"},
      {"Tuple[String, Integer, 1, default]", "Tuple[String, Integer, 1]"},
      {"Struct[{a => Any, 'b' => Integer, Optional[c] => Integer, NotUndef[d] => Any}]",
       "Struct[{'a' => Any, 'b' => Integer, Optional['c'] => Integer, NotUndef['d'] => Any}]"},
      {"Struct[{a => Integer, a => String}]", "Struct[{'a' => String}]"},
      {"Variant[Integer, Variant[String, Integer]]", "Variant[Integer, String]"},
      {"Variant[Integer]", "Integer"},
      {"NotUndef[Any]", "NotUndef"},
      {"Sensitive[Integer[1, 2]]", "Sensitive[Integer]"},
      {"Type[Type[Integer]]", "Type[Type[Integer]]"},
      {"Callable[String, 1, 2]", "Callable[String, 1, 2]"},
      {"Callable[[Integer], String]", "Callable[[Integer], String]"},
      {"Callable[0, 0]", "Callable[0, 0]"},
      {"Iterable[String]", "Iterable[String]"},
      {"Class['a::b']", "Class[a::b]"},
      {"Resource['file', '/x']", "File['/x']"},
      {"\n Array[ # of texts\n  String,\n]\n", "Array[String]"},
      {"Enum[\"a\\n\", 'it\\'s']", "Enum[\"a\\n\", 'it\\'s']"},
  };
  for (const ParseCase& one : kCases) EXPECT_EQ(printed(one.text), one.printed) << one.text;
}

TEST(ParseType, SaysWhatIsWrongAndWhere) {
  constexpr ParseCase kCases[] = {
      {"Array[String", "Syntax error in the type: expected ',' or ']' at column 13, found its end"},
      {"Array[\n  String Integer]",
       "Syntax error in the type: expected ',' or ']' at line 2, column 10, found 'Integer'"},
      {"Array[]", "Syntax error in the type: expected a parameter at column 7, found ']'"},
      {"string", "Syntax error in the type: expected a type at column 1, found 'string'"},
      {"", "Syntax error in the type: expected a type at column 1, found its end"},
      {"Integer[x]", "Syntax error in the type: expected an integer or default at column 9"},
      {"Integer[1, 2, 3]", "Integer takes 1 to 2 parameters, not 3, at column 1"},
      {"Integer[5, 1]", "a range from 5 to 1 has no members"},
      {"Any[String]", "Any takes no parameters, at column 1"},
      {"Enum[1]", "Syntax error in the type: expected a text at column 6"},
      {"Struct[{'' => Any}]", "Syntax error in the type: expected a name that is not empty at column 9"},
      {"Enum['é', 'a]", "Syntax error in the type: a text that does not end, begun at column 11"},
      {"Integer[99999999999999999999]", "Syntax error in the type: a number that cannot be read at column 9"},
      {"Pattern[/a", "Syntax error in the type: a regular expression that does not end, begun at column 9"},
  };
  for (const ParseCase& one : kCases) {
    try {
      printed(one.text);
      ADD_FAILURE() << one.text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "puppet.type") << one.text;
      EXPECT_EQ(error.what(), one.printed) << one.text;
    }
  }
}

TEST(ParseType, NamesTypesThatAreNear) {
  try {
    printed("Array[Intger]");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(format(error.diagnostic(), "error"),
              "error: unknown type 'Intger' at column 7 [puppet.unknown-type]\n"
              "hint: did you mean Integer?\n");
  }
  STRATA_EXPECT_ERROR(printed("Frobnicate"), "puppet.unknown-type");
  STRATA_EXPECT_ERROR(printed("Array[2]"), "puppet.type");
  STRATA_EXPECT_ERROR(printed("::::Integer"), "puppet.type");
  STRATA_EXPECT_ERROR(printed("Object[{}]"), "puppet.unsupported");
  STRATA_EXPECT_ERROR(printed("Timestamp['2000-01-01']"), "puppet.unsupported");
}

TEST(ParseType, BoundsNesting) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "Array[";
  STRATA_EXPECT_ERROR(printed(deep), "limit.depth");
  std::string list = "Callable[";
  for (int i = 0; i < 100'000; ++i) list += "[";
  STRATA_EXPECT_ERROR(printed(list), "limit.depth");
}

TEST(ParseType, RefusesBadRegularExpressions) { STRATA_EXPECT_ERROR(printed("Pattern[/(/]"), "regex.syntax"); }

}  // namespace
}  // namespace strata::puppet
