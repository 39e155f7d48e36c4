// SPDX-License-Identifier: Apache-2.0
// File globbing, against what Ruby 3.1's Dir.glob gave for the same files.
#include "hiera/glob.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace strata::hiera {
namespace {

std::string joined(const std::vector<std::string>& paths) {
  std::string out;
  for (const std::string& path : paths) out += (out.empty() ? "" : " | ") + path.substr(std::string_view("/r/").size());
  return out;
}

TEST(Glob, MatchesAsRuby) {
  std::map<std::string, std::string> files;
  for (const char* name :
       {".d/x.yaml", ".hidden.yaml", "1.yaml",     "10.yaml",    "2.yaml",      "B.yaml",    "_.yaml",
        "a.yaml",    "a/1.yaml",     "a/k/2.yaml", "br[1].yaml", "cu{r}l.yaml", "d/.h.yaml", "d/x.yaml",
        "e/x.yaml",  "m/a.yaml",     "m/b.yaml",   "m/b/c.yaml", "m/z.yaml",    "q?.yaml",   "sp ace.yaml",
        "st*r.yaml", "x.json",       "z.yaml",     "é.yaml"}) {
    files["/r/" + std::string(name)] = "";
  }
  const auto tree = memory_tree(std::move(files));
  struct Row {
    std::string_view pattern;
    std::string_view found;
  };
  for (const Row& row : std::initializer_list<Row>{
           {"**/*.yaml",
            "1.yaml | 10.yaml | 2.yaml | B.yaml | _.yaml | a/1.yaml | a/k/2.yaml | a.yaml | br[1].yaml | cu{r}l.yaml | "
            "d/x.yaml | e/x.yaml | "
            "m/a.yaml | m/b/c.yaml | m/b.yaml | m/z.yaml | q?.yaml | sp ace.yaml | st*r.yaml | z.yaml | é.yaml"},
           {"*.yaml",
            "1.yaml | 10.yaml | 2.yaml | B.yaml | _.yaml | a.yaml | br[1].yaml | cu{r}l.yaml | q?.yaml | sp ace.yaml | "
            "st*r.yaml | z.yaml | é.yaml"},
           {"*",
            "1.yaml | 10.yaml | 2.yaml | B.yaml | _.yaml | a.yaml | br[1].yaml | cu{r}l.yaml | q?.yaml | sp ace.yaml | "
            "st*r.yaml | x.json | z.yaml | "
            "é.yaml"},
           {"**/*",
            "1.yaml | 10.yaml | 2.yaml | B.yaml | _.yaml | a/1.yaml | a/k/2.yaml | a.yaml | br[1].yaml | cu{r}l.yaml | "
            "d/x.yaml | e/x.yaml | "
            "m/a.yaml | m/b/c.yaml | m/b.yaml | m/z.yaml | q?.yaml | sp ace.yaml | st*r.yaml | x.json | z.yaml | "
            "é.yaml"},
           {"**/", ""},
           {"*/", ""},
           {"{d,e}/*.yaml", "d/x.yaml | e/x.yaml"},
           {"{e,d}/x.yaml", "e/x.yaml | d/x.yaml"},
           {"{d,e,}/x.yaml", "d/x.yaml | e/x.yaml"},
           {"[ab]/*.yaml", "a/1.yaml"},
           {"[!a]/*.yaml", "d/x.yaml | e/x.yaml | m/a.yaml | m/b.yaml | m/z.yaml"},
           {"[^a]/*.yaml", "d/x.yaml | e/x.yaml | m/a.yaml | m/b.yaml | m/z.yaml"},
           {"?.yaml", "1.yaml | 2.yaml | B.yaml | _.yaml | a.yaml | z.yaml | é.yaml"},
           {"a*", "a.yaml"},
           {"a/**/2.yaml", "a/k/2.yaml"},
           {"**/k/*.yaml", "a/k/2.yaml"},
           {"**",
            "1.yaml | 10.yaml | 2.yaml | B.yaml | _.yaml | a.yaml | br[1].yaml | cu{r}l.yaml | q?.yaml | sp ace.yaml | "
            "st*r.yaml | x.json | z.yaml | "
            "é.yaml"},
           {"a/**", "a/1.yaml"},
           {"m/**/*.yaml", "m/a.yaml | m/b/c.yaml | m/b.yaml | m/z.yaml"},
           {".*", ".hidden.yaml"},
           {"*/.*", "d/.h.yaml"},
           {"**/.h.yaml", "d/.h.yaml"},
           {"{a,{m,d}}/*.yaml", "a/1.yaml | m/a.yaml | m/b.yaml | m/z.yaml | d/x.yaml"},
           {"sp ace.yaml", "sp ace.yaml"},
           {"br[1].yaml", ""},
           {"br\\[1\\].yaml", "br[1].yaml"},
           {"st\\*r.yaml", "st*r.yaml"},
           {"q\\?.yaml", "q?.yaml"},
           {"cu\\{r\\}l.yaml", "cu{r}l.yaml"},
           {"[1-2].yaml", "1.yaml | 2.yaml"},
           {"[]a].yaml", ""},
           {"[a", ""},
           {"{a", ""},
           {"{a,b", ""},
           {"a}", ""},
           {"z.yaml", "z.yaml"},
           {"nope.yaml", ""},
           {"a/../z.yaml", "a/../z.yaml"},
           {"./z.yaml", "./z.yaml"},
           {"?", ""},
           {"??.yaml", "10.yaml | q?.yaml"},
           {"[A-Z]*", "B.yaml"},
           {"**/**/*.yaml",
            "1.yaml | 10.yaml | 2.yaml | B.yaml | _.yaml | a/1.yaml | a/k/2.yaml | a.yaml | br[1].yaml | cu{r}l.yaml | "
            "d/x.yaml | e/x.yaml | "
            "m/a.yaml | m/b/c.yaml | m/b.yaml | m/z.yaml | q?.yaml | sp ace.yaml | st*r.yaml | z.yaml | é.yaml"},
           {"**a.yaml", "a.yaml"},
           {"m/**b.yaml", "m/b.yaml"},
           {"{a.yaml,a.yaml}", "a.yaml | a.yaml"},
           {"{*.json,z.*}", "x.json | z.yaml"},
           {"\\a.yaml", "a.yaml"},
           {"[[]*", ""},
           {"é*", "é.yaml"},
           {"m/{b,b/c}.yaml", "m/b.yaml | m/b/c.yaml"},
           {"{}.yaml", ""},
           {"a{}.yaml", "a.yaml"},
           {"m/*/c.yaml", "m/b/c.yaml"},
           {"**/b/**/c.yaml", "m/b/c.yaml"},
           {"a/./1.yaml", "a/./1.yaml"},
           {".d/*", ".d/x.yaml"},
           {"{.d,d}/*", ".d/x.yaml | d/x.yaml"},
           {"[.]d/*", ""},
           {"\\.d/*", ".d/x.yaml"},
           {"**/.d/*", ".d/x.yaml"},
       }) {
    EXPECT_EQ(joined(glob_files(*tree, "/r/" + std::string(row.pattern))), row.found) << row.pattern;
  }
}

TEST(Glob, SetsAsRuby) {
  // What File.fnmatch said.
  struct Row {
    std::string_view pattern;
    std::string_view name;
    bool fits;
  };
  for (const Row& row : std::initializer_list<Row>{{"[!]x", "ax", true},
                                                   {"[^]x", "]x", true},
                                                   {"[]x", "]x", false},
                                                   {"[]x", "x", false},
                                                   {"[a", "[a", false},
                                                   {"a[", "a[", false},
                                                   {"[z-a]", "b", false},
                                                   {"[a-]", "-", true},
                                                   {"[a-]", "a", true},
                                                   {"[\\]]", "]", true},
                                                   {"[]-a]", "]", false},
                                                   {"[!a", "b", false}}) {
    const auto tree = memory_tree({{"/r/" + std::string(row.name), ""}});
    EXPECT_EQ(glob_files(*tree, "/r/" + std::string(row.pattern)).size(), row.fits ? 1U : 0U)
        << row.pattern << " " << row.name;
  }
}

/// On disk, in a revision, and below edits.
TEST(Glob, LeadsIntoLinkedFoldersByNameOnly) {
  const strata::testing::TemporaryFolder folder;
  for (const char* file : {"d/z/c.yaml", "d/r/s/w.yaml", "o/x.yaml", "o/q/y.yaml"}) folder.write(file, "");
  folder.link("d/r/l", "../../o");
  folder.link("d/r/up", "..");
  folder.link("d/k", "../o");
  folder.link("d/f.yaml", "../o/x.yaml");
  folder.run(
      "HOME=/nonexistent; export HOME; git init -q . && git add . && git -c user.name=a -c user.email=a@b commit -qm "
      "one");
  const std::string root = folder / "d/";
  const std::shared_ptr<const FileTree> disk = host_tree();
  const auto revision = git_tree("HEAD", folder / "");
  const auto edited = edited_tree(disk, {{root + "z/c.yaml", "a: 1"}});
  struct Row {
    std::string_view pattern;
    std::string_view found;
  };
  for (const Row& row :
       std::initializer_list<Row>{{"**/*.yaml", "f.yaml | r/s/w.yaml | z/c.yaml"},
                                  {"*/*.yaml", "k/x.yaml | z/c.yaml"},
                                  {"k/**/*.yaml", "k/q/y.yaml | k/x.yaml"},
                                  {"[k]/**/*.yaml", "k/q/y.yaml | k/x.yaml"},
                                  {"**/l/*.yaml", "r/l/x.yaml"},
                                  {"**/l/**/*.yaml", "r/l/q/y.yaml | r/l/x.yaml"},
                                  {"*/**/*.yaml", "k/q/y.yaml | k/x.yaml | r/s/w.yaml | z/c.yaml"},
                                  {"**/*/*.yaml", "k/x.yaml | r/l/x.yaml | r/s/w.yaml | r/up/f.yaml | z/c.yaml"},
                                  {"**/**/*.yaml", "f.yaml | r/s/w.yaml | z/c.yaml"},
                                  {"**/r/**/*.yaml", "r/s/w.yaml"},
                                  {"**/**/l/**/q/**/*", "r/l/q/y.yaml"}}) {
    for (const FileTree* tree : std::initializer_list<const FileTree*>{disk.get(), revision.get(), edited.get()}) {
      std::string found;
      for (const std::string& path : glob_files(*tree, root + std::string(row.pattern)))
        found += (found.empty() ? "" : " | ") + path.substr(root.size());
      EXPECT_EQ(found, row.found) << row.pattern;
    }
  }
}

/// The files of /r, and nobody may ask beside it.
class Inside final : public FileTree {
 public:
  explicit Inside(std::map<std::string, std::string> files) : files_(memory_tree(std::move(files))) {}
  std::optional<std::string> read(std::string_view path) const override { return files_->read(inside(path)); }
  FileKind kind(std::string_view path) const override { return files_->kind(inside(path)); }
  std::vector<std::string> list(std::string_view path) const override { return files_->list(inside(path)); }

