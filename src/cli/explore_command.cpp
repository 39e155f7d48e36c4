// SPDX-License-Identifier: Apache-2.0
// strata explore: the projects of a folder, or one question, in a browser.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command.hpp"
#include "command_bounds.hpp"
#include "command_host.hpp"
#include "output.hpp"
#include "owned_question.hpp"
#include "project_question.hpp"
#include "states.hpp"
#include "strata/engine.hpp"
#include "strata/explorer.hpp"
#include "strata/paths.hpp"
#include "strata/workspace.hpp"
#include "terminal.hpp"
#include "thread_pool.hpp"
#include "tree_from.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX declares it nowhere

namespace strata::cli {
namespace {

constexpr const char* kExploreCode = "explore.question";
constexpr unsigned kMostPort = 65535;

/// A question with the host that it asks.
class ExploredQuestion final : public OwnedQuestion {
 public:
  /// `report`: as GatedHost::report_to.
  ExploredQuestion(QuestionChoice choice, const Ground& ground, std::function<void(const Refusal& refusal)> report)
      : OwnedQuestion(std::move(choice), ground),
        limits_(question().verb().options().limits),
        host_(command_host(limits_, question().permissions(), question().verb().options().bounds,
                           ground.strict ? OnRefusal::fail : OnRefusal::leave_out)),
        inputs_(*host_, working_folder()) {
    host_->report_to(std::move(report));
    for (const Refusal& request : question().refused_requests()) (void)host_->leaves_out(request);
  }

  /// A state of the files that it is about; of the working tree for an empty revision. `place`: a folder in the
  /// repository of the files.
  [[nodiscard]] analysis::State state_of(const std::string& revision, const std::string& place) const {
    analysis::State out = cli::state_of(revision, question().verb(), inputs_, place);
    if (const workspace::Project* project = question().assumed()) {
      const std::string list = workspace::node_list(workspace::assumed_nodes(*project, *out.files, limits_));
      out.inputs = std::make_shared<analysis::Inputs>(*out.inputs,
                                                      Edits{{absolute_path(working_folder(), kAssumedNodes), list}});
    }
    return out;
  }
  [[nodiscard]] const Limits& limits() const noexcept { return limits_; }

 private:
  Limits limits_;
  std::unique_ptr<GatedHost> host_;
  analysis::Inputs inputs_;
};

/// The words of a question that names nothing ask for everything, as those of a project do.
std::vector<std::string> asking_for_all(const std::vector<std::string>& words) {
  const workspace::Project project{.name = words.front(),
                                   .verb = words.front(),
                                   .args = {words.begin() + 1, words.end()},
                                   .folder = working_folder()};
  return workspace::question_of(project, *verb_form(words.front()), working_folder()).words;
}

class ExploreCommand final : public Command {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("explore", "explore projects in a browser");
    command_.add_option("--port", port_, "where to listen on 127.0.0.1; 0: any free port")
        .type_name("N")
        .within(0, kMostPort)
        .capture_default_str();
    command_.add_flag("--no-open", keeps_closed_, "do not open a browser");
    command_.add_flag("--write", writes_, "let pages save files");
    command_.add_flag("--check", only_checks_, "say what would be shown, and end");
    command_.add_option("--at", at_, "show a git revision; files are not watched then").type_name("REV");
    command_
        .add_option("--fleet", fleet_,
                    "the targets: a JSON or YAML list of {name, args}; args are appended to the command")
        .type_name("FILE");
    options_.add_permissions_to(command_);
    options_.add_common_to(command_);
    command_.leave_rest("DIR", " | @NAME | COMMAND …",
                        "the folder whose projects are shown; or one project; or a command with its arguments", false);
  }
  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }
  [[nodiscard]] int error_status() override { return 1; }

  int execute(const std::vector<std::string>& /*words*/) override {
    take_own_options(command_.rest());
    if (writes_ && !at_.empty())
      throw UsageError(Usage::conflict, "explore: --write is for the files as they are: remove --at");
    // Before the first thread: all of them leave these signals to this one.
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);

