// SPDX-License-Identifier: Apache-2.0
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
#include "strata/merge.hpp"
#include "strata/origin.hpp"
#include "strata/report.hpp"
#include "strata/value.hpp"

namespace strata::analysis {

// Results

/// A named part of a result: a key of `lookup --all`, a rendered document. A result without parts is one item with an
/// empty name.
struct Item {
  std::string name;
  Value value;                        ///< Absent if the item failed.
  std::optional<Diagnostic> failure;  ///< Why this item alone has no value.
  merge::Slot slot = {};              ///< Its history, in Outcome::history.
};

/// A result in one piece, as its command shows it.
struct Whole {
  merge::Traced result;
  std::string yaml_head = {};  ///< Stands before YAML.
  bool is_documents = false;   ///< A sequence of documents: YAML is a stream.
  bool is_json = false;        ///< The command writes JSON unless an option chooses another form.
  bool sort_keys = false;      ///< The command sorts the keys of mappings.
  std::function<std::string(const Value&)> own =
      {};  ///< Writes it as the command does by default. Empty: as YAML or JSON.
};

/// Something in a result, or in what it is made of, that its readers do not accept.
struct Misfit {
  /// The code without `check.`; a code that finding_codes() does not have is the whole code of an error.
  std::string_view code;
  std::string pointer;   ///< In the document that holds it: a JSON Pointer.
  Origin origin;         ///< Of the value.
  bool is_name = false;  ///< The name of a member does not fit: `origin` is that of its key.
  std::string message;
  std::string hint;
  std::string root_member = {};  ///< A member of the root that its readers do not know.
};

/// Everything that the readers of a result do not accept.
struct Misfits {
  std::vector<Misfit> all = {};         ///< Those in single documents come before those in the result.
  std::vector<Diagnostic> failed = {};  ///< The reasons why documents could not be checked.
  std::vector<Diagnostic> notes = {};   ///< Remarks about checks that were left out.
  /// The readers' own rules were used, which are in findings `schema` and `deprecated`: those of a smaller table count
  /// only if these are not wanted.
  bool has_schema = false;
};

/// Shared by the targets of one check.
struct MisfitContext {
  const FileTree* machine = nullptr;  ///< The files of the machine: of its packages. Null: they do not count.
  std::shared_ptr<void> memory = {};  ///< Of Outcome::misfits: read once for all targets.
};

/// What a question gives for one subject (a node, a site, a stack, a machine) in one state.
struct Outcome {
  std::vector<Item> items = {};          ///< Names are unique. Empty if the subject failed.
  std::optional<Diagnostic> failure;     ///< Why the subject has no result.
  std::vector<Diagnostic> further = {};  ///< Further failures that were found together with it.
  const Sources* sources = nullptr;      ///< Spells out the places of the values.
  const merge::History* history = {};    ///< Null: none was recorded.
  std::shared_ptr<const void> memory{};  ///< Owns the values and `sources`.
  std::optional<Whole> whole = {};       ///< No value: the subject failed, or its result has no such form.
  /// Finds everything that its readers do not accept. For as long as the target lives. Empty: they accept everything.
  std::function<Misfits(MisfitContext&)> misfits = {};
};

/// Whether an error says what is wrong with a subject, rather than that the run cannot go on (its time or budget is
/// over, the machine fails).
[[nodiscard]] bool is_failure(const Error& error) noexcept;
/// Makes an error the failure of an outcome: all of it, if it is several.
void set_failure(Outcome& outcome, const Error& error);
/// Whether two failures say the same, wherever they stand.
[[nodiscard]] bool is_same_failure(const Diagnostic& left, const Diagnostic& right);

// Changes

/// What happened to a place of a result (the first three), to an item or subject (the next three), or to a subject.
enum class ChangeKind : std::uint8_t {
  added,
  removed,
  changed,
  broken,
  mended,
  fails_otherwise,
  appeared,
  disappeared
};
/// `added`, `fails-otherwise` and so on.
[[nodiscard]] std::string_view to_string(ChangeKind kind) noexcept;

/// One side of a change.
struct Side {
  Value value = {};                                ///< Absent if this side has none.
  Place place = {};                                ///< Of the value: of a container, that of its first leaf.
  std::shared_ptr<const Diagnostic> failure = {};  ///< Instead of a value. Null: none.
};

/// How the edits that cause a change belong together.
enum class CauseKind : std::uint8_t {
  each,      ///< All are needed: without any one of them the change is another one, or none.
  any,       ///< Each alone is enough.
  together,  ///< Neither: all that the subject reads.
};
[[nodiscard]] std::string_view to_string(CauseKind kind) noexcept;

/// The edits because of which something changes.
struct Causes {
  CauseKind kind = CauseKind::together;
  std::optional<std::vector<std::size_t>> edits = {};  ///< Their numbers, rising. No value: too many to find out.

