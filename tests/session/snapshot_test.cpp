// SPDX-License-Identifier: Apache-2.0
#include "strata/snapshot.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "session/snapshot_state.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace strata {
namespace {

using testing::TemporaryFolder;

/// Counts what is asked of the tree below.
class CountingTree final : public FileTree {
 public:
  explicit CountingTree(std::shared_ptr<const FileTree> below) : below_(std::move(below)) {}
  [[nodiscard]] std::optional<std::string> read(std::string_view path) const override {
    ++reads;
    return below_->read(path);
  }
  [[nodiscard]] FileKind kind(std::string_view path) const override {
    ++kinds;
    return below_->kind(path);
  }
  [[nodiscard]] std::vector<std::string> list(std::string_view path) const override {
    ++lists;
    return below_->list(path);
  }
  [[nodiscard]] std::optional<Identified> identify(std::string_view path) const override {
    return below_->identify(path);
  }

  mutable std::atomic<int> reads = 0;
  mutable std::atomic<int> kinds = 0;
  mutable std::atomic<int> lists = 0;

 private:
  std::shared_ptr<const FileTree> below_;
};

std::shared_ptr<const text::Document> yaml(Snapshot& snapshot, std::string_view path) {
  return snapshot.read<text::Document>(
      path, "core12", nullptr, [](Sources& texts, SourceId source, const Limits& limits) {
        auto document = std::make_shared<const text::Document>(text::read_yaml(texts, source, text::core12(), limits));
        return Reading<text::Document>{.parsed = document, .bytes = document->arena->bytes()};
      });
}

std::string shown(const Snapshot& snapshot, Origin origin) {
  return Sources(snapshot.engine().locations()).place(origin).to_string();
}

TEST(Snapshot, OverAnotherOneReadsOnlyWhatWasEdited) {
  const auto tree = std::make_shared<CountingTree>(
      memory_tree({{"/a.yaml", "x: 1\n"}, {"/d/b.yaml", "y: 2\n"}, {"/d/c.yaml", "z: 3\n"}}));
  const auto engine = Engine::make({.file_cache = 0});
  const auto below = Snapshot::make(engine, tree);
  const std::shared_ptr<const FileTree> files(below, &below->tree());
  const auto kept = yaml(*below, "/a.yaml");
  const auto over = Snapshot::make(
      engine, edited_tree(files, {{"/d/b.yaml", "y: 5\n"}, {"/d/c.yaml", std::nullopt}, {"/a/new.yaml", "n: 1\n"}}));
  EXPECT_EQ(kept.get(), yaml(*over, "/a.yaml").get());
  EXPECT_EQ(yaml(*over, "/d/b.yaml")->root.find("y")->as_integer(), 5);
  EXPECT_EQ(yaml(*over, "/d/c.yaml"), nullptr);
  EXPECT_NE(yaml(*over, "/a/new.yaml"), nullptr);
  EXPECT_EQ(yaml(*below, "/a/new.yaml"), nullptr);
  EXPECT_EQ(yaml(*over, "/missing.yaml"), nullptr);
  // Limits decide whether a file can be read: others share nothing.
  const auto apart = Snapshot::make(engine, files, {.limits = {.depth = 7}});
  EXPECT_NE(kept.get(), yaml(*apart, "/a.yaml").get());
}

TEST(Snapshot, ReadsEachFileOnce) {
  const auto tree = std::make_shared<CountingTree>(memory_tree({{"a.yaml", "x: 1\n"}, {"d/b.yaml", "y: 2\n"}}));
  const auto engine = Engine::make({.file_cache = 0});
  const auto snapshot = Snapshot::make(engine, tree);
  const auto first = yaml(*snapshot, "a.yaml");
  EXPECT_EQ(first.get(), yaml(*snapshot, "a.yaml").get());
  EXPECT_EQ(snapshot->tree().read("a.yaml"), "x: 1\n");
  EXPECT_EQ(tree->reads, 1);
  EXPECT_EQ(yaml(*snapshot, "none"), nullptr);
  EXPECT_EQ(yaml(*snapshot, "none"), nullptr);
  EXPECT_EQ(tree->reads, 2) << "what is missing is asked for once";
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(snapshot->tree().kind("d"), FileKind::folder);
    EXPECT_EQ(snapshot->tree().list("d").size(), 1U);
  }
  EXPECT_EQ(tree->kinds, 1);
  EXPECT_EQ(tree->lists, 1);
}

