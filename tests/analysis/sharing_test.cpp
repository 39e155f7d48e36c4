// SPDX-License-Identifier: Apache-2.0
// Nodes that are alike share what they come to: the same as if each of them were asked for all keys.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "file_host.hpp"
#include "options.hpp"
#include "strata/check.hpp"
#include "strata/coverage.hpp"
#include "strata/resident_fleet.hpp"
#include "strata/study.hpp"
#include "strata/text.hpp"
#include "thread_pool.hpp"
#include "verb_question.hpp"

namespace strata::analysis {
namespace {

/// A question that evaluates every subject separately.
class Unshared final : public Question {
 public:
  explicit Unshared(const Question& question) : question_(question) {}
  std::unique_ptr<Asked> in(const State& state, History history, Telling telling) const override {
    return std::make_unique<InState>(question_.in(state, history, telling));
  }
  [[nodiscard]] Wording wording() const override { return question_.wording(); }

 private:
  class One final : public Subject {
   public:
    explicit One(std::unique_ptr<Subject> subject) : subject_(std::move(subject)) {}
    [[nodiscard]] const std::string& name() const noexcept override { return subject_->name(); }
    [[nodiscard]] std::shared_ptr<const Member> member() override { return subject_->member(); }
    [[nodiscard]] std::shared_ptr<const Reads> reads() override { return subject_->reads(); }
    Answer ask(const Wanted& wanted) override { return subject_->ask(wanted); }

   private:
    std::unique_ptr<Subject> subject_;
  };
  class InState final : public Asked {
   public:
    explicit InState(std::unique_ptr<Asked> asked) : asked_(std::move(asked)) {}
    std::unique_ptr<Subject> next() override { return of(asked_->next()); }
    void restart() override { asked_->restart(); }
    std::unique_ptr<Subject> subject(const std::shared_ptr<const Member>& member) override {
      return of(asked_->subject(member));
    }
    void tell(const std::vector<Diagnostic>& warnings) override { asked_->tell(warnings); }

   private:
    static std::unique_ptr<Subject> of(std::unique_ptr<Subject> subject) {
      return subject ? std::make_unique<One>(std::move(subject)) : nullptr;
    }
    std::unique_ptr<Asked> asked_;
  };
  const Question& question_;
};

/// A question as it is, which counts what is asked; or one whose subjects do not tell who is like them.
class Watched final : public Question {
 public:
  explicit Watched(const Question& question, bool shares = true) : question_(question), shares_(shares) {}
  std::unique_ptr<Asked> in(const State& state, History history, Telling telling) const override {
    return std::make_unique<InState>(*this, question_.in(state, history, telling));
  }
  [[nodiscard]] Wording wording() const override { return question_.wording(); }
  [[nodiscard]] const query::Traits& traits() const override { return question_.traits(); }
  [[nodiscard]] bool lacks_fleet() const override { return question_.lacks_fleet(); }

  mutable std::size_t whole = 0;  ///< Subjects that were asked for everything.
  mutable std::size_t items = 0;  ///< That others were asked for.

 private:
  class One final : public Subject {
   public:
    One(const Watched& all, std::unique_ptr<Subject> subject) : all_(all), subject_(std::move(subject)) {}
    [[nodiscard]] const std::string& name() const noexcept override { return subject_->name(); }
    [[nodiscard]] std::shared_ptr<const Member> member() override { return subject_->member(); }
    [[nodiscard]] std::shared_ptr<const Reads> reads() override { return subject_->reads(); }
    [[nodiscard]] Touched touched(Subject& other) override {
      return all_.shares_ ? subject_->touched(*dynamic_cast<One&>(other).subject_) : Touched();
    }
    [[nodiscard]] std::vector<Diagnostic> warnings() const override { return subject_->warnings(); }
    [[nodiscard]] std::shared_ptr<const Basis> basis() override { return all_.shares_ ? subject_->basis() : nullptr; }
    [[nodiscard]] std::optional<std::uint64_t> alike() override {
      return all_.shares_ ? subject_->alike() : std::nullopt;
    }
    [[nodiscard]] std::optional<std::string> fact(std::string_view name) override { return subject_->fact(name); }
    [[nodiscard]] std::shared_ptr<SubjectFiles> files() override { return subject_->files(); }
    Answer ask(const Wanted& wanted) override {
      if (wanted) {
        all_.items += wanted->size();
      } else {
        ++all_.whole;
      }
      return subject_->ask(wanted);
    }

