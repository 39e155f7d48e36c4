// SPDX-License-Identifier: Apache-2.0
#include "strata/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

namespace strata {
namespace {

TEST(Error, PrintsAsACompilerDoes) {
  Sources sources;
  const SourceId strong = sources.add("node/web01.yaml", "profile:\n  ntp:\n  - 10.0.0.1\n");
  const SourceId weak = sources.add("common.yaml", "profile: {ntp: {server: x}}\n");
  const Error error = Error("merge.kind-mismatch", "cannot merge a sequence into a mapping at /profile/ntp")
                          .at(sources, sources.at(strong, 18))
                          .note(sources, sources.at(weak, 15), "the weaker value is a mapping")
                          .hint("keep one shape");
  EXPECT_EQ(format(error.diagnostic(), "error"),
            R"(node/web01.yaml:3:3: error: cannot merge a sequence into a mapping at /profile/ntp [merge.kind-mismatch]
    3 |   - 10.0.0.1
      |   ^
common.yaml:1:16: note: the weaker value is a mapping
    1 | profile: {ntp: {server: x}}
      |                ^
hint: keep one shape
)");
  EXPECT_EQ(error.code(), "merge.kind-mismatch");
  EXPECT_STREQ(error.what(), "cannot merge a sequence into a mapping at /profile/ntp");
}

TEST(Error, LongLinesAreCutAroundTheirPlace) {
  const auto told = [](const std::string& line, std::size_t offset) {
    Sources sources;
    const Excerpt excerpt = excerpt_at(sources, sources.at(sources.add("f", "x\n" + line + "\ny"), 2 + offset));
    EXPECT_LE(excerpt.line.size(), 2 * 4 * Sources::kLinePart);
    EXPECT_EQ(excerpt.place.column,
              excerpt.cut + 1 + std::min<std::size_t>(Sources::kLinePart, excerpt.place.column.value_or(0) - 1));
    std::string out = format({.code = {}, .message = "m", .where = excerpt, .notes = {}, .hint = {}}, "e");
    return out.substr(out.find('\n') + 1);
  };
  const auto shown = [](const std::string& before, const std::string& after) {
    return "    2 | " + before + "!" + after + "\n      | " +
           std::string(before.size() - static_cast<std::size_t>(std::ranges::count(before, '\xC3')), ' ') + "^\n";
  };
  const auto many = [](const std::string& point, std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) out += point;
    return out;
  };
  for (const std::string& point : {std::string("-"), std::string("\u00e9")}) {
    for (const std::size_t far : {std::size_t{1000}, std::size_t{100'000}}) {
      const std::string line = many(point, far) + "!" + many(point, far);
      EXPECT_EQ(told(line, far * point.size()), shown(many(point, 80), many(point, 79)));
      EXPECT_EQ(told(many(point, far) + "!", far * point.size()), shown(many(point, 159), ""));
      EXPECT_EQ(told("!" + many(point, far), 0), shown("", many(point, 159)));
      EXPECT_EQ(told(many(point, 80) + "!" + many(point, far), 80 * point.size()),
                shown(many(point, 80), many(point, 79)));
    }
  }
  // Not UTF-8: no byte of it is the first one of a code point.
  EXPECT_LT(told("!" + std::string(100'000, '\x80'), 0).size(), 20'000U);
}

TEST(Error, PrintsWithoutAPlace) {
  EXPECT_EQ(format(Error("a.b", "nothing works").diagnostic(), "error"), "error: nothing works [a.b]\n");
  EXPECT_EQ(format(Error("a.b", "nothing works").in("x.yaml").diagnostic(), "error"),
            "x.yaml: error: nothing works [a.b]\n");
}

TEST(Error, PrintsNamesAndPartsWithoutALine) {
  Sources sources;
  const SourceId mail = sources.add("mail", "a\n");
  const SourceId part = sources.add_decoded(mail, "part-001", "k: v");
  EXPECT_EQ(format(Error("c.d", "bad").at(sources, sources.at(part, 3)).diagnostic(), "warning"),
            "mail[part-001]:1:4: warning: bad [c.d]\n    1 | k: v\n      |    ^\n");
  EXPECT_EQ(format(Error("c.d", "bad").at(sources, sources.add_name("<parameter>")).diagnostic(), "error"),
            "<parameter>: error: bad [c.d]\n");
}

TEST(Error, NamesMakeNoLines) {
  const auto told = [](const Error& error) { return format(error.diagnostic(), "error"); };
  Sources sources;
  const SourceId file = sources.add("a\n::error::b.yaml", "k: 1\n");
  EXPECT_EQ(told(Error("a.b", "no '\n::error::k\r\x1b[1m\xC2\x9B'")
                     .at(sources, sources.at(file, 0))
                     .note(sources, sources.at(file, 3), "x\ny")
                     .hint("p\nq")),
            "a\\n::error::b.yaml:1:1: error: no '\\n::error::k\\r\\x1b[1m\\x9b' [a.b]\n    1 | k: 1\n      | ^\n"
            "a\\n::error::b.yaml:1:4: note: x\\ny\n    1 | k: 1\n      |    ^\nhint: p\\nq\n");
  EXPECT_EQ(told(Error("a.b", "x").because(Error("c.d", "y\nz"))), "error: x [a.b]\ncause: y\\nz [c.d]\n");
  // No line begins with colons.
  EXPECT_EQ(told(Error("a.b", "x").in("::error::y.yaml")), "./::error::y.yaml: error: x [a.b]\n");
  EXPECT_EQ(told(Error("a.b", "x").in(" ::error::y.yaml")), "./ ::error::y.yaml: error: x [a.b]\n");
}

TEST(Error, TextsOfAUsersCodeKeepTheirLines) {
  EXPECT_EQ(format(Error("puppet.fail", "one\n::error::two\x1b\n\nfour").diagnostic(), "error"),
            "error: one\n      | ::error::two\\x1b\n      | \n      | four [puppet.fail]\n");
}

TEST(Error, CaretsCountCodePointsAndHideControlCharacters) {
  Sources sources;
  const SourceId source = sources.add("a", "\t\xC3\xA4\x1B[31m x\n");
  EXPECT_EQ(format(Error("c.d", "bad").at(sources, sources.at(source, 9)).diagnostic(), "error"),
            "a:1:9: error: bad [c.d]\n    1 |  \xC3\xA4.[31m x\n      |         ^\n");
  const SourceId beyond = sources.add("b", "k\xC2\x9B\xC2\xA0x\n");
  EXPECT_EQ(format(Error("c.d", "bad").at(sources, sources.at(beyond, 5)).diagnostic(), "error"),
            "b:1:4: error: bad [c.d]\n    1 | k.\xC2\xA0x\n      |    ^\n");
}

TEST(Error, LongLinesAreCutAroundTheColumn) {
  Sources sources;
  std::string line(5000, 'a');
  line[2500] = 'X';
  const SourceId source = sources.add("a", line);
  const std::string text = format(Error("c.d", "bad").at(sources, sources.at(source, 2500)).diagnostic(), "error");
  EXPECT_LT(text.size(), 500U);
  const std::size_t shown = text.find("    1 | ");
  const std::size_t caret = text.find("      | ");
  ASSERT_NE(caret, std::string::npos);
  EXPECT_EQ(text.find('X') - shown, text.find('^') - caret);
}

TEST(Error, SecretLinesAreNotShown) {
  Sources sources;
  const SourceId source = sources.add("a", "password: hunter2\n");
  sources.mark_secret(source);
  EXPECT_EQ(format(Error("c.d", "bad").at(sources, sources.at(source, 10)).diagnostic(), "error"),
            "a:1:11: error: bad [c.d]\n");
}

TEST(Error, MembersLeaveALvalueWhole) {
  Sources sources;
  const SourceId source = sources.add("a", "k: v\n");
  Error error("c.d", "bad");
  error.at(sources, sources.at(source, 0))
      .note(sources, sources.at(source, 3), "here")
      .hint("do it")
      .because(Error("e.f", "worse"));
  std::move(error).note(sources, sources.at(source, 3), "and here");
  EXPECT_EQ(format(error.diagnostic(), "error"),
            "a:1:1: error: bad [c.d]\n    1 | k: v\n      | ^\na:1:4: note: here\n    1 | k: v\n      |    ^\n"
            "a:1:4: note: and here\n    1 | k: v\n      |    ^\ncause: worse [e.f]\nhint: do it\n");
  error.without_lines();
  EXPECT_EQ(format(error.diagnostic(), "error"),
            "a:1:1: error: bad [c.d]\na:1:4: note: here\na:1:4: note: and here\ncause: worse [e.f]\nhint: do it\n");
}

TEST(Error, ACauseHasItsPlaceAndItsOwnCause) {
  Sources sources;
  const SourceId source = sources.add("a", "k: v\n");
  Error error = Error("a.a", "first")
                    .because(Error("b.b", "second")
                                 .at(sources, sources.at(source, 3))
                                 .hint("not shown")
                                 .because(Error("c.c", "third")));
  ASSERT_NE(error.diagnostic().cause, nullptr);
  EXPECT_EQ(error.diagnostic().cause->code, "b.b");
  EXPECT_EQ(format(error.diagnostic(), "error"),
            "error: first [a.a]\na:1:4: cause: second [b.b]\n    1 | k: v\n      |    ^\ncause: third [c.c]\n");
  error.without_lines();
  EXPECT_EQ(format(error.diagnostic(), "error"),
            "error: first [a.a]\na:1:4: cause: second [b.b]\ncause: third [c.c]\n");
}

TEST(Error, TheEndOfARequestIsToldFromLimits) {
  EXPECT_TRUE(Error("session.cancelled", "").ends_request());
  EXPECT_TRUE(Error("session.cancelled", "").gives_up());
  EXPECT_TRUE(Error("limit.time", "").ends_request());
  EXPECT_EQ(Error("limit.time", "").limit(), Limit::time);
  EXPECT_FALSE(Error("limit.steps", "").ends_request());
  EXPECT_TRUE(Error("limit.steps", "").gives_up());
  EXPECT_EQ(Error("limit.steps", "").limit(), Limit::steps);
  EXPECT_EQ(Error("limit.regex", "").limit(), Limit::other);
  EXPECT_EQ(Error("limits.steps", "").limit(), Limit::none);
  EXPECT_FALSE(Error("yaml.syntax", "").gives_up());
}

/// What docs/errors.md says.
struct Documented {
  std::set<std::string> codes;                    ///< Of the table "Codes".
  std::map<std::string, std::string> categories;  ///< By code, or family with its dot.
};

std::vector<std::string> quoted(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t begin = text.find('`'); begin != std::string::npos;) {
    const std::size_t end = text.find('`', begin + 1);
    if (end == std::string::npos) break;
    out.push_back(text.substr(begin + 1, end - begin - 1));
    begin = text.find('`', end + 1);
  }
  return out;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Documented documented() {
  Documented out;
  std::istringstream text(read_file(STRATA_SOURCE_DIR "/docs/errors.md"));
  bool in_codes = false;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("## ")) in_codes = line == "## Codes";
    if (!line.starts_with("| `")) continue;
    const std::size_t second = line.find(" | ", 2);
    if (in_codes) {
      for (std::string& code : quoted(line.substr(0, second))) out.codes.insert(std::move(code));
      continue;
    }
    const std::string category = quoted(line.substr(0, second)).front();
    for (std::string code : quoted(line.substr(second, line.find(" | ", second + 3) - second))) {
      if (code.ends_with('*')) code.pop_back();
      out.categories[code] = category;
    }
  }
  return out;
}

/// The codes that the sources hold, each with a file that holds it: what Error is made with, and all other literals of
/// the same families.
std::map<std::string, std::string> codes_in_sources(const std::set<std::string>& families) {
  static const std::set<std::string_view> endings{"conf", "hpp", "json", "lua", "md", "pp", "worktree", "yaml"};
  constexpr std::string_view kMade = "Error(";
  const auto is_word = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == text.npos;
  };
  std::map<std::string, std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(STRATA_SOURCE_DIR "/src")) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
    const std::string text = read_file(entry.path());
    for (std::size_t quote = text.find('"'); quote != std::string::npos; quote = text.find('"', quote + 1)) {
      const std::string_view literal =
          std::string_view(text).substr(quote + 1, text.find_first_of("\"\n", quote + 1) - quote - 1);
      const std::size_t dot = literal.find('.');
      if (dot == std::string_view::npos || !is_word(literal.substr(0, dot)) || !is_word(literal.substr(dot + 1)))
        continue;
      const std::size_t before = text.find_last_not_of(" \n", quote - 1);
      const bool is_made = before != std::string::npos && before + 1 >= kMade.size() &&
                           text.compare(before + 1 - kMade.size(), kMade.size(), kMade) == 0;
      if (!is_made &&
          (!families.contains(std::string(literal.substr(0, dot + 1))) || endings.contains(literal.substr(dot + 1))))
        continue;
      out.emplace(literal, entry.path().filename());
    }
  }
  return out;
}