  bool operator==(const Causes&) const = default;
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

/// A change that subjects which change alike have in common, and because of which edits it is. Immutable but for the
/// causes; it keeps its values.
class SharedChange {
 public:
  /// `what` owns the values, or others do.
  explicit SharedChange(std::shared_ptr<const Change> what);

  const Change& operator*() const noexcept { return *what_; }
  const Change* operator->() const noexcept { return what_.get(); }
  /// Of everything but places.
  [[nodiscard]] std::uint64_t hash() const noexcept { return hash_; }

  std::shared_ptr<const Causes> causes = {};  ///< Null: not requested.

 private:
  std::shared_ptr<const Change> what_;
  std::uint64_t hash_;
};
/// `memory`: what owns the values. Null: others do.
[[nodiscard]] std::vector<SharedChange> shared(std::vector<Change> changes, std::shared_ptr<const void> memory = {});

struct Comparison {
  bool sort_keys = false;  ///< Walk mappings in the order of their keys' texts instead of their own.
  std::string list_key =
      {};  ///< In aligning lists, mappings are the same item if their scalar members of this name are the same.
  std::size_t alignment =
      1'000'000;  ///< Lists whose differing middles have more pairs than this are compared by position.
  const Stop* stop = nullptr;
};

/// The changes between two outcomes of one subject: first those of the items of `before`, in its order, then the items
/// that only `after` has. The values stay those of the outcomes. Two sequences are aligned by a longest common
/// subsequence of their items: an inserted item is one change.
[[nodiscard]] std::vector<Change> compare(const Outcome& before, const Outcome& after, const Comparison& how = {});

/// The changes of one subject; none if its outcomes are the same.
struct SubjectChanges {
  std::string subject;
  std::vector<SharedChange> changes;
};

// Edits

/// Lines of a text. With 0 lines, `line` is the one before which they would be.
struct Lines {
  std::size_t line = 1;  ///< From 1.
  std::size_t lines = 0;
};
/// A stretch of a file that differs between two states.
struct Edit {
  std::string file;
  Lines before = {};
  Lines after = {};
  bool whole = false;  ///< The file as a whole: one state lacks it, it is binary, or only the last line break differs.
};

/// The stretches of two texts that differ, by lines. Up to 8 lines that replace as many are one edit a line.
[[nodiscard]] std::vector<Edit> line_edits(const std::string& file, const std::string& before, const std::string& after,
                                           const Comparison& how = {});

// Effects: which subjects change alike

/// By what subjects are grouped.
enum class GroupBy : std::uint8_t {
  effect,  ///< All changes of a subject, without places.
  change,  ///< Each change alone, so that a subject may be in several groups.
  path,    ///< Items, paths and kinds of the changes, without values.
};

/// Names of subjects, in the order in which they are added. A name takes its bytes and one more: fleets have many.
class NameList {
 public:
  void add(std::string_view name);
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// The first ones, at most so many.
  [[nodiscard]] std::vector<std::string> first(std::size_t most) const;
  /// Gives `use` these, one after the other.
  void each(std::size_t most, const std::function<void(std::string_view name)>& use) const;

