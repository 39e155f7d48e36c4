// SPDX-License-Identifier: Apache-2.0
// From a project to words.
#include <gtest/gtest.h>

#include <array>

#include "strata/error.hpp"
#include "support/expect_error.hpp"
#include "trees.hpp"

namespace strata::workspace {
namespace {

using testing::found_in;
using testing::lookup_form;
using testing::merge_form;

Project project_of(const std::string& mapping) {
  return found_in({{"p/q/.strata.yaml", "projects: {a: " + mapping + "}"}}, "/p/q").projects.at(0);
}

std::string words_of(const std::string& mapping, const VerbForm& form, const std::string& folder,
                     const std::vector<std::string>& more = {}, const std::string& nodes = {}) {
  return command_line(question_of(project_of(mapping), form, folder, more, nodes).words);
}

TEST(Words, PathsAreRightFromTheWorkingFolder) {
  const std::string mapping =
      "{verb: merge, base: [b, /abs], merger: [n=m.lua, bare], limit: [depth=3], args: [x, -b, y, -bz, --base=w, '-', "
      "'http://h/u', --, -v]}";
  EXPECT_EQ(words_of(mapping, merge_form(), "/p/q"),
            "merge --base b --base /abs --merger n=m.lua --merger bare --limit depth=3 x -b y -bz --base=w - "
            "http://h/u -- -v");
  EXPECT_EQ(words_of(mapping, merge_form(), "/p"),
            "merge --base q/b --base /abs --merger n=q/m.lua --merger bare --limit depth=3 --nodes-dir q/nodes q/x -b "
            "q/y -bq/z --base=q/w - http://h/u "
            "-- q/-v");
  EXPECT_EQ(words_of("{verb: merge, base: '.', args: [../r]}", merge_form(), "/other"),
            "merge --base /p/q --nodes-dir /p/q/nodes /p/r");
  EXPECT_EQ(moved_path("sub", "/p", "/p/sub"), ".");
  EXPECT_EQ(moved_path("-x", "/p/q", "/p/q"), "-x");
  EXPECT_EQ(moved_path("../-x", "/p/q", "/p"), "./-x");
  EXPECT_EQ(moved_path("a", "/", "/"), "a");
  EXPECT_EQ(moved_path("a", "/b", "/"), "b/a");
}

TEST(Words, Members) {
  const Question question =
      question_of(project_of("{verb: merge, fleet: [{name: m, args: [x, -b, y]}]}"), merge_form(), "/p");
  EXPECT_EQ(question.members->at(0).words, (std::vector<std::string>{"q/x", "-b", "q/y"}));
  EXPECT_EQ(question_of(project_of("{verb: merge, fleet: f.yaml}"), merge_form(), "/").fleet_file, "p/q/f.yaml");
}

TEST(Words, WhatTheyGive) {
  const std::vector<std::string> words{"x", "--base",    "a", "-b", "b",  "--base=c", "-bd",
                                       "y", "--unknown", "-", "--", "-z", "--base"};
  EXPECT_EQ(arguments_of(words, merge_form()), (std::vector<std::string>{"x", "y", "-", "-z", "--base"}));
  EXPECT_EQ(values_of(words, merge_form(), "--base"), (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_TRUE(values_of(words, merge_form(), "--merger").empty());
  EXPECT_TRUE(values_of(words, merge_form(), "--unknown").empty());
}

TEST(Words, WhatIsSaidLaterCounts) {
  EXPECT_EQ(words_of("{verb: lookup, codedir: c, environment: e}", lookup_form(), "/p/q", {"--environment", "f"}),
            "lookup --codedir c --all --environment f");
  EXPECT_EQ(words_of("{verb: lookup, codedir: c}", lookup_form(), "/p/q", {"key"}), "lookup --codedir c key");
  EXPECT_EQ(words_of("{verb: lookup, codedir: c, args: [key]}", lookup_form(), "/p/q"), "lookup --codedir c key");
  EXPECT_EQ(words_of("{verb: lookup, codedir: c, all: true}", lookup_form(), "/p/q"), "lookup --codedir c --all");
  EXPECT_EQ(words_of("{verb: lookup, codedir: c, all: false}", lookup_form(), "/p/q"), "lookup --codedir c");
  EXPECT_EQ(
      words_of("{verb: lookup, codedir: c, default: '', sort-keys: false, node: -x}", lookup_form(), "/p/q", {}, "n"),
      "lookup --codedir c --default= --no-sort-keys --node=-x --nodes n --all");
}

TEST(Words, LacksNodes) {
  const VerbForm form = lookup_form();
  EXPECT_TRUE(lacks_nodes(project_of("{verb: lookup}"), form));
  EXPECT_FALSE(lacks_nodes(project_of("{verb: lookup, facts: f}"), form));
  EXPECT_FALSE(lacks_nodes(project_of("{verb: lookup, args: [--node, f]}"), form));
  EXPECT_FALSE(lacks_nodes(project_of("{verb: lookup, fleet: f}"), form));
  EXPECT_FALSE(lacks_nodes(project_of("{verb: lookup}"), form, {"--nodes=x"}));
  EXPECT_TRUE(lacks_nodes(project_of("{verb: lookup}"), form, {"--default", "--nodes"}));
  EXPECT_FALSE(lacks_nodes(project_of("{verb: merge}"), merge_form()));
}

TEST(Words, Errors) {
  const auto ask = [](const std::string& mapping) { return words_of(mapping, lookup_form(), "/"); };
  STRATA_EXPECT_ERROR(ask("{verb: lookup, codedri: x}"), "workspace.key");
  STRATA_EXPECT_ERROR(ask("{verb: lookup, codedir: true}"), "workspace.value");
  STRATA_EXPECT_ERROR(ask("{verb: lookup, codedir: [a]}"), "workspace.value");
  STRATA_EXPECT_ERROR(ask("{verb: lookup, all: x}"), "workspace.value");
  const std::array<VerbForm, 2> forms{lookup_form(), merge_form()};
  EXPECT_EQ(form_of(project_of("{verb: merge}"), forms).name, "merge");
  try {
    (void)form_of(project_of("{verb: mergee}"), forms);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "workspace.value");
    EXPECT_EQ(error.diagnostic().hint, "did you mean 'merge'?");
    EXPECT_EQ(error.diagnostic().where.place.column, 22U);
  }
}

TEST(Words, LinesForShells) {
  EXPECT_EQ(command_line({"a", "b c", "", "it's", "x\ny'\\", "$(rm)", "é"}),
            R"(a 'b c' '' 'it'\''s' $'x\012y\'\\' '$(rm)' 'é')");
}

}  // namespace
}  // namespace strata::workspace
