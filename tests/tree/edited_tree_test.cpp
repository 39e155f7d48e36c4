// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "strata/file_tree.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"
#include "tree/changes.hpp"
#include "tree/world.hpp"

namespace strata {
namespace {

using testing::TemporaryFolder;

std::shared_ptr<const FileTree> below() {
  return memory_tree({{"a.yaml", "a"}, {"data/b.yaml", "b"}, {"data/c.yaml", "c"}});
}

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

TEST(EditedTree, EntriesHaveTheKindsOfTheFolderAndOfTheEdits) {
  const TemporaryFolder folder;
  for (const char* name : {"d/file", "d/edited", "d/gone", "d/folder/x", "d/grows/x"}) folder.write(name, "");
  folder.link("d/link", "file");
  const auto tree =
      edited_tree(host_tree(folder.path()),
                  {{"d/edited", "e"}, {"d/gone", std::nullopt}, {"d/grows/y", "y"}, {"d/new", "n"}, {"d/made/z", "z"}},
                  folder.path());
  std::string told;
  for (const auto& [name, kind] : tree->entries("d")) {
    told += name + (kind ? " " : "? ");
    if (kind) {
      EXPECT_TRUE(*kind == tree->kind("d/" + name)) << name;
    }
  }
  EXPECT_EQ(told, "edited file folder grows? link? made? new ");
  EXPECT_TRUE(tree->entries("d/new").empty());
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

TEST(EditedTree, TellsWhichFilesHaveOtherBytes) {
  using Changed = std::optional<Names>;
  const auto under = below();
  const auto changed = [](const std::shared_ptr<const FileTree>& tree, const std::shared_ptr<const FileTree>& before,
                          std::size_t most = 9) { return detail::changed_files(*tree, *before, most); };
  const auto one = edited_tree(under, {{"a.yaml", "A"}});
  const auto two = edited_tree(one, {{"data/b.yaml", "B"}});
  EXPECT_EQ(changed(under, under), Changed(Names{}));
  EXPECT_EQ(changed(one, under), Changed(Names{"/a.yaml"}));
  EXPECT_EQ(changed(under, one), Changed(Names{"/a.yaml"}));
  EXPECT_EQ(changed(two, one), Changed(Names{"/data/b.yaml"}));
  EXPECT_EQ(changed(two, under), Changed(Names{"/a.yaml", "/data/b.yaml"}));
  EXPECT_EQ(changed(two, under, 1), std::nullopt);
  // More than bytes.
  EXPECT_EQ(changed(edited_tree(one, {{"a.yaml", std::nullopt}}), one), std::nullopt);
  EXPECT_EQ(changed(edited_tree(one, {{"new.yaml", "n"}}), one), std::nullopt);
  EXPECT_EQ(changed(one, edited_tree(one, {{"new.yaml", "n"}})), std::nullopt);
  const auto without = edited_tree(under, {{"data", std::nullopt}});
  EXPECT_EQ(changed(edited_tree(without, {{"data/b.yaml", "B"}}), without), std::nullopt);
  const auto hidden = edited_tree(under, {{"a.yaml/x", "x"}});
  EXPECT_EQ(changed(edited_tree(hidden, {{"a.yaml", "A"}}), hidden), std::nullopt);
  // Of other trees nothing is known, and a folder of the host may change at any time.
  EXPECT_EQ(changed(below(), below()), std::nullopt);
  EXPECT_EQ(changed(one, edited_tree(under, {}, "/data")), std::nullopt);
  const std::shared_ptr<const FileTree> host = host_tree("/");
  EXPECT_EQ(changed(host, host), std::nullopt);
  EXPECT_EQ(changed(edited_tree(host, {{"/a", "A"}}), edited_tree(host, {{"/a", "B"}})), std::nullopt);
}

/// What a tree says of some paths.
std::string described(const FileTree& tree) {
  std::string out;
  for (const std::string path : {"/", "/a", "/a/b", "/a/c", "/b", "/b/c", "/b/c/d", "/e"}) {
    out += path + " " + std::to_string(static_cast<int>(tree.kind(path)));
    for (const std::string& name : tree.list(path)) out += " " + name;
    if (tree.kind(path) == FileKind::file)
      out +=
          ": " + tree.read(path).value_or("none") + (tree.identity(path) == content_id(*tree.read(path)) ? "" : " bad");
    out += '\n';
  }
  return out;
}

std::string without_bytes(const std::string& description) {
  std::string out;
  bool is_in = true;
  for (const char c : description) {
    if (c == ':') is_in = false;
    if (c == '\n') is_in = true;
    if (is_in) out += c;
  }
  return out;
}

RC_GTEST_PROP(EditedTreeProperties, ManyEditsAreAsAllAtOnce, ()) {
  const std::shared_ptr<const FileTree> under = memory_tree({{"a/b", "1"}, {"b/c/d", "2"}, {"e", "3"}});
  std::shared_ptr<const FileTree> tree = under;
  std::shared_ptr<const FileTree> before = under;
  Edits all;
  for (int i = 0; i < 60; ++i) {
    const std::string path =
        *rc::gen::elementOf(std::vector<std::string>{"/a", "/a/b", "/a/c", "/b", "/b/c", "/b/c/d", "/e"});
    // Names of their own make the parts of an edited tree grow.
    all["/f" + std::to_string(i)] = "f";
    auto& edit = all[path];
    edit = *rc::gen::inRange(0, 4) == 0 ? std::nullopt : std::optional(std::to_string(*rc::gen::inRange(0, 5)));
    before = tree;
    tree = edited_tree(tree, {{path, edit}, {"/f" + std::to_string(i), "f"}});
    RC_ASSERT(described(*tree) == described(*edited_tree(under, all)));
    const auto next = edited_tree(tree, {{path, "new"}});
    if (detail::changed_files(*next, *tree, 9)) {
      RC_ASSERT(without_bytes(described(*next)) == without_bytes(described(*tree)));
    }
  }
}

}  // namespace
}  // namespace strata
