// SPDX-License-Identifier: Apache-2.0
#include "service/sites/fleet_question.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace strata::service::sites {
namespace {

/// A stored node. Fingerprints are numbers that only the nodes of one query share, so this one never reports any.
class StoredSubject final : public analysis::Subject {
 public:
  explicit StoredSubject(std::unique_ptr<analysis::Subject> under) : under_(std::move(under)) {}

  [[nodiscard]] const std::string& name() const noexcept override { return under_->name(); }
  [[nodiscard]] std::shared_ptr<const analysis::Member> member() override { return under_->member(); }
  [[nodiscard]] std::shared_ptr<const analysis::Reads> reads() override { return under_->reads(); }
  [[nodiscard]] analysis::Touched touched(analysis::Subject& other) override {
    auto* const stored = dynamic_cast<StoredSubject*>(&other);
    return stored == nullptr ? analysis::Touched() : analysis::Touched{.items = under_->touched(*stored->under_).items};
  }
  [[nodiscard]] std::vector<Diagnostic> warnings() const override { return under_->warnings(); }
  [[nodiscard]] std::optional<std::string> fact(std::string_view name) override { return under_->fact(name); }
  [[nodiscard]] std::shared_ptr<analysis::SubjectFiles> files() override { return under_->files(); }
  [[nodiscard]] Answer ask(const analysis::Wanted& wanted) override { return under_->ask(wanted); }
  [[nodiscard]] Answer look_up(const analysis::KeyQuery& query) override { return under_->look_up(query); }

 private:
  std::unique_ptr<analysis::Subject> under_;
};

std::unique_ptr<analysis::Subject> as_stored(std::unique_ptr<analysis::Subject> subject) {
  return subject == nullptr ? nullptr : std::make_unique<StoredSubject>(std::move(subject));
}

/// Both questions in one state.
class AskedFleet final : public analysis::Asked {
 public:
  AskedFleet(std::unique_ptr<analysis::Asked> own, std::unique_ptr<analysis::Asked> stored,
             const std::set<std::string, std::less<>>& names)
      : own_(std::move(own)), stored_(std::move(stored)), names_(names) {}

  [[nodiscard]] std::unique_ptr<analysis::Subject> next() override {
    if (!is_own_done_) {
      if (auto subject = own_->next()) {
        if (names_.contains(subject->name())) replaced_.insert(subject->name());
        return subject;
      }
      is_own_done_ = true;
    }
    for (;;) {
      auto subject = stored_->next();
      if (subject == nullptr || !replaced_.contains(subject->name())) return as_stored(std::move(subject));
    }
  }
  void restart() override {
    own_->restart();
    stored_->restart();
    is_own_done_ = false;
    replaced_.clear();
  }
  [[nodiscard]] std::unique_ptr<analysis::Subject> subject(
      const std::shared_ptr<const analysis::Member>& member) override {
    return names_.contains(member->name()) ? as_stored(stored_->subject(member)) : own_->subject(member);
  }
  /// Only nodes of the files have a Basis.
  [[nodiscard]] std::optional<analysis::Touched> touched(const analysis::Basis& basis,
                                                         const std::vector<std::string>& files) override {
    return own_->touched(basis, files);
  }
  [[nodiscard]] std::vector<Diagnostic> warnings() const override {
    std::vector<Diagnostic> out = own_->warnings();
    std::ranges::copy(stored_->warnings(), std::back_inserter(out));
    return out;
  }
  void tell(const std::vector<Diagnostic>& warnings) override { own_->tell(warnings); }

 private:
  std::unique_ptr<analysis::Asked> own_;
  std::unique_ptr<analysis::Asked> stored_;
  const std::set<std::string, std::less<>>& names_;
  bool is_own_done_ = false;
  std::set<std::string, std::less<>> replaced_;  ///< By nodes of the files.
};

}  // namespace

std::unique_ptr<analysis::Asked> FleetQuestion::in(const analysis::State& state, History history,
                                                   Telling telling) const {
  return std::make_unique<AskedFleet>(own_.in(state, history, telling), stored_->in(state, history, telling), names_);
}

}  // namespace strata::service::sites
