// SPDX-License-Identifier: Apache-2.0
// What becomes of the statements of files in the results of all subjects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analysis/statements.hpp"
#include "analysis/trial.hpp"
#include "strata/merge.hpp"
#include "strata/question.hpp"

namespace strata::analysis {

/// What subjects that read the same files have in common.
struct ReadingClass {
  std::vector<std::uint32_t> files = {};  ///< The strongest first.
  /// How root keys with containers are merged, where the dialect merges each key in its own way.
  std::map<std::string, Merging, std::less<>> keys = {};
};

/// One pass over all subjects, with histories.
class Ledger {
 public:
  Ledger(State state, const query::Traits& traits, std::string folder, Limits limits);

  /// Returns what the subject has in common with others, and whether it is the first one of them. `number`: of the
  /// subject, from 1.
  /// `alike`: Subject::alike.
  std::pair<const ReadingClass&, bool> add(Subject& subject, const Subject::Answer& answer, std::size_t number,
                                           std::optional<std::uint64_t> alike);
  /// Adds a subject without asking it, if its answer is known to be one that was added before. Null: it is not.
  const ReadingClass* add_again(std::optional<std::uint64_t> alike);
  /// A subject that is asked, because no answer is known to be its own. `number`: as in `add`.
  void add_first(std::size_t number, std::optional<std::uint64_t> alike);
  /// A subject without a result: it reads files, too. It is unknown which of them it uses. `lists`: with those
  /// that it would read if nothing were broken, so that they can be shown.
  void add_failed(Subject& subject, const Subject::Answer& answer, bool lists);
  /// After the last subject.
  void finish();
  /// Takes the first ones of so many subjects once more, for `firsts`.
  void find_firsts(const Question& question, std::size_t subjects);

  [[nodiscard]] const Statements& stated() const noexcept { return stated_; }
  /// In the order of their first subjects.
  [[nodiscard]] const std::deque<ReadingClass>& classes() const noexcept { return classes_; }
  /// The files below the folders of subjects, with the extensions of data files, that no subject has read: absolute
  /// paths, by bytes.
  [[nodiscard]] std::vector<std::string> unread() const;
  /// Some subjects, in order, of which one gives the same answers as any other subject, also where statements are
  /// missing. Empty: not known, or nearly all are such.
  [[nodiscard]] const std::vector<First>& firsts() const noexcept { return firsts_; }
  /// Whether something fails that it may be for: its effect is unknown then.
  [[nodiscard]] bool is_doubtful(const Statement& statement) const;
  /// Whether a file, by its name as it is shown, is stronger than another one for those that read both. If that is
  /// unknown, it is.
  [[nodiscard]] bool is_stronger(std::string_view name, std::uint32_t file) const;
  /// The place of a value that a result has instead of one in a statement of another document. Null: there is none.
  [[nodiscard]] const Excerpt* rival(std::uint32_t statement) const;

 private:
  /// An answer that several subjects give.
  struct Repeated {
    ReadingClass* read = nullptr;  ///< Null: one subject has given it so far.
    std::size_t begin = 0;         ///< In `fates_`.
    std::size_t end = 0;
    std::uint32_t more = 0;  ///< Subjects that are not counted yet.
  };
  void forget_repeated();
  /// How many files a class has, and these, with what leads to some.
  using ClassName = std::pair<std::size_t, std::vector<std::uint32_t>>;
  [[nodiscard]] static ClassName name_of(const ReadingClass& made, SubjectFiles& of_subject);
  /// Its class, and whether that is new.
  std::pair<ReadingClass*, bool> class_of(Subject& subject, const Subject::Answer& answer);
  void begin(ReadingClass& made, SubjectFiles& of_subject);
  [[nodiscard]] bool is_data(std::string_view name) const;
  void add_history(const Subject::Answer& answer, std::size_t number);
  void note_failed(const Subject::Answer& answer, const ReadingClass& read);
  void count(const Sources& sources, const Item& item, const merge::PathHistory& path, std::size_t number);
  void count_below(const Sources& sources, const Value& container, merge::Fate fate, bool is_secret,
                   std::size_t number);
  void tally(LeafRecord& leaf, merge::Fate of_leaf, std::size_t number);
  void tally(LeafRecord& leaf, std::size_t what, std::size_t number);
  [[nodiscard]] bool may_need(const Statement& statement, const Item& item, const Value& value) const;
  void note_rival(std::uint32_t statement, const Sources& sources, const merge::PathHistory& path);
  void show(std::uint32_t statement);
  void add_parts(SubjectFiles& of_subject, ReadingClass& known);
  void need(std::uint32_t statement);

  Statements stated_;
  std::set<std::string> folders_;
  std::set<std::string> read_by_failed_;                                                ///< Also what does not exist.
  std::map<std::shared_ptr<const Reads>, std::vector<std::uint32_t>> files_of_failed_;  ///< By what they read.
  std::deque<ReadingClass> classes_;
  std::map<std::shared_ptr<const Reads>, ReadingClass*> by_reads_;
  std::map<ClassName, ReadingClass*> by_files_;
  std::unordered_map<std::uint64_t, Repeated> repeated_;  ///< By Subject::alike.
  std::vector<std::uintptr_t> fates_;  ///< What happened to which leaves: addresses with fates in their last bits.
  bool keeps_fates_ = false;           ///< Of the subject that is being added.
  std::map<std::uint32_t, Excerpt> rivals_;        ///< By statement.
  std::vector<First> firsts_;                      ///< First without their members.
  std::unordered_set<std::uint64_t> have_firsts_;  ///< As Subject::alike.
  bool keeps_firsts_ = true;
};

}  // namespace strata::analysis
