// SPDX-License-Identifier: Apache-2.0
#include "text/regex/regex.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "support/code_points.hpp"
#include "support/expect_error.hpp"
#include "text/regex/python_case.hpp"

namespace strata::text {
namespace {

using RegexSyntax = Regex::Syntax;

struct Case {
  const char* pattern;
  const char* text;
  bool found;
  RegexSyntax syntax = RegexSyntax::ruby;
};

std::string times(std::string_view piece, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += piece;
  return out;
}

// Each row was run in Ruby 3.1 (`=~`) or Python 3.11 (`re.search`).
TEST(Regex, SearchesAsItsLanguageDoes) {
  const std::vector<Case> cases{
      {"", "", true},
      {"^*", "a", true},
      {"x^*y", "axy", true},
      {"x^+y", "axy", false},
      {"^{0}a", "ba", true},
      {"\\A{2}b", "ab", false},
      {"\\b*?a", "xa", true},
      {"^{a", "^{a", false},
      {"(?=a)*b", "b", true},
      {"(?<!a)+b", "ab", false},
      {"^\\y", "yes", true},
      {"\\Y", "no", false},
      {"[\\y]", "yes", true},
      {"b", "abc", true},
      {"^b$", "a\nb\nc", true},
      {"\\Ab", "a\nb", false},
      {"b\\z", "b\n", false},
      {"b\\Z", "b\n", true},
      {"a.b", "a\nb", false},
      {"(?m)a.b", "a\nb", true},
      {"(?m:a.)b", "a\nb", true},
      {"(?i)STRASSE", "strasse", true},
      {"(?x) a b # and so on", "ab", true},
      {"a++a", "aaa", false},
      {"(?>a*)a", "aaa", false},
      {"(?<=foo|ba)x", "foox", true},
      {"(?<!o)x", "foox", false},
      {"\\A\\h+\\z", "09afAF", true},
      {"\\h", "g", false},
      {"(?<a>.)(?<b>.)\\k<b>\\k<a>", "abba", true},
      {"\\A(?<p>\\(\\g<p>*\\))\\z", "(()(()))", true},
      {"\\d", "\u0663", false},
      {"[\\d]", "\u0663", false},
      {"[[:digit:]]", "\u0663", true},
      {"\\s", "\u2003", false},
      {"\\w", "\u00e9", false},
      {"\\A\\W\\z", "\u00e9", true},
      {"\\A[^\\W]\\z", "\u00e9", false},
      {"[\\W\\d]", "\u00e9", true},
      {"[[:alpha:]]", "\u00e9", true},
      {"[^[:alpha:]\\s]", "\u00e9 ", false},
      {"\\p{Greek}", "\u03b1", true},
      {"a\\b", "a\u00e9", false},
      {"[]a]", "]", true},
      {"[^]a]", "]", false},
      {"[a[\\d]]", "5", true},
      {"[\\w&&[^a]]", "a", false},
      {"(?#[)\\d", "5", true},
      {"\\u00e9", "\u00e9", true},
      {"\\A\\u{e9 61}\\z", "\u00e9a", true},
      {"[\\u{e9 61}]", "a", true},
      {"\\\\d", "\\d", true},
      {"a{,2}b", "aab", true},
      {"\\R", "\r\n", true},
      {"(?<=b)\\z", "ab", true},
      {"(?<!b)\\Z", "ab", false},
      {"^(?:a|$){2}", "a", true},
      {"(?:\\b|x)+y", "xy", true},
      {"^b$", "a\nb\nc", false, RegexSyntax::python},
      {"(?m)^b$", "a\nb\nc", true, RegexSyntax::python},
      {"(?<=b)$", "ab", true, RegexSyntax::python},
      {"a{,}b", "aab", true, RegexSyntax::python},
      {"\\w", "\u00b2", true, RegexSyntax::python},
      {"\\w", "\u0301", false, RegexSyntax::python},
      {"(?i)stra\u00dfe", "STRASSE", false, RegexSyntax::python},
      {"(?i)stra\u00dfe", "STRA\u1e9eE", true, RegexSyntax::python},
      {"(?i)i", "\u0131", true, RegexSyntax::python},
      {"(?i)[^i]", "I\u0130\u0131i", false, RegexSyntax::python},
      {"(?ai)i", "\u0130\u0131", false, RegexSyntax::python},
      {"(?ai)[h-k]", "J", true, RegexSyntax::python},
      {"(?ai)[h-k]", "\u212a", false, RegexSyntax::python},
      {"(?i)[h-k]", "\u212a", true, RegexSyntax::python},
      {"(?i)[\u1f80-\u1f87]", "\u1f8f", true, RegexSyntax::python},
      {"(?i)\\u1f80", "\u1f88", true, RegexSyntax::python},
      {"(?i)a(?-i:b)c", "AbC", true, RegexSyntax::python},
      {"(?i)a(?-i:b)c", "ABC", false, RegexSyntax::python},
      {"a(?i:b)c", "aBc", true, RegexSyntax::python},
      {"a(?i:b)c", "aBC", false, RegexSyntax::python},
      {"(?i)(a)\\1+", "aAb", true, RegexSyntax::python},
      {"(?i)\\u017f\\141", "SA", true, RegexSyntax::python},
      {"(?P<n>a)?(?(n)b|c)$", "ab", true, RegexSyntax::python},
      {"(?x) a b # [", "ab", true, RegexSyntax::python},
      {"a{1,2}+a", "aa", false, RegexSyntax::python},
      {"c$", "c\n", true, RegexSyntax::python},
      {"c\\Z", "c\n", false, RegexSyntax::python},
      {"a.b", "a\nb", false, RegexSyntax::python},
      {"(?s)a.b", "a\nb", true, RegexSyntax::python},
      {"(?P<n>a|b)(?P=n)", "ab bb", true, RegexSyntax::python},
      {"\\d", "\u0663", true, RegexSyntax::python},
      {"\\w", "\u00e9", true, RegexSyntax::python},
      {"\\s", "\u2003", true, RegexSyntax::python},
      {"(?<=ab)c", "abc", true, RegexSyntax::python},
      {"(a)|b\\1", "b", false, RegexSyntax::python},
  };
  for (const Case& row : cases) {
    EXPECT_EQ(Regex(row.pattern, row.syntax).search(row.text), row.found) << row.pattern << " in " << row.text;
  }
}

// What `re.findall("(?i)" + re.escape(c), …)` of Python 3.11 finds among all characters, for each c that finds others:
// a count and an FNV-1a hash of c and the others.
TEST(Regex, WhereCaseDoesNotCountPythonTakesTheSameCharacters) {
  std::vector<char32_t> found;
  strata::testing::each_code_point([&found](char32_t point) {
    const std::vector<CharacterRange> same = in_any_case({.first = point, .last = point}, false);
    if (same.size() == 1) return;
    for (const auto& [first, last] : same) {
      for (char32_t one = first; one <= last; ++one) found.push_back(one);
    }
  });
  EXPECT_EQ(strata::testing::digest_of(found), (strata::testing::Digest{5876, 0x1D49E79F9257129D}));
}

TEST(Regex, MatchesFromTheStartWithoutReachingTheEnd) {
  EXPECT_TRUE(Regex("ab").match_from_start("abc"));
  EXPECT_FALSE(Regex("b").match_from_start("abc"));
  EXPECT_FALSE(Regex("^b").match_from_start("a\nb"));
  EXPECT_TRUE(Regex("").match_from_start({}));
}

TEST(Regex, FindsGroups) {
  const Regex regex("(\\w+)(?:=(\\d+))?");
  const auto first = regex.find("  \u00e9 ab=12 cd");
  ASSERT_TRUE(first);
  using Span = Regex::Span;
  EXPECT_EQ(first->groups, (std::vector<std::optional<Span>>{Span{5, 10}, Span{5, 7}, Span{8, 10}}));
  const auto second = regex.find("  \u00e9 ab=12 cd", 10);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->groups, (std::vector<std::optional<Span>>{Span{11, 13}, Span{11, 13}, std::nullopt}));
  EXPECT_FALSE(regex.find("ab", 2));
  EXPECT_FALSE(regex.find("ab", 3));
}

TEST(Regex, SeesWhatIsBeforeTheStartOfASearch) {
  EXPECT_TRUE(Regex("(?<=a)b").find("ab", 1));
  EXPECT_FALSE(Regex("^b").find("ab", 1));
  EXPECT_FALSE(Regex("\\bb").find("ab", 1));
}

TEST(Regex, TakesTextsThatAreNotUtf8) {
  EXPECT_TRUE(
      Regex("b").search("\xff\xfe"
                        "b\xc3"));
  EXPECT_TRUE(Regex("\\A..b.\\z")
                  .search("\xff\xfe"
                          "b\xc3"));
  EXPECT_FALSE(Regex("\\w").search("\xc3"));
  const auto match = Regex("b").find(
      "\xff\xfe"
      "b");
  ASSERT_TRUE(match);
  EXPECT_EQ(match->groups[0], (Regex::Span{2, 3}));
  STRATA_EXPECT_ERROR(Regex("\xff"), "regex.syntax");
}

TEST(Regex, RefusesWhatIsNoPattern) {
  for (const char* pattern :
       {"(", ")", "[", "[a", "*", "\\", "(?<n>a", "\\k<n>", "\\g<n>", "\\p{Nope}", "a{100001}", "(?<a>\\g<a>)"}) {
    SCOPED_TRACE(pattern);
    STRATA_EXPECT_ERROR(Regex{pattern}, "regex.syntax");
  }
  for (const char* wrong : {"(?P<n>a", "a**", "a*?*", "a{2,1}", "\\h", "\\p{L}", "\\g<n>", "(?P>n)", "a(?i)b",
                            "(?<=a+)b", "[\\q]", "(?<n>a)", "[b-a]", "*", "(?au)", "a)"}) {
    STRATA_EXPECT_ERROR(Regex(wrong, RegexSyntax::python), "regex.syntax");
  }
  try {
    const Regex regex("a(b");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the regular expression 'a(b' is wrong: end pattern with unmatched parenthesis");
  }
}

TEST(Regex, EndsRunawayPatterns) {
  const std::string text = times("a", 200) + "!";
  for (const char* pattern : {"\\A(a+)+\\z", "\\A(a|aa)*\\z", "\\A(a*)*b", "(.*)(.*)(.*)(.*)(.*)(.*)b",
                              "\\A(?<n>a\\g<n>?)+\\z", "(a?){200}a{200}b\\z", "(?<=a+)b"}) {
    try {
      EXPECT_FALSE(Regex(pattern).search(text)) << pattern;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "limit.regex") << pattern;
      EXPECT_NE(std::string_view(error.what()).find(pattern), std::string_view::npos) << error.what();
    }
  }
  // One that surely runs away.
  STRATA_EXPECT_ERROR(Regex("\\A(a|a|ab)*\\z").search(text), "limit.regex");
}