 private:
  std::vector<std::string> pieces_;  ///< Each name follows its size: seven bits a byte, the lowest first, all but
                                     ///< the last with the eighth.
  std::size_t size_ = 0;
};

/// Subjects that change alike.
struct Effect {
  NameList subjects;                  ///< In the order of the fleet.
  std::vector<SharedChange> changes;  ///< Those of the first subject.
};

/// Groups subjects by what happens to them.
class Effects {
 public:
  static constexpr std::size_t kMost = 10'000;

  /// `most`: how many distinct effects are kept, the first ones.
  explicit Effects(GroupBy by = GroupBy::effect, std::size_t most = kMost);
  ~Effects();
  Effects(Effects&&) noexcept;
  Effects& operator=(Effects&&) noexcept;

  /// Adds a subject, with no changes or some. Returns the numbers of its effects that are kept, in the order of
  /// finding: one, or with GroupBy::change one for each change. kNotKept: `most` others were there before.
  std::vector<std::size_t> add(const SubjectChanges& subject);
  static constexpr std::size_t kNotKept = SIZE_MAX;
  [[nodiscard]] Effect& operator[](std::size_t number) noexcept;

  /// Numbers of subjects. All but `total` and `unchanged` are parts of `changed`.
  struct Counts {
    std::size_t total = 0, changed = 0, unchanged = 0, broken = 0, mended = 0, appeared = 0, disappeared = 0;
  };
  [[nodiscard]] const Counts& counts() const noexcept;
  /// The effects: those with most subjects first, then those whose first subject comes first.
  [[nodiscard]] std::vector<const Effect*> sorted() const;
  /// Their numbers.
  [[nodiscard]] std::vector<std::size_t> order() const;
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

/// What differs between two states, subject by subject.
struct DiffReport {
  std::vector<SubjectChanges> subjects = {};  ///< Those with changes.
  std::size_t total = 0;                      ///< Number of subjects.
  std::vector<Edit> edits = {};               ///< What differs in the files that were read.
};
/// The changes for people, and their number in the last line; empty if nothing changes.
[[nodiscard]] std::string diff_text(const DiffReport& report, const Wording& wording,
                                    const report::Layout& layout = {});
/// The number of changes of each item, and the same last line.
[[nodiscard]] std::string diff_stat(const DiffReport& report, const Wording& wording);
/// `strata-diff/1`: `{format, edits, changes: [{subject, item, path, kind, from, before, after, causes, cause_kind}],
/// summary: {subjects, changes}}`.
[[nodiscard]] Value diff_data(Arena& arena, const DiffReport& report);

/// What differs between two states, by effects.
struct ImpactReport {
  Effects effects{};
  std::vector<Edit> edits = {};
};
/// How many names of each group texts show by default.
inline constexpr unsigned kNames = 5;
/// Groups of subjects for people. `names`: how many of each group are named; 0: all.
[[nodiscard]] std::string impact_text(const ImpactReport& report, const Wording& wording, std::size_t names = kNames,
                                      const report::Layout& layout = {});
/// The same for a merge request, in Markdown of at most 60,000 code points.
[[nodiscard]] std::string impact_markdown(const ImpactReport& report, const Wording& wording,
                                          std::size_t names = kNames);
/// `strata-impact/1`: `{format, edits, subjects: {total, …}, effects: [{id, count, subjects, changes}], truncated,
/// more}`. `names`: how many of each group are listed; 0: all.
[[nodiscard]] Value impact_data(Arena& arena, const ImpactReport& report, std::size_t names = 0);
/// The same as JSON, as write_json makes it: `sink` gets it in pieces, once all of it is known to be right.
/// `is_assumed`: with the member `assumed`. Memory: that of the text.
void write_impact(const ImpactReport& report, std::size_t names, bool is_assumed,
                  const std::function<void(std::string_view)>& sink);

}  // namespace strata::analysis