TEST(Snapshot, NeverChangesAlthoughItsFilesDo) {
  const TemporaryFolder folder;
  folder.write("a.yaml", "x: 1\n");
  const auto engine = Engine::make();
  const std::shared_ptr<const FileTree> tree = host_tree(folder.path());
  const auto before = Snapshot::make(engine, tree);
  EXPECT_EQ(yaml(*before, "a.yaml")->root.find("x")->as_integer(), 1);
  EXPECT_EQ(before->tree().kind("b.yaml"), FileKind::none);
  folder.write("a.yaml", "x: 2\n");
  folder.write("b.yaml", "y: 1\n");
  const auto now = Snapshot::make(engine, tree);
  EXPECT_EQ(yaml(*now, "a.yaml")->root.find("x")->as_integer(), 2);
  EXPECT_EQ(yaml(*before, "a.yaml")->root.find("x")->as_integer(), 1);
  EXPECT_EQ(before->tree().read("a.yaml"), "x: 1\n");
  EXPECT_EQ(before->tree().kind("b.yaml"), FileKind::none);
  EXPECT_EQ(now->tree().kind("b.yaml"), FileKind::file);
}

TEST(Snapshot, AnEditReadsTheEditedFileOnly) {
  const auto tree = std::make_shared<CountingTree>(memory_tree({{"a.yaml", "x: 1\n"}, {"b.yaml", "y: 1\n"}}));
  const auto engine = Engine::make();
  const auto before = Snapshot::make(engine, tree);
  const auto a = yaml(*before, "a.yaml");
  const auto b = yaml(*before, "b.yaml");
  const int reads = tree->reads;
  const auto now = Snapshot::make(engine, edited_tree(tree, {{"a.yaml", "x: 2\n"}}));
  EXPECT_NE(yaml(*now, "a.yaml").get(), a.get());
  EXPECT_EQ(yaml(*now, "b.yaml").get(), b.get());
  EXPECT_EQ(tree->reads, reads);
  EXPECT_EQ(engine->usage().reads, 3U);
}

TEST(Snapshot, FilesWithEqualBytesKeepTheirNames) {
  const auto engine = Engine::make();
  const auto snapshot = Snapshot::make(engine, memory_tree({{"a.yaml", "x: 1\n"}, {"b.yaml", "x: 1\n"}}));
  EXPECT_EQ(shown(*snapshot, yaml(*snapshot, "a.yaml")->root.find("x")->origin()), "a.yaml:1:4");
  EXPECT_EQ(shown(*snapshot, yaml(*snapshot, "b.yaml")->root.find("x")->origin()), "b.yaml:1:4");
}

