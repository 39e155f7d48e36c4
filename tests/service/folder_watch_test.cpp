// SPDX-License-Identifier: Apache-2.0
#include "service/sites/folder_watch.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "support/temporary_folder.hpp"

namespace strata::service::sites {
namespace {

constexpr std::chrono::minutes kHangs{10};  // Against hangs only.

TEST(FolderWatch, NamesTheFoldersThatChange) {
  const strata::testing::TemporaryFolder one;
  const strata::testing::TemporaryFolder two;
  FolderWatch watch;
  watch.follow("one", one.path().string());
  watch.follow("two", two.path().string());
  one.write("a", "1");
  EXPECT_EQ(watch.wait(kHangs), std::set<std::string>{"one"});
  one.write("a", "2");
  std::filesystem::remove(one / "a");
  two.write("b", "2");
  EXPECT_EQ(watch.wait(kHangs), (std::set<std::string>{"one", "two"}));
}

TEST(FolderWatch, HearsOfNewFolders) {
  const strata::testing::TemporaryFolder folder;
  FolderWatch watch;
  watch.follow("site", folder.path().string());
  std::filesystem::create_directories(folder / "a/b");
  EXPECT_EQ(watch.wait(kHangs), std::set<std::string>{"site"});
  watch.follow("site", folder.path().string());
  folder.write("a/b/c", "1");
  EXPECT_EQ(watch.wait(kHangs), std::set<std::string>{"site"});
  std::filesystem::rename(folder / "a/b", folder / "d");
  EXPECT_EQ(watch.wait(kHangs), std::set<std::string>{"site"});
}

TEST(FolderWatch, IsWokenUpAndEndsInTime) {
  const strata::testing::TemporaryFolder folder;
  FolderWatch watch;
  watch.follow("site", folder.path().string());
  EXPECT_TRUE(watch.wait(std::chrono::milliseconds(1)).empty());
  std::thread other([&watch] { watch.wake(); });
  EXPECT_TRUE(watch.wait(kHangs).empty());
  other.join();
  watch.follow("nothing", folder / "nothing");
  EXPECT_TRUE(watch.wait(std::chrono::milliseconds(1)).empty());
}

}  // namespace
}  // namespace strata::service::sites
