// SPDX-License-Identifier: Apache-2.0
// strata serve: the service, until a signal ends it.
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "command.hpp"
#include "hiera_settings.hpp"
#include "output.hpp"
#include "site_questions.hpp"
#include "strata/file_tree.hpp"
#include "strata/git_place.hpp"
#include "strata/named_file.hpp"
#include "strata/paths.hpp"
#include "strata/service.hpp"
#include "terminal.hpp"
#include "thread_pool.hpp"

namespace strata::cli {
namespace {

constexpr int kFirstInherited = 3;

/// Tells systemd, if it started the process and wants to know.
void notify(std::string_view state) {
  const char* path = std::getenv("NOTIFY_SOCKET");  // NOLINT(concurrency-mt-unsafe): nothing changes the environment
  if (path == nullptr || *path == '\0') return;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t size = std::strlen(path);
  if (size >= sizeof address.sun_path) return;
  std::memcpy(address.sun_path, path, size);
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';
  const int descriptor = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return;
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + size);
  (void)::sendto(descriptor, state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address),
                 length);
  ::close(descriptor);
}

std::int64_t monotonic_microseconds() {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Whether systemd wants this process to say that it lives, and not one that it was started by.
bool is_watched() {
  if (std::getenv("WATCHDOG_USEC") == nullptr) return false;  // NOLINT(concurrency-mt-unsafe): as above
  const char* process = std::getenv("WATCHDOG_PID");          // NOLINT(concurrency-mt-unsafe): as above
  return process == nullptr || std::atoi(process) == ::getpid();
}

/// The sockets that systemd opened for this process, as listeners.
std::vector<std::string> inherited_listeners() {
  const char* process = std::getenv("LISTEN_PID");  // NOLINT(concurrency-mt-unsafe): as above
  const char* count = std::getenv("LISTEN_FDS");    // NOLINT(concurrency-mt-unsafe): as above
  std::vector<std::string> out;
  if (process == nullptr || count == nullptr || std::atoi(process) != ::getpid()) return out;
  for (int i = 0; i < std::atoi(count); ++i) out.push_back(fmt::format("fd:{}", kFirstInherited + i));
  return out;
}

class ServeCommand final : public Command {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("serve", "run the service: HTTP API, revisions and stacks");
    command_.add_option("--config", config_, "a file with these options as members").type_name("FILE");
    command_.add_option("--listen", given_.listen, "where to listen: 127.0.0.1:8787, unix:PATH")
        .type_name("ADDRESS:PORT")
        .one_word();
    command_
        .add_option("--store", given_.store, "where revisions are kept: sqlite:PATH, postgresql://USER@HOST/DATABASE")
        .type_name("ADDRESS");
    command_.add_option("--key", given_.keys, "the key for what is sealed: file:PATH, env:NAME")
        .type_name("SOURCE")
        .one_word();
    command_
        .add_option("--auth", auth_, "how clients authenticate: none, tokens[:FILE], headers, oidc, keystone:URL, mtls")
        .type_name("WAY")
        .one_word();
    command_.add_option("--oidc-issuer", oidc_.issuer, "of oidc: whose JWTs are taken").type_name("URL");
    command_.add_option("--oidc-audience", oidc_.audiences, "of oidc: for whom they must be")
        .type_name("NAME")
        .one_word();
    command_.add_option("--jwks", oidc_.jwks, "of oidc: the issuer's keys, a file or an https URL").type_name("FILE");
    command_.add_option("--roles-claim", oidc_.roles_claim, "of oidc: the claim with the roles")
        .type_name("NAME")
        .capture_default_str();
    command_.add_option("--project-claim", oidc_.project_claim, "of oidc: the claim with the project")
        .type_name("NAME");
    command_
        .add_option("--anonymous-roles", given_.anonymous_roles,
                    "the roles of those who are not asked; admin if not given")
        .type_name("ROLE")
        .one_word();
    command_.add_option("--site", sites_, "a site: NAME=DIALECT:PATH, or NAME=DIALECT:PATH@REF of a repository")
        .type_name("SITE")
        .one_word();
    command_.add_option("--policy", given_.policy, "the authorization policy: a file of oslo.policy").type_name("FILE");
    command_.add_option("--tls-cert", given_.tls_certificates, "a certificate with its chain, for listeners with ,tls")
        .type_name("FILE")
        .one_word();
    command_.add_option("--tls-key", given_.tls_keys, "the key of the certificate").type_name("FILE").one_word();
    command_.add_option("--client-ca", given_.client_ca, "who signs the certificates of clients").type_name("FILE");
    command_
        .add_option("--client-auth", given_.client_auth, "whether clients show certificates: none, request, require")
        .type_name("HOW");
    command_.add_option("--log", given_.log, "a file for the log; without it, standard error").type_name("FILE");
    command_.add_option("--io", io_, "threads that read and write; 0: one a core").type_name("NUMBER");
    command_.add_option("--workers", workers_, "threads for longer work; 0: one a core").type_name("NUMBER");
    command_.add_option("--trusted-proxy", given_.trusted_proxies, "a proxy whose Forwarded header counts: 10.0.0.0/8")
        .type_name("NETWORK")
        .one_word();
    command_
        .add_option("--compat", given_.compat,
                    "how Deckhand's and Heat's faces answer where promises and references differ: promised, shipped")
        .type_name("HOW");
    command_
        .add_option("--deckhand-project", deckhand_project_,
                    "the project of Deckhand's face, where neither path nor credential name one; default")
        .type_name("NAME");
    command_.add_flag("--require-if-match", given_.requires_if_match, "changes of sites that are there need If-Match");
    command_.add_option("--per-principal", per_principal_, "requests of one client that are in work at once")
        .type_name("NUMBER");
    command_.add_option("--cache", cache_, "MiB of states of sites, documents and answers in memory").type_name("MIB");
    command_.add_option("--body-memory", body_memory_, "MiB of bodies in work; more wait").type_name("MIB");
    command_.add_option("--drain", drain_, "seconds for requests in flight, when the service ends")
        .type_name("SECONDS");
    command_.add_option("--drain-delay", drain_delay_, "seconds between the end of readiness and that of listening")
        .type_name("SECONDS");
    command_.add_flag(
        "--check", only_checks_,
        "say what would be served and done to the store, and end: changes nothing, and disturbs no service that runs");
    command_.add_flag("--bench-echo", given_.echoes, "answer /echo with a fixed text, for measurements").group("");
    command_.add_flag("--print-routes", prints_routes_,
                      "with --check: print face, method and pattern of all paths instead");
    command_.add_flag("--print-policy", prints_policy_, "print the rules that count, and end");
    options_.add_common_to(command_);
  }
  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }
  [[nodiscard]] int error_status() override { return 1; }

  int execute(const std::vector<std::string>& /*words*/) override {
    service::Settings settings = all_settings();
    if (prints_policy_) {
      print(service::policy_text(settings.policy, options_.limits));
      flush_output();
      return 0;
    }
    // Before the first thread: all of them leave these signals to this one.
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    prctl(PR_SET_DUMPABLE, 0);  // A core would have secrets.

    settings.only_looks = only_checks_;
    use_working_folder("/");  // That of sites.
    close_hiera_host();
    close_git_configuration();
    service::Program program(std::move(settings), site_question, std::make_shared<ThreadPool>(options_.threads));
    if (only_checks_) {
      print(prints_routes_ ? program.routes() : program.description());
      flush_output();
      const std::vector<Diagnostic> problems = program.seed_problems();
      for (const Diagnostic& problem : problems) Terminal(options_.color).tell(problem, "error");
      return program.has_whole_sites() && problems.empty() ? 0 : 1;
    }
    notify("READY=1");
    const bool is_guarded = is_watched();
    bool must_reload = false;
    for (;;) {
      const timespec rhythm{.tv_sec = 1, .tv_nsec = 0};
      const int signal = sigtimedwait(&signals, nullptr, &rhythm);
      if (signal > 0 && signal != SIGHUP) break;
      must_reload = must_reload || signal == SIGHUP;
      try {
        if (must_reload) {
          notify(fmt::format("RELOADING=1\nMONOTONIC_USEC={}", monotonic_microseconds()));
          program.reload();
          notify("READY=1");
          must_reload = false;
        } else {
          program.look_at_files();
          if (is_guarded && program.is_turning()) notify("WATCHDOG=1");
        }
      } catch (const std::bad_alloc&) {
        continue;  // What takes the memory is some request; this is done again in a second.
      }
    }
    notify("STOPPING=1");
    // A second signal ends the process at once.
    std::signal(SIGTERM, end_now);
    std::signal(SIGINT, end_now);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    return program.stop() ? 0 : 1;
  }

 private:
  static void end_now(int /*signal*/) { ::_exit(1); }

  [[nodiscard]] service::Settings all_settings() {
    service::Settings out;
    out.limits = options_.limits;
    if (!config_.empty()) {
      std::optional<std::string> text = read_named_file(config_, options_.limits.input);
      if (!text) throw Error("service.config", "there is no such file").in(config_);
      out = service::read_settings(config_, *std::move(text), std::move(out));
    }
    const auto take = [](auto& into, auto& given) {
      if (!given.empty()) into = given;
    };
    take(out.listen, given_.listen);
    take(out.store, given_.store);
    take(out.keys, given_.keys);
    take_auth(out.auth);
    take(out.anonymous_roles, given_.anonymous_roles);
    if (!sites_.empty()) out.sites.clear();
    for (const std::string& text : sites_) {
      service::SiteSettings site = service::read_site(text);
      if (std::ranges::find(out.sites, site.name, &service::SiteSettings::name) != out.sites.end()) {
        throw Error("service.config", fmt::format("--site names the site '{}' twice", site.name));
      }
      out.sites.push_back(std::move(site));
    }
    take(out.policy, given_.policy);
    take(out.compat, given_.compat);
    take(out.deckhand_project, deckhand_project_);
    take(out.tls_certificates, given_.tls_certificates);
    take(out.tls_keys, given_.tls_keys);
    take(out.client_ca, given_.client_ca);
    take(out.client_auth, given_.client_auth);
    take(out.log, given_.log);
    take(out.trusted_proxies, given_.trusted_proxies);
    out.requires_if_match = out.requires_if_match || given_.requires_if_match;
    if (per_principal_ == 0) throw Error("service.config", "--per-principal must be 1 at least");
    if (per_principal_ != kNotGiven) out.server.per_principal = per_principal_;
    if (body_memory_ != kNotGiven) out.server.body_memory = std::size_t{body_memory_} << 20U;
    if (cache_ != kNotGiven) out.cache = std::size_t{cache_} << 20U;
    out.echoes = given_.echoes;
    if (io_ != kNotGiven) out.loops = io_;
    if (workers_ != kNotGiven) out.workers = workers_;
    if (drain_ != kNotGiven) out.drain = std::chrono::seconds(drain_);
    if (drain_delay_ != kNotGiven) out.drain_delay = std::chrono::seconds(drain_delay_);
    const std::vector<std::string> inherited = inherited_listeners();
    if (!inherited.empty() && given_.listen.empty()) out.listen = inherited;
    for (std::size_t i = 0; i < inherited.size(); ++i) {
      const auto serves = [&](const std::string& text) { return text.substr(0, text.find(',')) == inherited[i]; };
      if (std::ranges::none_of(out.listen, serves)) out.unused_sockets.push_back(kFirstInherited + static_cast<int>(i));
    }
    return out;
  }

  /// The ways of the command line replace those of the configuration; options of oidc count for what is there.
  void take_auth(std::vector<service::AuthWay>& ways) const {
    if (!auth_.empty()) {
      std::vector<service::AuthWay> named;
      for (const std::string& word : auth_) {
        service::AuthWay way = service::read_auth_way(word);
        // `--auth oidc` with a configuration that says what that is.
        const auto known = std::ranges::find(ways, way.kind, &service::AuthWay::kind);
        if (known != ways.end() && word == way.kind) way = *known;
        named.push_back(std::move(way));
      }
      ways = std::move(named);
    }
    const auto take = [](auto& into, const auto& given) {
      if (!given.empty()) into = given;
    };
    bool is_used = false;
    for (service::AuthWay& way : ways) {
      if (way.kind != "oidc") continue;
      is_used = true;
      take(way.oidc.issuer, oidc_.issuer);
      take(way.oidc.audiences, oidc_.audiences);
      take(way.oidc.jwks, oidc_.jwks);
      if (oidc_.roles_claim != service::OidcOptions().roles_claim) way.oidc.roles_claim = oidc_.roles_claim;
      take(way.oidc.project_claim, oidc_.project_claim);
    }
    const bool has_options =
        !oidc_.issuer.empty() || !oidc_.audiences.empty() || !oidc_.jwks.empty() || !oidc_.project_claim.empty();
    if (has_options && !is_used)
      throw UsageError(Usage::conflict,
                       "serve: --oidc-issuer, --oidc-audience, --jwks and --project-claim are for --auth oidc");
  }

  static constexpr unsigned kNotGiven = std::numeric_limits<unsigned>::max();

  Arguments command_;
  SharedOptions options_;
  service::Settings given_;
  std::vector<std::string> auth_;
  std::vector<std::string> sites_;
  service::OidcOptions oidc_;
  std::string config_;
  std::string deckhand_project_;
  unsigned io_ = kNotGiven;
  unsigned workers_ = kNotGiven;
  unsigned per_principal_ = kNotGiven;
  unsigned body_memory_ = kNotGiven;
  unsigned cache_ = kNotGiven;
  unsigned drain_ = kNotGiven;
  unsigned drain_delay_ = kNotGiven;
  bool only_checks_ = false;
  bool prints_routes_ = false;
  bool prints_policy_ = false;
};

const Registration serve_registration(
    {.name = "serve",
     .place = 800,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<ServeCommand>(); },
     .examples = {"strata serve --check --store sqlite:/tmp/strata-example.db", "strata serve --print-policy"},
     .page = "service/run.md"});

}  // namespace

}  // namespace strata::cli