TEST(Snapshot, WhatNobodyUsesGoesWhereTheBudgetIsSpent) {
  const auto engine = Engine::make({.file_cache = std::size_t{1} << 20U});
  for (int i = 0; i < 200; ++i) {
    const auto snapshot =
        Snapshot::make(engine, memory_tree({{"a.yaml", "x: " + std::string(50'000, 'x') + std::to_string(i)},
                                            {"b.yaml", "x: " + std::to_string(i)}}));
    EXPECT_TRUE(yaml(*snapshot, "a.yaml")->root.find("x")->text().ends_with(std::to_string(i)));
    EXPECT_EQ(yaml(*snapshot, "b.yaml")->root.find("x")->as_integer(), i);
    EXPECT_EQ(shown(*snapshot, yaml(*snapshot, "b.yaml")->root.find("x")->origin()), "b.yaml:1:4");
  }
  EXPECT_LE(engine->usage().bytes, std::size_t{1} << 20U);
  EXPECT_LE(engine->usage().locations, std::size_t{1} << 20U);
}

TEST(Snapshot, WhatIsUsedStaysWhateverTheBudget) {
  const auto engine = Engine::make({.file_cache = 1});
  const auto before = Snapshot::make(engine, memory_tree({{"a.yaml", "x: 1\n"}}));
  const auto a = yaml(*before, "a.yaml");
  for (int i = 0; i < 100; ++i) {
    const auto other = Snapshot::make(engine, memory_tree({{"b.yaml", "x: " + std::to_string(i)}}));
    EXPECT_EQ(yaml(*other, "b.yaml")->root.find("x")->as_integer(), i);
  }
  const auto again = Snapshot::make(engine, memory_tree({{"a.yaml", "x: 1\n"}}));
  EXPECT_EQ(yaml(*again, "a.yaml").get(), a.get());
}

TEST(Snapshot, ADocumentOutlivesEverythingElse) {
  std::shared_ptr<const text::Document> document;
  std::shared_ptr<Locations> locations;
  {
    const auto engine = Engine::make({.file_cache = 0});
    locations = engine->locations();
    document = yaml(*Snapshot::make(engine, memory_tree({{"a.yaml", "x: 1\n"}})), "a.yaml");
  }
  EXPECT_EQ(Sources(locations).place(document->root.find("x")->origin()).to_string(), "a.yaml:1:4");
  document.reset();
  EXPECT_EQ(locations->leased(), 0U);
}

TEST(Snapshot, WhatCannotBeReadFailsForEverybodyWhoAsks) {
  const auto snapshot = Snapshot::make(Engine::make(), memory_tree({{"a.yaml", "x: [\n"}}));
  STRATA_EXPECT_ERROR(yaml(*snapshot, "a.yaml"), "yaml.syntax");
  STRATA_EXPECT_ERROR(yaml(*snapshot, "a.yaml"), "yaml.syntax");
}

TEST(Snapshot, FormsAreToldApartByTypeAndName) {
  const auto snapshot = Snapshot::make(Engine::make(), memory_tree({{"a", "1"}}));
  const auto read = [&](std::string_view form, int value) {
    return *snapshot->read<int>("a", form, nullptr, [&](Sources&, SourceId, const Limits&) {
      return Reading<int>{.parsed = std::make_shared<int>(value)};
    });
  };
  EXPECT_EQ(read("one", 1), 1);
  EXPECT_EQ(read("two", 2), 2);
  EXPECT_EQ(read("one", 3), 1);
}

TEST(Snapshot, PartsAreMadeOnce) {
  const auto snapshot = Snapshot::make(Engine::make(), memory_tree({}));
  int made = 0;
  const auto part = [&](std::string_view name) -> int& {
    return snapshot->part<int>(name, [&] { return std::make_shared<int>(++made); });
  };
  EXPECT_EQ(part("a"), 1);
  EXPECT_EQ(part("b"), 2);
  EXPECT_EQ(part("a"), 1);
  EXPECT_THROW((void)snapshot->part<int>("c", []() -> std::shared_ptr<int> { throw Error("x.y", "z"); }), Error);
  EXPECT_EQ(part("c"), 3) << "what failed is made anew";
}

TEST(Snapshot, WhoWaitsForAReadingEndsInTime) {
  const auto snapshot = Snapshot::make(Engine::make(), memory_tree({{"a", "1"}}));
  std::atomic<bool> reading = false;
  std::atomic<bool> go_on = false;
  std::thread slow([&] {
    (void)snapshot->read<int>("a", "slow", nullptr, [&](Sources&, SourceId, const Limits&) {
      reading = true;
      while (!go_on) std::this_thread::yield();
      return Reading<int>{.parsed = std::make_shared<int>(1)};
    });
  });
  while (!reading) std::this_thread::yield();
  Stop stop;
  stop.cancel();
  const FileReader<int> never = [](Sources&, SourceId, const Limits&) { return Reading<int>(); };
  STRATA_EXPECT_ERROR(snapshot->read<int>("a", "slow", &stop, never), "session.cancelled");
  go_on = true;
  slow.join();
}

TEST(Snapshot, ThreadsShareWhatOneOfThemReads) {
  std::map<std::string, std::string> files;
  for (int i = 0; i < 20; ++i) files["f" + std::to_string(i)] = "x: " + std::to_string(i);
  const auto engine = Engine::make({.file_cache = 4000});
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int round = 0; round < 20; ++round) {
        auto mine = files;
        mine["f0"] = "x: " + std::to_string(thread * 1000 + round);
        const auto snapshot = Snapshot::make(engine, memory_tree(mine));
        EXPECT_EQ(yaml(*snapshot, "f0")->root.find("x")->as_integer(), thread * 1000 + round);
        for (int i = 1; i < 20; ++i) {
          const auto document = yaml(*snapshot, "f" + std::to_string(i));
          EXPECT_EQ(document->root.find("x")->as_integer(), i);
          EXPECT_EQ(shown(*snapshot, document->root.find("x")->origin()), "f" + std::to_string(i) + ":1:4");
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

/// A part that says what it was made of.
std::string part_of(const Snapshot& snapshot, const std::string& own) {
  return *detail::inherited_part<std::string>(
      snapshot, "x", [&own](const std::shared_ptr<std::string>& before, std::span<const std::string> changed) {
        std::string out = own;
        for (const std::string& path : changed) out += " " + path;
        return std::make_shared<std::string>(before ? out + " of (" + *before + ")" : out);
      });
}

TEST(Snapshot, MakesPartsFromThoseOfTheOneBefore) {
  const auto engine = Engine::make();
  const std::shared_ptr<const FileTree> tree = memory_tree({{"a", "1"}, {"d/b", "2"}});
  auto first = Snapshot::make(engine, tree);
  EXPECT_EQ(part_of(*first, "one"), "one");
  EXPECT_EQ(part_of(*first, "again"), "one");
  const auto edited = edited_tree(tree, {{"/a", "A"}});
  const auto unasked = Snapshot::make(engine, edited);
  const auto second = Snapshot::make(engine, edited_tree(edited, {{"/d/b", "B"}}));
  EXPECT_EQ(part_of(*second, "two"), "two /a /d/b of (one)");
  EXPECT_EQ(part_of(*Snapshot::make(engine, edited), "three"), "three /d/b of (two /a /d/b of (one))");
  // Another layout, other rules, another Engine, a Snapshot that nobody has any more.
  EXPECT_EQ(part_of(*Snapshot::make(engine, edited_tree(edited, {{"/d/c", "C"}})), "new"), "new");
  EXPECT_EQ(part_of(*Snapshot::make(engine, edited, {.folder = "/d"}), "new"), "new");
  EXPECT_EQ(part_of(*Snapshot::make(Engine::make(), edited), "new"), "new");
  const auto alone = Engine::make();
  (void)part_of(*Snapshot::make(alone, tree), "gone");
  EXPECT_EQ(part_of(*Snapshot::make(alone, edited), "new"), "new");
}

TEST(Snapshot, ToldEntriesStayTheSame) {
  const testing::TemporaryFolder folder;
  folder.write("d/a", "");
  folder.write("d/b", "");
  folder.write("d/c", "");
  const auto snapshot = Snapshot::make(Engine::make(), host_tree(folder / "d"));
  EXPECT_EQ(snapshot->tree().kind("b"), FileKind::file);
  folder.run("rm d/b && mkdir d/b");
  const auto shown = [&snapshot] {
    std::string out;
    for (const auto& [name, kind] : snapshot->tree().entries(".")) {
      out += name + ((kind ? *kind : snapshot->tree().kind(name)) == FileKind::file ? " " : "/ ");
    }
    return out;
  };
  EXPECT_EQ(shown(), "a b c ") << "the kind of b was told before";
  folder.run("rm d/a && mkdir d/a d/new");
  EXPECT_EQ(shown(), "a b c ");
  EXPECT_EQ(snapshot->tree().list(""), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(snapshot->tree().kind("a"), FileKind::file);
}

TEST(Snapshot, SharesWhichFilesThereAreWithTheOneBefore) {
  const auto engine = Engine::make();
  const std::shared_ptr<const FileTree> tree = memory_tree({{"a", "1"}, {"d/b", "2"}});
  const auto first = Snapshot::make(engine, tree);
  EXPECT_EQ(first->tree().list("d"), std::vector<std::string>{"b"});
  EXPECT_EQ(first->tree().read("none"), std::nullopt);
  const auto second = Snapshot::make(engine, edited_tree(tree, {{"/d/b", "B"}}));
  EXPECT_EQ(&static_cast<const detail::SnapshotTree&>(first->tree()).state().layout(),
            &static_cast<const detail::SnapshotTree&>(second->tree()).state().layout());
  EXPECT_EQ(second->tree().read("d/b"), "B");
  EXPECT_EQ(first->tree().read("d/b"), "2");
  const auto third = Snapshot::make(engine, edited_tree(tree, {{"/none", "new"}, {"/d/b", std::nullopt}}));
  EXPECT_EQ(third->tree().read("none"), "new");
  EXPECT_EQ(third->tree().list("d"), std::vector<std::string>{});
  EXPECT_EQ(first->tree().read("none"), std::nullopt);
  EXPECT_EQ(first->tree().list("d"), std::vector<std::string>{"b"});
}

}  // namespace
}  // namespace strata
