// SPDX-License-Identifier: Apache-2.0
#include "verb_question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/near_names.hpp"
#include "strata/stop.hpp"
#include "strata/stop_scope.hpp"
#include "verb_nodes.hpp"
#include "verb_running.hpp"

namespace strata::cli {

std::vector<std::string> query_commands(const SharedOptions& own) {
  std::vector<std::string> out;
  for (const Registration::Entry* entry : Registration::all()) {
    if (!entry->is_question) continue;
    const std::unique_ptr<Command> made = own.takes == nullptr ? nullptr : entry->make();
    const auto* verb = dynamic_cast<const Verb*>(made.get());
    if (own.takes == nullptr || (verb->*own.takes)()) out.emplace_back(entry->name);
  }
  return out;
}

namespace {

/// Options of verbs that an analysis has itself, or that have no meaning in it.
struct Misplaced {
  std::string_view name;
  std::string_view way_out;
};
constexpr std::array<Misplaced, 10> kMisplaced{{{"--output", "give it before the command"},
                                                {"--render-as", "give --output before the command"},
                                                {"--blame", "analyses have their own output"},
                                                {"--explain", "analyses have their own output"},
                                                {"--explain-options", "analyses have their own output"},
                                                {"--at", "give --to REV before the command"},
                                                {"--against", "give --from REV before the command"},
                                                {"--lists", "analyses have their own output"},
                                                {"--source-map", "analyses have their own output"},
                                                {"--save-state", "analyses write no states"}}};

/// With `--against`, commands that analyses do not take are allowed, too; of these, some have names of two words.
const Registration::Entry& entry_of(const std::vector<std::string>& words, const SharedOptions& own) {
  const bool is_any = !own.against.empty();
  for (const Registration::Entry* entry : Registration::all()) {
    const bool is_pair = words.size() > 1 && entry->name == words[0] + ' ' + words[1];
    if (is_any && is_pair) return *entry;
    if ((entry->is_question || is_any) && !words.empty() && entry->name == words.front()) return *entry;
  }
  const std::vector<std::string> names = query_commands(own);
  if (words.empty()) {
    throw UsageError(Usage::missing, "COMMAND is missing",
                     fmt::format("give {} with its arguments, or @NAME, a project", alternatives(names)));
  }
  const std::string& word = words.front();
  if (word.starts_with('-')) throw UsageError(Usage::unknown_option, fmt::format("unknown option '{}'", word));
  throw UsageError(Usage::unknown_command, fmt::format("expected {}, found '{}'", alternatives(names), word),
                   name_hint(std::vector<std::string_view>(names.begin(), names.end()), word));
}

/// The result of a run of a verb in `session`, with or without its items.
template <class Run>
analysis::Subject::Answer answer_of(Running& running, Session& session, Told& told, bool has_items, const Run& run) {
  analysis::Subject::Answer out{
      .outcome = {.failure = {}, .sources = &session.sources(), .history = session.recorder().history()}, .reads = {}};
  // Its result lives as long as the answer.
  auto outcome = std::make_shared<Outcome>();
  try {
    *outcome = run();
    out.outcome.failure = strict_failure(session.diagnostics(), running.verb->options());
    if (!out.outcome.failure) {
      if (has_items) out.outcome.items = running.verb->items(*outcome);
      out.outcome.misfits = outcome->misfits;
      if (outcome->result.value) out.outcome.whole = whole_of(*outcome, running.verb->options());
    }
  } catch (const Error& error) {
    if (!analysis::is_failure(error)) throw;
    set_failure(out.outcome, error);
  }
  told.add(session.diagnostics().warnings());
  using Memory = std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>;
  out.outcome.memory = std::make_shared<Memory>(std::move(outcome), session.memory());
  out.reads = std::make_shared<const analysis::Reads>(running.log->reads());
  out.warnings = session.diagnostics().warnings();
  return out;
}

/// A subject by the words that the verb has for it.
class FleetMember final : public analysis::Member {
 public:
  explicit FleetMember(workspace::Member member) : member_(std::move(member)) {}
  [[nodiscard]] const std::string& name() const noexcept override { return member_.name; }
  [[nodiscard]] const workspace::Member& words() const noexcept { return member_; }

 private:
  workspace::Member member_;
};

/// The one result of a verb as a subject.
class WholeRun final : public analysis::Subject {
 public:
  using Start = std::function<std::shared_ptr<Running>()>;
  /// `told` must outlive the object, as `looks` must: what further keys are looked up in, made with the first of them.
  WholeRun(std::shared_ptr<const FleetMember> member, Start start, Told& told, std::shared_ptr<Running>& looks)
      : member_(std::move(member)), start_(std::move(start)), told_(told), looks_(looks) {}

