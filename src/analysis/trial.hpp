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

/// Whether a subject is wanted, although one with the same changes has been taken.
using IsNeeded = std::function<bool(std::size_t number)>;

/// One subject of many.
struct First {
  std::size_t number = 0;  ///< From 1.
  std::shared_ptr<const Member> member = {};
};

/// Asks the subjects that read some of the edited files, which are absolute paths, in both states; of those that are known to change alike the first
/// one, and those that are needed. `firsts`: no others need be asked; empty: all. Errors: those that end the run.
void try_edits(const Question& question, const State& before, const State& after, const std::set<std::string>& edited, const TakeTried& take,
               const IsNeeded& is_needed = {}, std::span<const First> firsts = {});

}  // namespace strata::analysis
