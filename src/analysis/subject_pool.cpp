// SPDX-License-Identifier: Apache-2.0
#include "strata/subject_pool.hpp"

#include <thread>
#include <utility>

namespace strata::analysis {
namespace {

/// A state that is compared with no other keeps more with each query, so it is replaced after so many.
constexpr std::size_t kMostUses = 4096;

}  // namespace

/// The question, by one thread at a time.
struct SubjectPool::Asker {
  /// Of the present work. Sessions keep its address; each work starts it again.
  std::optional<Stop> stop;
  std::unique_ptr<Asked> asked;
  /// Those that the files alone make, not yet used: their sessions are for one thread and one answer.
  std::map<std::string, std::unique_ptr<Subject>, std::less<>> subjects = {};
  std::thread::id taker = {};  ///< Of the subjects.
  std::size_t uses = 0;
};

SubjectPool::SubjectPool(const Question& question, State state, Settings settings)
    : question_(question), state_(std::move(state)), settings_(std::move(settings)) {}

SubjectPool::SubjectPool(const SubjectPool& other, Question::History history)
    : question_(other.question_), state_(other.state_), settings_(other.settings_), listing_(other.listing_) {
  settings_.history = history;
}

SubjectPool::~SubjectPool() = default;

std::string SubjectPool::name_of(const Subject& subject) const {
  return subject.name().empty() ? settings_.only : subject.name();
}

std::unique_ptr<SubjectPool::Asker> SubjectPool::borrow(const Stop* stop) {
  std::unique_ptr<Asker> out;
  {
    std::unique_lock lock(mutex_);
    while (lent_ >= settings_.at_once) {
      returned_.wait_for(lock, Stop::kSlice);
      check_stop(stop);
    }
    if (!free_.empty()) {
      out = std::move(free_.back());
      free_.pop_back();
    }
    ++lent_;
  }
  try {
    const bool is_new = out == nullptr;
    if (is_new) out = std::make_unique<Asker>();
    out->stop.emplace(stop);
    if (!is_new) return out;
    State state = state_;
    state.stop = &*out->stop;
    out->asked = question_.in(state, settings_.history);
    return out;
  } catch (...) {
    give_back(nullptr);
    throw;
  }
}

void SubjectPool::give_back(std::unique_ptr<Asker> asker) {
  {
    const std::scoped_lock lock(mutex_);
    --lent_;
    if (asker && ++asker->uses < kMostUses && free_.size() < settings_.most_kept) {
      asker->stop.emplace();
      free_.push_back(std::move(asker));
    }
  }
  returned_.notify_one();
}

void SubjectPool::complete(Asker& asker, std::string_view wanted) {
  if (asker.taker == std::this_thread::get_id() && asker.subjects.contains(wanted)) return;
  if (listing_->is_full && !listing_->has_own) return;
  const std::scoped_lock filling(listing_->filling);
  const bool is_first = !listing_->is_full;
  if (!is_first && !listing_->has_own) return;
  std::vector<std::string> names;
  Members members;
  asker.asked->restart();
  asker.subjects.clear();
  while (auto subject = asker.asked->next()) {
    std::string name = name_of(*subject);
    if (is_first) names.push_back(name);
    if (auto member = subject->member()) {
      if (is_first) members.emplace(std::move(name), std::move(member));
    } else {
      asker.subjects.emplace(std::move(name), std::move(subject));
    }
  }
  asker.taker = std::this_thread::get_id();
  if (!is_first) return;
  listing_->names = std::move(names);
  listing_->members = std::move(members);
  listing_->has_own = !asker.subjects.empty();
  listing_->is_full = true;
}

const std::vector<std::string>& SubjectPool::names(const Stop* stop) {
  if (!listing_->is_full) (void)with({}, stop, [](Subject& /*subject*/) {});
  return listing_->names;
}

bool SubjectPool::with(std::string_view name, const Stop* stop, const Use& use) {
  std::unique_ptr<Asker> asker = borrow(stop);
  bool is_known = true;
  try {
    complete(*asker, name);
    if (const auto member = listing_->members.find(name); member != listing_->members.end()) {
      const auto subject = asker->asked->subject(member->second);
      is_known = subject != nullptr;
      if (is_known) use(*subject);
    } else if (const auto own = asker->subjects.find(name); own != asker->subjects.end()) {
      const auto subject = std::move(own->second);
      asker->subjects.erase(own);
      use(*subject);
    } else {
      is_known = false;
    }
  } catch (...) {
    // What it keeps may be half done.
    give_back(nullptr);
    throw;
  }
  give_back(std::move(asker));
  return is_known;
}

}  // namespace strata::analysis
