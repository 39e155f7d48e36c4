// SPDX-License-Identifier: Apache-2.0
// What edits of files change, subject by subject.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "strata/question.hpp"

namespace strata::analysis {

/// A subject that reads edited files.
struct Tried {
  std::size_t number;                    ///< Of the subject, from 1.
  const std::vector<std::string>& read;  ///< Those of the edited files that it reads.
  const Outcome& before;
  const Outcome& after;
  bool fails_otherwise = false;        ///< It fails on one side, or on both for other reasons.
  std::set<std::string> changed = {};  ///< The items that differ; of subjects that do not fail.

  [[nodiscard]] bool is_same() const noexcept { return !fails_otherwise && changed.empty(); }
};
/// Takes them one after the other; false: no more are wanted.
using TakeTried = std::function<bool(const Tried& tried)>;

/// One subject of many.
struct First {
  std::size_t number = 0;  ///< From 1.
  std::shared_ptr<const Member> member = {};
};

/// Which files subjects read, of those that only tell when they have been asked. For subjects of one question in one
/// state.
class KnownReads {
 public:
  /// The files of a subject, where they are; null: not known. `number`: of the subject, from 1.
  [[nodiscard]] const std::vector<std::string>* of(std::size_t number) const;
  void note(std::size_t number, std::vector<std::string> files);

 private:
  std::set<std::vector<std::string>> sets_;
  std::vector<const std::vector<std::string>*> by_number_;
};

/// Whom to ask.
struct Asking {
  /// Whether a subject is wanted, although one with the same changes has been taken. Empty: it is not.
  std::function<bool(std::size_t number)> is_needed = {};
  /// Whether what a subject says that reads these edited files still matters. Empty: it does.
  std::function<bool(const std::vector<std::string>& read, std::size_t number)> matters = {};
  /// Whether no subject from this one on matters. Empty: some may.
  std::function<bool(std::size_t number)> is_over = {};
  std::span<const First> firsts = {};  ///< No others need be asked. Empty: all.
  KnownReads* reads = nullptr;         ///< May be null.
};

/// Asks the subjects that read some of the edited files, which are absolute paths, in both states; of those that are
/// known to change alike the first one, and those that are needed. Errors: those that end the run.
void try_edits(const Question& question, const State& before, const State& after, const std::set<std::string>& edited,
               const TakeTried& take, const Asking& asking = {});

}  // namespace strata::analysis
