// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <set>
#include <thread>

#include "service/api/face.hpp"
#include "service/buckets/face.hpp"
#include "service/changes.hpp"
#include "service/core.hpp"
#include "service/explore/face.hpp"
#include "service/explore/site_source.hpp"
#include "service/housekeeping.hpp"
#include "service/http/server.hpp"
#include "service/identity/identity.hpp"
#include "service/identity/recognisers.hpp"
#include "service/identity/reloaded_file.hpp"
#include "service/nodes/face.hpp"
#include "service/nodes/seed.hpp"
#include "service/operation/face.hpp"
#include "service/operation/health.hpp"
#include "service/operation/log.hpp"
#include "service/operation/metrics.hpp"
#include "service/policy.hpp"
#include "service/service.hpp"
#include "service/signer.hpp"
#include "service/sites/sites.hpp"
#include "service/stacks/face.hpp"
#include "service/watch/watches.hpp"
#include "store/projects.hpp"
#include "store/store.hpp"
#include "strata/engine.hpp"
#include "strata/error.hpp"
#include "strata/named_file.hpp"
#include "strata/service.hpp"
#include "strata/stop.hpp"
#include "strata/store.hpp"
#include "strata/version.hpp"

namespace strata::service {
namespace {

std::string read_file(const std::string& path) {
  constexpr std::size_t kLargest = std::size_t{64} << 20U;
  auto text = read_named_file(path, kLargest);
  if (!text) throw Error("service.config", "the file cannot be read").in(path);
  return *std::move(text);
}

Policy read_policy(const std::string& file, const Limits& limits) {
  return file.empty() ? Policy() : Policy(read_file(file), file, limits);
}

Identity read_identity(const Settings& settings, const std::vector<Listener>& listeners, store::Store& store,
                       Log& log) {
  std::vector<Reach> reaches;
  for (const Listener& listener : listeners) {
    const bool is_certified = listener.tls && settings.client_auth == "require";
    reaches.push_back(is_local(listener) ? Reach::local : is_certified ? Reach::certified : Reach::anybody);
  }
  check_auth_ways(settings.auth, reaches);
  const IdentityEvents events = [&log](std::string_view event, const std::string& why) {
    log.write("warning", event, {{"message", std::string_view(why)}});
  };
  // A proxy that is trusted says under which names it is asked.
  Pages pages{.public_hosts = settings.public_hosts, .takes_any_host = !settings.trusted_proxies.empty()};
  return make_identity(
      settings.auth,
      {.store = &store, .anonymous_roles = settings.anonymous_roles, .events = events, .pages = std::move(pages)});
}

std::vector<Listener> read_listeners(const Settings& settings) {
  std::vector<Listener> out;
  for (const std::string& text : settings.listen) out.push_back(read_listener(text));
  if (out.empty()) out.push_back(read_listener(std::string(kListen)));
  const bool has_files =
      !settings.tls_certificates.empty() || !settings.tls_keys.empty() || !settings.client_ca.empty();
  if (has_files && std::ranges::none_of(out, &Listener::tls)) {
    // Who names a certificate takes the connections for encrypted.
    throw Error("service.tls", "files of TLS are named, and no listener has TLS")
        .hint("--listen ADDRESS:PORT,tls; for the first socket of systemd --listen fd:3,tls");
  }
  return out;
}

store::StoreOptions store_options(const Settings& settings, Log& log) {
  store::StoreOptions out{.address = settings.store.empty() ? store::default_store() : settings.store,
                          .only_looks = settings.only_looks};
  for (const std::string& source : settings.keys) out.keys.push_back(store::read_key(source));
  out.on_new_key = [&log](const std::string& path) {
    log.write(
        "warning", "key-made",
        {{"path", std::string_view(path)}, {"hint", std::string_view("keep a copy: who loses it loses the secrets")}});
  };
  out.on_full = [&log](bool is_full) {
    log.write("warning", is_full ? "store.full" : "store.has-room",
              {{"message", std::string_view(is_full ? "the store has no space left: reads continue"
                                                    : "the store has space again")}});
  };
  return out;
}

void append_times(std::string& out, std::string_view labels, const store::Usage::Times& times) {
  constexpr std::string_view kName = "strata_store_seconds";
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < times.counts.size(); ++i) {
    sum += times.counts.at(i);
    const bool is_last = i == store::Usage::kBounds.size();
    out += fmt::format("{}_bucket{{{},le=\"{}\"}} {}\n", kName, labels,
                       is_last ? "+Inf" : fmt::format("{}", store::Usage::kBounds.at(is_last ? 0 : i)), sum);
  }
  out += fmt::format("{0}_sum{{{1}}} {2}\n{0}_count{{{1}}} {3}\n", kName, labels, times.seconds, sum);
}

void append_store(std::string& out, const store::Usage& usage) {
  const auto count = [](const store::Usage::Times& times) {
    return std::accumulate(times.counts.begin(), times.counts.end(), std::uint64_t{0});
  };
  append_metric_head(out, "strata_store_transactions_total", "counter", "Transactions of the store.");
  out += fmt::format(
      "strata_store_transactions_total{{kind=\"read\"}} {}\nstrata_store_transactions_total{{kind=\"write\"}} {}\n",
      count(usage.reads), count(usage.writes));
  append_metric_head(out, "strata_store_seconds", "histogram", "Time of a transaction, with waiting for its turn.");
  append_times(out, "kind=\"read\"", usage.reads);
  append_times(out, "kind=\"write\"", usage.writes);
  append_metric(out, "strata_store_retries_total", "counter", "Attempts of transactions after their first.",
                static_cast<double>(usage.retries));
  append_metric(out, "strata_store_errors_total", "counter", "Transactions that the store did not do.",
                static_cast<double>(usage.errors));
  append_metric(out, "strata_store_pool_in_use", "gauge", "Transactions that run or wait.",
                static_cast<double>(usage.in_use));
}

std::vector<std::unique_ptr<Face>> make_faces(Core& core, sites::Sites& sites, watch::Watches& watches,
                                              explore::SiteSource& explored, explore::Gate gate, const Health& health,
                                              const Metrics& metrics, const Settings& settings) {
  if (!store::is_project_name(settings.deckhand_project)) {
    throw Error("service.config", "'deckhand-project' is not the name of a project")
        .hint("1 to 255 bytes of UTF-8 without slashes and control characters");
  }
  std::vector<std::unique_ptr<Face>> out;
  out.push_back(make_operation_face(health, metrics, settings.echoes));  // The first: it answers for paths of no face.
  out.push_back(buckets::make_deckhand_face(core, settings.deckhand_project));
  out.push_back(stacks::make_heat_face(core));
  out.push_back(explore::make_explorer_face(
      explored, std::move(gate)));  // Before the face of all other paths below `/strata/v1`.
  out.push_back(api::make_api_face(sites, watches));
  out.push_back(nodes::make_nodes_face(sites));
  return out;
}

bool is_shipped(const std::string& compat) {
  if (compat == "shipped") return true;
  if (compat.empty() || compat == "promised") return false;
  throw Error("service.config", fmt::format("unknown compatibility '{}'", compat))
      .hint("--compat promised, or shipped");
}

TlsFiles tls_files(const Settings& settings) {
  using ClientAuth = TlsFiles::ClientAuth;
  TlsFiles out{.certificates = settings.tls_certificates, .keys = settings.tls_keys, .client_ca = settings.client_ca};
  const std::string word = !settings.client_auth.empty() ? settings.client_auth
                           : settings.client_ca.empty()  ? "none"
                                                         : "request";
  if (word != "none" && word != "request" && word != "require") {
    throw Error("service.tls", fmt::format("unknown use of client certificates '{}'", word))
        .hint("none, request, require");
  }
  out.client_auth = word == "none" ? ClientAuth::none : word == "request" ? ClientAuth::request : ClientAuth::require;
  if (out.client_auth != ClientAuth::none && out.client_ca.empty()) {
    throw Error("service.tls", "client certificates need an authority that signs them").hint("--client-ca FILE");
  }
  return out;
}

ServerOptions server_options(const Settings& settings, std::vector<Listener> listeners) {
  ServerOptions out{.listeners = std::move(listeners), .loops = settings.loops, .workers = settings.workers};
  out.limits = settings.server;
  out.tls = tls_files(settings);
  out.trusted_proxies = settings.trusted_proxies;
  return out;
}

}  // namespace

