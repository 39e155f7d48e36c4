// SPDX-License-Identifier: Apache-2.0
// A question that an analysis asks in several states of the files. Rules: docs/analysis/differences.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "strata/analysis.hpp"
#include "strata/file_tree.hpp"
#include "strata/host.hpp"
#include "strata/snapshot.hpp"
#include "strata/text_edit.hpp"
#include "strata/traits.hpp"

namespace strata::analysis {

/// The paths that a FileTree was asked for, whether they exist or not. Absolute paths.
struct Reads {
  std::set<std::string, std::less<>> files;
  std::set<std::string, std::less<>> folders;  ///< Those that were listed.
};

/// Collects Reads. Thread-safe.
class ReadLog {
 public:
  void add_file(std::string_view path);
  void add_folder(std::string_view path);
  [[nodiscard]] Reads reads() const;
  /// Whether a file at an absolute path was asked for, or a folder around it.
  [[nodiscard]] bool has(std::string_view path) const;
  /// How many files and folders there are: it has grown since, or is the same.
  [[nodiscard]] std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  Reads reads_;
};

/// `tree`, which notes in `log` what it is asked for. Relative paths count from `folder`. `only_found`: nothing but
/// what exists.
[[nodiscard]] std::shared_ptr<const FileTree> logged_tree(std::shared_ptr<const FileTree> tree, std::string folder,
                                                          std::shared_ptr<ReadLog> log, bool only_found = false);

/// The inputs of the host that a question names (facts, lists of nodes, states), with edits, and a log of what was
/// asked for. Everything else is the host's. Standard input, and what else gives its bytes only once (pipes), is read
/// once, for all that are made of one another.
class Inputs final : public Host {
 public:
  /// `host` must outlive the object. Relative names count from `folder`, which is absolute.
  Inputs(Host& host, std::string folder);
  /// The same with more edits.
  Inputs(const Inputs& under, const Edits& edits);
  ~Inputs() override;

  [[nodiscard]] std::optional<std::string> find(const std::string& name) override;
  [[nodiscard]] ReadMore open(const std::string& name) override;
  [[nodiscard]] const FileTree* files() override;
  /// A file of the host as it is, without edits, or standard input. Errors: as `read`.
  [[nodiscard]] std::string read_unedited(const std::string& name);
  [[nodiscard]] std::size_t bytes_read() const noexcept override { return host_.bytes_read(); }
  [[nodiscard]] const KeyFiles* key_files() const noexcept override { return host_.key_files(); }
  [[nodiscard]] Fetcher* network() override { return host_.network(); }
  [[nodiscard]] HttpClient* http() override { return host_.http(); }
  [[nodiscard]] PluginStarter* plugins() override { return host_.plugins(); }
  [[nodiscard]] Programs* programs() override { return host_.programs(); }
  [[nodiscard]] bool leaves_out(const Refusal& refusal) override { return host_.leaves_out(refusal); }
  [[nodiscard]] std::string way_to_allow(Refusal::Kind kind) const override { return host_.way_to_allow(kind); }

  /// What was asked for.
  [[nodiscard]] Reads reads() const { return log_->reads(); }
  [[nodiscard]] std::size_t reads_count() const { return log_->size(); }
  /// Whether the two can give different texts for a path that one of them was asked for.
  [[nodiscard]] bool may_differ(const Inputs& other) const;

 private:
  struct Once;
  [[nodiscard]] bool is_read_once(const std::string& name);

  Host& host_;
  std::string folder_;
  Edits edits_;  ///< By absolute path.
  std::shared_ptr<Once> once_;
  std::shared_ptr<ReadLog> log_ = std::make_shared<ReadLog>();
  std::shared_ptr<const FileTree> files_;
};

/// One state of everything that a question reads.
struct State {
  std::shared_ptr<const FileTree> files;  ///< The configuration.
  std::shared_ptr<Inputs> inputs;
  const Stop* stop = nullptr;  ///< Ends all work in the state. It must outlive the work. Null: only limits do.
};
/// A state with edits of configuration and inputs. Relative paths count from `folder`.
[[nodiscard]] State edited(const State& state, const Edits& edits, const std::string& folder);
/// The same state for many questions: in it, and in states that are made of it by edits, each file is read once and
/// parsed once, and stays as it was when it was first asked for. `settings` are those of the Snapshots in which
/// questions are asked.
[[nodiscard]] State kept(const State& state, std::shared_ptr<Engine> engine, SnapshotSettings settings);

/// A lookup of keys besides what the words of a question ask for.
struct KeyQuery {
  std::vector<std::string> names;       ///< As words of the verb.
  Value merge = {};                     ///< As in `lookup_options` of Hiera. Absent: as the data say.
  std::optional<Value> otherwise = {};  ///< The result if there is none.
};

/// The error of a question that has none.
[[nodiscard]] Error no_keys();

/// Names of items; no value: all.
using Wanted = std::optional<std::vector<std::string>>;

/// A file of configuration.
struct ConfigurationFile {
  std::string path;  ///< Absolute.
  edit::Form form;
  bool has_secret_name = false;  ///< `path` was made of secrets. If no such file exists yet, it is not shown.
};

/// How the values of an item are merged: what files state below it counts alone, or only as a whole.
struct Merging {
  enum class Parts : std::uint8_t {
    none,     ///< The strongest value is the item.
    members,  ///< Of one level.
    all,      ///< Members of all depths.
  };
  Parts parts = Parts::all;
  bool joins_items = true;  ///< Of lists; with Parts::none or `members`, those of the item itself.
  std::optional<std::string> knockout_prefix = {};
};

/// Something in a file of configuration.
struct FilePlace {
  ConfigurationFile file;
  std::string pointer = {};  ///< To a member, whose key is meant, or to an item. Empty: the document as a whole.
  std::size_t document = 0;  ///< From 0.
  std::optional<Excerpt> where = {};  ///< Where it is, if the file has no pointers.
};

/// Something in the files, and whether a subject makes use of it. Where no subject does, a check tells it.
struct Use {
  std::string_view code;  ///< Of the finding, without `check.`
  FilePlace place;
  bool is_used = false;
  std::string message = {};
  Excerpt note = {};  ///< With its message. Empty: none.
  std::string hint = {};

