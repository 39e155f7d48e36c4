// SPDX-License-Identifier: Apache-2.0
#include "text/reference_text.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"

namespace strata::text {
namespace {

constexpr ReferenceGrammar kGrammar{.reserved = "$[", .reserved_closing = "]"};

/// References in angle brackets, texts between bars.
std::string shown(const ReferenceText& parts) {
  std::string out;
  for (const ReferencePart& part : parts)
    out += part.path.empty() ? "|" + part.text + "|" : "<" + shown(part.path) + ">";
  return out;
}

std::string parsed(std::string_view text) {
  const Sources sources;
  return shown(parse_references(text, kGrammar, sources, {}));
}

TEST(ReferenceText, PartsOfATextStandInOrder) {
  EXPECT_EQ(parsed("${a}"), "<|a|>");
  EXPECT_EQ(parsed("x ${a:b} y"), "|x |<|a:b|>| y|");
  EXPECT_EQ(parsed("${a}${b}"), "<|a|><|b|>");
  EXPECT_EQ(parsed("${a:${b}:c}"), "<|a:|<|b|>|:c|>");
  EXPECT_EQ(parsed("} $ { ] ${a}"), "|} $ { ] |<|a|>");
}

TEST(ReferenceText, EscapesCountWhereARunBegins) {
  EXPECT_EQ(parsed(R"(\${a})"), "|${||a}|");
  EXPECT_EQ(parsed(R"(\\${a})"), R"(|\|<|a|>)");
  EXPECT_EQ(parsed(R"(\\\${a})"), R"(|\||\|<|a|>)");
  EXPECT_EQ(parsed(R"(x\\})"), R"(|x\\}|)");
  EXPECT_EQ(parsed(R"(\\})"), R"(|\||}|)");
  EXPECT_EQ(parsed(R"(\$[ a ])"), "|$[|| a ]|");
  EXPECT_EQ(parsed(R"(${a\}b})"), "<|a||}||b|>");
}

TEST(ReferenceText, WhatIsWrong) {
  for (const char* text : {"${", "${a", "${}", "x ${a ${b}", "${a${}}"})
    STRATA_EXPECT_ERROR((void)parsed(text), "reference.syntax");
  STRATA_EXPECT_ERROR((void)parsed("x $[ a ]"), "reference.reserved");
  EXPECT_EQ(parsed("${a $[ b ]}"), "<|a $[ b ]|>");
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += "${";
  STRATA_EXPECT_ERROR((void)parsed(deep), "reference.syntax");
}

TEST(ReferenceText, IsSpelledFromTheInside) {
  const Sources sources;
  std::string asked;
  const auto value_of = [&asked](const std::string& path) {
    asked += path + ";";
    return "[" + path + "]";
  };
  EXPECT_EQ(spelled(parse_references("x ${a:${b}} ${c}", kGrammar, sources, {}), value_of), "x [a:[b]] [c]");
  EXPECT_EQ(asked, "b;a:[b];c;");
}

TEST(ReferenceText, AReferenceStandsInThePlaceOfAText) {
  const Sources sources;
  Arena arena;
  const Value text = arena.text("x ${a}").with_origin({3}).with_secret();
  const Value made = with_references(arena, text, parse_references(text.text(), kGrammar, sources, {}));
  ASSERT_NE(reference_of(made), nullptr);
  EXPECT_EQ(shown(reference_of(made)->parts()), "|x |<|a|>");
  EXPECT_EQ(made.as_object().to_string(), "x ${a}");
  EXPECT_EQ(made.origin(), Origin{3});
  EXPECT_TRUE(made.is_secret());
  EXPECT_EQ(reference_of(text), nullptr);
  const Value plain = with_references(arena, text, parse_references(R"(\${a})", kGrammar, sources, {}));
  EXPECT_EQ(plain.text(), "${a}");
  EXPECT_TRUE(plain.is_secret());
}

TEST(ReferenceText, ErrorsHaveAPlace) {
  Sources sources;
  const SourceId source = sources.add("f", "a: ${");
  try {
    (void)parse_references("${", kGrammar, sources, sources.at(source, 3));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostic().where.place.to_string(), "f:1:4");
  }
}

TEST(ReferenceText, OnlyTextsWithAnOpeningAreParsed) {
  EXPECT_FALSE(may_refer("$ { } $x \\", kGrammar));
  EXPECT_TRUE(may_refer("a ${", kGrammar));
  EXPECT_TRUE(may_refer("a $[", kGrammar));
  EXPECT_FALSE(may_refer("a $[", {}));
}

TEST(ReferenceText, StepsOfPaths) {
  using Steps = std::vector<std::string_view>;
  EXPECT_EQ(steps_of("a:b:c", kGrammar), (Steps{"a", "b", "c"}));
  EXPECT_EQ(steps_of(":a:", kGrammar), (Steps{"", "a", ""}));
  EXPECT_EQ(steps_of(R"(a\:b:c)", kGrammar), (Steps{R"(a\:b)", "c"}));
  EXPECT_EQ(steps_of("", kGrammar), Steps{""});
}

TEST(ReferenceText, Indexes) {
  EXPECT_EQ(index_of("0", 2), 0U);
  EXPECT_EQ(index_of(" +1 ", 2), 1U);
  EXPECT_EQ(index_of("-2", 2), 0U);
  for (const char* step : {"2", "-3", "", "x", "1x", "+-1", "99999999999999999999"})
    EXPECT_EQ(index_of(step, 2), std::nullopt) << step;
}

}  // namespace
}  // namespace strata::text