 private:
  static std::string_view inside(std::string_view path) {
    if (path != "/top/r" && !path.starts_with("/top/r/")) throw Error("tree.outside", "outside");
    return path;
  }

  std::unique_ptr<FileTree> files_;
};

TEST(Glob, DoesNotAskAboveWhatIsSpelledOut) {
  const Inside tree({{"/top/r/a/x.yaml", ""}, {"/top/r/b/x.yaml", ""}});
  EXPECT_EQ(glob_files(tree, "/top/r/*/x.yaml").size(), 2U);
  EXPECT_EQ(glob_files(tree, "/top/r/a/*.yaml").size(), 1U);
  EXPECT_EQ(glob_files(tree, "/top/r/a/x.yaml").size(), 1U);
  EXPECT_EQ(glob_files(tree, "/top/r/c/*.yaml").size(), 0U);
  EXPECT_EQ(glob_files(tree, "/top/r/a/x.yaml/*").size(), 0U);
}

TEST(Glob, BoundsItsWork) {
  std::map<std::string, std::string> files;
  for (int i = 0; i < 100; ++i) files["/r/" + std::to_string(i) + "/a/b.yaml"] = "";
  const auto tree = memory_tree(std::move(files));
  EXPECT_EQ(glob_files(*tree, "/r/**/b.yaml").size(), 100U);
  STRATA_EXPECT_ERROR(glob_files(*tree, "/r/**/b.yaml", 50), "hiera.glob");
  std::string many = "/r/";
  for (int i = 0; i < 20; ++i) many += "{a,b}";
  STRATA_EXPECT_ERROR(glob_files(*tree, many), "hiera.glob");
  std::string empty = "/";
  for (int i = 0; i < 500'000; ++i) empty += "{}";
  STRATA_EXPECT_ERROR(glob_files(*tree, empty), "hiera.glob");
}

}  // namespace
}  // namespace strata::hiera
