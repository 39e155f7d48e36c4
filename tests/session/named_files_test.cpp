// SPDX-License-Identifier: Apache-2.0
#include "session/named_files.hpp"

#include <gtest/gtest.h>

#include <array>

#include "strata/found_file.hpp"
#include "support/expect_error.hpp"

namespace strata {
namespace {

constexpr std::array<std::string_view, 1> kEndings{".txt"};
constexpr std::array<std::string_view, 1> kSkipped{"CVS"};

/// The text of a file; one that holds "bad" is refused.
struct PlainFile {
  std::string text;
  [[nodiscard]] static Reading<PlainFile> read(Sources& texts, SourceId source, const Limits& /*limits*/) {
    auto out = std::make_shared<const PlainFile>(PlainFile{std::string(texts.text(source))});
    if (out->text == "bad") throw Error("test.bad", "a bad file").at(texts, texts.at(source, 0));
    return {.parsed = out, .bytes = out->text.size()};
  }
};

NamedFolder trees(std::string path) {
  return {.path = std::move(path),
          .endings = kEndings,
          .skipped = kSkipped,
          .name_of =
              [](std::string_view below) { return std::string(stem_of(below.substr(below.rfind('/') + 1), kEndings)); },
          .dialect = "test",
          .kind = "tree",
          .kinds = "trees",
          .where = "name it with --trees",
          .otherwise = "there are few"};
}

class NamedFilesTest : public ::testing::Test {
 protected:
  explicit NamedFilesTest(std::map<std::string, std::string> files = {{"/t/apple.txt", "red"},
                                                                      {"/t/north/pear.txt", "green"},
                                                                      {"/t/wrong.txt", "bad"},
                                                                      {"/t/CVS/old.txt", "no"},
                                                                      {"/t/readme.md", "no"}})
      : snapshot_(Snapshot::make(Engine::make({}), memory_tree(std::move(files)))), session_(snapshot_) {}

  std::shared_ptr<Snapshot> snapshot_;
  Session session_;
};

TEST_F(NamedFilesTest, AreFoundByNameInAllFoldersBelow) {
  const FilesOf<PlainFile> files(session_.tree(), trees("/t"));
  EXPECT_EQ(files.names(), (std::vector<std::string>{"apple", "pear", "wrong"}));
  EXPECT_EQ(files.read("pear", session_, true)->text, "green");
  EXPECT_EQ(files.read("pear", session_, false)->text, "green");
}

TEST_F(NamedFilesTest, AreReadOnceIfTheyAreShared) {
  const FilesOf<PlainFile> files(session_.tree(), trees("/t"));
  const auto first = files.read("apple", session_, true);
  Session other(snapshot_);
  EXPECT_EQ(files.read("apple", other, true), first);
  EXPECT_NE(files.read("apple", other, false), first);
}

TEST_F(NamedFilesTest, ThatAreUnknownAreErrorsWithSimilarNames) {
  const FilesOf<PlainFile> files(session_.tree(), trees("/t"));
  try {
    (void)files.read("aple", session_, true);
    ADD_FAILURE() << "did not fail";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "test.tree");
    EXPECT_EQ(error.diagnostic().message, "unknown tree 'aple'");
    EXPECT_EQ(error.diagnostic().hint, "did you mean 'apple'?");
  }
  try {
    const Origin asked = session_.sources().at(session_.sources().add("list", "a\nzzzzzzzz\n"), 2);
    (void)files.read("zzzzzzzz", session_, true, asked);
    ADD_FAILURE() << "did not fail";
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostic().where.place.to_string(), "list:2:1");
    EXPECT_EQ(error.diagnostic().hint, "there are few");
  }
}

TEST_F(NamedFilesTest, ThatCannotBeReadFailAgain) {
  const FilesOf<PlainFile> files(session_.tree(), trees("/t"));
  for (const bool is_shared : {true, true, false})
    STRATA_EXPECT_ERROR((void)files.read("wrong", session_, is_shared), "test.bad");
}

TEST_F(NamedFilesTest, OfAFolderThatIsMissing) {
  STRATA_EXPECT_ERROR(FilesOf<PlainFile>(session_.tree(), trees("/none")), "test.folder");
}

class TwiceNamed : public NamedFilesTest {
 protected:
  TwiceNamed() : NamedFilesTest({{"/t/a/apple.txt", "1"}, {"/t/b/apple.txt", "2"}}) {}
};

TEST_F(TwiceNamed, AreAnError) {
  try {
    const FilesOf<PlainFile> files(session_.tree(), trees("/t"));
    ADD_FAILURE() << "did not fail";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "test.duplicate");
    EXPECT_EQ(error.diagnostic().hint, "the other one is /t/a/apple.txt");
  }
}

}  // namespace
}  // namespace strata