TEST(Regex, EndsSearchesOfLongStrings) {
  EXPECT_FALSE(Regex(R"((?=(a+))a*b\1)").search(times("a", 4'000)));
  EXPECT_FALSE(Regex(R"((?=(a+))a*c?b\1)").search(times("x", 200'000) + times("a", 4'000) + "b"));
  STRATA_EXPECT_ERROR(Regex(R"((?=(a+))a*b\1)").search(times("a", 1'000'000)), "limit.regex");
  // All the work is in one attempt here.
  STRATA_EXPECT_ERROR(Regex(R"(\A((?=(a+))a)*b)").search(times("a", 300'000) + "cb"), "limit.regex");
  STRATA_EXPECT_ERROR(Regex(R"(\A(?:(?=(a+))a)*b)", RegexSyntax::python).search(times("a", 300'000) + "cb"),
                      "limit.regex");
}

TEST(Regex, FindsMatchesAtAnyPlaceOfLongStrings) {
  for (const std::size_t distance : {0U, 14U, 15U, 16U, 47U, 111U, 239U, 495U, 511U, 1007U, 5000U}) {
    const std::string text = times("x", distance) + "MARK<" + times("y", 700) + ">" + times("x", 600);
    const auto mark = Regex("MARK").find(text);
    ASSERT_TRUE(mark) << distance;
    EXPECT_EQ(mark->groups[0], (Regex::Span{distance, distance + 4}));
    for (const RegexSyntax syntax : {RegexSyntax::ruby, RegexSyntax::python}) {
      const auto tag = Regex("<[^>]*>", syntax).find(text);
      ASSERT_TRUE(tag) << distance;
      EXPECT_EQ(tag->groups[0], (Regex::Span{distance + 4, distance + 706}));
    }
  }
  const std::string text = times("a", 255) + "é" + times("x\n", 700) + "needle" + times(" y", 900);
  for (const auto& [pattern, found] :
       {std::pair("needle", 1657U), std::pair("^needle", 1657U), std::pair("é", 255U), std::pair(R"((?<=é)x)", 257U),
        std::pair(R"(y\z)", 3462U), std::pair("(?=needle)", 1657U), std::pair(R"(\bneedle y)", 1657U),
        std::pair("[^ax\n]", 255U)}) {
    const auto match = Regex(pattern).find(text);
    ASSERT_TRUE(match) << pattern;
    EXPECT_EQ(match->groups[0]->begin, found) << pattern;
  }
  EXPECT_FALSE(Regex(R"(\Gneedle)").search(text));
  EXPECT_FALSE(Regex("needle\\z").search(text));
}

TEST(Regex, TakesLongTexts) {
  const std::string text = times("some words ", 100'000) + "end";
  EXPECT_TRUE(Regex("end").search(text));
  EXPECT_TRUE(Regex("\\bend\\z").search(text));
  EXPECT_FALSE(Regex("[x-z]").search(text));
}

TEST(Regex, BoundsPatterns) {
  const auto compile = [](const std::string& pattern) {
    try {
      const Regex regex(pattern);
    } catch (const Error& error) {
      EXPECT_TRUE(error.code() == "limit.regex" || error.code() == "regex.syntax") << error.what();
      EXPECT_LT(std::string_view(error.what()).size(), 300U);
    }
  };
  compile(times("(", 15'000));
  compile(times("(?:", 3'000) + "a" + times(")*", 3'000));
  compile("a" + times("{1000}", 100));
  compile(times("(?:", 100) + "abcdefgh" + times("){90000}", 100));
  compile(times("(?:", 200) + "a?" + times("|a?)?", 200));
  compile(times("[", 15'000));
  compile(times("[a", 15'000) + times("]", 15'000));
  compile("(?i)" + times("ss\u0390", 3'000));
  compile(times("(?<=a|", 2'000) + times(")", 2'000));
  compile(times("a|", 15'000));
  compile(times("\\w", 8'000));
  STRATA_EXPECT_ERROR(Regex(times("a", 20'000)), "limit.regex");
  STRATA_EXPECT_ERROR(Regex(times("(", 1'000) + times(")", 1'000)), "limit.regex");
}

TEST(Regex, IsSharedByThreads) {
  const Regex regex("(a+)b");
  std::vector<std::thread> threads;
  for (std::size_t n = 1; n <= 4; ++n) {
    threads.emplace_back([&regex, n] {
      const std::string text = times("a", n) + "b";
      for (int i = 0; i < 1000; ++i) {
        const auto match = regex.find(text);
        ASSERT_TRUE(match);
        ASSERT_EQ(match->groups[1], (Regex::Span{0, n}));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Regex, Moves) {
  Regex first("a");
  Regex second(std::move(first));
  second = Regex("b");
  EXPECT_TRUE(second.search("b"));
  EXPECT_EQ(second.pattern(), "b");
}

}  // namespace
}  // namespace strata::text