   private:
    const Watched& all_;
    std::unique_ptr<Subject> subject_;
  };
  class InState final : public Asked {
   public:
    InState(const Watched& all, std::unique_ptr<Asked> asked) : all_(all), asked_(std::move(asked)) {}
    std::unique_ptr<Subject> next() override { return of(asked_->next()); }
    void restart() override { asked_->restart(); }
    std::unique_ptr<Subject> subject(const std::shared_ptr<const Member>& member) override {
      return of(asked_->subject(member));
    }
    [[nodiscard]] std::optional<Touched> touched(const Basis& basis, const std::vector<std::string>& files) override {
      return asked_->touched(basis, files);
    }
    void tell(const std::vector<Diagnostic>& warnings) override { asked_->tell(warnings); }

   private:
    std::unique_ptr<Subject> of(std::unique_ptr<Subject> subject) {
      return subject ? std::make_unique<One>(all_, std::move(subject)) : nullptr;
    }
    const Watched& all_;
    std::unique_ptr<Asked> asked_;
  };
  const Question& question_;
  bool shares_;
};

const std::vector<std::string> kHierarchies{
    "[{name: n, path: \"node/%{name_of}.yaml\"}, {name: r, path: \"role/%{role}.yaml\"}, {name: c, path: common.yaml}]",
    "[{name: n, path: \"node/%{name_of}.yaml\"}, {name: c, path: common.yaml}]",
    "[{name: c, path: common.yaml}, {name: n, path: \"node/%{name_of}.yaml\"}, {name: r, path: \"role/%{role}.yaml\"}]",
    "[{name: n, paths: [\"node/%{name_of}.yaml\", \"role/%{role}.yaml\"]}, {name: c, path: common.yaml}]",
    "[{name: n, path: \"node/%{name_of}.yaml\"}, {name: rc, paths: [\"role/%{role}.yaml\", common.yaml]}]",
    "[{name: n, path: \"node/%{name_of}.yaml\"}, {name: r, path: \"role/%{facts.os.name}.yaml\"}, {name: c, path: "
    "common.yaml}]",
};
std::string hiera_yaml(const std::string& hierarchy) {
  return "version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy: " + hierarchy + "\n";
}

rc::Gen<std::string> any_data() {
  static const std::vector<std::string> values{"1",
                                               "2",
                                               "'1'",
                                               "[1, 2]",
                                               "[2, 3]",
                                               "{x: 1, y: [1]}",
                                               "{x: 2, z: [2]}",
                                               "~",
                                               "\"%{role}\"",
                                               "\"%{facts.os.name} x\"",
                                               "\"%{os.name}\"",
                                               "\"%{unknown}\"",
                                               "\"%{lookup('a')}\"",
                                               "\"%{alias('b')}\"",
                                               "[\"%{lookup('c')}\", \"%{name_of}\"]",
                                               "{\"%{role}\": \"%{scope('trusted.certname')}\"}",
                                               "\"%{literal('%')}{role}\"",
                                               "\"%{lookup('d.x')}\"",
                                               ":symbol"};
  static const std::vector<std::string> options{"{a: {merge: unique}}",        "{d: {merge: deep}, b: {merge: hash}}",
                                                "{'^[bc]$': {merge: unique}}", "{}",
                                                "{a: {convert_to: String}}",   "\"%{role}\""};
  const auto entry = rc::gen::pair(rc::gen::element<std::string>("a", "b", "c", "d", "e"), rc::gen::elementOf(values));
  const auto entries = rc::gen::resize(4, rc::gen::container<std::vector<std::pair<std::string, std::string>>>(entry));
  return rc::gen::map(
      rc::gen::tuple(entries, rc::gen::inRange(0, 12), rc::gen::elementOf(options)), [](const auto& parts) {
        std::map<std::string, std::string> of_keys(std::get<0>(parts).begin(), std::get<0>(parts).end());
        if (std::get<1>(parts) == 0) return std::string("a: [\n");
        std::string out = "# data\n";
        for (const auto& [key, value] : of_keys) out += key + ": " + value + "\n";
        if (std::get<1>(parts) < 4) out += "lookup_options: " + std::get<2>(parts) + "\n";
        return out;
      });
}

const std::vector<std::string> kDataFiles{"common.yaml",  "role/web.yaml", "role/db.yaml",
                                          "node/n0.yaml", "node/n1.yaml",  "node/n2.yaml"};

class Site {
 public:
  Site() {
    files_["/site/hiera.yaml"] = hiera_yaml(*rc::gen::elementOf(kHierarchies));
    for (const std::string& file : kDataFiles) {
      if (*rc::gen::inRange(0, 4) != 0) files_["/site/data/" + file] = *any_data();
    }
    std::string nodes;
    for (int i = 0; i < 8; ++i) {
      const std::string name = "n" + std::to_string(i);
      const std::string role = *rc::gen::element<std::string>("web", "db", "%{name_of}");
      const std::string os = *rc::gen::element<std::string>("\"web\"", "1", "true");
      nodes += std::string(nodes.empty() ? "[" : ", ") + R"({"name": ")" + name + R"(", "facts": {"name_of": ")" +
               name + R"(", "role": ")" + (*rc::gen::inRange(0, 40) == 0 ? role : role.substr(0, 3)) +
               R"(", "os": {"name": )" + os + "}}}";
    }
    files_["/nodes.json"] = nodes + "]";
  }

  [[nodiscard]] Edits any_edits() const {
    Edits out;
    for (int left = *rc::gen::inRange(1, 4); left > 0; --left) {
      const int what = *rc::gen::inRange(0, 12);
      if (what == 0) {
        out["/site/hiera.yaml"] = hiera_yaml(*rc::gen::elementOf(kHierarchies));
      } else {
        out["/site/data/" + *rc::gen::elementOf(kDataFiles)] = what == 1 ? std::nullopt : std::optional(*any_data());
      }
    }
    return out;
  }
  [[nodiscard]] const Files& files() const noexcept { return files_; }

 private:
  Files files_;
};