std::string policy_text(const std::string& file, const Limits& limits) { return read_policy(file, limits).text(); }

struct Program::Parts {
  Parts(Settings given, QuestionMaker questions, std::shared_ptr<Executor> executor)
      : settings(std::move(given)),
        listeners(read_listeners(settings)),
        log(settings.log, "listening"),  // The first line, whatever is found before: it tells those who wait the port.
        store(store_options(settings, log)),
        policy(std::make_shared<const Policy>(read_policy(settings.policy, settings.limits))),
        identity(std::make_shared<const Identity>(read_identity(settings, listeners, store, log))),
        core(store, Engine::make({.file_cache = settings.cache / 4, .executor = std::move(executor)}),
             [this] { return policy.load(); },
             {.limits = settings.limits,
              .version = std::string(version()),
              .requires_if_match = settings.requires_if_match,
              .answers_as_shipped = is_shipped(settings.compat),
              .on_audit = [this](const store::AuditEntry& entry) { tell_audit(entry); }}),
        sites(core, log,
              {.engine = core.engine(),
               .questions = std::move(questions),
               .limits = settings.limits,
               .usage = usage_of(settings),
               .tags = std::make_shared<const Signer>(store.signing_secret(), kTags)},
              settings.sites, settings.repositories),
        watches(core, sites),
        explored(sites),
        service(core, make_faces(core, sites, watches, explored, gate(), health, metrics, settings),
                settings.server.body) {
    if (settings.only_looks) {
      addresses = look_at_listeners(server_options(settings, listeners));
      if (store.has_tables()) missing_keys = store.missing_keys();
    } else {
      start();
    }
  }