std::string_view name_of(Category category) {
  switch (category) {
    case Category::input:
      return "input";
    case Category::not_found:
      return "not_found";
    case Category::configuration:
      return "configuration";
    case Category::script:
      return "script";
    case Category::limit:
      return "limit";
    case Category::cancelled:
      return "cancelled";
    case Category::internal:
      return "internal";
  }
  return {};
}

TEST(Codes, AreDocumentedWithTheirCategories) {
  const Documented told = documented();
  ASSERT_GT(told.codes.size(), 200U);
  ASSERT_GT(told.categories.size(), 30U);
  std::set<std::string> families;
  for (const std::string& code : told.codes) families.insert(code.substr(0, code.find('.') + 1));
  const auto found = codes_in_sources(families);
  ASSERT_GT(found.size(), 200U);
  for (const auto& [code, file] : found) {
    const std::string family = code.substr(0, code.find('.') + 1);
    EXPECT_TRUE(told.codes.contains(code) || told.codes.contains(family + "*"))
        << code << " of " << file << " is not in docs/errors.md";
    const auto own = told.categories.find(code);
    const auto row = own != told.categories.end() ? own : told.categories.find(family);
    EXPECT_EQ(name_of(category_of(code)), row == told.categories.end() ? "input" : row->second) << code;
  }
  for (const auto& [code, category] : told.categories) {
    if (code.ends_with('.')) {
      EXPECT_TRUE(families.contains(code)) << code;
      EXPECT_EQ(name_of(category_of(code + "any")), category) << code;
    } else {
      EXPECT_TRUE(found.contains(code)) << code << " has a category, and nothing throws it";
    }
  }
}

