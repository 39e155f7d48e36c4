// SPDX-License-Identifier: Apache-2.0
// Files that are written whole or not at all.
#include "strata/file_writer.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "strata/error.hpp"
#include "strata/file_bounds.hpp"
#include "support/temporary_folder.hpp"

namespace strata {
namespace {

namespace fs = std::filesystem;

class WriteFiles : public ::testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const { return (fs::path(folder_.path()) / name).string(); }
  void put(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ostringstream out;
    out << std::ifstream(path(name)).rdbuf();
    return out.str();
  }
  [[nodiscard]] std::size_t count() const {
    std::size_t out = 0;
    for ([[maybe_unused]] const auto& one : fs::recursive_directory_iterator(folder_.path())) ++out;
    return out;
  }
  static std::string code(const std::vector<FileUpdate>& updates) {
    try {
      write_files(updates);
    } catch (const Error& error) {
      return error.code();
    }
    return "none";
  }

 private:
  testing::TemporaryFolder folder_;
};

TEST_F(WriteFiles, WritesAllWithTheirFolders) {
  put("a", "1");
  write_files({{path("a"), "1", "2"}, {path("d/e/b"), std::nullopt, "3"}});
  EXPECT_EQ(text("a"), "2");
  EXPECT_EQ(text("d/e/b"), "3");
  EXPECT_EQ(count(), 4U);
}

TEST_F(WriteFiles, WritesNothingIfOneChanged) {
  put("a", "1");
  put("b", "other");
  EXPECT_EQ(code({{path("a"), "1", "2"}, {path("b"), "1", "2"}}), "edit.changed");
  EXPECT_EQ(code({{path("a"), "1", "2"}, {path("b"), std::nullopt, "2"}}), "edit.changed");
  EXPECT_EQ(code({{path("a"), "1", "2"}, {path("c"), "1", "2"}}), "edit.changed");
  EXPECT_EQ(text("a"), "1");
  EXPECT_EQ(text("b"), "other");
  EXPECT_EQ(count(), 2U);
}

TEST_F(WriteFiles, WritesNothingIfOneCannotBeWritten) {
  put("a", "1");
  put("b", "1");
  // A file cannot hold others; a folder that was made for it is removed again.
  EXPECT_EQ(code({{path("a"), "1", "2"}, {path("d/c"), std::nullopt, "2"}, {path("b/c"), std::nullopt, "2"}}),
            "output.edit");
  EXPECT_EQ(text("a"), "1");
  EXPECT_EQ(count(), 2U);
}

TEST_F(WriteFiles, KeepsPermissionsAndLinks) {
  put("a", "1");
  ASSERT_EQ(chmod(path("a").c_str(), 0640), 0);
  fs::create_symlink("a", path("link"));
  write_files({{path("link"), "1", "2"}});
  EXPECT_EQ(text("a"), "2");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(static_cast<unsigned>(fs::status(path("a")).permissions()), 0640U);
}

TEST_F(WriteFiles, StaysWithinFolders) {
  fs::create_directories(path("in/.git"));
  fs::create_directories(path("in/d"));
  fs::create_directories(path("out"));
  put("out/a", "1");
  put("in/a", "1");
  fs::create_symlink("../out/a", path("in/link"));
  fs::create_symlink("../out", path("in/folder"));
  fs::create_symlink("a", path("in/inside"));
  fs::create_symlink("../out/new", path("in/new"));
  fs::create_symlink(".git", path("in/git"));
  const auto within = std::make_shared<const FileBounds>(std::vector{path("in")}, std::vector<std::string>());
  const auto code_within = [&](const std::string& name, const std::optional<std::string>& before) {
    try {
      write_files({{path(name), before, "2"}}, within);
    } catch (const Error& error) {
      return error.code();
    }
    return std::string("none");
  };
  EXPECT_EQ(code_within("in/inside", "1"), "none");
  EXPECT_EQ(text("in/a"), "2");
  EXPECT_EQ(code_within("in/x/y/b", std::nullopt), "none");
  EXPECT_EQ(text("in/x/y/b"), "2");
  EXPECT_EQ(code_within("in/link", "1"), "tree.outside");
  EXPECT_EQ(code_within("in/folder/a", "1"), "tree.outside");
  EXPECT_EQ(code_within("in/new", std::nullopt), "tree.outside");
  EXPECT_EQ(code_within("in/../out/a", "1"), "tree.outside");
  EXPECT_EQ(code_within("in/.git/config", std::nullopt), "tree.outside");
  EXPECT_EQ(code_within("in/.GIT/config", std::nullopt), "tree.outside");
  EXPECT_EQ(code_within("in/git/config", std::nullopt), "tree.outside");
  EXPECT_EQ(code_within("in/d/.git/hooks/x", std::nullopt), "tree.outside");
  EXPECT_EQ(code_within("in/d", std::nullopt), "tree.unreadable");
  EXPECT_EQ(text("out/a"), "1");
  EXPECT_FALSE(fs::exists(path("out/new")));
  EXPECT_TRUE(fs::is_empty(path("in/.git")));
  EXPECT_TRUE(fs::is_empty(path("in/d")));
}

TEST_F(WriteFiles, ALimitOnTheSizeOfFilesIsAnError) {
  put("a", "1");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 4096;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string result = code({{path("a"), "1", std::string(10'000, 'x')}, {path("d/b"), std::nullopt, "2"}});
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(result, "output.edit");
  EXPECT_EQ(text("a"), "1");
  EXPECT_EQ(count(), 1U);
}

TEST_F(WriteFiles, WhatIsNotPlacedIsGone) {
  const FileReplacement::Use use{.code = "output.edit", .name = "it", .is_private = false};
  {
    FileReplacement unused(path("a"), use);
    unused.write("1");
    EXPECT_EQ(count(), 1U);
  }
  EXPECT_EQ(count(), 0U);
}

TEST_F(WriteFiles, LeavesTheUmaskOfOtherThreads) {
  const mode_t mask = umask(022);
  std::atomic<bool> is_done = false;
  std::thread writer([&] {
    for (int i = 0; i < 3000; ++i) write_files({{path("new" + std::to_string(i)), std::nullopt, "1"}});
    is_done = true;
  });
  std::size_t wrong = 0;
  for (std::size_t i = 0; !is_done || i < 100; ++i) {
    const std::string other = path("other");
    std::ofstream(other) << "1";
    wrong += fs::status(other).permissions() == fs::perms(0644) ? 0 : 1;
    fs::remove(other);
  }
  writer.join();
  umask(mask);
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(fs::status(path("new0")).permissions(), fs::perms(0644));
}

}  // namespace
}  // namespace strata