  void start() {
    health.add("store", [this] { return probe_store(); });
    health.add_state("store", [this] { return std::string(store.is_full() ? "the store has no space left" : ""); });
    health.add("sites", [this] { return fmt::format("{}", fmt::join(sites.broken_sites(false), ", ")); });
    health.start();
    core.changes().start();
    housekeeping = std::make_unique<Housekeeping>(store, log);
    metrics.add([this](std::string& out) {
      append_metric(out, "strata_log_lines_dropped_total", "counter",
                    "Lines of the log that could not be written in time.", static_cast<double>(log.dropped()));
    });
    metrics.add([this](std::string& out) {
      append_metric(out, "strata_watchers", "gauge", "Clients that watch results.",
                    static_cast<double>(watches.count()));
    });
    metrics.add([this](std::string& out) { append_store(out, store.usage()); });
    metrics.add([this](std::string& out) { sites.append_metrics(out); });
    server = std::make_unique<Server>(
        service, [this] { return identity.load(); }, metrics, log, server_options(settings, listeners));
    addresses = server->addresses();
    for (const std::string& address : addresses)
      log.write("info", "listening", {{"address", std::string_view(address)}});
    for (const int socket : settings.unused_sockets) {
      // Clients of an open socket that is not served would wait for ever.
      log.write("warning", "socket-closed",
                {{"address", std::string_view(close_inherited(socket))},
                 {"message", std::string_view("systemd opened it, and --listen does not name it")}});
    }
  }

  /// The policy, the certificates, and whom to trust; a file that is wrong leaves the old one.
  void reload();
  /// What the files of `reload` look like.
  [[nodiscard]] std::string stamps() const {
    std::string out;
    for (const std::vector<std::string>& files : {settings.tls_certificates, settings.tls_keys,
                                                  std::vector<std::string>{settings.policy, settings.client_ca}}) {
      for (const std::string& file : files) out += file.empty() ? std::string() : file_stamp(file) + '\n';
    }
    return out;
  }

  static std::shared_ptr<sites::Usage> usage_of(const Settings& settings) {
    auto out = std::make_shared<sites::Usage>();
    out->budget = settings.cache;
    return out;
  }

  void tell_audit(const store::AuditEntry& entry) {
    log.write("info", "audit",
              {{"audit", true},
               {"who", std::string_view(entry.who)},
               {"project", std::string_view(entry.project ? *entry.project : std::string())},
               {"action", std::string_view(entry.action)},
               {"target", std::string_view(entry.target)},
               {"outcome", std::string_view(entry.outcome)},
               {"request_id", std::string_view(entry.request ? *entry.request : std::string())},
               {"address", std::string_view(entry.address ? *entry.address : std::string())}});
  }

  explore::Gate gate() {
    return {.takes_host = [this](std::string_view host) { return is_own_host(host, settings.public_hosts); },
            .recognise = [this](const Request& request) { return identity.load()->recognise(request); }};
  }

  std::string probe_store() {
    store.read([](store::Transaction& transaction) { (void)transaction.run("SELECT version FROM strata_schema"); },
               {.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1)});
    // A full store may reject all clients, so only this probe would notice free space.
    if (store.is_full()) store.look_for_room({.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1)});
    return {};
  }

  Settings settings;
  std::chrono::steady_clock::time_point next_tickets = std::chrono::steady_clock::now() + settings.ticket_time;
  std::string known_stamps = stamps();  ///< Before the files are read.
  std::vector<Listener> listeners;
  Log log;
  store::Store store;
  std::atomic<std::shared_ptr<const Policy>> policy;
  std::atomic<std::shared_ptr<const Identity>> identity;
  Metrics metrics;
  Core core;
  sites::Sites sites;
  watch::Watches watches;
  explore::SiteSource explored;
  Health health;  ///< Ends before what its thread looks at.
  Service service;
  std::unique_ptr<Housekeeping> housekeeping;
  std::unique_ptr<Server> server;                    ///< Null, as the last one, where the program only looks.
  std::vector<std::string> addresses;                ///< Where it listens, or would.
  std::map<std::string, std::int64_t> missing_keys;  ///< Store::missing_keys, where the program only looks.
};

