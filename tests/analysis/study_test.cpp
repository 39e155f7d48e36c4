// SPDX-License-Identifier: Apache-2.0
// Two states, and what becomes of subjects between them.
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "strata/file_tree.hpp"
#include "strata/stop.hpp"
#include "strata/study.hpp"
#include "support/expect_error.hpp"

namespace strata::analysis {
namespace {

/// A host without files.
class NoHost final : public Host {
 public:
  explicit NoHost(std::map<std::string, std::string> files) : files_(memory_tree(std::move(files))) {}
  std::optional<std::string> find(const std::string& name) override { return files_->read(name); }
  const FileTree* files() override { return files_.get(); }
  Fetcher* network() override { return nullptr; }

 private:
  std::unique_ptr<FileTree> files_;
};

/// A question over layers: each line of the host's file `list` is a subject, `NAME FILE FILE…`; the files have lines
/// `key value`, of which the last of a key counts. A file `broken` breaks its subject. A value `$k` is that of the key
/// k.
class Layers final : public Question {
 public:
  std::unique_ptr<Asked> in(const State& state, History /*history*/, Telling /*telling*/) const override {
    return std::make_unique<InState>(*this, state);
  }
  Wording wording() const override { return {.is_fleet = true}; }
  mutable std::vector<std::string> asked;

 private:
  using Words = std::vector<std::string>;
  static Words split(const std::string& text, char at) {
    Words out;
    std::size_t from = 0;
    while (from < text.size()) {
      const std::size_t end = std::min(text.find(at, from), text.size());
      if (end > from) out.push_back(text.substr(from, end - from));
      from = end + 1;
    }
    return out;
  }

  class InState final : public Asked {
   public:
    InState(const Layers& all, State state) : all_(all), state_(std::move(state)) { restart(); }
    std::unique_ptr<Subject> next() override {
      return next_ == subjects_.size() ? nullptr : std::make_unique<One>(*this, subjects_[next_++]);
    }
    void restart() override {
      subjects_.clear();
      next_ = 0;
      for (const std::string& line : split(state_.inputs->read("/list"), '\n')) subjects_.push_back(split(line, ' '));
    }

    const Layers& all_;
    State state_;
    std::vector<Words> subjects_;
    std::size_t next_ = 0;
  };

  class One final : public Subject {
   public:
    One(InState& state, const Words& words) : state_(state), words_(words) {}
    const std::string& name() const noexcept override { return words_.front(); }
    Answer ask(const Wanted& /*wanted*/) override {
      state_.all_.asked.push_back(words_.front());
      const auto log = std::make_shared<ReadLog>();
      const auto tree = logged_tree(state_.state_.files, "/", log);
      const auto memory = std::make_shared<Arena>();
      Answer out{.outcome = {.failure = {}, .memory = memory}, .reads = {}};
      std::map<std::string, std::string> values;
      for (std::size_t i = 1; i < words_.size(); ++i) {
        const auto text = tree->read(words_[i]);
        if (text && text->find("broken") != std::string::npos)
          out.outcome.failure = Error("x.broken", "it is broken").diagnostic();
        for (const std::string& line : split(text.value_or(""), '\n')) {
          const Words pair = split(line, ' ');
          if (pair.size() == 2) values[pair[0]] = pair[1];
        }
      }
      if (!out.outcome.failure) {
        for (const auto& [key, value] : values) {
          const std::string shown = value.starts_with('$') ? values[value.substr(1)] : value;
          out.outcome.items.push_back({.name = key, .value = memory->text(shown), .failure = {}});
        }
      }
      out.reads = std::make_shared<const Reads>(log->reads());
      return out;
    }

   private:
    InState& state_;
    const Words& words_;
  };
};

struct StudyWorld {
  std::map<std::string, std::string> before;
  std::map<std::string, std::string> after;
  std::string list = "n /a\n";
  std::optional<std::string> new_list = {};
  Layers question = {};

  std::unique_ptr<Study> study(StudySettings settings = {}) {
    host = std::make_unique<NoHost>(std::map<std::string, std::string>{{"/list", list}});
    const auto inputs = std::make_shared<Inputs>(*host, "/");
    Edits edits;
    if (new_list) {
      edits["/list"] = *new_list;
      settings.edited.paths.insert("/list");
    }
    return std::make_unique<Study>(
        question, State{.files = memory_tree(before), .inputs = inputs},
        State{.files = memory_tree(after), .inputs = std::make_shared<Inputs>(*inputs, edits)}, std::move(settings));
  }
  std::string diff(StudySettings settings = {}) {
    return diff_text(study(std::move(settings))->diff(), question.wording());
  }
  std::string impact(StudySettings settings = {}) {
    return impact_text(study(std::move(settings))->impact(GroupBy::effect), question.wording());
  }