std::string report_json(const ImpactReport& report) {
  Arena arena;
  return text::write_json(impact_data(arena, report));
}
std::string report_json(const DiffReport& report) {
  Arena arena;
  return text::write_json(diff_data(arena, report));
}

const std::vector<std::vector<std::string>>& shared_queries() {
  static const std::vector<std::vector<std::string>> all{
      {"lookup", "--all", "--hiera-config", "/site/hiera.yaml", "--nodes", "/nodes.json"},
      {"lookup", "a", "d.x", "--default", "none", "--hiera-config", "/site/hiera.yaml", "--nodes", "/nodes.json"},
      {"lookup", "--all", "--merge", "deep", "--hiera-config", "/site/hiera.yaml", "--nodes", "/nodes.json"}};
  return all;
}

class SharingWorld {
 public:
  SharingWorld(const Files& files, const std::vector<std::string>& words)
      : host_(files),
        question_({.words = words}, {.own = options_,
                                     .engine = engine_,
                                     .folder = "/",
                                     .tell = [this](const Diagnostic& warning) { told_.push_back(warning.message); },
                                     .is_whole_process = false}) {
    state_ = kept({.files = memory_tree(files), .inputs = std::make_shared<Inputs>(host_, "/")}, engine_,
                  {.folder = "/", .limits = question_.verb().options().limits});
  }

  [[nodiscard]] const Question& question() const noexcept { return question_; }
  [[nodiscard]] const State& state() const noexcept { return state_; }
  /// The warnings of an impact in `after`, in order.
  [[nodiscard]] std::vector<std::string> told(const Question& asked, const State& after,
                                              const StudySettings& settings) {
    told_.clear();
    question_.tell_of(after);
    (void)Study(asked, state_, after, settings).impact(GroupBy::effect);
    return std::move(told_);
  }
  [[nodiscard]] StudySettings settings(const Edits& edits, std::shared_ptr<Executor> executor = {}) const {
    StudySettings out{.folder = "/", .edited = {.paths = {}, .no_others = true}, .executor = std::move(executor)};
    for (const auto& [path, text] : edits) out.edited.paths.insert(path);
    return out;
  }

 private:
  FileHost host_;
  cli::SharedOptions options_;
  std::shared_ptr<Engine> engine_ = Engine::make({});
  std::vector<std::string> told_;
  cli::VerbQuestion question_;
  State state_;
};