Program::Program(Settings settings, QuestionMaker questions, std::shared_ptr<Executor> executor)
    : parts_(std::make_unique<Parts>(std::move(settings), std::move(questions), std::move(executor))) {}
Program::~Program() = default;

const std::vector<std::string>& Program::addresses() const noexcept { return parts_->addresses; }

std::string Program::description() const {
  const std::string& plan = parts_->store.plan();
  std::string out = fmt::format("store: {}{}{}\n", parts_->store.database().name(), plan.empty() ? "" : ": ", plan);
  for (const auto& [key, count] : parts_->missing_keys)
    out += fmt::format("sealed: {} values need the key {}, which is not there\n", count, key);
  for (const std::string& address : addresses()) out += fmt::format("listen: {}\n", address);
  for (const AuthWay& way : parts_->settings.auth) out += fmt::format("auth: {}\n", way.kind);
  if (parts_->settings.auth.empty()) out += "auth: none\n";
  out += fmt::format("policy: {}\n", parts_->settings.policy.empty() ? "built in" : parts_->settings.policy);
  for (const sites::Site& site : parts_->sites.configured()) {
    out += fmt::format("site: {} ({}, {}): ", site.form.name, site.form.dialect, site.kind);
    try {
      const auto state = sites::state_of(site);
      out += fmt::format("{} files, {} {}s\n", sites::paths_of(state->tree()).size(), state->nodes().size(),
                         state->question().wording().subject);
    } catch (const Error& error) {
      out += fmt::format("{}\n", error.what());
    }
  }
  return out;
}

std::vector<Diagnostic> Program::seed_problems() const {
  std::vector<Diagnostic> out;
  for (const sites::Site& site : parts_->sites.configured()) {
    if (site.form.dialect != "cloud-init" || site.failure) continue;
    const auto state = sites::state_of(site);
    const Stop stop;
    for (Diagnostic& problem : nodes::seed_problems(*state, state->limits(stop))) {
      problem.message.insert(0, fmt::format("site '{}': ", site.form.name));
      out.push_back(std::move(problem));
    }
  }
  return out;
}

bool Program::has_whole_sites() const { return parts_->sites.broken_sites(true).empty(); }

std::string Program::routes() const {
  std::set<std::string> lines;
  for (const auto& face : parts_->service.faces()) {
    for (const Route& route : face->routes())
      lines.insert(fmt::format("{} {} {}\n", face->name(), route.method, route.pattern));
  }
  return fmt::format("{}", fmt::join(lines, ""));
}

void Program::reload() {
  parts_->log.reopen();
  parts_->reload();
}

void Program::look_at_files() {
  if (std::string stamps = parts_->stamps(); stamps != parts_->known_stamps) {
    parts_->known_stamps = std::move(stamps);
    parts_->reload();
  }
  if (parts_->settings.tls_certificates.empty() || std::chrono::steady_clock::now() < parts_->next_tickets) return;
  // New contexts have new keys for session tickets: a stolen key does not decrypt earlier connections.
  parts_->next_tickets = std::chrono::steady_clock::now() + parts_->settings.ticket_time;
  try {
    parts_->server->reload();
  } catch (const Error&) {
    // The files changed and are wrong: the next call reloads them and reports it.
  }
}

bool Program::is_turning() const noexcept { return parts_->server->is_turning(); }

void Program::Parts::reload() {
  bool is_whole = true;
  const auto attempt = [&](const std::function<void()>& read) {
    try {
      read();
    } catch (const Error& error) {
      is_whole = false;
      const std::string place = error.diagnostic().where.place.to_string();
      log.write("error", "reload.failed",
                {{"error", std::string_view(error.code())},
                 {"message", std::string_view(error.what())},
                 {"place", std::string_view(place)}});
    }
  };
  attempt([this] { server->reload(); });
  attempt([this] { policy = std::make_shared<const Policy>(read_policy(settings.policy, settings.limits)); });
  attempt([this] { identity = std::make_shared<const Identity>(read_identity(settings, listeners, store, log)); });
  if (is_whole) log.write("info", "reloaded", {});
}

bool Program::stop() {
  Parts& parts = *parts_;
  parts.health.drain();
  std::this_thread::sleep_for(parts.settings.drain_delay);
  parts.watches.shut_down();
  parts.sites.shut_down();
  parts.explored.shut_down();
  parts.server->drain();
  const bool is_done = parts.server->wait(parts.settings.drain);
  parts.log.write("info", "stopped", {{"all_answered", is_done}});
  parts.server.reset();
  return is_done;
}

}  // namespace strata::service