    engine_ = Engine::make({.executor = std::make_shared<ThreadPool>(options_.threads)});
    if (only_checks_) return check();
    service::ExplorerSettings settings{.folder = working_folder(),
                                       .at = at_,
                                       .writes = writes_,
                                       .port = static_cast<std::uint16_t>(port_),
                                       .engine = engine_,
                                       .executor = engine_->settings().executor,
                                       .limits = options_.limits,
                                       .projects = [this] { return projects(); }};
    settings.limits.stop = nullptr;
#ifdef STRATA_DEVELOPER
    if (const char* folder = std::getenv("STRATA_WEB_DIR"))
      settings.web_folder = folder;  // NOLINT(concurrency-mt-unsafe): one thread
#endif
    service::Explorer explorer(std::move(settings));
    print(fmt::format("strata: {}\n", explorer.address()));
    flush_output();
    if (opens()) open_browser(explorer.address());
    int signal = 0;
    while (sigwait(&signals, &signal) != 0) {
    }
    // A second signal ends the process at once.
    std::signal(SIGTERM, end_now);
    std::signal(SIGINT, end_now);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    explorer.stop();
    return 0;
  }

 private:
  static void end_now(int /*signal*/) { ::_exit(0); }

  /// The options of `explore` may also follow a folder or `@NAME`.
  void take_own_options(std::vector<std::string> rest) {
    const bool is_verb = !rest.empty() && verb_form(rest.front()) != nullptr;
    const std::array<std::pair<std::string_view, bool*>, 5> flags{{{"--no-open", &keeps_closed_},
                                                                   {"--write", &writes_},
                                                                   {"--check", &only_checks_},
                                                                   {"--allow-programs", &options_.permissions.programs},
                                                                   {"--allow-network", &options_.permissions.network}}};
    for (std::size_t i = 1; !is_verb && i < rest.size();) {
      std::string name = rest[i].substr(0, rest[i].find('='));
      const bool has_value = name.size() < rest[i].size();
      const auto flag = std::ranges::find(flags, name, &std::pair<std::string_view, bool*>::first);
      if (flag != flags.end()) {
        *flag->second = true;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        continue;
      }
      if (name != "--port" && name != "--at") {
        ++i;
        continue;
      }
      if (!has_value && i + 1 == rest.size())
        throw UsageError(Usage::missing, fmt::format("explore: {} needs a value", name));
      const std::string value = has_value ? rest[i].substr(name.size() + 1) : rest[i + 1];
      const auto begin = rest.begin() + static_cast<std::ptrdiff_t>(i);
      rest.erase(begin, begin + (has_value ? 1 : 2));
      if (name == "--at") {
        at_ = value;
      } else {
        const bool is_number = !value.empty() && value.size() <= 5 &&
                               std::ranges::all_of(value, [](char one) { return one >= '0' && one <= '9'; });
        if (!is_number || std::stoul(value) > kMostPort)
          throw UsageError(Usage::value, fmt::format("explore: --port: expected 0 to 65535, found '{}'", value));
        port_ = static_cast<unsigned>(std::stoul(value));
      }
    }
    words_ = std::move(rest);
    const bool is_named = !words_.empty() && words_.front().starts_with('@');
    if (is_verb || is_named) return;
    if (!words_.empty() && words_.front().starts_with('-'))
      throw UsageError(Usage::unknown_option, fmt::format("explore: unknown option '{}'", words_.front()));
    if (words_.size() > 1)
      throw UsageError(Usage::extra,
                       fmt::format("explore: unexpected argument '{}' after the folder '{}'", words_[1], words_[0]));
    if (!fleet_.empty()) throw UsageError(Usage::value, "explore: --fleet needs a command");
  }

  [[nodiscard]] std::vector<service::ExploredProject> projects() {
    const bool is_verb = !words_.empty() && verb_form(words_.front()) != nullptr;
    if (is_verb) {
      if (only_.empty()) {
        const std::vector<std::string> words = asking_for_all(words_);
        only_.push_back(project_of(words.front(), working_folder(), words,
                                   question_choice(words, fleet_, options_.limits, options_.allowed_folders)));
      }
      if (only_.front().failure) throw Error(*only_.front().failure);
      return only_;
    }
    std::vector<service::ExploredProject> out;
    const bool is_named = !words_.empty() && words_.front().starts_with('@');
    const std::string folder = words_.empty() || is_named ? std::string(".") : words_.front();
    if (host_tree()->kind(folder) != FileKind::folder)
      throw Error("workspace.folder", "there is no such folder").in(folder);
    const NamedByUser named = named_around(folder, options_.allowed_folders);
    const workspace::Found found = projects_in(folder, options_.limits, named);
    for (const workspace::Project& project : found.projects) {
      if (is_named && project.name != words_.front().substr(1)) continue;
      out.push_back(project_of(
          project, is_named ? std::vector<std::string>(words_.begin() + 1, words_.end()) : std::vector<std::string>(),
          named));
    }
    if (is_named && out.empty()) (void)found.named(words_.front().substr(1));
    return out;
  }

  service::ExploredProject project_of(const workspace::Project& project, const std::vector<std::string>& more,
                                      const NamedByUser& named) {
    service::ExploredProject failed{.name = project.name, .verb = project.verb, .folder = project.folder};
    if (project.sources != nullptr)
      failed.place = excerpt_at(*project.sources, project.at, fmt::format("the project '{}'", project.name));
    try {
      QuestionChoice choice = question_choice(project, more, options_.limits, named);
      std::vector<std::string> words = choice.words;
      service::ExploredProject out = project_of(project.name, project.folder, std::move(words), std::move(choice));
      out.place = failed.place;
      return out;
    } catch (const UsageError& wrong) {
      failed.failure = Error(kExploreCode, wrong.what()).diagnostic();
    } catch (const Error& error) {
      failed.failure = error.diagnostic();
    }
    return failed;
  }

  service::ExploredProject project_of(const std::string& name, const std::string& folder,
                                      std::vector<std::string> words, QuestionChoice choice) {
    service::ExploredProject out{.name = name, .verb = words.empty() ? std::string() : words.front(), .folder = folder};
    if (choice.fleet.is_given()) {
      out.words_of = [fleet = choice.fleet, limits = options_.limits,
                      bounds = choice.bounds](const std::string& subject) {
        const auto host = command_host(limits, {}, bounds);
        for (workspace::Member& member : members_of(fleet, *host, limits)) {
          if (member.name == subject) return std::move(member.words);
        }
        return std::vector<std::string>();
      };
    }
    try {
      const auto question =
          std::make_shared<const ExploredQuestion>(std::move(choice),
                                                   OwnedQuestion::Ground{.limits = options_.limits,
                                                                         .strict = options_.strict,
                                                                         .permissions = options_.permissions,
                                                                         .engine = engine_,
                                                                         .code = kExploreCode},
                                                   [this](const Refusal& refusal) { warn_of(refusal); });
      out.is_assumed = question->question().assumed() != nullptr;
      out.limits = question->limits();
      out.limits.stop = nullptr;
      out.repository = repository_around(question->question().verb().place_of_files());
      if (out.repository.empty()) out.repository = repository_around(folder);
      out.state_of = [question, place = out.repository](const std::string& revision) {
        return question->state_of(revision, place);
      };
      out.question = question;
    } catch (const Error& error) {
      out.failure = error.diagnostic();
    }
    out.words = std::move(words);
    return out;
  }

  /// Warns of everything that is left out, once, whichever page and project need it. Thread-safe.
  void warn_of(const Refusal& refusal) {
    const Diagnostic warning = refusal_warning({refusal});
    const std::lock_guard lock(warned_mutex_);
    if (!options_.quiet && warned_.insert(format(warning, "")).second)
      Terminal(options_.color).tell(warning, "warning");
  }

  /// Says what there is.
  int check() {
    const std::vector<service::ExploredProject> all = projects();
    if (all.empty())
      throw Error("explore.none", "this folder has no projects").hint("give a query: strata explore COMMAND …");
    bool is_right = true;
    for (const service::ExploredProject& one : all) {
      print(fmt::format("{}: {}\n", one.name, one.words.empty() ? one.verb : workspace::command_line(one.words)));
      if (one.failure) Terminal(options_.color).tell(*one.failure, "error");
      is_right = is_right && !one.failure;
    }
    flush_output();
    return is_right ? 0 : 1;
  }

  [[nodiscard]] bool opens() const {
    if (keeps_closed_ || !shows_on_terminal()) return false;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing changes the environment
    return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
  }

  /// Whether it works is the browser's business.
  static void open_browser(const std::string& address) {
    std::string program = "xdg-open";
    std::string target = address;
    std::array<char*, 3> arguments{program.data(), target.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0);
    }
    // Signals are blocked here, not there.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    pid_t child = 0;
    (void)posix_spawnp(&child, program.c_str(), &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
  }

  Arguments command_;
  SharedOptions options_;
  unsigned port_ = 0;
  bool keeps_closed_ = false;
  bool only_checks_ = false;
  bool writes_ = false;
  std::string at_;
  std::string fleet_;
  std::vector<std::string> words_;
  std::shared_ptr<Engine> engine_;
  std::vector<service::ExploredProject> only_;
  std::mutex warned_mutex_;
  std::set<std::string> warned_;
};

const Registration explore_registration(
    {.name = "explore",
     .place = 790,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<ExploreCommand>(); },
     .examples = {"strata explore --check examples/hiera",
                  "strata explore --check lookup --hiera-config examples/fleet/hiera.yaml --nodes "
                  "examples/fleet/nodes.json"},
     .page = "service/explorer.md"});

}  // namespace

}  // namespace strata::cli