RC_GTEST_PROP(Sharing, GivesWhatEachSubjectGivesByItself, ()) {
  const Site site;
  const SharingWorld world(site.files(), *rc::gen::elementOf(shared_queries()));
  const Unshared unshared(world.question());
  const auto threads = std::make_shared<cli::ThreadPool>(3U);
  Fleet fleet(world.question(), world.state(), {.folder = "/", .executor = threads});
  for (int turn = 0; turn < 3; ++turn) {
    const Edits edits = site.any_edits();
    const State after = edited(world.state(), edits, "/");
    const auto by = *rc::gen::element(GroupBy::effect, GroupBy::change, GroupBy::path);
    const std::string expected = report_json(Study(unshared, world.state(), after, world.settings(edits)).impact(by));
    RC_ASSERT(report_json(Study(world.question(), world.state(), after, world.settings(edits)).impact(by)) == expected);
    RC_ASSERT(report_json(Study(world.question(), world.state(), after, world.settings(edits, threads)).impact(by)) ==
              expected);
    RC_ASSERT(report_json(fleet.apply(edits, by)) == expected);
    RC_ASSERT(report_json(Study(world.question(), world.state(), after, world.settings(edits, threads)).diff()) ==
              report_json(Study(unshared, world.state(), after, world.settings(edits)).diff()));
  }
}

TEST(Sharing, OneOfEachClassIsAsked) {
  Files files{{"/site/hiera.yaml", hiera_yaml(kHierarchies.front())},
              {"/site/data/common.yaml", "a: 1\nb: \"%{lookup('a')} of %{role}\"\nc: 1\n"},
              {"/site/data/role/web.yaml", "a: 2\n"}};
  std::string nodes;
  for (int i = 0; i < 100; ++i) {
    const std::string name = "n" + std::to_string(i);
    files["/site/data/node/" + name + ".yaml"] = "c: " + std::to_string(i) + "\n";
    nodes += std::string(nodes.empty() ? "[" : ", ") + R"({"name": ")" + name + R"(", "facts": {"name_of": ")" + name +
             R"(", "role": ")" +
             (i % 2 == 0   ? "web"
              : i % 3 == 0 ? "db"
                           : "ci") +
             R"("}})";
  }
  files["/nodes.json"] = nodes + "]";
  const SharingWorld world(files, shared_queries().front());
  Fleet fleet(world.question(), world.state(), {.folder = "/"});
  // Nodes of "web" have a value of their own, the others differ in their text.
  const ImpactReport report =
      fleet.apply({{"/site/data/common.yaml", "a: 3\nb: \"%{lookup('a')} of %{role}\"\nc: 1\n"}});
  EXPECT_EQ(report.effects.counts().changed, 50U);
  EXPECT_EQ(report.effects.sorted().size(), 2U);
  EXPECT_EQ(fleet.asked(), 2U * 3U);
  // A level less for all: their own values of `c` make them differ.
  EXPECT_EQ(fleet.apply({{"/site/hiera.yaml", hiera_yaml(kHierarchies[1])}}).effects.counts().changed, 50U);
}

TEST(Sharing, WarnsOfEachSubject) {
  // The files of nodes warn, and so do nodes without the variable of a path; none of it decides a value.
  Files files{{"/site/hiera.yaml", hiera_yaml("[{name: n, path: \"node/%{name_of}.yaml\"}, {name: d, path: "
                                              "\"dc/%{dc}.yaml\"}, {name: c, path: common.yaml}]")},
              {"/site/data/common.yaml", "a: 1\n"}};
  std::string nodes;
  for (int i = 0; i < 40; ++i) {
    const std::string name = "n" + std::to_string(i);
    files["/site/data/node/" + name + ".yaml"] = i % 8 == 5 ? "c: 1\nc: 2\n" : "c: 1\n";
    nodes += std::string(nodes.empty() ? "[" : ", ") + R"({"name": ")" + name + R"(", "facts": {"name_of": ")" + name +
             "\"" + (i == 30 ? "" : R"(, "dc": "a")") + "}}";
  }
  files["/nodes.json"] = nodes + "]";
  SharingWorld world(files, shared_queries().front());
  const Unshared unshared(world.question());
  const auto threads = std::make_shared<cli::ThreadPool>(3U);
  for (const Edits& edits :
       {Edits{{"/site/data/common.yaml", "a: 2\n"}}, Edits{{"/site/data/common.yaml", "a: 2\nb: 1\nb: 2\n"}},
        Edits{{"/site/hiera.yaml",
               hiera_yaml("[{name: n, path: \"node/%{name_of}.yaml\"}, {name: e, path: \"dc/%{name_off}.yaml\"}]")}}}) {
    const State after = edited(world.state(), edits, "/");
    const auto expected = world.told(unshared, after, world.settings(edits));
    EXPECT_GE(expected.size(), 6U);
    EXPECT_EQ(world.told(world.question(), after, world.settings(edits)), expected);
    EXPECT_EQ(world.told(world.question(), after, world.settings(edits, threads)), expected);
  }
}