  /// A name in it that may be mistyped.
  struct Name {
    std::string kind;  ///< Of SubjectFiles::names.
    std::string text;
    bool ignores_case = false;
  };
  bool is_note = false;          ///< The finding is a note: what uses it may be out of sight.
  std::vector<Name> names = {};  ///< If one is nearly a name of its kind that some subject has, but not one of them,
                                 ///< the hint says so instead.
};

/// A text of a configuration that names variables, in its order.
struct NamingText {
  FilePlace place;
  std::string text = {};
  std::vector<std::string> variables;
};

/// The files of configuration behind a subject's results.
class SubjectFiles {
 public:
  virtual ~SubjectFiles() = default;
  /// Where they state an item, as a JSON Pointer. No value: at their root, by its name.
  [[nodiscard]] virtual std::optional<std::string> pointer(const std::string& /*item*/) { return std::nullopt; }
  /// Those that can state an item, there or not yet, strongest first.
  [[nodiscard]] virtual std::vector<ConfigurationFile> editable(const std::string& /*item*/) { return {}; }
  /// Those that it reads, each once, the strongest first.
  [[nodiscard]] virtual std::vector<ConfigurationFile> read() { return {}; }
  /// Those of its levels, there or not, the strongest first; what else it reads is not among them.
  [[nodiscard]] virtual std::vector<ConfigurationFile> levels() { return editable({}); }
  /// Folders with code that uses its results. Absolute.
  [[nodiscard]] virtual std::vector<std::string> code_folders() { return {}; }
  /// Folders below which all files are meant to be read. Absolute.
  [[nodiscard]] virtual std::vector<std::string> folders() { return {}; }
  /// What is written in the files for some subjects only. A definition that an earlier subject gave need not be given
  /// again, unless it is used now.
  [[nodiscard]] virtual std::vector<Use> uses() { return {}; }
  /// Whether subjects that read the same files may use different things in them. A subject that failed has uses only if
  /// they do.
  [[nodiscard]] virtual bool has_own_uses() { return false; }
  /// The names that the subject has, for hints.
  [[nodiscard]] virtual std::vector<std::string> names(const std::string& /*kind*/) { return {}; }
  /// The texts that say where files are, as far as they name variables.
  [[nodiscard]] virtual std::vector<NamingText> naming_texts() { return {}; }
  /// Whether the subject has a variable.
  [[nodiscard]] virtual bool has_variable(std::string_view /*name*/) { return true; }
  /// The variable of the target whose name differs by one letter, for hints. Empty: there is none.
  [[nodiscard]] virtual std::string misspelt_variable(std::string_view /*name*/) { return {}; }
  /// The names of what is known of the subject.
  [[nodiscard]] virtual std::vector<std::string> fact_names() { return {}; }
  /// Whether targets of this release do not send legacy facts such as `osfamily`, so that no file should name one.
  [[nodiscard]] virtual bool lacks_legacy_facts() { return false; }
  /// How an item is merged.
  [[nodiscard]] virtual Merging merging(const std::string& /*item*/) { return {}; }
};

/// What a subject is whatever the files of configuration say: a node with its facts. Immutable. It outlives the Asked
/// that it is from.
class Member {
 public:
  virtual ~Member() = default;
  /// Empty for a question with one subject.
  [[nodiscard]] virtual const std::string& name() const noexcept = 0;
};

/// What decides a subject's answers in one state, besides the texts of its files. Immutable. It outlives the Asked that
/// it is from, but not the Member.
class Basis {
 public:
  virtual ~Basis() = default;
};

/// What can differ between the answers of one subject in two states.
struct Touched {
  Wanted items = {};  ///< No value: any.
  /// The same for subjects with the same changes between these two states. No value: that is known only after asking.
  std::optional<std::uint64_t> alike = {};

