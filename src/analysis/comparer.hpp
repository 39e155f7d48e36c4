// What becomes of one subject between two states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "edit_book.hpp"
#include "strata/question.hpp"
#include "strata/study.hpp"

namespace strata::analysis {

/// What one subject comes to.
struct Compared {
  std::string name;
  std::vector<Change> changes = {};
  Subject::Answer before = {};
  Subject::Answer after = {};
  EditBook::Numbers read = {};  ///< The edits in what it reads.
  bool is_in_before = true;
  std::shared_ptr<const Member> member = {};  ///< If both states have the same.
  std::shared_ptr<const void> memory = {};    ///< Owns the values of the changes, if not the answers do.
};

/// Compares subjects of two states. Used by one thread.
class Comparer {
 public:
  /// Both must outlive the object.
  Comparer(EditBook& book, const StudySettings& settings) : book_(book), settings_(settings) {}

  /// A subject of both states. `old_reads`: those of `left` where they are known. `member`: where both have it.
  [[nodiscard]] Compared pair(Subject& left, Subject& right, const std::shared_ptr<const Reads>& old_reads, std::shared_ptr<const Member> member);
  /// The same for a subject of `before` that need not be asked, because what subjects like it come to is known. No value: it must.
  [[nodiscard]] std::optional<Compared> known(Asked& before, const Basis& basis, const std::shared_ptr<const Reads>& reads,
                                              const std::shared_ptr<const Member>& member);
  /// From now on, subjects with several edits are asked, so that there are answers to try causes with.
  void keep_answers() noexcept { keeps_answers_ = true; }
  /// A subject that only one state has.
  [[nodiscard]] Compared alone(Subject& subject, ChangeKind kind);
  /// Whether a subject of the first state that is known to read so is the same in the second.
  [[nodiscard]] bool is_same(const std::shared_ptr<const Reads>& reads);

  /// How many subjects were asked.
  [[nodiscard]] std::size_t asked() const noexcept { return asked_; }
  /// With StudySettings::keeps_reads: what the subjects of the first state read.
  [[nodiscard]] const Reads& reads() const noexcept { return reads_; }

 private:
  /// What differs for those who read so.
  struct Differing {
    bool is_same = true;
    bool are_kinds_same = true;  ///< Files and folders come and go, except for those with edits.
    std::vector<std::string> files;
    EditBook::Numbers read = {};
  };
  [[nodiscard]] bool may_share(const Differing& differing) const { return differing.read.size() < 2 || !keeps_answers_; }
  /// Sets the changes, if subjects like it were asked.
  [[nodiscard]] bool take_known(std::uint64_t alike, Compared& out) const;
  void keep(std::uint64_t alike, const std::vector<Change>& changes);
  const Differing& differing_in(const std::shared_ptr<const Reads>& left, const std::shared_ptr<const Reads>& right);
  void add_reads(const Reads& reads);

  EditBook& book_;
  const StudySettings& settings_;
  std::size_t asked_ = 0;
  Reads reads_;
  std::map<std::pair<std::shared_ptr<const Reads>, std::shared_ptr<const Reads>>, Differing> differing_;
  bool keeps_answers_ = false;
  /// By Touched::alike. The values are the arena's.
  std::unordered_map<std::uint64_t, std::vector<Change>> changes_;
  std::size_t changes_kept_ = 0;
  std::shared_ptr<Arena> values_ = std::make_shared<Arena>();
};

}  // namespace strata::analysis
