// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "strata/file_tree.hpp"
#include "strata/stop.hpp"
#include "strata/stop_scope.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"
#include "tree/world.hpp"

namespace strata {
namespace {

TEST(MemoryTree, FindsFilesByAnySpelling) {
  const auto tree = memory_tree({{"a/b.yaml", "1"}, {"/c", "2"}, {"a/x/../d", "3"}});
  for (const char* path : {"a/b.yaml", "/a/b.yaml", "./a//b.yaml", "a/./x/../b.yaml"})
    EXPECT_EQ(tree->read(path), "1") << path;
  EXPECT_EQ(tree->read("c"), "2");
  EXPECT_EQ(tree->read("a/d"), "3");
  EXPECT_EQ(tree->read("a/b"), std::nullopt);
  EXPECT_EQ(tree->read(std::string_view("c\0", 2)), std::nullopt);
}

TEST(MemoryTree, KnowsFolders) {
  const auto tree = memory_tree({{"a/b/c", ""}, {"a/b.d", ""}, {"a-", ""}, {"e", ""}});
  EXPECT_EQ(tree->kind("a"), FileKind::folder);
  EXPECT_EQ(tree->kind("a/b"), FileKind::folder);
  EXPECT_EQ(tree->kind(""), FileKind::folder);
  EXPECT_EQ(tree->kind("e"), FileKind::file);
  EXPECT_EQ(tree->kind("a/c"), FileKind::none);
  EXPECT_EQ(tree->list("."), (Names{"a", "a-", "e"}));
  EXPECT_EQ(tree->list("a"), (Names{"b", "b.d"}));
  EXPECT_EQ(tree->list("e"), Names{});
  STRATA_EXPECT_ERROR(tree->read("a"), "tree.unreadable");
}

TEST(MemoryTree, ListsNamesInTheOrderOfTheirBytesWithKinds) {
  const auto tree = memory_tree({{"a/b/c", ""}, {"a/b.d", ""}, {"a/b-", ""}, {"a", ""}});
  const auto entries = tree->entries("/a/");
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].name, "b");
  EXPECT_EQ(entries[0].kind, FileKind::folder);
  EXPECT_EQ(entries[1].name, "b-");
  EXPECT_EQ(entries[2].name, "b.d");
  EXPECT_EQ(entries[2].kind, FileKind::file);
  EXPECT_EQ(tree->kind("a"), FileKind::file) << "a name can be both";
}

/// A listing costs what it gives: this took minutes when it looked at all files below.
TEST(MemoryTree, DeepFoldersAreListedInLinearTime) {
  std::string deep;
  for (int i = 0; i < 2000; ++i) deep += "a/";
  std::map<std::string, std::string> files;
  for (int i = 0; i < 300; ++i) files.emplace(deep + std::to_string(i), "");
  const auto tree = memory_tree(std::move(files));
  for (std::size_t end = 0; end < deep.size(); end += 2)
    ASSERT_EQ(tree->list(std::string_view(deep).substr(0, end)), Names{"a"});
  EXPECT_EQ(tree->list(deep).size(), 300U);
}

TEST(MemoryTree, ListingEndsWithTheWork) {
  const auto tree = memory_tree({{"a/b", ""}});
  Stop stop;
  stop.cancel();
  const StopScope work(&stop);
  STRATA_EXPECT_ERROR((void)tree->list("a"), "session.cancelled");
}

TEST(MemoryTree, CannotBeLeft) {
  const auto tree = memory_tree({{"a", ""}});
  STRATA_EXPECT_ERROR(tree->read("../a"), "tree.outside");
  STRATA_EXPECT_ERROR(tree->kind("a/../../a"), "tree.outside");
  STRATA_EXPECT_ERROR(tree->list("/.."), "tree.outside");
  STRATA_EXPECT_ERROR(memory_tree({{"../a", ""}}), "tree.outside");
}

TEST(OverlayTree, LaysOneOverAnother) {
  const std::shared_ptr<const FileTree> over =
      memory_tree({{"a", "over"}, {"f/1", "over"}, {"f/2", "over"}, {"hidden", "over"}});
  const std::shared_ptr<const FileTree> under =
      memory_tree({{"a", "under"}, {"b", "under"}, {"f/2", "under"}, {"f/3", "under"}, {"hidden/x", "under"}});
  const auto tree = overlay_tree(over, under);
  EXPECT_EQ(tree->read("a"), "over");
  EXPECT_EQ(tree->read("b"), "under");
  EXPECT_EQ(tree->read("f/2"), "over");
  EXPECT_EQ(tree->read("f/3"), "under");
  EXPECT_EQ(tree->read("c"), std::nullopt);
  EXPECT_EQ(tree->list("f"), (Names{"1", "2", "3"}));
  EXPECT_EQ(tree->list(""), (Names{"a", "b", "f", "hidden"}));
  EXPECT_EQ(tree->list("hidden"), Names{});
  EXPECT_EQ(tree->kind("hidden"), FileKind::file);
  EXPECT_EQ(tree->kind("f"), FileKind::folder);
  EXPECT_EQ(tree->kind("b"), FileKind::file);
}

TEST(OverlayTree, ReachesAsFarAsTheWiderOfTheTwo) {
  const testing::TemporaryFolder folder;
  folder.write("start/x", "start");
  folder.write("above", "above");
  const std::shared_ptr<const FileTree> over = memory_tree({{"x", "over"}});
  const auto tree = overlay_tree(over, host_tree(folder / "start"));
  EXPECT_EQ(tree->read("x"), "over");
  EXPECT_EQ(tree->read("../above"), "above");
  STRATA_EXPECT_ERROR(overlay_tree(over, closed_tree(folder / "start"))->read("../above"), "tree.outside");
}

}  // namespace
}  // namespace strata