  /// What is known of one of the items.
  struct Part {
    static constexpr std::uint64_t kNone = 0;
    std::uint64_t alike = kNone;  ///< As that of Touched, for this item alone.
    std::uint64_t before =
        0;  ///< Its rank among the items of the answer in the first state that have values, and among those that fail.
    std::uint64_t after = 0;  ///< The same in the second state; known if the first one has not got the item.
  };
  std::vector<Part> parts = {};  ///< One for each of `items`, or none.
};

/// What has one result in one state: a node, a site, a stack, a machine.
class Subject {
 public:
  virtual ~Subject() = default;
  /// Empty for a question with one subject.
  [[nodiscard]] virtual const std::string& name() const noexcept = 0;
  /// Null: the files of configuration say which subjects there are.
  [[nodiscard]] virtual std::shared_ptr<const Member> member() { return nullptr; }
  /// The files that an evaluation will read, if they are known before. Null: only the evaluation determines them;
  /// afterwards, no other object holds what this node alone has read. Nodes that read the same may share one object.
  [[nodiscard]] virtual std::shared_ptr<const Reads> reads() { return nullptr; }
  /// What can differ from the answers of the same subject in another state.
  [[nodiscard]] virtual Touched touched(Subject& /*other*/) { return {}; }
  /// What was warned of so far: of what decides where its answers come from, too.
  [[nodiscard]] virtual std::vector<Diagnostic> warnings() const { return {}; }
  /// For Asked::touched. Null: unknown.
  [[nodiscard]] virtual std::shared_ptr<const Basis> basis() { return nullptr; }

  /// The same for subjects of one Asked that give the same answer, with the same places and histories, in this state
  /// and in each one in which nothing but statements of its files is missing. No value: only asking tells.
  [[nodiscard]] virtual std::optional<std::uint64_t> alike() { return std::nullopt; }

  /// What is known of the subject: a fact of a node, as text. Dots lead into mappings.
  [[nodiscard]] virtual std::optional<std::string> fact(std::string_view /*name*/) { return std::nullopt; }

  /// Its files. Those that it reads are known after `ask`. They must not outlive the subject. Not null.
  [[nodiscard]] virtual std::shared_ptr<SubjectFiles> files() { return std::make_shared<SubjectFiles>(); }

  struct Answer {
    Outcome outcome;
    std::shared_ptr<const Reads> reads;     ///< What it read.
    std::vector<Diagnostic> warnings = {};  ///< Those of the subject so far.
  };
  /// What is wrong with the subject is the failure of its outcome. Errors: those that end the run.
  [[nodiscard]] virtual Answer ask(const Wanted& wanted) = 0;
  /// Looks up keys. Whole::result of the answer is the value. Errors: as `ask`; `call.keys` if the question has no
  /// keys.
  [[nodiscard]] virtual Answer look_up(const KeyQuery& query);
};

/// A question in one state.
class Asked {
 public:
  virtual ~Asked() = default;
  /// The next subject, in order; null at the end. It must not outlive this object. Errors: `fleet.duplicate-node`, and
  /// those that end the run.
  [[nodiscard]] virtual std::unique_ptr<Subject> next() = 0;
  /// The next call of `next` gives the first subject again.
  virtual void restart() = 0;
  /// The subject of a member of the same question in another state, whose inputs are the same. It must not outlive this
  /// object. Of questions whose subjects have members, not null.
  [[nodiscard]] virtual std::unique_ptr<Subject> subject(const std::shared_ptr<const Member>& /*member*/) {
    return nullptr;
  }
  /// As Subject::touched of a subject with this basis in this state. Nothing but the texts of `files` differs in the
  /// other state, that of the last Subject::touched. No value: the subject itself must tell.
  [[nodiscard]] virtual std::optional<Touched> touched(const Basis& /*basis*/,
                                                       const std::vector<std::string>& /*files*/) {
    return std::nullopt;
  }
  /// The warnings about the list of targets so far, besides those of the targets themselves.
  [[nodiscard]] virtual std::vector<Diagnostic> warnings() const { return {}; }
  /// Tells warnings of answers that another Asked of the same state gave, as if they were this one's.
  virtual void tell(const std::vector<Diagnostic>& /*warnings*/) {}
};

/// A command with its options, which can be asked in any number of states.
class Question {
 public:
  virtual ~Question() = default;
  /// Whether states with histories are wanted.
  enum class History : bool { no, yes };
  /// The caller gets, besides the answers: nothing; the files read by nodes that know them only afterwards (for others
  /// none are reported); the warnings of the answers, too. `found`: all, but of the files read only those that exist,
  /// since the missing ones may differ with each node.
  enum class Telling : std::uint8_t { nothing, reads, all, found };
  [[nodiscard]] virtual std::unique_ptr<Asked> in(const State& state, History history = History::no,
                                                  Telling telling = Telling::all) const = 0;
  /// How results are called and written.
  [[nodiscard]] virtual Wording wording() const = 0;
  /// Properties of the dialect.
  [[nodiscard]] virtual const query::Traits& traits() const { return query::plain_traits(); }
  /// Whether its one subject without a name is one of many that read the same files, so that it says little about them.
  [[nodiscard]] virtual bool lacks_fleet() const { return false; }
};

}  // namespace strata::analysis