  [[nodiscard]] const std::string& name() const noexcept override { return member_->name(); }
  [[nodiscard]] std::shared_ptr<const analysis::Member> member() override { return member_; }
  [[nodiscard]] std::shared_ptr<const analysis::Reads> reads() override { return reads_; }
  [[nodiscard]] std::shared_ptr<analysis::SubjectFiles> files() override {
    if (!running_) running_ = start_();
    const Working working(*running_);
    return std::make_shared<PausedFiles>(running_, running_->verb->files(*running_->session, *running_->log));
  }
  [[nodiscard]] std::optional<std::string> fact(std::string_view name) override {
    try {
      if (!running_) running_ = start_();
      const Working working(*running_);
      return running_->verb->fact(*running_->session, name);
    } catch (const Error& error) {
      if (!analysis::is_failure(error)) throw;
      return std::nullopt;  // Asking tells what is wrong.
    }
  }
  Answer ask(const analysis::Wanted& wanted) override {
    running_ = start_();
    const Working working(*running_);
    Session& session = *running_->session;
    Answer out = answer_of(*running_, session, told_, true, [&] { return running_->verb->run_for(session, wanted); });
    reads_ = out.reads;
    return out;
  }
  Answer look_up(const analysis::KeyQuery& query) override {
    if (!looks_) looks_ = start_();
    const Working working(*looks_);
    looks_->session->stop().check();
    // The answer owns its memory alone: nothing changes it later.
    Session own(*looks_->session, looks_->session->recorder().keeps());
    const StopScope work(&own.stop());
    own.keep(looks_->session->memory());
    return answer_of(*looks_, own, told_, false, [&] { return looks_->verb->look_up(own, query); });
  }

 private:
  std::shared_ptr<const FleetMember> member_;
  std::shared_ptr<const analysis::Reads> reads_;  ///< Of the last time.
  Start start_;
  Told& told_;
  std::shared_ptr<Running>& looks_;
  std::shared_ptr<Running> running_;
};

/// A question about one subject without a name.
class OneSubject final : public analysis::Asked {
 public:
  OneSubject(WholeRun::Start start, Tell tell) : start_(std::move(start)), told_(std::move(tell)) {}

  std::unique_ptr<analysis::Subject> next() override {
    return std::exchange(is_taken_, true) ? nullptr : subject(std::make_shared<FleetMember>(workspace::Member()));
  }
  std::unique_ptr<analysis::Subject> subject(const std::shared_ptr<const analysis::Member>& member) override {
    return std::make_unique<WholeRun>(std::dynamic_pointer_cast<const FleetMember>(member), start_, told_, looks_);
  }
  void restart() override { is_taken_ = false; }

 private:
  WholeRun::Start start_;
  Told told_;
  std::shared_ptr<Running> looks_;
  bool is_taken_ = false;
};

/// The subjects of `--fleet`: each is a verb of its own.
class Members final : public analysis::Asked {
 public:
  using Start = std::function<std::shared_ptr<Running>(const std::vector<std::string>& more)>;
  Members(std::vector<workspace::Member> members, Start start, Tell tell)
      : members_(std::move(members)), start_(std::move(start)), told_(std::move(tell)) {}

  std::unique_ptr<analysis::Subject> next() override {
    if (next_ == members_.size()) return nullptr;
    return subject(std::make_shared<FleetMember>(members_[next_++]));
  }
  std::unique_ptr<analysis::Subject> subject(const std::shared_ptr<const analysis::Member>& member) override {
    auto known = std::dynamic_pointer_cast<const FleetMember>(member);
    auto begin = [this, known] { return start(known->words()); };
    std::shared_ptr<Running>& looks = looks_[known->name()];
    return std::make_unique<WholeRun>(std::move(known), std::move(begin), told_, looks);
  }
  void restart() override { next_ = 0; }

 private:
  [[nodiscard]] std::shared_ptr<Running> start(const workspace::Member& member) const {
    std::shared_ptr<Running> out;
    try {
      out = start_(member.words);
    } catch (const UsageError& error) {
      throw Error("analysis.fleet", fmt::format("the words of '{}' cannot be used: {}", member.name, error.what()));
    } catch (const HelpRequested& request) {
      throw Error("analysis.fleet", fmt::format("the words of '{}' cannot be used: {}", member.name, request.what()));
    }
    if (out->verb->is_fleet())
      throw Error("analysis.fleet", fmt::format("the words of '{}' name a fleet themselves", member.name));
    return out;
  }

