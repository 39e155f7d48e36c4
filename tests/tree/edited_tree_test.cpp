#include <gtest/gtest.h>

#include "strata/file_tree.hpp"
#include "support/expect_error.hpp"

namespace strata {
namespace {

using Names = std::vector<std::string>;

std::shared_ptr<const FileTree> below() { return memory_tree({{"a.yaml", "a"}, {"data/b.yaml", "b"}, {"data/c.yaml", "c"}}); }

TEST(EditedTree, ReplacesAddsAndDeletes) {
  const auto tree = edited_tree(below(), {{"/a.yaml", "A"}, {"data/new/d.yaml", "d"}, {"data/./b.yaml", std::nullopt}});
  EXPECT_EQ(tree->read("a.yaml"), "A");
  EXPECT_EQ(tree->read("/data/../a.yaml"), "A");
  EXPECT_EQ(tree->read("data/b.yaml"), std::nullopt);
  EXPECT_EQ(tree->kind("data/b.yaml"), FileKind::none);
  EXPECT_EQ(tree->read("data/c.yaml"), "c");
  EXPECT_EQ(tree->kind("data/new"), FileKind::folder);
  EXPECT_EQ(tree->list("data"), (Names{"c.yaml", "new"}));
  EXPECT_EQ(tree->list("data/new"), (Names{"d.yaml"}));
  EXPECT_EQ(tree->list("/"), (Names{"a.yaml", "data"}));
  STRATA_EXPECT_ERROR(tree->read("data/new"), "tree.unreadable");
}

TEST(EditedTree, EditsOfEditsAreOneTree) {
  std::shared_ptr<const FileTree> tree = below();
  for (int i = 0; i < 1000; ++i) tree = edited_tree(tree, {{"a.yaml", std::to_string(i)}});
  EXPECT_EQ(tree->read("a.yaml"), "999");
  tree = edited_tree(tree, {{"a.yaml", std::nullopt}});
  EXPECT_EQ(tree->list("/"), (Names{"data"}));
  tree = edited_tree(tree, {{"a.yaml", "back"}});
  EXPECT_EQ(tree->read("a.yaml"), "back");
}

TEST(EditedTree, RelativePathsCountFromItsStart) {
  const auto tree = edited_tree(below(), {{"/data/b.yaml", "B"}, {"e.yaml", "e"}}, "/data");
  EXPECT_EQ(tree->read("b.yaml"), "B");
  EXPECT_EQ(tree->read("/data/e.yaml"), "e");
  EXPECT_EQ(tree->read("../data/e.yaml"), "e");
}

TEST(EditedTree, AFolderMayTakeTheNameOfADeletedFile) {
  const auto tree = edited_tree(below(), {{"a.yaml", std::nullopt}, {"a.yaml/b", "b"}});
  EXPECT_EQ(tree->kind("a.yaml"), FileKind::folder);
  EXPECT_EQ(tree->list("a.yaml"), (Names{"b"}));
  EXPECT_EQ(tree->list("/"), (Names{"a.yaml", "data"}));
  EXPECT_EQ(tree->read("a.yaml/b"), "b");
  STRATA_EXPECT_ERROR(tree->read("a.yaml"), "tree.unreadable");
}

TEST(EditedTree, KnowsIdentities) {
  const auto under = below();
  const auto tree = edited_tree(under, {{"a.yaml", "A"}, {"data/b.yaml", "c"}, {"data/c.yaml", std::nullopt}});
  EXPECT_EQ(tree->identity("a.yaml"), content_id("A"));
  EXPECT_EQ(tree->identity("data/b.yaml"), under->identity("data/c.yaml"));
  EXPECT_EQ(tree->identity("data/c.yaml"), std::nullopt);
}

}  // namespace
}  // namespace strata
