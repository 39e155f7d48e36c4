// SPDX-License-Identifier: Apache-2.0
// Files that are written whole or not at all.
#include "strata/file_writer.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "strata/error.hpp"
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
