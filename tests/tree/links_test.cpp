// SPDX-License-Identifier: Apache-2.0
#include "strata/links.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "support/temporary_folder.hpp"
#include "tree/changes.hpp"
#include "tree/world.hpp"

namespace strata {
namespace {

using testing::TemporaryFolder;

/// A folder with a link to a file, a chain of links, a link to a folder, and a cycle.
struct Site {
  Site() {
    folder.write("real/data/a", "a");
    folder.write("real/data/c", "c");
    folder.link("real/data/b", "a");
    folder.link("real/data/chain", "../data/./b");
    folder.link("data", "real/data");
    folder.link("up", "data/..");
    folder.link("one", "two");
    folder.link("two", "one");
    folder.link("absolute", folder / "data/b");
    tree = host_tree(folder.path());
  }
  [[nodiscard]] Names trail(const std::string& name) const { return detail::trail_of(*tree, folder / name); }
  [[nodiscard]] Names in_folder(Names names) const {
    for (std::string& name : names) name = folder / name;
    return names;
  }

  TemporaryFolder folder;
  std::shared_ptr<const FileTree> tree;
};

TEST(Links, TrailsEndAtTheFile) {
  const Site site;
  EXPECT_EQ(site.trail("real/data/a"), site.in_folder({"real/data/a"}));
  EXPECT_EQ(site.trail("data/a"), site.in_folder({"real/data/a"}));
  EXPECT_EQ(site.trail("data/b"), site.in_folder({"real/data/b", "real/data/a"}));
  EXPECT_EQ(site.trail("data/chain"), site.in_folder({"real/data/chain", "real/data/b", "real/data/a"}));
  EXPECT_EQ(site.trail("absolute"), site.in_folder({"absolute", "real/data/b", "real/data/a"}));
  EXPECT_EQ(site.trail("data/new/file"), site.in_folder({"real/data/new/file"}));
  // `..` leads out of the folder that a link means.
  EXPECT_EQ(site.trail("up/data/a"), site.in_folder({"real/data/a"}));
  EXPECT_EQ(site.trail("up"), site.in_folder({"up", "real"}));
  EXPECT_EQ(site.trail("one"), site.in_folder({"one"}));
  EXPECT_EQ(site.trail("one/file"), site.in_folder({"one/file"}));
  const std::string longest(100'000, 'x');
  EXPECT_EQ(site.trail(longest), site.in_folder({longest}));
  EXPECT_EQ(detail::trail_of(*memory_tree({}), "/a/./b/../c"), (Names{"/a/c"}));
}

TEST(Links, ARevisionHasThem) {
  const Site site;
  site.folder.run("git init -q && git add -A && git -c user.name=A -c user.email=a@example.com commit -q -m one");
  const std::shared_ptr<const FileTree> tree = git_tree("HEAD", site.folder.path());
  EXPECT_EQ(detail::trail_of(*tree, site.folder / "data/chain"),
            site.in_folder({"real/data/chain", "real/data/b", "real/data/a"}));
  EXPECT_EQ(detail::trail_of(*tree, site.folder / "one"), site.in_folder({"one"}));
  EXPECT_EQ(detail::trail_of(*tree, "/elsewhere/file"), (Names{"/elsewhere/file"}));
  const auto edited = edited_tree(tree, {{site.folder / "data/b", "new"}});
  EXPECT_EQ(edited->read(site.folder / "real/data/a"), "new");
  // Which names have changed is unknown.
  EXPECT_EQ(detail::changed_files(*edited, *tree, 10), std::nullopt);
}

TEST(EditedTree, AnEditOfALinkIsOneOfItsFile) {
  const Site site;
  for (const std::string name : {"real/data/a", "data/a", "data/b", "data/chain", "absolute"}) {
    const auto tree = edited_tree(site.tree, {{site.folder / name, "new"}});
    for (const std::string other : {"real/data/a", "data/a", "data/b", "data/chain", "absolute", "up/data/b"}) {
      EXPECT_EQ(tree->read(site.folder / other), "new") << name << " " << other;
      EXPECT_EQ(tree->identity(site.folder / other), content_id("new"));
      EXPECT_EQ(tree->keeper(site.folder / other), nullptr);
    }
    EXPECT_EQ(tree->read(site.folder / "data/c"), "c");
  }
}

TEST(EditedTree, FilesComeAndGoBehindLinksOfFolders) {
  const Site site;
  const auto tree =
      edited_tree(site.tree, {{site.folder / "real/data/n/new", "n"}, {site.folder / "data/c", std::nullopt}});
  EXPECT_EQ(tree->read(site.folder / "data/n/new"), "n");
  EXPECT_EQ(tree->kind(site.folder / "data/n"), FileKind::folder);
  EXPECT_EQ(tree->list(site.folder / "data"), (Names{"a", "b", "chain", "n"}));
  EXPECT_EQ(tree->kind(site.folder / "real/data/c"), FileKind::none);
}

TEST(EditedTree, WhoDeletesALinkDeletesAName) {
  const Site site;
  auto tree = edited_tree(site.tree, {{site.folder / "data/b", std::nullopt}});
  EXPECT_EQ(tree->kind(site.folder / "data/b"), FileKind::none);
  EXPECT_EQ(tree->kind(site.folder / "data/chain"), FileKind::none);
  EXPECT_EQ(tree->read(site.folder / "data/a"), "a");
  // What is made there is a file of its own.
  tree = edited_tree(tree, {{site.folder / "data/b", "own"}});
  EXPECT_EQ(tree->read(site.folder / "data/chain"), "own");
  EXPECT_EQ(tree->read(site.folder / "data/a"), "a");
}

}  // namespace
}  // namespace strata
