// SPDX-License-Identifier: Apache-2.0
// Because of which edits something changes: found by undoing and doing them.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "edit_book.hpp"
#include "strata/analysis.hpp"
#include "strata/question.hpp"

namespace strata::analysis {

class CauseFinder {
 public:
  /// `most`: with more edits, those of a file count as one; with more files, nothing is found out.
  CauseFinder(const Question& question, EditBook& book, const Comparison& how, std::size_t most)
      : question_(question), book_(book), how_(how), most_(most) {}

  /// A subject in the trials.
  struct Who {
    const std::string& name;
    std::shared_ptr<const Member> member;  ///< Null: searched by its name, best in the order of the fleet.
  };
  /// Sets the causes of a subject's changes. `before`: its outcome; null if it appeared. `read`: the edits in what it
  /// reads.
  void find(const Who& subject, const Outcome* before, const EditBook::Numbers& read,
            std::vector<SharedChange>& changes);

 private:
  /// A state with some edits done or undone, and how far its subjects have been read.
  struct Trial {
    std::unique_ptr<Asked> asked;
    bool has_failed = false;
  };
  using Unit = EditBook::Numbers;
  enum class Direction : bool { undone, done };

  [[nodiscard]] std::vector<Unit> units(const EditBook::Numbers& read) const;
  /// Which of the changes are those between `before` and the trial's outcome.
  [[nodiscard]] std::vector<bool> shown(const Who& subject, const Outcome* before, const Unit& unit,
                                        Direction direction, const std::vector<SharedChange>& changes);
  [[nodiscard]] std::vector<Change> changes_in(Asked& asked, const Who& subject, const Outcome* before,
                                               Subject::Answer& answer);
  [[nodiscard]] static std::unique_ptr<Subject> subject_of(Asked& asked, const Who& who);

  const Question& question_;
  EditBook& book_;
  const Comparison& how_;
  std::size_t most_;
  std::map<std::pair<Unit, Direction>, Trial> trials_;
  std::shared_ptr<const Causes> last_;  ///< Of all changes of a subject: the next one often has the same.
};

}  // namespace strata::analysis