TEST(Sharing, OneOfEachKeyIsAsked) {
  // Without its role each node changes in all ten keys, and has one of them itself, so that no two nodes are alike.
  Files files{{"/site/hiera.yaml", hiera_yaml(kHierarchies.front())}};
  for (char key = 'a'; key < 'k'; ++key) {
    files["/site/data/common.yaml"] += std::string(1, key) + ": 1\n";
    files["/site/data/role/web.yaml"] += std::string(1, key) + ": {x: 2}\n";
  }
  std::string nodes;
  for (int i = 0; i < 50; ++i) {
    const std::string name = "n" + std::to_string(i);
    files["/site/data/node/" + name + ".yaml"] =
        std::string(1, static_cast<char>('a' + i % 10)) + ": " + std::to_string(i) + "\n";
    nodes += std::string(nodes.empty() ? "[" : ", ") + R"({"name": ")" + name + R"(", "facts": {"name_of": ")" + name +
             R"(", "role": "web"}})";
  }
  files["/nodes.json"] = nodes + "]";
  const SharingWorld world(files, shared_queries().front());
  const Watched watched(world.question());
  const Edits edits{{"/site/hiera.yaml", hiera_yaml(kHierarchies[1])}};
  Study study(watched, world.state(), edited(world.state(), edits, "/"), world.settings(edits));
  const ImpactReport report = study.impact(GroupBy::effect);
  EXPECT_EQ(report.effects.counts().changed, 50U);
  EXPECT_EQ(report.effects.sorted().size(), 10U);
  // Of ten keys the one that a node has itself is its own; in both states.
  EXPECT_EQ(watched.items, 2U * (50U + 10U));
  EXPECT_EQ(watched.whole, 0U);
}

std::string findings(const Question& question, const State& state) {
  CheckSettings settings{.folder = "/"};
  for (const FindingCode& code : finding_codes()) settings.codes.emplace(code.name);
  return check_text(check(question, state, settings));
}

RC_GTEST_PROP(Sharing, FindsAndCountsWhatEachSubjectShows, ()) {
  const Site site;
  const auto& all = shared_queries();
  const SharingWorld world(site.files(), *rc::gen::element(all.front(), all.back()));
  const Watched unshared(world.question(), false);
  RC_ASSERT(findings(world.question(), world.state()) == findings(unshared, world.state()));
  const Wording wording = world.question().wording();
  const auto lines = [&](const Question& question) {
    try {
      return coverage_text(coverage(question, world.state(), {.folder = "/"}), wording);
    } catch (const Error& error) {
      return std::string("ends: ") + error.what();
    }
  };
  RC_ASSERT(lines(world.question()) == lines(unshared));
}

TEST(Sharing, OneOfEachClassIsChecked) {
  // Files that only some nodes would have make no difference.
  Files files{{"/site/hiera.yaml", hiera_yaml(kHierarchies.front())},
              {"/site/data/common.yaml", "a: 1\nb: 2\nc: [1]\n"},
              {"/site/data/role/web.yaml", "a: 1\nc: [2]\n"},
              {"/site/data/role/db.yaml", "b: \"%{os}\"\n"}};
  std::string nodes;
  for (int i = 0; i < 60; ++i) {
    const std::string name = "n" + std::to_string(i);
    nodes += std::string(nodes.empty() ? "[" : ", ") + R"({"name": ")" + name + R"(", "facts": {"name_of": ")" + name +
             R"(", "role": ")" + (i % 2 == 0 ? "web" : "db") + R"(", "os": ")" + (i % 6 < 3 ? "x" : "y") + R"("}})";
  }
  files["/nodes.json"] = nodes + "]";
  const SharingWorld world(files, shared_queries().front());
  const Watched watched(world.question());
  const std::string found = findings(watched, world.state());
  EXPECT_EQ(found, findings(Watched(world.question(), false), world.state()));
  EXPECT_NE(found.find("'a' changes nothing: the 30 nodes that read it have the same values without it"),
            std::string::npos)
      << found;
  // Nodes of "web", and those of "db" by what a text of theirs says; what comes again is asked for once more, and then
  // it is known.
  EXPECT_EQ(watched.whole, 2U * 3U);
  // Of those, what is taken out is asked for with it and without it: no more than each statement for each class.
  EXPECT_LE(watched.items, 2U * 3U * 6U);
}

}  // namespace
}  // namespace strata::analysis
