// SPDX-License-Identifier: Apache-2.0
// The edits that can give a place its value, and what they do to each subject.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/set/goal.hpp"

namespace strata::analysis::proposing {

using Number = std::uint32_t;
using Numbers = std::vector<Number>;

/// An edit that can be made.
struct Candidate {
  std::size_t file;
  bool is_set;
  bool is_existing;  ///< Of a statement that is there.
  std::size_t line;
  std::string after;
};

struct File {
  std::string path;
  std::string shown;
  bool has_secret_name = false;
  std::optional<std::string> before = {};
  std::size_t level = 0;  ///< In the first selected subject that can read it: from the strongest.
  std::string failure = {};
  std::optional<Number> set = {};
  std::optional<Number> unset = {};
  std::vector<std::size_t> readers = {};

  [[nodiscard]] Numbers candidates() const {
    Numbers out;
    for (const auto& one : {set, unset}) {
      if (one) out.push_back(*one);
    }
    return out;
  }
};

/// What some edits do to a subject.
struct Verdict {
  bool has = false;        ///< The place is as it is wished.
  bool changes = false;    ///< Anything.
  bool is_side = false;    ///< Anything but the place.
  bool is_secret = false;  ///< What the place holds is marked as secret.
  std::string why = {};    ///< Why it does not have it.
};

/// Numbers of subjects; may be differences.
struct Score {
  std::int64_t collateral = 0, missed = 0, side = 0;
  friend auto operator<=>(const Score&, const Score&) = default;
  Score& operator+=(const Score& other) {
    collateral += other.collateral;
    missed += other.missed;
    side += other.side;
    return *this;
  }
  friend Score operator-(const Score& left, const Score& right) {
    return {left.collateral - right.collateral, left.missed - right.missed, left.side - right.side};
  }
};

/// Edits of files that one subject reads.
struct Reading {
  std::optional<Verdict> verdict = {};
  bool is_open = false;                                ///< What one more edit does is known.
  std::vector<std::pair<Number, Score>> overlap = {};  ///< By how much that differs from what the edit does alone.
};

/// A subject of the question.
struct FleetMember {
  std::string name;
  bool is_selected = false;
  std::vector<std::size_t> files = {};  ///< Those that it reads, rising.
  bool has = false;                     ///< Without edits.
  std::map<Numbers, Reading> readings = {};
};

/// The subjects of a question, and what edits of the files that they read do to them. Each subject is asked once for
/// the same edits.
class Candidates {
 public:
  /// All must outlive the object. `base`: its warnings are told while the subjects are found. Errors: those that end a
  /// run.
  Candidates(const Question& question, const State& base, const Goal& goal, const ProposalSettings& settings);
  /// Makes the edits. Errors: those that end a run.
  void make();

  [[nodiscard]] std::vector<FleetMember>& members() noexcept { return members_; }
  [[nodiscard]] const std::vector<FleetMember>& members() const noexcept { return members_; }
  [[nodiscard]] const std::vector<File>& files() const noexcept { return files_; }
  /// By Number.
  [[nodiscard]] const std::vector<Candidate>& edits() const noexcept { return candidates_; }

  [[nodiscard]] const File& file_of(Number edit) const { return files_[candidates_[edit].file]; }

  using Request = std::pair<std::size_t, Numbers>;  ///< A subject, and edits of files that it reads, rising.
  /// Gets the verdicts that are not known. One state serves all requests that agree about the files they read. Errors:
  /// `edit.changed`; those that end a run.
  void ask(const std::set<Request>& requests);
  [[nodiscard]] bool is_known(std::size_t subject, const Numbers& edits) const;
  /// A verdict that is known.
  [[nodiscard]] Verdict verdict(std::size_t subject, const Numbers& edits) const;
  [[nodiscard]] Score score(std::size_t subject, const Numbers& edits) const;
  /// Those edits whose files the subject reads, rising.
  [[nodiscard]] Numbers read_by(const FleetMember& member, const Numbers& edits) const;
  /// The subjects that read the files of edits.
  [[nodiscard]] std::set<std::size_t> readers_of(const Numbers& edits) const;
  void check_stop() const;
  /// Whether some verdict, or a result without edits, marks the place of a selected subject as secret.
  [[nodiscard]] bool is_secret() const;

  /// Where files state the place: a JSON Pointer.
  [[nodiscard]] const std::string& pointer() const noexcept { return pointer_; }

  /// The numbers of lines, from 1, that show secrets to some subject, by file. `paths`: the files that are looked at.
  [[nodiscard]] std::map<std::string, std::set<std::size_t>> secret_lines(const std::set<std::string>& paths) const;

 private:
  void find_subjects(const State& shown);
  void look_at(const Outcome& outcome);
  void check_place() const;
  void add_files(Subject& subject, std::map<std::string, std::size_t>& numbers);
  void make_edits(std::size_t number);
  Number add(Candidate candidate);
  void ask_in(const State& state, const std::map<std::size_t, const Numbers*>& taken);
  [[nodiscard]] Verdict compared(const FleetMember& member, const Numbers& edits, Subject& left, Subject& right) const;
  [[nodiscard]] std::string reason(const Outcome& after, const Outcome& before, const Candidate& candidate) const;
  [[nodiscard]] std::string hidden(const Outcome& outcome) const;

  const Question& question_;
  State base_;
  const Goal& goal_;
  const Wish& wish_;
  const ProposalSettings& settings_;
  std::string pointer_;        ///< As `pointer()`.
  bool is_looked_up_ = false;  ///< The item is what a lookup of its name finds.
  std::vector<FleetMember> members_;
  std::vector<File> files_;
  std::vector<edit::Form> forms_;  ///< Of the files.
  std::vector<Candidate> candidates_;
  // Of the selected subjects without edits.
  bool has_item_ = false;        ///< Some result has the item.
  bool is_behind_list_ = false;  ///< The place is the end of a list.
  bool is_secret_ = false;       ///< Of the place.
};

}  // namespace strata::analysis::proposing
