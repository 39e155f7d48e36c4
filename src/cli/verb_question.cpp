#include "verb_question.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <ctime>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/stop.hpp"

namespace strata::cli {
namespace {

/// Options of verbs that an analysis has itself, or that have no meaning in it.
struct Misplaced {
  std::string_view name;
  std::string_view way_out;
};
constexpr std::array<Misplaced, 10> kMisplaced{{{"--output", "it stands before the verb"},
                                                {"--render-as", "give --output before the verb"},
                                                {"--blame", "analyses have their own output"},
                                                {"--explain", "analyses have their own output"},
                                                {"--explain-options", "analyses have their own output"},
                                                {"--at", "give --to REV before the verb"},
                                                {"--against", "give --from REV before the verb"},
                                                {"--lists", "analyses have their own output"},
                                                {"--source-map", "analyses have their own output"},
                                                {"--save-state", "analyses write no states"}}};

/// `is_any`: commands that analyses cannot ask, too; of these, some have names of two words.
const Registration::Entry& entry_of(const std::vector<std::string>& words, bool is_any) {
  std::string names;
  for (const Registration::Entry* entry : Registration::all()) {
    const bool is_pair = words.size() > 1 && entry->name == words[0] + ' ' + words[1];
    if (is_any && is_pair) return *entry;
    if ((entry->is_question || is_any) && !words.empty() && entry->name == words.front()) return *entry;
    if (!entry->is_question) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", entry->name);
  }
  if (words.empty()) throw UsageError(fmt::format("give a verb with its options: one of {}", names));
  throw UsageError(words.front().starts_with('-') ? fmt::format("unknown option {}", words.front())
                                                  : fmt::format("'{}' is not a verb: use one of {}", words.front(), names));
}

/// A number that no other thread has, now or later.
std::size_t thread_number() noexcept {
  static std::atomic<std::size_t> last = 0;
  static thread_local const std::size_t number = ++last;
  return number;
}

/// The work of a Session, which threads do in turn. Its budget is that of the thread that made it: what that thread does while it rests, or while
/// another one works, does not count. Others have sessions of their own that are parts of it.
class Shift {
 public:
  explicit Shift(const Stop& stop) : stop_(stop) {
    if (pthread_getcpuclockid(pthread_self(), &clock_) != 0) clock_ = CLOCK_THREAD_CPUTIME_ID;
    began_ = now();
  }
  void wake() { leave_out(); }
  void rest() {
    if (maker_ == thread_number()) {
      began_ = now();
    } else {
      leave_out();
    }
  }

 private:
  [[nodiscard]] std::chrono::nanoseconds now() const noexcept {
    timespec time{};
    // That of a thread that is gone stands still.
    if (clock_gettime(clock_, &time) != 0) return began_;
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }
  void leave_out() {
    const std::chrono::nanoseconds here = now();
    if (here > began_) stop_.not_for_this(here - began_);
    began_ = here;
  }

  const Stop& stop_;
  std::size_t maker_ = thread_number();
  clockid_t clock_{};
  std::chrono::nanoseconds began_{};
};

/// A verb in one state, prepared.
struct Running {
  /// `logs`: whether `log` is kept.
  Running(const std::vector<std::string>& words, const QuestionTools& tools, analysis::State of, bool keeps_history, bool logs)
      : state(std::move(of)), verb(words, tools.own), log(std::make_shared<analysis::ReadLog>()) {
    if (state.stop != nullptr) verb->options().limits.stop = state.stop;
    verb->prepare(*state.inputs);
    const Limits& limits = verb->options().limits;
    auto snapshot = Snapshot::make(tools.engine, logs ? analysis::logged_tree(state.files, tools.folder, log) : state.files,
                                   {.folder = tools.folder, .limits = limits, .host = state.inputs.get()});
    snapshot->add_input(state.inputs->bytes_read());
    session.emplace(
        std::move(snapshot),
        SessionSettings{.limits = limits, .keeps_history = keeps_history, .host = state.inputs.get(), .is_whole_process = tools.is_whole_process});
    shift.emplace(session->stop());
  }

  /// Others work now.
  void rest() { shift->rest(); }
  void wake() { shift->wake(); }

  analysis::State state;
  ParsedVerb verb;
  std::shared_ptr<analysis::ReadLog> log;
  std::optional<Session> session;
  std::optional<Shift> shift;
};

/// Work of one state: that of the others does not count.
class Working {
 public:
  explicit Working(Running& running) : running_(running) { running_.wake(); }
  ~Working() { running_.rest(); }
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

 private:
  Running& running_;
};

using Tell = std::function<void(const Diagnostic&)>;

/// The warnings of the subjects of a state, each once.
class Told {
 public:
  explicit Told(Tell tell) : tell_(std::move(tell)) {}
  void add(const std::vector<Diagnostic>& warnings) {
    if (!tell_) return;
    for (const Diagnostic& warning : warnings) {
      if (told_.insert(format(warning, "")).second) tell_(warning);
    }
  }

