// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "strata/file_bounds.hpp"
#include "strata/file_tree.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"
#include "tree/world.hpp"

namespace strata {
namespace {

using testing::TemporaryFolder;

TEST(HostTree, ReadsFromItsStart) {
  const TemporaryFolder folder;
  folder.write("start/a", "a");
  folder.write("b", std::string("b\0\xFF", 3));
  folder.write("empty", "");
  const auto tree = host_tree(folder / "start");
  EXPECT_EQ(tree->read("a"), "a");
  EXPECT_EQ(tree->read("./x/../a"), "a");
  EXPECT_EQ(tree->read("../b"), std::string("b\0\xFF", 3));
  EXPECT_EQ(tree->read("../empty"), "");
  EXPECT_EQ(tree->read(folder / "b"), std::string("b\0\xFF", 3));
  EXPECT_EQ(tree->read("missing"), std::nullopt);
  EXPECT_EQ(tree->read("a/below-a-file"), std::nullopt);
  EXPECT_EQ(tree->read(std::string(5000, 'x')), std::nullopt);
  EXPECT_EQ(tree->read(std::string_view("a\0", 2)), std::nullopt);
}

TEST(HostTree, StartsInTheWorkingFolderByDefault) { EXPECT_EQ(host_tree()->kind("."), FileKind::folder); }

TEST(HostTree, KnowsKindsAndLists) {
  const TemporaryFolder folder;
  folder.write("d/b", "");
  folder.write("d/a", "");
  folder.write("d/B", "");
  folder.link("link", "d/a");
  folder.link("dangling", "nowhere");
  folder.run("mkfifo pipe");
  const auto tree = host_tree(folder.path());
  EXPECT_EQ(tree->kind("d"), FileKind::folder);
  EXPECT_EQ(tree->kind("d/a"), FileKind::file);
  EXPECT_EQ(tree->kind("link"), FileKind::file);
  EXPECT_EQ(tree->kind("dangling"), FileKind::none);
  EXPECT_EQ(tree->kind("pipe"), FileKind::other);
  EXPECT_EQ(tree->list("d"), (Names{"B", "a", "b"}));
  EXPECT_EQ(tree->list("missing"), Names{});
  EXPECT_EQ(tree->list("link"), Names{});
  EXPECT_EQ(tree->read("dangling"), std::nullopt);
}

std::string shown(const std::vector<FileTree::Named>& entries) {
  std::string out;
  for (const auto& [name, kind] : entries)
    out += name + (!kind ? "? " : *kind == FileKind::folder ? "/ " : *kind == FileKind::file ? " " : "! ");
  return out;
}

TEST(HostTree, EntriesTellTheKindsThatTheFolderKnows) {
  const TemporaryFolder folder;
  folder.write("d/b", "");
  folder.write("d/c/x", "");
  folder.link("d/a", "b");
  folder.run("mkfifo d/pipe");
  EXPECT_EQ(shown(host_tree(folder.path())->entries("d")), "a? b c/ pipe? ");
  EXPECT_EQ(shown(host_tree(folder.path())->entries("missing")), "");
  EXPECT_EQ(shown(closed_tree(folder / "d")->entries("c")), "x? ");
  EXPECT_EQ(shown(memory_tree({{"d/b", ""}, {"d/c/x", ""}})->entries("d")), "b c/ ");
}

TEST(HostTree, ReadsAsMuchAsIsAllowed) {
  const TemporaryFolder folder;
  folder.write("four", "1234");
  folder.write("five", "12345");
  const auto tree = host_tree(folder.path(), 4);
  EXPECT_EQ(tree->read("four"), "1234");
  STRATA_EXPECT_ERROR(tree->read("five"), "limit.input");
}

TEST(HostTree, TellsUnreadableFromMissing) {
  const TemporaryFolder folder;
  folder.write("d/a", "");
  folder.link("loop", "loop");
  const auto tree = host_tree(folder.path());
  STRATA_EXPECT_ERROR(tree->read("d"), "tree.unreadable");
  STRATA_EXPECT_ERROR(tree->read("loop"), "tree.unreadable");
  if (geteuid() != 0) {
    folder.run("chmod 0 d/a");
    STRATA_EXPECT_ERROR(tree->read("d/a"), "tree.unreadable");
  }
}

TEST(HostTree, BoundsWhatItReads) {
  const TemporaryFolder folder;
  folder.write("ten", "0123456789");
  EXPECT_EQ(host_tree(folder.path(), 10)->read("ten"), "0123456789");
  STRATA_EXPECT_ERROR(host_tree(folder.path(), 9)->read("ten"), "limit.input");
  STRATA_EXPECT_ERROR(host_tree({}, 1'000'000)->read("/dev/zero"), "limit.input");
  EXPECT_EQ(host_tree()->read("/dev/null"), "");
}

TEST(HostTree, ReadsFilesWhoseSizeIsNotKnown) {
  const auto status = host_tree()->read("/proc/self/status");
  ASSERT_TRUE(status);
  EXPECT_TRUE(status->starts_with("Name:"));
}

TEST(HostTree, ReadsPipes) {
  const TemporaryFolder folder;
  folder.run("mkfifo pipe");
  const std::string large(300'000, 'x');
  std::thread writer([&] { std::ofstream(folder / "pipe", std::ios::binary) << large; });
  EXPECT_EQ(host_tree(folder.path())->read("pipe"), large);
  writer.join();
}

TEST(HostTree, ReadsProcessSubstitutions) {
  for (const std::string& text : {std::string(), std::string("text"), std::string(50'000, 'y')}) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    std::thread writer([&, end = ends[1]] {
      EXPECT_EQ(write(end, text.data(), text.size()), static_cast<ssize_t>(text.size()));
      close(end);
    });
    EXPECT_EQ(host_tree()->read("/dev/fd/" + std::to_string(ends[0])), text);
    writer.join();
    close(ends[0]);
  }
}

std::shared_ptr<const FileBounds> bounds_of(const std::vector<std::string>& folders,
                                            std::vector<std::string> files = {}) {
  return std::make_shared<const FileBounds>(folders, std::move(files));
}

TEST(BoundedTree, ReadsWhatIsInItsFolders) {
  const TemporaryFolder folder;
  folder.write("one/a", "a");
  folder.write("two/b", "b");
  folder.write("two-more/c", "c");
  folder.write("secret", "s");
  folder.link("one/other", "../two/b");
  folder.link("one/out", "../secret");
  folder.link("one/folder-out", "..");
  folder.link("one/gone", "../none");
  folder.link("one/absolute", "/proc/self/environ");
  folder.link("one/loop", "loop");
  folder.run("mkfifo one/pipe");
  const auto tree = bounded_tree(bounds_of({folder / "one", folder / "two"}), folder / "one");
  EXPECT_EQ(tree->read("a"), "a");
  EXPECT_EQ(tree->read("other"), "b");
  EXPECT_EQ(tree->read("../two/b"), "b");
  EXPECT_EQ(tree->read(folder / "two/b"), "b");
  EXPECT_EQ(tree->read("none"), std::nullopt);
  EXPECT_EQ(tree->read("a/x"), std::nullopt);
  EXPECT_EQ(tree->read(std::string_view("a\0", 2)), std::nullopt);
  EXPECT_EQ(tree->kind("other"), FileKind::file);
  EXPECT_EQ(tree->list(folder / "two"), Names{"b"});
  EXPECT_EQ(tree->identity("a"), host_tree(folder / "one")->identity("a"));
  const std::string environment = "/proc/self/environ";
  for (const std::string& path :
       {std::string("out"), std::string("gone"), std::string("folder-out"), std::string("folder-out/secret"),
        std::string("../secret"), std::string("../none"), std::string("absolute"), folder / "two-more/c", environment,
        std::string("/dev/zero"), std::string("/"), std::string("/dev/stdin"), std::string("/proc/self/fd/0")}) {
    STRATA_EXPECT_ERROR((void)tree->read(path), "tree.outside");
    STRATA_EXPECT_ERROR((void)tree->kind(path), "tree.outside");
    STRATA_EXPECT_ERROR((void)tree->list(path), "tree.outside");
    STRATA_EXPECT_ERROR((void)tree->identity(path), "tree.outside");
  }
  STRATA_EXPECT_ERROR((void)tree->read("pipe"), "tree.unreadable");
  STRATA_EXPECT_ERROR((void)tree->read("loop"), "tree.unreadable");
  STRATA_EXPECT_ERROR((void)tree->read("/proc/self/fd/../environ"), "tree.outside");
}

TEST(BoundedTree, ReadsNothingOfGit) {
  const TemporaryFolder folder;
  folder.write("one/.git/config", "c");
  folder.write("one/sub/.GIT/config", "c");
  folder.write("one/.gitignore", "i");
  folder.link("one/link", ".git/config");
  const auto tree = bounded_tree(bounds_of({folder / "one"}), folder / "one");
  for (const char* path : {".git", ".git/config", "sub/.GIT/config", "link", "sub/../.git/none"}) {
    STRATA_EXPECT_ERROR((void)tree->read(path), "tree.outside");
    STRATA_EXPECT_ERROR((void)tree->list(path), "tree.outside");
    STRATA_EXPECT_ERROR((void)tree->identity(path), "tree.outside");
  }
  EXPECT_EQ(tree->kind(".git"), FileKind::folder);  // This shows where a repository begins.
  EXPECT_EQ(tree->read(".gitignore"), "i");
  EXPECT_EQ(tree->list("."), (Names{".gitignore", "link", "sub"}));
  EXPECT_EQ(tree->list("sub"), Names());
  // A user who names the folder itself may read it.
  EXPECT_EQ(bounded_tree(bounds_of({folder / "one/.git"}), folder / "one/.git")->read("config"), "c");
}

TEST(BoundedTree, ReadsFilesThatAreNamed) {
  const TemporaryFolder folder;
  folder.write("one/a", "a");
  folder.write("facts", "f");
  folder.write("beside", "b");
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "piped", 5), 5);
  close(ends[1]);
  const std::string piped = "/dev/fd/" + std::to_string(ends[0]);
  const auto tree = bounded_tree(bounds_of({folder / "one"}, {folder / "facts", piped}), folder.path());
  EXPECT_EQ(tree->read("facts"), "f");
  EXPECT_EQ(tree->read("one/../facts"), "f");
  EXPECT_EQ(tree->kind("facts"), FileKind::file);
  EXPECT_EQ(tree->read(piped), "piped");
  STRATA_EXPECT_ERROR((void)tree->read("beside"), "tree.outside");
  close(ends[0]);
}

TEST(BoundedTree, FolderThatIsALink) {
  const TemporaryFolder folder;
  folder.write("real/a", "a");
  folder.link("named", "real");
  const auto tree = bounded_tree(bounds_of({folder / "named"}), folder.path());
  EXPECT_EQ(tree->read("named/a"), "a");
  EXPECT_EQ(tree->read("real/a"), "a");
}

TEST(ClosedTree, ReadsWhatIsInside) {
  const TemporaryFolder folder;
  folder.write("inner/d/a", "a");
  folder.write("inner/b", "b");
  const auto tree = closed_tree(folder / "inner");
  EXPECT_EQ(tree->read("d/a"), "a");
  EXPECT_EQ(tree->read("./d/.//a"), "a");
  EXPECT_EQ(tree->read("d/../b"), "b");
  EXPECT_EQ(tree->read("gone/../b"), "b");
  EXPECT_EQ(tree->read("c"), std::nullopt);
  EXPECT_EQ(tree->read("b/x"), std::nullopt);
  EXPECT_EQ(tree->read(std::string_view("b\0", 2)), std::nullopt);
  EXPECT_EQ(tree->kind(""), FileKind::folder);
  EXPECT_EQ(tree->kind("d"), FileKind::folder);
  EXPECT_EQ(tree->kind("d/a"), FileKind::file);
  EXPECT_EQ(tree->list("."), (Names{"b", "d"}));
  EXPECT_EQ(tree->list("d"), Names{"a"});
  EXPECT_EQ(tree->list("b"), Names{});
  STRATA_EXPECT_ERROR(tree->read("d"), "tree.unreadable");
  STRATA_EXPECT_ERROR(closed_tree(folder / "none"), "tree.unreadable");
}

TEST(ClosedTree, CannotBeLeftByPaths) {
  const TemporaryFolder folder;
  folder.write("inner/a", "a");
  folder.write("secret", "s");
  const auto tree = closed_tree(folder / "inner");
  for (const std::string& path : {std::string("../secret"), std::string("a/../../secret"), std::string(".."),
                                  std::string("/etc/passwd"), folder / "inner/a"}) {
    STRATA_EXPECT_ERROR(tree->read(path), "tree.outside");
    STRATA_EXPECT_ERROR(tree->kind(path), "tree.outside");
    STRATA_EXPECT_ERROR(tree->list(path), "tree.outside");
  }
}

TEST(ClosedTree, CannotBeLeftByLinks) {
  const TemporaryFolder folder;
  folder.write("secret/s", "s");
  folder.write("inner/d/a", "a");
  folder.link("inner/inside", "d/a");
  folder.link("inner/d/up", "../inside");
  folder.link("inner/folder", "./d/");
  folder.link("inner/out", "../secret/s");
  folder.link("inner/absolute", folder / "secret/s");
  folder.link("inner/d/deep", "../../secret");
  folder.link("inner/d/there-and-back", "../../inner/d/a");
  folder.link("inner/loop", "loop");
  folder.link("inner/through", "folder/../../secret/s");
  const auto tree = closed_tree(folder / "inner");
  EXPECT_EQ(tree->read("inside"), "a");
  EXPECT_EQ(tree->read("d/up"), "a");
  EXPECT_EQ(tree->read("folder/up"), "a");
  EXPECT_EQ(tree->kind("folder"), FileKind::folder);
  EXPECT_EQ(tree->list("folder").size(), 4U);
  for (const char* path : {"out", "absolute", "d/deep", "d/deep/s", "d/there-and-back", "through"}) {
    STRATA_EXPECT_ERROR(tree->read(path), "tree.outside");
    STRATA_EXPECT_ERROR(tree->kind(path), "tree.outside");
  }
  STRATA_EXPECT_ERROR(tree->read("loop"), "tree.unreadable");
}

TEST(ClosedTree, ReadsRegularFilesOnly) {
  const TemporaryFolder folder;
  folder.run("mkfifo pipe; head -c 100 /dev/zero > large");
  const auto tree = closed_tree(folder.path(), 50);
  STRATA_EXPECT_ERROR(tree->read("pipe"), "tree.unreadable");
  STRATA_EXPECT_ERROR(tree->read("large"), "limit.input");
  EXPECT_EQ(tree->kind("pipe"), FileKind::other);
}

}  // namespace
}  // namespace strata
