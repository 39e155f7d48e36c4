// SPDX-License-Identifier: Apache-2.0
// What becomes of one subject between two states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
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
  std::vector<SharedChange> changes = {};
  Subject::Answer before = {};
  Subject::Answer after = {};
  EditBook::Numbers read = {};  ///< The edits in what it reads.
  bool is_in_before = true;
  std::shared_ptr<const Member> member = {};  ///< If both states have the same.
};

inline constexpr std::size_t kMostLasting = 10;  ///< Failures that a comparison reports although they stay.

/// Compares subjects of two states. Used by one thread.
class Comparer {
 public:
  /// Both must outlive the object.
  Comparer(EditBook& book, const StudySettings& settings) : book_(book), settings_(settings) {}

  /// A subject of both states. `old_reads`: those of `left` where they are known. `member`: where both have it.
  [[nodiscard]] Compared pair(Subject& left, Subject& right, const std::shared_ptr<const Reads>& old_reads,
                              std::shared_ptr<const Member> member);
  /// What can differ between the answers of one subject of both states, whose places are the same.
  struct Foreseen;
  /// The same from what is known of a subject in the first state. No value: the subject itself must tell.
  [[nodiscard]] std::optional<Foreseen> foresee(Asked& before, const Basis& basis,
                                                const std::shared_ptr<const Reads>& reads);
  /// What becomes of a subject that need not be asked, because what subjects like it come to is known. No value: it
  /// must.
  [[nodiscard]] std::optional<Compared> known(const Foreseen& foreseen, const std::shared_ptr<const Member>& member);
  /// The same for one that must.
  [[nodiscard]] Compared pair(Subject& left, Subject& right, const Foreseen& foreseen,
                              std::shared_ptr<const Member> member);
  /// From now on, subjects with several edits are asked, so that causes can be tried with their answers.
  void keep_answers() noexcept { keeps_answers_ = true; }
  /// A subject that only one state has.
  [[nodiscard]] Compared alone(Subject& subject, ChangeKind kind);
  /// Whether a subject of the first state that is known to read so is the same in the second.
  [[nodiscard]] bool is_same(const std::shared_ptr<const Reads>& reads);

  /// How many subjects were asked.
  [[nodiscard]] std::size_t asked() const noexcept { return asked_; }
  /// With StudySettings::keeps_reads: what the subjects of the first state read.
  [[nodiscard]] const Reads& reads() const noexcept { return reads_; }
  /// Failures that evaluated targets have in both states, by their text. They do not count as changes. Those with the
  /// first texts are kept, so that the result does not depend on the number of threads.
  [[nodiscard]] const std::map<std::string, Diagnostic>& lasting_failures() const noexcept { return lasting_; }

 private:
  /// What differs for those who read so.
  struct Differing {
    bool is_same = true;
    bool are_kinds_same = true;  ///< Files and folders come and go, except for those with edits.
    std::vector<std::string> files;
    EditBook::Numbers read = {};
  };
  /// What happens to one item.
  struct ItemChanges {
    enum class Standing : std::uint8_t { value, failure, none };
    Standing before = Standing::none;
    Standing after = Standing::none;
    std::vector<SharedChange> changes = {};
  };
  /// Asks both for `items`, and compares the answers. `is_known`: what they read, and that something can differ.
  void ask(Subject& left, Subject& right, const Wanted& items, bool is_known, Compared& out);
  /// Adds the failures of an outcome that `changes` do not have.
  void add_lasting(const Outcome& outcome, const std::vector<Change>& changes);
  /// Takes away what only others have read. After `ask`.
  void leave_out_others(Subject& left, Subject& right, Compared& out);
  [[nodiscard]] bool may_share(const Differing& differing) const {
    return differing.read.size() < 2 || !keeps_answers_;
  }
  /// Sets the changes, if subjects like it were asked.
  [[nodiscard]] bool take_known(std::uint64_t alike, Compared& out) const;
  void keep(std::uint64_t alike, const std::vector<SharedChange>& changes);
  /// Sets the changes of a subject of which parts are known. Asks for those items that subjects like it were not asked
  /// for. False: it fails as a whole.
  bool take_parts(Subject& left, Subject& right, const Touched& touched, Compared& out);
  /// Sets the changes, if all items are known.
  [[nodiscard]] bool take_known_parts(const Touched& touched, Compared& out) const;
  /// What happens to each of some items.
  [[nodiscard]] std::vector<ItemChanges> changes_of(const std::vector<std::string>& items, const Outcome& before,
                                                    const Outcome& after);
  [[nodiscard]] const ItemChanges* known_part(std::uint64_t alike) const;
  /// Makes room for more of them.
  void trim_parts();
  struct Ranked;
  static void put_in_order(std::vector<Ranked>& parts, Compared& out);
  const Differing& differing_in(const std::shared_ptr<const Reads>& left, const std::shared_ptr<const Reads>& right);
  [[nodiscard]] Differing find_differing(const Reads& left, const Reads& right);
  void add_reads(const Reads& reads);

  EditBook& book_;
  const StudySettings& settings_;
  std::size_t asked_ = 0;
  Reads reads_;
  std::map<std::string, Diagnostic> lasting_;
  std::set<std::string> data_;  ///< Files that subjects of which this is known afterwards have read for their data.
  std::map<std::pair<std::shared_ptr<const Reads>, std::shared_ptr<const Reads>>, const Differing*> differing_;
  std::map<std::pair<std::vector<bool>, std::vector<bool>>, Differing> by_asked_;  ///< As EditBook::asked_of.
  std::deque<Differing> others_;                                                   ///< Of those in `differing_`.
  bool keeps_answers_ = false;
  /// By Touched::alike.
  std::unordered_map<std::uint64_t, std::vector<SharedChange>> changes_;
  std::size_t changes_kept_ = 0;
  /// By Touched::Part::alike. The values are the arena's.
  std::unordered_map<std::uint64_t, ItemChanges> parts_;
  std::shared_ptr<Arena> values_ = std::make_shared<Arena>();
};

struct Comparer::Foreseen {
  const Differing* differing;  ///< Until the Comparer is asked about another subject.
  Touched touched;
};

}  // namespace strata::analysis
