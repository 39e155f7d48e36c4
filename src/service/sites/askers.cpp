#include "service/sites/askers.hpp"

#include <algorithm>
#include <map>

namespace strata::service::sites {
namespace {

std::string name_of(const analysis::Subject& subject) { return subject.name().empty() ? std::string(kOnly) : subject.name(); }

}  // namespace

/// The question in the state, by one thread at a time.
struct Askers::Asker {
  std::unique_ptr<analysis::Asked> asked;
  bool is_complete = false;  ///< All subjects are known.
  std::map<std::string, std::shared_ptr<const analysis::Member>, std::less<>> members = {};
  std::map<std::string, std::unique_ptr<analysis::Subject>, std::less<>> subjects = {};  ///< Those that the files alone make.
  std::vector<std::string> names = {};

  /// Takes all subjects, once.
  void complete() {
    if (is_complete) return;
    asked->restart();
    members.clear();
    subjects.clear();
    names.clear();
    while (auto subject = asked->next()) {
      std::string name = name_of(*subject);
      names.push_back(name);
      if (auto member = subject->member()) {
        members.emplace(std::move(name), std::move(member));
      } else {
        subjects.emplace(std::move(name), std::move(subject));
      }
    }
    is_complete = true;
  }
};

Askers::Askers(const analysis::Question& question, analysis::State state) : question_(question), state_(std::move(state)) {}
Askers::~Askers() = default;

std::unique_ptr<Askers::Asker> Askers::borrow(analysis::Question::History history) const {
  auto& pool = history == analysis::Question::History::yes ? recording_ : plain_;
  {
    const std::scoped_lock lock(mutex_);
    if (!pool.empty()) {
      std::unique_ptr<Asker> out = std::move(pool.back());
      pool.pop_back();
      return out;
    }
  }
  auto out = std::make_unique<Asker>();
  out->asked = question_.in(state_, history);
  out->complete();
  return out;
}

void Askers::give_back(std::unique_ptr<Asker> asker, analysis::Question::History history) const {
  auto& pool = history == analysis::Question::History::yes ? recording_ : plain_;
  const std::scoped_lock lock(mutex_);
  pool.push_back(std::move(asker));
}

const std::vector<std::string>& Askers::names() const {
  {
    const std::scoped_lock lock(mutex_);
    if (names_) return *names_;
  }
  std::unique_ptr<Asker> asker = borrow(analysis::Question::History::no);
  std::vector<std::string> names = asker->names;
  give_back(std::move(asker), analysis::Question::History::no);
  const std::scoped_lock lock(mutex_);
  if (!names_) names_ = std::move(names);
  return *names_;
}

bool Askers::has(std::string_view name) const { return std::ranges::find(names(), name) != names().end(); }

bool Askers::with(std::string_view name, analysis::Question::History history, const Use& use) const {
  std::unique_ptr<Asker> asker = borrow(history);
  // An Asker whose work has failed is not used again: what it keeps may be half done.
  if (const auto member = asker->members.find(name); member != asker->members.end()) {
    const auto subject = asker->asked->subject(member->second);
    if (subject == nullptr) return false;
    use(*subject);
  } else if (const auto own = asker->subjects.find(name); own != asker->subjects.end()) {
    use(*own->second);
  } else {
    give_back(std::move(asker), history);
    return false;
  }
  give_back(std::move(asker), history);
  return true;
}

void Askers::each(analysis::Question::History history, const std::function<bool(const std::string& name, analysis::Subject& subject)>& use) const {
  // Of its own: what a node leaves behind need not stay for the next request.
  const auto asked = question_.in(state_, history);
  while (const auto subject = asked->next()) {
    if (!use(name_of(*subject), *subject)) return;
  }
}

}  // namespace strata::service::sites
