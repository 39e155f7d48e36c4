// SPDX-License-Identifier: Apache-2.0
#include "verb_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "lookup_fleet.hpp"
#include "strata/error.hpp"

namespace strata::cli {
namespace {

/// Which names there were, without the names.
class SeenNames {
 public:
  /// Whether it is new.
  bool add(std::string_view name) {
    if (8 * (count_ + 1) > 7 * slots_.size()) grow();
    return put(content_id(name));
  }

 private:
  bool put(const ContentId& name) {
    std::size_t at = name.low & (slots_.size() - 1);
    for (; slots_[at] != ContentId(); at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at] == name) return false;
    }
    slots_[at] = name;
    ++count_;
    return true;
  }
  void grow() {
    constexpr std::size_t kLeast = 64;
    std::vector<ContentId> old(std::max(kLeast, 2 * slots_.size()));
    old.swap(slots_);
    count_ = 0;
    for (const ContentId& name : old) {
      if (name != ContentId()) (void)put(name);
    }
  }

  std::vector<ContentId> slots_;  ///< As many as a power of two, an eighth of which is free at least. Zeros: free.
  std::size_t count_ = 0;
};

/// The nodes of a verb, each with a Session of its own, which is dropped with the subject.
class Nodes final : public analysis::Asked {
 public:
  Nodes(std::shared_ptr<Running> running, analysis::Question::History history, analysis::Question::Telling telling,
        Tell tell)
      : running_(std::move(running)),
        keeps_history_(history == analysis::Question::History::yes),
        tells_reads_(telling != analysis::Question::Telling::nothing),
        told_(std::move(tell)) {}

  std::unique_ptr<analysis::Subject> next() override {
    const Working working(*running_);
    Session& session = *running_->session;
    prepare();
    session.stop().check();
    auto out = std::make_unique<Node>(*this, session);
    std::optional<FleetSubject> taken = subjects_->take(out->own());
    told_.add(session.diagnostics().warnings());
    if (!taken) return nullptr;
    if (!names_.add(taken->name)) throw duplicate_node(taken->name, taken->where);
    std::shared_ptr<const NodeMember> member;
    if (subjects_->again) {
      member = std::make_shared<NodeMember>(
          FleetSubject{.name = taken->name, .failure = taken->failure, .facts = taken->facts}, out->own().memory());
    }
    out->set(std::move(*taken), std::move(member));
    return out;
  }
  std::unique_ptr<analysis::Subject> subject(const std::shared_ptr<const analysis::Member>& member) override {
    auto node = std::dynamic_pointer_cast<const NodeMember>(member);
    if (!node) return nullptr;
    const Working working(*running_);
    Session& session = *running_->session;
    prepare();
    session.stop().check();
    auto out = std::make_unique<Node>(*this, session);
    FleetSubject taken = subjects_->again(node->given(), out->own());
    out->own().keep(node);
    out->set(std::move(taken), std::move(node));
    return out;
  }
  [[nodiscard]] std::vector<Diagnostic> warnings() const override {
    return running_->session->diagnostics().warnings();
  }
  void tell(const std::vector<Diagnostic>& warnings) override { told_.add(warnings); }
  [[nodiscard]] std::optional<analysis::Touched> touched(const analysis::Basis& basis,
                                                         const std::vector<std::string>& files) override {
    return subjects_ && subjects_->touched ? subjects_->touched(basis, files) : std::nullopt;
  }
  void restart() override {
    subjects_.reset();
    names_ = {};
  }

 private:
  /// A node of a list.
  class NodeMember final : public analysis::Member {
   public:
    /// `memory`: what owns the facts.
    NodeMember(FleetSubject given, std::shared_ptr<const void> memory)
        : given_(std::move(given)), memory_(std::move(memory)) {}
    [[nodiscard]] const std::string& name() const noexcept override { return given_.name; }
    [[nodiscard]] const FleetSubject& given() const noexcept { return given_; }

   private:
    FleetSubject given_;
    std::shared_ptr<const void> memory_;
  };

  void prepare() {
    if (!subjects_) subjects_ = running_->verb->subjects(*running_->session);
  }

  class Node final : public analysis::Subject {
   public:
    Node(Nodes& all, const Session& session) : all_(all), own_(session, all.keeps_history_) {}
    [[nodiscard]] Session& own() noexcept { return own_; }
    /// `member`: null where the files say which nodes there are.
    void set(FleetSubject taken, std::shared_ptr<const NodeMember> member) {
      taken_ = std::move(taken);
      member_ = std::move(member);
      pause_.emplace(own_.stop());
    }

