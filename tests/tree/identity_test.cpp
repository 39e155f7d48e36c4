// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "strata/file_tree.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace strata {
namespace {

using testing::TemporaryFolder;

/// Makes a file look as if nobody had touched it for an hour. The time of the change of its status cannot be set: it
/// counts as settled later.
void age(const std::string& path) {
  const struct timespec then[2] = {{.tv_sec = 1'000'000'000, .tv_nsec = 0}, {.tv_sec = 1'000'000'000, .tv_nsec = 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), then, 0), 0);
}

TEST(ContentId, TellsContentsApart) {
  EXPECT_EQ(content_id("a"), content_id("a"));
  EXPECT_NE(content_id("a"), content_id("b"));
  EXPECT_NE(content_id(""), ContentId());
}

TEST(Identity, FollowsTheBytesAndNotThePath) {
  const TemporaryFolder folder;
  folder.write("a", "same");
  folder.write("b", "same");
  folder.write("c", "other");
  for (const auto& tree : {std::shared_ptr(host_tree(folder.path())), std::shared_ptr(closed_tree(folder.path()))}) {
    EXPECT_EQ(tree->identity("a"), tree->identity("b"));
    EXPECT_NE(tree->identity("a"), tree->identity("c"));
    EXPECT_EQ(tree->identity("none"), std::nullopt);
    STRATA_EXPECT_ERROR(tree->identity("."), "tree.unreadable");
  }
}

TEST(Identity, OfAFolderFailsAsItsReadingDoes) {
  const std::shared_ptr<const FileTree> memory = memory_tree({{"/d/a", "one"}});
  const std::shared_ptr<const FileTree> edited = edited_tree(memory, {{"/new/b", "two"}});
  for (const auto& tree : {memory, edited, std::shared_ptr<const FileTree>(overlay_tree(memory, edited))}) {
    STRATA_EXPECT_ERROR(tree->read("/d"), "tree.unreadable");
    STRATA_EXPECT_ERROR(tree->identity("/d"), "tree.unreadable");
    EXPECT_EQ(tree->identity("/none"), std::nullopt);
  }
  STRATA_EXPECT_ERROR(edited->read("/new"), "tree.unreadable");
  STRATA_EXPECT_ERROR(edited->identity("/new"), "tree.unreadable");
}

TEST(Identity, OfAFileThatWasJustWrittenIsReadFromItsBytes) {
  const TemporaryFolder folder;
  folder.write("a", "one");
  const auto tree = host_tree(folder.path());
  const auto first = tree->identity("a");
  folder.write("a", "two");  // The same size, and perhaps the same time.
  age(folder / "a");
  EXPECT_NE(tree->identity("a"), first);
  EXPECT_EQ(tree->identity("a"), content_id("two"));
}

TEST(Identity, OfTheSameBlobIsTheSameInEveryRevision) {
  const TemporaryFolder folder;
  folder.write("a", "one");
  folder.write("b", "two");
  folder.run("git init -q && git add . && git -c user.name=n -c user.email=e commit -qm 1");
  folder.write("b", "three");
  folder.run("git add . && git -c user.name=n -c user.email=e commit -qm 2");
  const auto before = git_tree("HEAD~", folder.path());
  const auto now = git_tree("HEAD", folder.path());
  EXPECT_EQ(before->identity("a"), now->identity("a"));
  EXPECT_NE(before->identity("b"), now->identity("b"));
  EXPECT_FALSE(now->identify("a")->bytes) << "git knows it without reading";
  STRATA_EXPECT_ERROR(now->identity("."), "tree.unreadable");
}

TEST(Identity, OfOverlaysIsThatOfTheUpperFile) {
  const auto tree = overlay_tree(memory_tree({{"a", "over"}}), memory_tree({{"a", "under"}, {"b", "under"}}));
  EXPECT_EQ(tree->identity("a"), content_id("over"));
  EXPECT_EQ(tree->identity("b"), content_id("under"));
}

}  // namespace
}  // namespace strata
