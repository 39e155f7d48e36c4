// What differs between the results of one question in two states of the files. Rules: docs/analysis/differences.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/origin.hpp"
#include "strata/report.hpp"
#include "strata/value.hpp"

namespace strata::analysis {

// Results

/// A named part of a result: a key of `lookup --all`, a rendered document. A result without parts is one item with an empty name.
struct Item {
  std::string name;
  Value value;                        ///< Absent if the item failed.
  std::optional<Diagnostic> failure;  ///< Why this item alone has no value.
};

/// What a question gives for one subject (a node, a site, a stack, a machine) in one state.
struct Outcome {
  std::string subject;                   ///< Empty for a question with one subject.
  std::vector<Item> items = {};          ///< Names are unique. Empty if the subject failed.
  std::optional<Diagnostic> failure;     ///< Why the subject has no result.
  const Sources* sources = nullptr;      ///< Spells out the places of the values.
  std::shared_ptr<const void> memory{};  ///< Owns the values and `sources`.
};

/// Whether an error says what is wrong with a subject, rather than that the run cannot go on (its time or budget is over, the machine fails).
[[nodiscard]] bool is_failure(const Error& error) noexcept;

/// The outcomes of one question in one state, one subject after the other.
class Subjects {
 public:
  virtual ~Subjects() = default;
  /// The next outcome; none at the end. What is wrong with one subject is its failure; an Error ends the run.
  [[nodiscard]] virtual std::optional<Outcome> next() = 0;
};

// Changes

/// What happened to a place of a result (the first three), to an item or subject (the next three), or to a subject.
enum class ChangeKind : std::uint8_t { added, removed, changed, broken, mended, fails_otherwise, appeared, disappeared };
/// `added`, `fails-otherwise` and so on.
[[nodiscard]] std::string_view to_string(ChangeKind kind) noexcept;

/// One side of a change.
struct Side {
  Value value = {};                        ///< Absent if this side has none.
  Place place = {};                        ///< Of the value: of a container, that of its first leaf.
  std::optional<Diagnostic> failure = {};  ///< Instead of a value.
};

/// An added or removed subtree is one change with its whole value; so is a change of kind.
struct Change {
  std::string item;
  std::string path;  ///< A JSON Pointer within the item: after the edit, or before it for `removed`.
  ChangeKind kind = ChangeKind::changed;
  std::optional<std::string> from = {};  ///< The path before the edit, if it was another one.
  Side before = {};
  Side after = {};
};

struct Comparison {
  bool sort_keys = false;             ///< Walk mappings in the order of their keys' texts instead of their own.
  std::string list_key = {};          ///< In aligning lists, mappings are the same item if their scalar members of this name are the same.
  std::size_t alignment = 1'000'000;  ///< Lists whose differing middles have more pairs than this are compared by position.
  const Stop* stop = nullptr;
};

/// The changes between two outcomes of one subject: first those of the items of `before`, in its order, then the items that only `after` has.
/// The values stay those of the outcomes. Two sequences are aligned by a longest common subsequence of their items: an inserted item is one change.
[[nodiscard]] std::vector<Change> compare(const Outcome& before, const Outcome& after, const Comparison& how = {});

/// The changes of one subject; none if its outcomes are the same.
struct SubjectChanges {
  std::string subject;
  std::vector<Change> changes;
};
/// Compares subject by subject, in the order of `before`; then come those that only `after` has. As long as both give the same subjects in the same
/// order, one pair of outcomes is held at a time. `sink` also gets the subjects without changes; values live as long as the call.
void compare(Subjects& before, Subjects& after, const Comparison& how, const std::function<void(SubjectChanges&&)>& sink);

// Edits

/// Lines of a text. With 0 lines, `line` is the one before which they would be.
struct Lines {
  std::size_t line = 1;  ///< From 1.
  std::size_t lines = 0;
};
/// A stretch of a file that differs between two states.
struct Edit {
  std::string file;
  Lines before;
  Lines after;
  bool whole = false;  ///< The file as a whole: one state lacks it, it is binary, or only the last line break differs.
};

/// The files and folders that somebody asked a tree for. Thread-safe.
class ReadLog {
 public:
  void add_file(std::string_view path);
  void add_folder(std::string_view path);
  [[nodiscard]] std::set<std::string, std::less<>> files() const;
  [[nodiscard]] std::set<std::string, std::less<>> folders() const;