TEST(Error, AnErrorMayBeGivenMoreInPlace) {
  Sources sources;
  const SourceId source = sources.add("f", "one\n");
  Error error =
      Error("a.code", "a message that is longer than a small text").at(sources, sources.at(source, 0)).hint("a hint");
  error = std::move(error).note(sources, sources.at(source, 1), "here");
  EXPECT_EQ(error.code(), "a.code");
  EXPECT_STREQ(error.what(), "a message that is longer than a small text");
  ASSERT_EQ(error.diagnostic().notes.size(), 1U);
  EXPECT_EQ(error.diagnostic().notes[0].message, "here");
  EXPECT_EQ(error.diagnostic().hint, "a hint");
}

TEST(Diagnostics, KeepTheirOrder) {
  Diagnostics diagnostics;
  diagnostics.warn("a.b", "first", "a hint");
  diagnostics.warn("a.a", "second");
  ASSERT_EQ(diagnostics.warnings().size(), 2U);
  EXPECT_EQ(format(diagnostics.warnings()[0], "warning"), "warning: first [a.b]\nhint: a hint\n");
  EXPECT_EQ(diagnostics.warnings()[1].code, "a.a");
}

TEST(Diagnostics, AreBounded) {
  Diagnostics diagnostics;
  for (std::size_t i = 0; i < Diagnostics::kMost; ++i) diagnostics.warn("a.b", "one");
  EXPECT_EQ(diagnostics.warnings().size(), Diagnostics::kMost);
  EXPECT_EQ(diagnostics.warnings().back().code, "a.b");
  diagnostics.warn("a.b", "one");
  ASSERT_EQ(diagnostics.warnings().size(), Diagnostics::kMost + 1);
  EXPECT_EQ(format(diagnostics.warnings().back(), "warning"), "warning: there is 1 more warning [diagnostics.more]\n");
  for (int i = 0; i < 1000; ++i) diagnostics.warn("a.b", "one");
  ASSERT_EQ(diagnostics.warnings().size(), Diagnostics::kMost + 1);
  EXPECT_EQ(format(diagnostics.warnings().back(), "warning"),
            "warning: there are 1001 more warnings [diagnostics.more]\n");
}

}  // namespace
}  // namespace strata
