// SPDX-License-Identifier: Apache-2.0
#include "strata/git_ignore.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "strata/error.hpp"
#include "strata/stop.hpp"
#include "strata/stop_scope.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"
#include "tree/ignore_rules.hpp"
#include "tree/world.hpp"

namespace strata {
namespace {

using testing::TemporaryFolder;

const Names kPaths{"a",
                   "b",
                   "ab",
                   "a.log",
                   "x.log",
                   "d/a",
                   "d/x.log",
                   "d/e/a",
                   "d/e/x.log",
                   "d/e/f/a",
                   "build/x",
                   "d/build/x",
                   "build.d/x",
                   "doc/a.txt",
                   "doc/d/b.c",
                   "foo",
                   "d/foo/bar",
                   "foo.d/bar",
                   "[a]",
                   "a b",
                   "sp ",
                   "#x",
                   "!x",
                   "A",
                   "z9",
                   "d/keep",
                   "d/e/keep",
                   "k-1",
                   "k^",
                   ".hidden",
                   "d/.hidden/in",
                   "aXbXc",
                   "axxbxxc",
                   "deep/a/b/c/d",
                   "bar/bar/bar/x"};

/// The patterns, and the verdict of git itself about each path.
void expect_as_git(const std::string& top, const std::string& below, const std::string& exclude) {
  TemporaryFolder folder;
  for (const std::string& path : kPaths) folder.write("repo/" + path, "");
  folder.write("repo/.gitignore", top);
  folder.write("repo/d/.gitignore", below);
  std::string all;
  for (const std::string& path : kPaths) all += path + '\n';
  folder.write("paths", all);
  folder.run("LOG=$PWD/git.log; cd repo && {\n" + std::string(kGit) + "git init . \n}");
  folder.write("repo/.git/info/exclude", exclude);
  folder.run(
      "cd repo && HOME=/nonexistent GIT_CONFIG_NOSYSTEM=1 git check-ignore --no-index --stdin <../paths "
      ">../ignored || true");
  std::set<std::string> wanted;
  std::ifstream in(folder / "ignored");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('"')) line = line.substr(1, line.size() - 2);  // As git quotes a name.
    wanted.insert(line);
  }
  const auto is_ignored = ignored_by_git(folder / "repo");
  ASSERT_TRUE(is_ignored);
  for (const std::string& path : kPaths) {
    EXPECT_EQ(is_ignored(folder / ("repo/" + path)), wanted.contains(path)) << path << "\n--- .gitignore\n"
                                                                            << top << "--- d/.gitignore\n"
                                                                            << below << "--- exclude\n"
                                                                            << exclude;
  }
}

TEST(GitIgnore, IsThatOfGit) {
  for (const char* patterns : {"a\n",
                               "/a\n",
                               "d/a\n",
                               "*.log\n",
                               "*.log\n!x.log\n",
                               "!x.log\n*.log\n",
                               "build/\n",
                               "/build\n",
                               "build\n",
                               "d/\n!d/keep\n",
                               "d/*\n!d/keep\n",
                               "**/a\n",
                               "d/**\n",
                               "d/**/a\n",
                               "**\n",
                               "*\n!a\n",
                               "**/foo/bar\n",
                               "foo/**\n",
                               "foo*/bar\n",
                               "[ab]\n",
                               "[!a]\n",
                               "[^a]\n",
                               "[a-c]\n",
                               "\\[a\\]\n",
                               "[[]a]\n",
                               "[]a]\n",
                               "[a\n",
                               "a\\ b\n",
                               "a b\n",
                               "sp\\ \n",
                               "sp \n",
                               "a   \n",
                               "\\#x\n",
                               "#x\n",
                               "\\!x\n",
                               "!x\n",
                               "?\n",
                               "??\n",
                               "[[:upper:]]\n",
                               "[[:alpha:]][[:digit:]]\n",
                               "[[:nothing:]]\n",
                               "k[\\^-]*\n",
                               "k[]-a]*\n",
                               ".*\n",
                               "*hidden\n",
                               "a*b*c\n",
                               "a\\\n",
                               "a\r\n",
                               "\xEF\xBB\xBF"
                               "a\n",
                               "\n\n  \na\n",
                               "/\n",
                               "//a\n",
                               "d//a\n",
                               "a**b*\n",
                               "**a\n",
                               "deep/**/d\n",
                               "deep/**/**/d\n",
                               "bar/**/x\n",
                               "**/bar/bar/x\n",
                               "/*/a\n",
                               "*/*/a\n",
                               "/**/a\n",
                               "d/e/\n!d/e/keep\n",
                               "do[c]/\n",
                               "doc/*.txt\n",
                               "*.[co]\n"})
    expect_as_git(patterns, "", "");
  expect_as_git("*.log\n", "!x.log\n/a\n", "");
  expect_as_git("!x.log\n", "a\n", "*.log\nfoo\n");
  expect_as_git("d/e\n", "!e/\n*\n!keep\n", "z9\n");
}

/// An author of patterns chooses the work: it is no more than the product of the sizes.
TEST(GitIgnore, WorkIsBoundedBySizes) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "a*";
  const detail::IgnoreRules rules(pattern + "b\n");
  StopCheck stop(nullptr);
  EXPECT_EQ(rules.find(std::string(255, 'a'), false, stop), std::nullopt);
  EXPECT_EQ(rules.find(std::string(255, 'a') + "b", false, stop), true);
  std::string folders;
  for (int i = 0; i < 500; ++i) folders += "a/";
  std::string any;
  for (int i = 0; i < 200; ++i) any += "**/a/";
  EXPECT_EQ(detail::IgnoreRules(any + "b\n").find(folders + "c", false, stop), std::nullopt);
}

TEST(GitIgnore, EndsWithTheWork) {
  TemporaryFolder folder;
  folder.write("repo/d/a", "");
  folder.write("repo/.gitignore", "a\n");
  folder.run("LOG=$PWD/git.log; cd repo && {\n" + std::string(kGit) + "git init . \n}");
  const auto is_ignored = ignored_by_git(folder / "repo");
  ASSERT_TRUE(is_ignored);
  Stop stop;
  const StopScope work(&stop);
  stop.cancel();
  STRATA_EXPECT_ERROR((void)is_ignored(folder / "repo/d/a"), "session.cancelled");
}

TEST(GitIgnore, FollowsNoLink) {
  TemporaryFolder folder;
  folder.write("repo/a", "");
  folder.write("patterns", "a\n");
  folder.link("repo/.gitignore", "../patterns");
  folder.run("LOG=$PWD/git.log; cd repo && {\n" + std::string(kGit) + "git init . \n}");
  EXPECT_FALSE(ignored_by_git(folder / "repo")(folder / "repo/a"));
}

}  // namespace
}  // namespace strata
