// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "strata/file_tree.hpp"
#include "strata/git_history.hpp"
#include "strata/git_place.hpp"
#include "strata/links.hpp"
#include "strata/stop.hpp"
#include "strata/stop_scope.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"
#include "tree/world.hpp"

namespace strata {
namespace {

using testing::TemporaryFolder;

/// A repository with two commits; the files on disk differ from both.
class GitTree : public ::testing::Test {
 protected:
  GitTree() {
    folder.write("repo/a.yaml", "first");
    folder.write("repo/d/b.yaml", "b");
    folder.write("repo/d.x/c", "c");
    folder.write("repo/d-x", "");
    folder.link("repo/link", "d/b.yaml");
    folder.link("repo/d/up", "../a.yaml");
    folder.link("repo/folder", "d");
    folder.link("repo/out", "../../etc/passwd");
    folder.link("repo/absolute-out", "/etc/passwd");
    folder.link("repo/absolute-in", folder / "repo/d");
    folder.link("repo/loop", "loop");
    folder.link("repo/dangling", "nowhere");
    git("git init . && git add . && git commit -m one && git tag -a v1 -m v1");
    folder.write("repo/a.yaml", "second");
    git("git commit -am two");
    folder.write("repo/a.yaml", "on disk");
    folder.write("repo/new.yaml", "on disk");
    folder.write("outside", "outside");
  }

  void git(const std::string& commands) const {
    folder.run(std::string("LOG=$PWD/git.log; cd repo && {\n") + kGit + commands + "\n}");
  }