 private:
  mutable std::mutex mutex_;
  std::set<std::string, std::less<>> files_;
  std::set<std::string, std::less<>> folders_;
};
/// `tree`, which notes in `log` what it is asked for, also if that does not exist. Paths are absolute there: relative ones count from `folder`.
[[nodiscard]] std::unique_ptr<FileTree> logged_tree(std::unique_ptr<FileTree> tree, std::string folder, std::shared_ptr<ReadLog> log);

/// The stretches of two texts that differ, by lines. Up to 8 lines that replace as many are one edit a line.
[[nodiscard]] std::vector<Edit> line_edits(const std::string& file, const std::string& before, const std::string& after, const Comparison& how = {});
/// What differs in the files that `log` names, by file, then line. Names of files below `folder` are relative to it. Files that cannot be read in one
/// of the states count as missing there.
[[nodiscard]] std::vector<Edit> edits(const FileTree& before, const FileTree& after, const ReadLog& log, const std::string& folder,
                                      const Comparison& how = {});

// Effects: which subjects change alike

/// By what subjects are grouped.
enum class GroupBy : std::uint8_t {
  effect,  ///< All changes of a subject, without places.
  change,  ///< Each change alone, so that a subject may be in several groups.
  path,    ///< Items, paths and kinds of the changes, without values.
};

/// Subjects that change alike.
struct Effect {
  std::vector<std::string> subjects;  ///< In the order of the fleet.
  std::vector<Change> changes;        ///< Those of the first subject.
};

/// Groups subjects by what happens to them.
class Effects {
 public:
  static constexpr std::size_t kMost = 10'000;

  /// `most`: how many distinct effects are kept, the first ones.
  explicit Effects(GroupBy by = GroupBy::effect, std::size_t most = kMost);
  ~Effects();
  Effects(const Effects&) = delete;
  Effects& operator=(const Effects&) = delete;

  /// Adds a subject, with no changes or some. What is kept is copied.
  void add(const SubjectChanges& subject);

  /// Numbers of subjects. All but `total` and `unchanged` are parts of `changed`.
  struct Counts {
    std::size_t total = 0, changed = 0, unchanged = 0, broken = 0, mended = 0, appeared = 0, disappeared = 0;
  };
  [[nodiscard]] const Counts& counts() const noexcept;
  /// The effects: those with most subjects first, then those whose first subject comes first.
  [[nodiscard]] std::vector<const Effect*> sorted() const;
  /// How many subjects have effects that are not kept.
  [[nodiscard]] std::size_t more_subjects() const noexcept;
  [[nodiscard]] GroupBy by() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Texts and data

/// How a question's results are written.
struct Wording {
  std::string_view subject = "node";  ///< What its subjects are called: node, site, stack, machine.
  bool is_fleet = false;              ///< Several subjects, which are named.
  bool sort_keys = false;             ///< Mappings are shown in the order of their keys' texts.
};

/// The changes for people, and their number in the last line; empty if nothing changes. `subjects`: only those with changes, out of `total`.
[[nodiscard]] std::string diff_text(const std::vector<SubjectChanges>& subjects, std::size_t total, const Wording& wording,
                                    const report::Layout& layout = {});
/// `strata-diff/1`: `{format, edits, changes: [{subject, item, path, kind, from, before, after}], summary: {subjects, changes}}`.
[[nodiscard]] Value diff_data(Arena& arena, const std::vector<SubjectChanges>& subjects, std::size_t total, const std::vector<Edit>& edits);

/// Groups of subjects for people. `names`: how many of each group are named; 0: all.
[[nodiscard]] std::string impact_text(const Effects& effects, const Wording& wording, std::size_t names = 5, const report::Layout& layout = {});
/// `strata-impact/1`: `{format, edits, subjects: {total, …}, effects: [{id, count, subjects, changes}], truncated, more}`.
[[nodiscard]] Value impact_data(Arena& arena, const Effects& effects, const std::vector<Edit>& edits);

}  // namespace strata::analysis
