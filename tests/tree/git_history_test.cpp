// SPDX-License-Identifier: Apache-2.0
#include "strata/git_history.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"
#include "tree/world.hpp"

namespace strata {
namespace {

/// Commits named by their messages; `at N MESSAGE` makes one N seconds after the first.
constexpr const char* kCommitAt =
    "at() { GIT_AUTHOR_DATE=\"$((1700000000 + $1)) +0000\" GIT_COMMITTER_DATE=\"$((1700000000 + $1)) +0000\" git "
    "commit --allow-empty -m \"$2\"; }\n";

class RepositoryHistory : public ::testing::Test {
 protected:
  void in(const std::string& commands) const {
    folder.run("LOG=$PWD/git.log; mkdir -p repo; cd repo && {\n" + std::string(kGit) + kCommitAt + commands + "\n}");
  }

  [[nodiscard]] Names subjects(const std::string& revision, const std::string& since = {},
                               const std::string& where = "repo") const {
    GitHistory history(revision, since, folder / where);
    Names out;
    while (const auto commit = history.next()) out.push_back(commit->subject + (commit->is_cut ? " (cut)" : ""));
    return out;
  }

  testing::TemporaryFolder folder;
};

TEST_F(RepositoryHistory, CommitsComeBeforeTheirParentsTheNewestFirst) {
  // The second parent of the merge is older than the sibling of its own child; the clock of `late` was wrong.
  in("git init . && at 0 root && at 10 one && git checkout -b side HEAD~1 && at 5 two && at 3 late && git checkout "
     "main && at 20 three && "
     "git merge --no-ff -m joined side && at 30 last");
  EXPECT_EQ(subjects("HEAD~1^2"), (Names{"late", "two", "root"}));
  const Names all = subjects("HEAD");
  EXPECT_EQ(all, (Names{"last", "joined", "three", "one", "late", "two", "root"}));
  EXPECT_EQ(subjects("HEAD", "HEAD"), Names{});
  EXPECT_EQ(subjects("HEAD", "side"), (Names{"last", "joined", "three", "one"}));
  EXPECT_EQ(subjects("HEAD", "HEAD~2"), (Names{"last", "joined", "late", "two"}));
  EXPECT_EQ(subjects("side", "main"), Names{});
  GitHistory history("HEAD~1", {}, folder / "repo");
  EXPECT_EQ(history.next()->parents.size(), 2U);
}

TEST_F(RepositoryHistory, ShallowClonesEndWhereTheyEnd) {
  in("git init . && at 0 a && at 1 b && at 2 c && at 3 d && git clone --depth 2 file://$PWD ../shallow && git -C "
     "../shallow worktree add ../linked");
  for (const std::string where : {"shallow", "linked"}) {
    EXPECT_EQ(subjects("HEAD", {}, where), (Names{"d", "c (cut)"}));
    EXPECT_EQ(subjects("HEAD", "HEAD~1", where), (Names{"d"}));
  }
  GitHistory history("HEAD~1", {}, folder / "shallow");
  EXPECT_TRUE(history.next()->parents.empty());
}

TEST_F(RepositoryHistory, ALostCommitIsNamed) {
  in("git init . && at 0 a && at 1 b && at 2 c && LOST=$(command git rev-parse HEAD~1) && rm -f "
     ".git/objects/${LOST%??????????????????????????????????????}/${LOST#??}");
  GitHistory history("HEAD", {}, folder / "repo");
  const auto first = history.next();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->subject, "c");
  try {
    (void)history.next();
    ADD_FAILURE() << "a commit that is not there";
  } catch (const Error& error) {
    EXPECT_NE(error.diagnostic().message.find(first->parents.at(0)), std::string::npos) << error.diagnostic().message;
  }
}

TEST_F(RepositoryHistory, NamesAndSubjectsAreUtf8) {
  in("git init . && git -c i18n.commitEncoding=latin1 commit --allow-empty -m \"$(printf 'caf\\351')\" --author "
     "\"$(printf 'J\\366rg') <a@b>\"");
  const auto commit = GitHistory("HEAD", {}, folder / "repo").next();
  EXPECT_EQ(commit->author, "J\u00F6rg");
  EXPECT_EQ(commit->subject, "caf\u00E9");
}

}  // namespace
}  // namespace strata