  TemporaryFolder folder;
};

TEST_F(GitTree, ReadsTheRevisionAndNeverTheDisk) {
  EXPECT_EQ(git_tree("HEAD", folder / "repo")->read("a.yaml"), "second");
  for (const char* revision : {"HEAD~1", "v1", "v1^{tree}", "main~1"})
    EXPECT_EQ(git_tree(revision, folder / "repo")->read("a.yaml"), "first") << revision;
  const auto tree = git_tree("HEAD", folder / "repo");
  EXPECT_EQ(tree->read("new.yaml"), std::nullopt);
  EXPECT_EQ(tree->read("d/../a.yaml"), "second");
  EXPECT_EQ(tree->read("a.yaml/x"), std::nullopt);
  EXPECT_EQ(tree->read(std::string_view("a.yaml\0", 7)), std::nullopt);
  STRATA_EXPECT_ERROR(tree->read("d"), "tree.unreadable");
}

/// An author of commits would choose the work.
TEST_F(GitTree, SearchesNoMessages) {
  for (const char* revision : {":/one", "HEAD^{/one}", "main~1^{/o.*}~0"})
    STRATA_EXPECT_ERROR((void)git_tree(revision, folder / "repo"), "git.revision");
  STRATA_EXPECT_ERROR((void)revision_id(":/one", folder / "repo"), "git.revision");
}

/// No host has such a link.
TEST_F(GitTree, LeadsNowhereByTooLongALink) {
  std::string target;
  for (int i = 0; i < 20'000; ++i) target += "d/../";
  folder.write("repo/target", target + "a.yaml");
  git("git update-index --add --cacheinfo 120000,$(command git hash-object -w target),long && git commit -m long");
  const auto tree = git_tree("HEAD", folder / "repo");
  EXPECT_EQ(tree->kind("long"), FileKind::none);
  EXPECT_EQ(detail::link_in(*tree, folder / "repo/long"), std::nullopt);
  EXPECT_EQ(detail::real_path(*tree, folder / "repo/long/x"), folder / "repo/long/x");
}

TEST_F(GitTree, ListingEndsWithTheWork) {
  const auto tree = git_tree("HEAD", folder / "repo");
  Stop stop;
  stop.cancel();
  const StopScope work(&stop);
  STRATA_EXPECT_ERROR((void)tree->list("d"), "session.cancelled");
}

TEST_F(GitTree, StartsAtItsPlaceInTheWorkTree) {
  const auto tree = git_tree("HEAD", folder / "repo/d");
  EXPECT_EQ(tree->read("b.yaml"), "b");
  EXPECT_EQ(tree->read("../a.yaml"), "second");
  EXPECT_EQ(tree->list(""), (Names{"b.yaml", "up"}));
  STRATA_EXPECT_ERROR(tree->read("../../outside"), "tree.outside");
  STRATA_EXPECT_ERROR(tree->kind("../.."), "tree.outside");
}

TEST_F(GitTree, AbsolutePathsMeanTheRevision) {
  const auto tree = git_tree("HEAD", folder / "repo/d");
  EXPECT_EQ(tree->read(folder / "repo/a.yaml"), "second");
  EXPECT_EQ(tree->kind(folder / "repo"), FileKind::folder);
  EXPECT_EQ(tree->read(folder / "repo/new.yaml"), std::nullopt);
  folder.link("alias", "repo");
  EXPECT_EQ(tree->read(folder / "alias/a.yaml"), "second");
  STRATA_EXPECT_ERROR(tree->read(folder / "outside"), "tree.outside");
  STRATA_EXPECT_ERROR(tree->read(folder / "repository/a.yaml"), "tree.outside");
  STRATA_EXPECT_ERROR(tree->read("/"), "tree.outside");
}

TEST_F(GitTree, ListsInByteOrder) {
  const auto tree = git_tree("HEAD", folder / "repo");
  EXPECT_EQ(tree->list("."), (Names{"a.yaml", "absolute-in", "absolute-out", "d", "d-x", "d.x", "dangling", "folder",
                                    "link", "loop", "out"}));
  EXPECT_EQ(tree->list("a.yaml"), Names{});
  EXPECT_EQ(tree->list("none"), Names{});
}

TEST_F(GitTree, FollowsLinksInside) {
  const auto tree = git_tree("HEAD", folder / "repo");
  EXPECT_EQ(tree->read("link"), "b");
  EXPECT_EQ(tree->kind("link"), FileKind::file);
  EXPECT_EQ(tree->read("d/up"), "second");
  EXPECT_EQ(tree->read("folder/up"), "second");
  EXPECT_EQ(tree->list("folder"), (Names{"b.yaml", "up"}));
  EXPECT_EQ(tree->read("absolute-in/b.yaml"), "b");
  EXPECT_EQ(tree->read("dangling"), std::nullopt);
  EXPECT_EQ(tree->kind("dangling"), FileKind::none);
  STRATA_EXPECT_ERROR(tree->read("out"), "tree.outside");
  STRATA_EXPECT_ERROR(tree->read("absolute-out"), "tree.outside");
  STRATA_EXPECT_ERROR(tree->read("loop"), "tree.unreadable");
}

TEST_F(GitTree, ReadsBareRepositories) {
  git("git clone --bare . ../bare.git");
  const auto tree = git_tree("HEAD", folder / "bare.git");
  EXPECT_EQ(tree->read("a.yaml"), "second");
  EXPECT_EQ(tree->read("d/up"), "second");
  STRATA_EXPECT_ERROR(tree->read(folder / "bare.git/HEAD"), "tree.outside");
  STRATA_EXPECT_ERROR(tree->read("../outside"), "tree.outside");
}

TEST_F(GitTree, SubmodulesAreOther) {
  git("git clone . ../other && git submodule add \"$PWD/../other\" module && git commit -m module");
  const auto tree = git_tree("HEAD", folder / "repo");
  EXPECT_EQ(tree->kind("module"), FileKind::other);
  EXPECT_EQ(tree->read("module/a.yaml"), std::nullopt);
  STRATA_EXPECT_ERROR(tree->read("module"), "tree.unreadable");
  EXPECT_EQ(tree->list("module"), Names{});
}

TEST_F(GitTree, ReadsLinkedWorkTrees) {
  git("git worktree add ../linked HEAD~1");
  const auto tree = git_tree("HEAD", folder / "linked/d");
  EXPECT_EQ(tree->read("../a.yaml"), "first");
  EXPECT_EQ(tree->read(folder / "linked/a.yaml"), "first");
}

TEST_F(GitTree, SaysWhatIsWrong) {
  for (const std::string& revision : {std::string("no-such"), std::string(), std::string("HEAD~9"),
                                      std::string("HEAD:a.yaml"), std::string("HEAD\0x", 6)}) {
    STRATA_EXPECT_ERROR(git_tree(revision, folder / "repo"), "git.revision");
  }
  STRATA_EXPECT_ERROR(git_tree("HEAD", folder.path()), "git.no-repository");
  STRATA_EXPECT_ERROR(git_tree("HEAD", folder / "missing"), "git.no-repository");
  folder.run("mkdir empty && cd empty && git init -q .");
  STRATA_EXPECT_ERROR(git_tree("HEAD", folder / "empty"), "git.revision");
}

TEST_F(GitTree, NamesTheWayOutOfTheOwnerCheck) {
  folder.run("mkdir foreign && cd foreign && git init -q . && { chown -R 12345 . 2>/dev/null || true; }");
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  try {
    (void)git_tree("HEAD", folder / "foreign");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "git.owner");
    EXPECT_NE(error.diagnostic().hint.find("safe.directory"), std::string::npos);
  }
}

TEST_F(GitTree, OpensClosedRepositories) {
  git("git gc -q");
  for (const std::string& place : {folder / "repo", folder / "repo/.git"}) {
    EXPECT_EQ(git_tree("HEAD", GitPlace::closed(place, {folder.path()}))->read("a.yaml"),
              git_tree("HEAD", folder / "repo")->read("a.yaml"));
  }
  folder.run("git clone -q --bare repo bare.git");
  EXPECT_EQ(revision_id("HEAD", GitPlace::closed(folder / "bare.git", {})), revision_id("HEAD", folder / "repo"));
  // Not from a folder of it, nor from one that merely lies in a repository.
  STRATA_EXPECT_ERROR(git_tree("HEAD", GitPlace::closed(folder / "repo/d", {})), "git.no-repository");
  STRATA_EXPECT_ERROR(git_tree("HEAD", GitPlace::closed(folder / "none", {})), "git.no-repository");
  STRATA_EXPECT_ERROR(git_tree("HEAD", GitPlace::closed(folder / "repo", {folder / "bare.git"})), "git.outside");
  STRATA_EXPECT_ERROR(git_tree("HEAD", GitPlace::closed(folder / "none", {folder / "bare.git"})), "git.outside");
}

TEST_F(GitTree, RefusesWhatLeadsOutOfAClosedRepository) {
  const auto refuses = [&](const std::string& name, const std::string& command) {
    folder.run("rm -rf open && mkdir open && cp -r repo open/" + name + " && cd open && " + command);
    const GitPlace place = GitPlace::closed(folder / ("open/" + name), {folder / "open"});
    STRATA_EXPECT_ERROR((void)git_tree("HEAD", place), "git.outside");
    STRATA_EXPECT_ERROR((void)revision_id("HEAD", place), "git.outside");
    STRATA_EXPECT_ERROR((void)git_references(place), "git.outside");
    STRATA_EXPECT_ERROR(GitHistory("HEAD", "", place), "git.outside");
  };
  refuses("a", "rm -rf a && ln -s ../repo a");
  refuses("a", "rm -rf a/.git && ln -s ../../repo/.git a/.git");
  refuses("a", "rm -rf a/.git && echo 'gitdir: ../../repo/.git' >a/.git");
  refuses("a", "rm -rf a/.git/objects && ln -s ../../../repo/.git/objects a/.git/objects");
  refuses("a", "mkdir -p a/.git/objects/info && echo \"$PWD/../repo/.git/objects\" >a/.git/objects/info/alternates");
  refuses("a", "rm -rf a/.git/objects/pack && ln -s ../../../../repo/.git/objects/pack a/.git/objects/pack");
  refuses("a", "ln -s /etc/hostname a/.git/objects/pack/pack-1.pack");
  refuses("a", "echo ../../../repo/.git >a/.git/commondir");
  refuses("a", "rm a/.git/HEAD && ln -s ../../../repo/.git/HEAD a/.git/HEAD");
  refuses("a", "ln -s /etc/hostname a/.git/refs/heads/x");
  refuses("a", "ln -s /etc/hostname a/.git/packed-refs");
  refuses("a", "printf '[include]\\n path = /etc/hostname\\n' >>a/.git/config");
  refuses("a", "printf '[ INCLUDEIF \"gitdir:/\"]\\n path = /etc/hostname\\n' >>a/.git/config");
  refuses("a", "rm a/.git/config && ln -s /etc/hostname a/.git/config");
}

TEST_F(GitTree, BoundsWhatItReads) {
  STRATA_EXPECT_ERROR(git_tree("HEAD", folder / "repo", 5)->read("a.yaml"), "limit.input");
}

TEST_F(GitTree, ServesSeveralThreads) {
  constexpr int kThreads = 8;
  for (int i = 0; i < kThreads; ++i) {
    for (int k = 0; k < 20; ++k)
      folder.write("repo/own/" + std::to_string(i) + "/" + std::to_string(k), std::to_string(i * 100 + k));
  }
  git("git add . && git commit -m many && git gc");
  const auto tree = git_tree("HEAD", folder / "repo");
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 100; ++k) {
        EXPECT_EQ(tree->read("d/up"), "on disk");
        EXPECT_EQ(tree->list("d").size(), 2U);
        EXPECT_EQ(tree->list("own/" + std::to_string(i)).size(), 20U);
        EXPECT_EQ(tree->read("own/" + std::to_string(i) + "/" + std::to_string(k % 20)),
                  std::to_string(i * 100 + k % 20));
        EXPECT_EQ(tree->kind("own/" + std::to_string(k % kThreads)), FileKind::folder);
        EXPECT_EQ(tree->read("own/none"), std::nullopt);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(GitTree, FoldersAreListedOnce) {
  const auto tree = git_tree("HEAD", folder / "repo");
  EXPECT_EQ(tree->list("d").size(), 2U);
  EXPECT_EQ(tree->list("").size(), 11U);
  // The objects of the folders are not asked for again.
  folder.run(
      "cd repo && rm .git/objects/$(git rev-parse HEAD^{tree} | sed 's,..,&/,') .git/objects/$(git rev-parse HEAD:d | "
      "sed 's,..,&/,')");
  EXPECT_EQ(tree->list("d").size(), 2U);
  EXPECT_EQ(tree->list("").size(), 11U);
  EXPECT_EQ(tree->read("d/up"), "second");
}

}  // namespace
}  // namespace strata
