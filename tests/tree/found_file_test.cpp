// SPDX-License-Identifier: Apache-2.0
#include "strata/found_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>

#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"
#include "tree/world.hpp"

namespace strata {
namespace {

constexpr std::array<std::string_view, 2> kEndings{".yaml", ".yml"};

TEST(FoundFiles, PathsAndStems) {
  EXPECT_EQ(path_in("a", "b"), "a/b");
  EXPECT_EQ(path_in("a/", "b"), "a/b");
  EXPECT_EQ(path_in("/", "b"), "/b");
  EXPECT_EQ(stem_of("web1.example.yml", kEndings), "web1.example");
  EXPECT_EQ(stem_of("web1.json", kEndings), "");
  EXPECT_EQ(stem_of(".yaml", kEndings), "");
}

TEST(FoundFiles, OfOneFolder) {
  const auto tree = memory_tree({{"d/b.yaml", ""},
                                 {"d/a.yml", ""},
                                 {"d/.c.yaml", ""},
                                 {"d/.yaml", ""},
                                 {"d/x.txt", ""},
                                 {"d/e.yaml/f.yaml", ""}});
  EXPECT_EQ(files_in(*tree, "d", {.endings = kEndings}), (Names{"d/.c.yaml", "d/.yaml", "d/a.yml", "d/b.yaml"}));
  EXPECT_EQ(files_in(*tree, "d/", {.endings = kEndings, .hidden = false}), (Names{"d/a.yml", "d/b.yaml"}));
  EXPECT_EQ(files_in(*tree, "gone", {.endings = kEndings}), Names{});
  EXPECT_EQ(files_in(*tree, "d", {}), Names{});
}

TEST(FoundFiles, OfTheFoldersBelowWhereTheirNamesStand) {
  const auto tree = memory_tree({{"d/a.yaml", ""},
                                 {"d/b/c/z.yaml", ""},
                                 {"d/b/y.yml", ""},
                                 {"d/b.yaml", ""},
                                 {"d/.git/x.yaml", ""},
                                 {"d/b/n.txt", ""}});
  EXPECT_EQ(files_in(*tree, "d", {.endings = kEndings, .below = true}),
            (Names{"d/a.yaml", "d/b/c/z.yaml", "d/b/y.yml", "d/b.yaml"}));
}

TEST(FoundFiles, WhatIsNoFile) {
  const testing::TemporaryFolder folder;
  const std::string root = folder.path().string();
  std::filesystem::create_directories(root + "/d/sub");
  std::filesystem::create_symlink("nowhere", root + "/d/a.yaml");
  const auto tree = host_tree(root);
  EXPECT_EQ(files_in(*tree, "d", {.endings = kEndings}), Names{"d/a.yaml"});
  ASSERT_EQ(mkfifo((root + "/d/p.txt").c_str(), 0600), 0);
  EXPECT_EQ(files_in(*tree, "d", {.endings = kEndings, .below = true, .code = "x.y"}), Names{"d/a.yaml"});
  ASSERT_EQ(mkfifo((root + "/d/p.yaml").c_str(), 0600), 0);
  STRATA_EXPECT_ERROR(files_in(*tree, "d", {.endings = kEndings}), "tree.not-regular");
}

TEST(FoundFiles, ALinkThatLeadsBackEnds) {
  const testing::TemporaryFolder folder;
  const std::string root = folder.path().string();
  std::filesystem::create_directories(root + "/d");
  std::filesystem::create_directory_symlink(".", root + "/d/loop");
  STRATA_EXPECT_ERROR(files_in(*host_tree(root), "d", {.endings = kEndings, .below = true, .code = "x.folders"}),
                      "x.folders");
}

TEST(FoundFiles, TwoOfOneStem) {
  const auto tree = memory_tree(
      {{"d/b.yaml", ""}, {"d/b.yml", ""}, {"d/a.yaml", ""}, {"d/b.x.yaml", ""}, {"d/c.txt", ""}, {"d/.yaml", ""}});
  const Names names = names_by_stem(*tree, "d", kEndings);
  EXPECT_EQ(names, (Names{"a.yaml", "b.yaml", "b.yml", "b.x.yaml"}));
  const auto twice = find_same_stem(names, kEndings);
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice->stem + " " + twice->first + " " + twice->second, "b b.yaml b.yml");
  EXPECT_EQ(find_same_stem(std::span(names).first(2), kEndings), std::nullopt);
}

TEST(FoundFiles, FoldersOfSeveralParents) {
  const auto tree = memory_tree({{"p/ntp/x", ""}, {"q/apache/x", ""}, {"q/ntp/x", ""}, {"q/file", ""}, {"q/No/x", ""}});
  const Names parents{"p", "q", "gone"};
  EXPECT_EQ(folders_in(*tree, parents, [](std::string_view name) { return name != "No"; }), (Names{"apache", "ntp"}));
}

}  // namespace
}  // namespace strata
