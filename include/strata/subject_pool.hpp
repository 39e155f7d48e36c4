// SPDX-License-Identifier: Apache-2.0
// The subjects of a question in one state, for any number of threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "strata/question.hpp"
#include "strata/stop.hpp"

namespace strata::analysis {

/// Asks a question by the names of its subjects. Each thread that asks borrows an Asked, which is kept for the next
/// one. Thread-safe.
class SubjectPool {
 public:
  struct Settings {
    Question::History history = Question::History::no;
    std::string only = {};      ///< What the subject without a name is called.
    std::size_t at_once = 64;   ///< So many threads ask at once; others wait.
    std::size_t most_kept = 8;  ///< So many are kept while nobody asks.
  };
  /// `question` must outlive the object. State::stop is not used: see `with`.
  SubjectPool(const Question& question, State state, Settings settings);
  /// The same question in the same state, with or without histories: what one of them finds out about its subjects, the
  /// other one knows, too.
  SubjectPool(const SubjectPool& other, Question::History history);
  ~SubjectPool();
  SubjectPool(const SubjectPool&) = delete;
  SubjectPool& operator=(const SubjectPool&) = delete;

  /// The names of the subjects, in the order of the fleet. The first call takes them all; `stop`, which may be null,
  /// ends that. Errors: those that end a run.
  [[nodiscard]] const std::vector<std::string>& names(const Stop* stop = nullptr);

  using Use = std::function<void(Subject& subject)>;
  /// Lends the subject of a name; it must not be kept. False: there is none. `stop` ends the work; may be null. Errors:
  /// those that end a run, also of `use`.
  [[nodiscard]] bool with(std::string_view name, const Stop* stop, const Use& use);

 private:
  struct Asker;
  using Members = std::map<std::string, std::shared_ptr<const Member>, std::less<>>;

  [[nodiscard]] std::unique_ptr<Asker> borrow(const Stop* stop);
  void give_back(std::unique_ptr<Asker> asker);
  /// Takes the subjects, where the one that is wanted is not known otherwise. The lock of the listing is held for long.
  void complete(Asker& asker, std::string_view wanted);
  [[nodiscard]] std::string name_of(const Subject& subject) const;

  const Question& question_;
  State state_;
  Settings settings_;

  /// The subjects that there are.
  struct Listing {
    std::mutex filling;  ///< Of the three below, until `is_full`.
    std::vector<std::string> names = {};
    Members members = {};  ///< Those that hold in every Asked.
    bool has_own = false;  ///< There are subjects that only an Asked itself makes.
    std::atomic<bool> is_full = false;
  };
  std::shared_ptr<Listing> listing_ = std::make_shared<Listing>();

  std::mutex mutex_;  ///< Of all below.
  std::condition_variable returned_;
  std::size_t lent_ = 0;
  std::vector<std::unique_ptr<Asker>> free_;
};

}  // namespace strata::analysis