  std::vector<workspace::Member> members_;
  Start start_;
  Told told_;
  std::map<std::string, std::shared_ptr<Running>>
      looks_;  ///< By name; only of those in which further keys were looked up they are not null.
  std::size_t next_ = 0;
};

}  // namespace

void leave_query(Arguments& command, const SharedOptions& own) {
  command.leave_rest("COMMAND", " …",
                     fmt::format("the query, a command with its arguments: {}; or @NAME, a project",
                                 alternatives(query_commands(own))));
}

ParsedVerb::ParsedVerb(const std::vector<std::string>& words, const SharedOptions& own)
    : line_(std::make_unique<CommandLine>("strata: one engine for layered configuration", "strata")) {
  const Registration::Entry& entry = entry_of(words, own);
  std::unique_ptr<Command> command = entry.make();
  verb_.reset(dynamic_cast<Verb*>(command.get()));
  if (!verb_) throw UsageError(Usage::unknown_command, fmt::format("'{}' has no result to compare", entry.name));
  (void)command.release();
  Arguments program = line_->arguments();
  verb_->add_to(program);
  try {
    read(words, own, entry.name);
  } catch (const UsageError& error) {
    throw error.in(entry.name);
  }
}

void ParsedVerb::read(const std::vector<std::string>& words, const SharedOptions& own, std::string_view name) {
  if (line_->parse(words) == CommandLine::Parsed::helped) throw HelpRequested(line_->printed());
  SharedOptions& options = verb_->options();
  const bool is_comparison = !own.against.empty();  // COMMAND … --against: all options are its own.
  for (const Misplaced& option : kMisplaced) {
    if (is_comparison || !line_->arguments().subcommand(std::string(name), {}).has_given(std::string(option.name)))
      continue;
    throw UsageError(Usage::conflict, fmt::format("{} does not go with an analysis: {}", option.name, option.way_out));
  }
  options.join(own);
  options.compares = true;
  options.finish();
  if (own.caps_limits) options.cap(own.limits);
}

bool is_misplaced(std::string_view option) {
  return std::ranges::find(kMisplaced, option, &Misplaced::name) != kMisplaced.end();
}

VerbQuestion::VerbQuestion(QuestionChoice choice, QuestionTools tools)
    : choice_(std::move(choice)), tools_(std::move(tools)), first_(choice_.words, tools_.own) {
  tools_.bounds = choice_.bounds;
  first_->options().bounds = choice_.bounds;
  if (choice_.fleet.is_given() && first_->is_fleet())
    throw UsageError(Usage::conflict, "--fleet names the subjects: remove --nodes");
}

std::vector<Refusal> VerbQuestion::refused_requests() const {
  const Permissions allowed = permissions();
  const Permissions asked = first_->options().permissions;
  std::vector<Refusal> out;
  const auto add = [&](Refusal::Kind kind, std::string_view option) {
    out.push_back({.kind = kind,
                   .what = fmt::format("{} of the project counts only on the command line", option),
                   .where = excerpt_of_file(choice_.file)});
  };
  if (asked.programs && !allowed.programs) add(Refusal::Kind::program, "--allow-programs");
  if (asked.network && !allowed.network) add(Refusal::Kind::server, "--allow-network");
  return out;
}

analysis::Wording VerbQuestion::wording() const {
  return {.subject = choice_.assumed ? "assumed node" : first_->subject(),
          .is_fleet = choice_.fleet.is_given() || first_->is_fleet(),
          .sort_keys = first_->options().sort_keys};
}

std::unique_ptr<analysis::Asked> VerbQuestion::in(const analysis::State& state, History history,
                                                  Telling telling) const {
  const bool keeps_history = history == History::yes;
  const Tell tell =
      (telling == Telling::all || telling == Telling::found) && state.files.get() == told_ ? tools_.tell : nullptr;
  const bool needs_log = telling != Telling::nothing || choice_.fleet.is_given() || !first_->is_fleet();
  const auto logs = !needs_log                  ? Running::Logs::nothing
                    : telling == Telling::found ? Running::Logs::found
                                                : Running::Logs::all;
  const auto start = [this, state, keeps_history, logs](const std::vector<std::string>& more) {
    std::vector<std::string> words = choice_.words;
    words.insert(words.end(), more.begin(), more.end());
    const auto make = [&] { return std::make_shared<Running>(words, tools_, state, keeps_history, logs); };
    return tools_.code == nullptr ? make() : told_as(tools_.code, make);
  };
  if (choice_.fleet.is_given())
    return std::make_unique<Members>(members_of(choice_.fleet, *state.inputs, first_->options().limits), start, tell);
  if (first_->is_fleet()) return nodes_of(start({}), history, telling, tell);
  return std::make_unique<OneSubject>([start] { return start({}); }, tell);
}

}  // namespace strata::cli