 private:
  Tell tell_;
  std::unordered_set<std::string> told_;
};

/// The result of a run of a verb in `session`, with or without its items.
template <class Run>
analysis::Subject::Answer answer_of(Running& running, Session& session, Told& told, bool has_items, const Run& run) {
  analysis::Subject::Answer out{.outcome = {.failure = {}, .sources = &session.sources(), .history = session.recorder().history()}, .reads = {}};
  // Its result lives as long as the answer.
  auto outcome = std::make_shared<Outcome>();
  try {
    *outcome = run();
    out.outcome.failure = strict_failure(session.diagnostics(), running.verb->options());
    if (!out.outcome.failure) {
      if (has_items) out.outcome.items = running.verb->items(*outcome);
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

/// The files of a subject, asked while others work.
class PausedFiles final : public analysis::SubjectFiles {
 public:
  PausedFiles(std::shared_ptr<Running> running, std::shared_ptr<analysis::SubjectFiles> files)
      : running_(std::move(running)), files_(std::move(files)) {}

  [[nodiscard]] std::vector<analysis::ConfigurationFile> editable(const std::string& item) override {
    const Working working(*running_);
    return files_->editable(item);
  }
  [[nodiscard]] std::vector<analysis::ConfigurationFile> read() override {
    const Working working(*running_);
    return files_->read();
  }
  [[nodiscard]] std::vector<std::string> code_folders() override {
    const Working working(*running_);
    return files_->code_folders();
  }
  [[nodiscard]] std::vector<std::string> folders() override {
    const Working working(*running_);
    return files_->folders();
  }
  [[nodiscard]] std::vector<analysis::Use> uses() override {
    const Working working(*running_);
    return files_->uses();
  }
  [[nodiscard]] bool has_own_uses() override { return files_->has_own_uses(); }
  [[nodiscard]] std::vector<std::string> names(const std::string& kind) override {
    const Working working(*running_);
    return files_->names(kind);
  }
  [[nodiscard]] std::vector<analysis::NamingText> naming_texts() override {
    const Working working(*running_);
    return files_->naming_texts();
  }
  [[nodiscard]] bool has_variable(std::string_view name) override { return files_->has_variable(name); }
  [[nodiscard]] std::vector<std::string> fact_names() override { return files_->fact_names(); }
  [[nodiscard]] analysis::Merging merging(const std::string& item) override {
    const Working working(*running_);
    return files_->merging(item);
  }

 private:
  std::shared_ptr<Running> running_;
  std::shared_ptr<analysis::SubjectFiles> files_;
};

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
  Answer ask(const analysis::Wanted& /*wanted*/) override {
    running_ = start_();
    const Working working(*running_);
    Session& session = *running_->session;
    Answer out = answer_of(*running_, session, told_, true, [&] { return running_->verb->run(session); });
    reads_ = out.reads;
    return out;
  }
  Answer look_up(const analysis::KeyQuery& query) override {
    if (!looks_) looks_ = start_();
    const Working working(*looks_);
    looks_->session->stop().check();
    // Its memory is the answer's alone, so that nobody changes it later.
    Session own(*looks_->session, looks_->session->recorder().keeps());
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

/// Which names there were, without the names.
class SeenNames {
 public:
  /// Whether it is new.
  bool add(std::string_view name) {
    if (2 * (count_ + 1) > slots_.size()) grow();
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

  std::vector<ContentId> slots_;  ///< As many as a power of two, at least twice `count_`. Zeros: free.
  std::size_t count_ = 0;
};

/// The nodes of a verb, each with a Session of its own, which is dropped with the subject.
class Nodes final : public analysis::Asked {
 public:
  Nodes(std::shared_ptr<Running> running, analysis::Question::History history, analysis::Question::Telling telling, Tell tell)
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
    if (!names_.add(taken->name)) throw Error("fleet.duplicate-node", fmt::format("the node '{}' is in the list twice", taken->name));
    std::shared_ptr<const NodeMember> member;
    if (subjects_->again) {
      member = std::make_shared<NodeMember>(FleetSubject{.name = taken->name, .failure = taken->failure, .facts = taken->facts}, out->own().memory());
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
  void tell(const std::vector<Diagnostic>& warnings) override { told_.add(warnings); }
  [[nodiscard]] std::optional<analysis::Touched> touched(const analysis::Basis& basis, const std::vector<std::string>& files) override {
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
    NodeMember(FleetSubject given, std::shared_ptr<const void> memory) : given_(std::move(given)), memory_(std::move(memory)) {}
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
    [[nodiscard]] std::optional<std::string> fact(std::string_view name) override { return taken_.fact ? taken_.fact(name) : std::nullopt; }
    [[nodiscard]] std::shared_ptr<analysis::SubjectFiles> files() override {
      if (!taken_.files || taken_.failure) return Subject::files();
      return std::make_shared<PausedFiles>(all_.running_, taken_.files);
    }
    Answer ask(const analysis::Wanted& wanted) override {
      Answer out = answer([&](analysis::Outcome& outcome) { taken_.ask(wanted, outcome); });
      analysis::Outcome& outcome = out.outcome;
      if (!outcome.failure && !outcome.whole && outcome.items.size() == 1 && outcome.items.front().name.empty()) {
        const analysis::Item& only = outcome.items.front();
        outcome.whole =
            whole_of({.result = {only.value, only.slot}, .yaml_head = {}, .printed = {}, .keepalive = {}}, all_.running_->verb->options());
      }
      // What the nodes before it read may be kept for it.
      if (taken_.reads && !taken_.failure) {
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
      Answer out{.outcome = {.failure = taken_.failure, .sources = &own_.sources(), .history = own_.recorder().history()}, .reads = {}};
      try {
        if (!out.outcome.failure) ask(out.outcome);
        if (!out.outcome.failure) out.outcome.failure = strict_failure(own_.diagnostics(), all_.running_->verb->options());
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
    }
    if (out->verb->is_fleet()) throw Error("analysis.fleet", fmt::format("the words of '{}' name a fleet themselves", member.name));
    return out;
  }

  std::vector<workspace::Member> members_;
  Start start_;
  Told told_;
  std::map<std::string, std::shared_ptr<Running>> looks_;  ///< By name; only of those in which further keys were looked up they are not null.
  std::size_t next_ = 0;
};

}  // namespace

ParsedVerb::ParsedVerb(const std::vector<std::string>& words, const SharedOptions& own)
    : line_(std::make_unique<CommandLine>("strata: one engine for layered configuration", "strata")) {
  const Registration::Entry& entry = entry_of(words, !own.against.empty());
  std::unique_ptr<Command> command = entry.make();
  verb_.reset(dynamic_cast<Verb*>(command.get()));
  if (!verb_) throw UsageError(fmt::format("'{}' is not a verb", entry.name));
  (void)command.release();
  Arguments program = line_->arguments();
  verb_->add_to(program);
  switch (line_->parse(words)) {
    case CommandLine::Parsed::wrong:
      throw Ended{.status = 2, .told = line_->printed()};
    case CommandLine::Parsed::helped:
      throw Ended{.status = 0, .told = line_->printed()};
    case CommandLine::Parsed::run:
      break;
  }
  SharedOptions& options = verb_->options();
  const bool is_comparison = !own.against.empty();  // VERB … --against: its words are the verb's own.
  for (const Misplaced& option : kMisplaced) {
    if (is_comparison || !program.subcommand(std::string(entry.name), {}).has_given(std::string(option.name))) continue;
    throw UsageError(fmt::format("{} does not go with an analysis: {}", option.name, option.way_out));
  }
  options.join(own);
  options.compares = true;
  options.finish();
  if (own.caps_limits) options.cap(own.limits);
}

bool is_misplaced(std::string_view option) { return std::ranges::find(kMisplaced, option, &Misplaced::name) != kMisplaced.end(); }

VerbQuestion::VerbQuestion(QuestionChoice choice, QuestionTools tools)
    : choice_(std::move(choice)), tools_(std::move(tools)), first_(choice_.words, tools_.own) {
  if (choice_.fleet.is_given() && first_->is_fleet()) throw UsageError("--fleet names the subjects: remove --nodes");
}

analysis::Wording VerbQuestion::wording() const {
  return {.subject = choice_.assumed ? "assumed node" : first_->subject(),
          .is_fleet = choice_.fleet.is_given() || first_->is_fleet(),
          .sort_keys = first_->options().sort_keys};
}

analysis::Results VerbQuestion::results() const { return first_->results(); }

std::span<const std::string_view> VerbQuestion::known_members() const { return first_->known_members(); }

analysis::Question::Names VerbQuestion::names_in(std::string_view text) const { return first_->names_in(text); }

std::unique_ptr<analysis::Asked> VerbQuestion::in(const analysis::State& state, History history, Telling telling) const {
  const bool keeps_history = history == History::yes;
  const Tell tell = telling == Telling::all && state.files.get() == told_ ? tools_.tell : nullptr;
  const bool logs = telling != Telling::nothing || choice_.fleet.is_given() || !first_->is_fleet();
  const auto start = [this, state, keeps_history, logs](const std::vector<std::string>& more) {
    std::vector<std::string> words = choice_.words;
    words.insert(words.end(), more.begin(), more.end());
    return std::make_shared<Running>(words, tools_, state, keeps_history, logs);
  };
  if (choice_.fleet.is_given()) return std::make_unique<Members>(members_of(choice_.fleet, *state.inputs, first_->options().limits), start, tell);
  if (first_->is_fleet()) return std::make_unique<Nodes>(start({}), history, telling, tell);
  return std::make_unique<OneSubject>([start] { return start({}); }, tell);
}

}  // namespace strata::cli