    [[nodiscard]] const std::string& name() const noexcept override { return taken_.name; }
    [[nodiscard]] std::shared_ptr<const analysis::Member> member() override { return member_; }
    [[nodiscard]] std::shared_ptr<const analysis::Reads> reads() override {
      if (taken_.failure) return std::make_shared<const analysis::Reads>();  // Its facts say it already.
      if (!taken_.reads) return nullptr;
      const Working working(*all_.running_);
      return taken_.reads();
    }
    [[nodiscard]] analysis::Touched touched(analysis::Subject& other) override {
      const auto* node = dynamic_cast<Node*>(&other);
      if (!taken_.touched || node == nullptr) return {};
      const Working working(*all_.running_);
      return taken_.touched(node->taken_);
    }
    [[nodiscard]] std::vector<Diagnostic> warnings() const override { return own_.diagnostics().warnings(); }
    [[nodiscard]] std::shared_ptr<const analysis::Basis> basis() override {
      if (!taken_.basis || taken_.failure) return nullptr;
      const Working working(*all_.running_);
      return taken_.basis();
    }
    [[nodiscard]] std::optional<std::uint64_t> alike() override {
      if (!taken_.alike || taken_.failure) return std::nullopt;
      const Working working(*all_.running_);
      return taken_.alike();
    }
    [[nodiscard]] std::optional<std::string> fact(std::string_view name) override {
      return taken_.fact ? taken_.fact(name) : std::nullopt;
    }
    [[nodiscard]] std::shared_ptr<analysis::SubjectFiles> files() override {
      if (!taken_.files || taken_.failure) return Subject::files();
      return std::make_shared<PausedFiles>(all_.running_, taken_.files);
    }
    Answer ask(const analysis::Wanted& wanted) override {
      Answer out = answer([&](analysis::Outcome& outcome) { taken_.ask(wanted, outcome); });
      analysis::Outcome& outcome = out.outcome;
      if (!outcome.failure && !outcome.whole && outcome.items.size() == 1 && outcome.items.front().name.empty()) {
        const analysis::Item& only = outcome.items.front();
        outcome.whole = whole_of({.result = {only.value, only.slot}, .yaml_head = {}, .printed = {}, .keepalive = {}},
                                 all_.running_->verb->options());
      }
      // What the nodes before it read may be kept for it.
      if (all_.tells_reads_ && taken_.reads && !taken_.failure) {
        const Working working(*all_.running_);
        out.reads = taken_.reads();
      }
      if (!out.reads) out.reads = all_.reads_so_far();
      return out;
    }
    Answer look_up(const analysis::KeyQuery& query) override {
      if (!taken_.look_up && !taken_.failure) throw analysis::no_keys();
      return answer([&](analysis::Outcome& outcome) {
        const auto made = std::make_shared<Outcome>(taken_.look_up(query));
        outcome.memory = made;
        outcome.whole = whole_of(*made, all_.running_->verb->options());
      });
    }

   private:
    /// What `ask` makes an outcome of.
    template <class Ask>
    Answer answer(const Ask& ask) {
      const Working working(*all_.running_);
      pause_.reset();
      Answer out{
          .outcome = {.failure = taken_.failure, .sources = &own_.sources(), .history = own_.recorder().history()},
          .reads = {}};
      try {
        if (!out.outcome.failure) ask(out.outcome);
        if (!out.outcome.failure)
          out.outcome.failure = strict_failure(own_.diagnostics(), all_.running_->verb->options());
      } catch (const Error& error) {
        if (!analysis::is_failure(error) && !own_.is_spent_alone(*all_.running_->session)) throw;
        set_failure(out.outcome, error);
      }
      all_.told_.add(own_.diagnostics().warnings());
      out.warnings = own_.diagnostics().warnings();
      if (out.outcome.failure) {
        out.outcome.items.clear();
        out.outcome.whole.reset();
      }
      using Memory = std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>;
      out.outcome.memory = std::make_shared<Memory>(std::move(out.outcome.memory), own_.memory());
      pause_.emplace(own_.stop());
      return out;
    }

    Nodes& all_;
    Session own_;
    FleetSubject taken_;
    std::shared_ptr<const NodeMember> member_;
    std::optional<StopPause> pause_;  ///< Other states work.
  };

  std::shared_ptr<const analysis::Reads> reads_so_far() {
    if (!tells_reads_) return std::make_shared<const analysis::Reads>();
    const analysis::ReadLog& log = *running_->log;
    // Names are never taken out of it.
    if (const std::size_t size = log.size(); !reads_ || size != reads_size_) {
      reads_size_ = size;
      reads_ = std::make_shared<const analysis::Reads>(log.reads());
    }
    return reads_;
  }

  std::shared_ptr<Running> running_;
  bool keeps_history_;
  bool tells_reads_;
  Told told_;
  std::optional<FleetSubjects> subjects_;
  std::shared_ptr<const analysis::Reads> reads_;  ///< Of the nodes so far.
  std::size_t reads_size_ = 0;
  SeenNames names_;
};

}  // namespace

std::unique_ptr<analysis::Asked> nodes_of(std::shared_ptr<Running> running, analysis::Question::History history,
                                          analysis::Question::Telling telling, Tell tell) {
  return std::make_unique<Nodes>(std::move(running), history, telling, std::move(tell));
}

}  // namespace strata::cli