  std::unique_ptr<NoHost> host = {};
};

/// Without the places, which these values lack.
std::string without_places(std::string text) {
  for (const std::string line : {"      was  <nowhere>\n", "      now  <nowhere>\n", "      at   <nowhere>\n"}) {
    for (std::size_t at = text.find(line); at != std::string::npos; at = text.find(line)) text.erase(at, line.size());
  }
  return text;
}

TEST(Study, OneEditIsTheCause) {
  StudyWorld world{.before = {{"/a", "k 1\n"}}, .after = {{"/a", "k 2\n"}}};
  EXPECT_EQ(without_places(world.diff()), "n\n  ~ k: \"1\" -> \"2\"\n      by   a:1\n1 change in 1 of 1 node\n");
}

TEST(Study, CausesAreTheEditsWithoutWhichTheChangeIsAnother) {
  StudyWorld world{.before = {{"/a", "k 1\nx\nl 1\n"}, {"/b", "m 1\n"}},
                   .after = {{"/a", "k 2\nx\nl 2\n"}, {"/b", "m 2\n"}},
                   .list = "n /a /b\n"};
  EXPECT_EQ(without_places(world.diff()),
            "n\n  ~ k: \"1\" -> \"2\"\n      by   a:1\n  ~ l: \"1\" -> \"2\"\n      by   a:3\n  ~ m: \"1\" -> \"2\"\n  "
            "    by   b:1\n"
            "3 changes in 1 of 1 node\n");
}

TEST(Study, SeveralEditsCanBeNeededOrEnough) {
  // The reference and what it names.
  StudyWorld both{.before = {{"/a", "k 1\nx\nl 1\n"}}, .after = {{"/a", "k $l\nx\nl 2\n"}}};
  EXPECT_NE(both.diff().find("~ k: \"1\" -> \"2\"\n      was  <nowhere>\n      now  <nowhere>\n      by   a:1, a:3\n"),
            std::string::npos)
      << both.diff();
  // Two layers say the same.
  StudyWorld any{.before = {{"/a", "k 1\n"}, {"/b", "k 1\n"}},
                 .after = {{"/a", "broken\n"}, {"/b", "broken\n"}},
                 .list = "n /a /b\n"};
  EXPECT_EQ(without_places(any.diff()),
            "n\n  ! broken: it is broken [x.broken]\n      by   any of a:1, b:1\n1 change in 1 of 1 node\n");
}

TEST(Study, TooManyEditsCountByFile) {
  StudyWorld world{.before = {{"/a", "k 1\nx\nl 1\n"}, {"/b", "m 1\n"}},
                   .after = {{"/a", "k 2\nx\nl 2\n"}, {"/b", "m 2\n"}},
                   .list = "n /a /b\n"};
  EXPECT_EQ(without_places(world.diff({.only = {"l"}, .most_causes = 2})),
            "n\n  ~ l: \"1\" -> \"2\"\n      by   a:1, a:3\n1 change in 1 of 1 node\n");
  EXPECT_EQ(without_places(world.diff({.only = {"l"}, .most_causes = 1})),
            "n\n  ~ l: \"1\" -> \"2\"\n      by   <more edits than can be tried>\n1 change in 1 of 1 node\n");
}

TEST(Study, SubjectsMayComeAndGo) {
  StudyWorld world{.before = {{"/a", "k 1\n"}},
                   .after = {{"/a", "k 1\n"}},
                   .list = "a /a\nb /a\nc /a\n",
                   .new_list = "c /a\nd /a\na /a\ne /a\n"};
  EXPECT_EQ(world.diff(),
            "b\n  - disappeared\n      by   list\nd\n  + appeared\n      by   list\ne\n  + appeared\n      by   "
            "list\n3 changes in 3 of 5 nodes\n");
}

TEST(Study, WhoReadsNothingThatDiffersIsAskedOnce) {
  StudyWorld world{.before = {{"/a", "k 1\n"}, {"/b", "k 1\n"}},
                   .after = {{"/a", "k 1\n"}, {"/b", "k 2\n"}},
                   .list = "one /a\ntwo /a /b\nthree /gone\n"};
  const auto study = world.study();
  EXPECT_EQ(study->diff().subjects.size(), 1U);
  EXPECT_EQ(study->asked(), 4U);
}

TEST(Study, EffectsHaveTheCausesOfAllWhoReadOtherEdits) {
  StudyWorld world{.before = {{"/a", "k 1\n"}, {"/b", "k 1\n"}},
                   .after = {{"/a", "k 2\n"}, {"/b", "k 2\n"}},
                   .list = "one /a\ntwo /b\nboth /a /b\nagain /a\n"};
  EXPECT_EQ(without_places(world.impact()),
            "4 of 4 nodes change: 1 distinct effect\n\neffect 1: 4 nodes: one, two, both, again\n  ~ k: \"1\" -> "
            "\"2\"\n      by   a:1, b:1\n");
  EXPECT_NE(world.impact({.most_caused = 0}).find("by   <more edits than can be tried>"), std::string::npos);
}

TEST(Study, ReportsAreBounded) {
  StudyWorld world{.before = {{"/a", "k 1\nl 1\n"}, {"/b", "k 1\n"}},
                   .after = {{"/a", "k 2\nl 2\n"}, {"/b", "k 3\n"}},
                   .list = "one /a\ntwo /a\nthree /b\n"};
  EXPECT_NO_THROW((void)world.diff({.most_changes = 5}));
  STRATA_EXPECT_ERROR((void)world.diff({.most_changes = 4}), "limit.result");
  // Equal effects count once.
  EXPECT_NO_THROW((void)world.impact({.most_changes = 3}));
  STRATA_EXPECT_ERROR((void)world.impact({.most_changes = 2}), "limit.result");
}

TEST(Study, WorkEndsAtItsDeadline) {
  StudyWorld world{.before = {{"/a", "k 1\n"}}, .after = {{"/a", "k 2\n"}}};
  const Stop over(Stop::Clock::now() - std::chrono::seconds(1));
  STRATA_EXPECT_ERROR((void)world.diff({.how = {.stop = &over}}), "limit.time");
  STRATA_EXPECT_ERROR((void)world.impact({.how = {.stop = &over}}), "limit.time");
}

TEST(Study, EditsThatNobodyReadsAreNamed) {
  StudyWorld world{.before = {{"/a", "k 1\n"}}, .after = {{"/a", "k 1\n"}, {"/z", "k 2\n"}}};
  const auto study = world.study({.edited = {.paths = {"/z"}, .no_others = true}});
  EXPECT_TRUE(study->diff().subjects.empty());
  EXPECT_EQ(study->unread(), std::vector<std::string>{"z"});
}

TEST(Study, TheFilesOfWhoComesOrGoesAreRead) {
  StudyWorld world{.before = {{"/a", "k 1\n"}},
                   .after = {{"/a", "k 1\n"}, {"/z", "k 2\n"}},
                   .list = "n /a\n",
                   .new_list = "n /a\nz /z\n"};
  const auto study = world.study({.edited = {.paths = {"/z"}, .no_others = true}});
  EXPECT_EQ(diff_text(study->diff(), world.question.wording()),
            "z\n  + appeared\n      by   list\n1 change in 1 of 2 nodes\n");
  EXPECT_EQ(study->unread(), std::vector<std::string>());
}

TEST(Study, EditsThatChangeNoTextAreNotNamed) {
  StudyWorld world{.before = {{"/a", "k 1\n"}, {"/z", "k 2\n"}}, .after = {{"/a", "k 1\n"}, {"/z", "k 2\n"}}};
  const auto study = world.study({.edited = {.paths = {"/a", "/z"}, .no_others = true}});
  EXPECT_TRUE(study->diff().subjects.empty());
  EXPECT_EQ(study->unread(), std::vector<std::string>());
}

TEST(Patterns, MatchWholeNames) {
  EXPECT_TRUE(matches("ntp::*", "ntp::servers"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("*a*b", "xaxbab"));
  EXPECT_TRUE(matches("a?c", "aéc"));
  EXPECT_FALSE(matches("a?c", "ac"));
  EXPECT_FALSE(matches("ntp", "ntp::servers"));
  EXPECT_FALSE(matches("", "a"));
}

}  // namespace
}  // namespace strata::analysis
