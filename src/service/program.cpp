#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "service/core.hpp"
#include "service/http/server.hpp"
#include "service/identity/identity.hpp"
#include "service/operation/face.hpp"
#include "service/operation/health.hpp"
#include "service/operation/log.hpp"
#include "service/operation/metrics.hpp"
#include "service/policy.hpp"
#include "service/service.hpp"
#include "store/store.hpp"
#include "strata/engine.hpp"
#include "strata/error.hpp"
#include "strata/service.hpp"
#include "strata/version.hpp"

namespace strata::service {
namespace {

constexpr std::string_view kSqlite = "sqlite:";

/// The file of the user; its folders are made.
std::string default_store() {
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  if ((data == nullptr || *data != '/') && (home == nullptr || *home != '/')) {
    throw Error("service.config", "there is no folder for the store: HOME is not set").hint("--store sqlite:PATH");
  }
  const std::filesystem::path folder =
      (data != nullptr && *data == '/' ? std::filesystem::path(data) : std::filesystem::path(home) / ".local" / "share") / "strata";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error("service.config", fmt::format("the folder of the store cannot be made: {}", error.message())).in(folder.string());
  return fmt::format("{}{}", kSqlite, (folder / "strata.db").string());
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error("service.config", "the file cannot be read").in(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

Policy read_policy(const std::string& file, const Limits& limits) { return file.empty() ? Policy() : Policy(read_file(file), file, limits); }

Identity read_identity(const Settings& settings, const std::vector<Listener>& listeners) {
  std::vector<std::unique_ptr<Recogniser>> ways;
  const std::vector<std::string> words = settings.auth.empty() ? std::vector<std::string>{"none"} : settings.auth;
  const bool is_local_only = std::ranges::all_of(listeners, is_local);
  for (const std::string& word : words) {
    if ((word == "none" || word == "headers") && !is_local_only) {
      throw Error("service.auth", fmt::format("'{}' lets everybody in who reaches a listener, and not all listeners are local", word))
          .hint("listen on 127.0.0.1 or unix:PATH, or choose --auth tokens; 'none-on-purpose' is for networks that others guard");
    }
    if (word == "none" || word == "none-on-purpose") {
      ways.push_back(recognise_anybody(settings.anonymous_roles.empty() ? std::vector<std::string>{"admin"} : settings.anonymous_roles));
    } else if (word == "headers") {
      ways.push_back(recognise_by_headers());
    } else {
      throw Error("service.auth", fmt::format("there is no way '{}' to recognise who asks", word)).hint("none, none-on-purpose, headers");
    }
  }
  return Identity(std::move(ways));
}

std::vector<Listener> read_listeners(const Settings& settings) {
  std::vector<Listener> out;
  for (const std::string& text : settings.listen) out.push_back(read_listener(text));
  if (out.empty()) out.push_back(read_listener(std::string(kListen)));
  return out;
}

store::StoreOptions store_options(const Settings& settings, Log& log) {
  store::StoreOptions out{.address = settings.store.empty() ? default_store() : settings.store};
  for (const std::string& source : settings.keys) out.keys.push_back(store::read_key(source));
  out.on_new_key = [&log](const std::string& path) {
    log.write("warning", "key-made", {{"path", std::string_view(path)}, {"hint", std::string_view("keep a copy: who loses it loses the secrets")}});
  };
  return out;
}

std::vector<std::unique_ptr<Face>> make_faces(Core& /*core*/, const Health& health, const Metrics& metrics) {
  std::vector<std::unique_ptr<Face>> out;
  out.push_back(make_operation_face(health, metrics));  // The first: it answers for paths of no face.
  return out;
}

TlsFiles tls_files(const Settings& settings) {
  using ClientAuth = TlsFiles::ClientAuth;
  TlsFiles out{.certificates = settings.tls_certificates, .keys = settings.tls_keys, .client_ca = settings.client_ca};
  const std::string word = !settings.client_auth.empty() ? settings.client_auth : settings.client_ca.empty() ? "none" : "request";
  if (word != "none" && word != "request" && word != "require") {
    throw Error("service.tls", fmt::format("there is no way '{}' to ask clients for certificates", word)).hint("none, request, require");
  }
  out.client_auth = word == "none" ? ClientAuth::none : word == "request" ? ClientAuth::request : ClientAuth::require;
  if (out.client_auth != ClientAuth::none && out.client_ca.empty()) {
    throw Error("service.tls", "certificates of clients are asked for, and nobody is named who signs them").hint("--client-ca FILE");
  }
  return out;
}

ServerOptions server_options(const Settings& settings, std::vector<Listener> listeners) {
  ServerOptions out{.listeners = std::move(listeners), .loops = settings.loops, .workers = settings.workers};
  out.limits.connections = settings.connections;
  out.limits.queue = settings.queue;
  out.limits.per_principal = settings.per_principal;
  out.limits.request_time = settings.request;
  out.tls = tls_files(settings);
  return out;
}

}  // namespace

std::string policy_text(const std::string& file, const Limits& limits) { return read_policy(file, limits).text(); }

struct Program::Parts {
  explicit Parts(Settings given)
      : settings(std::move(given)),
        listeners(read_listeners(settings)),
        log(settings.log),
        store(store_options(settings, log)),
        policy(std::make_shared<const Policy>(read_policy(settings.policy, settings.limits))),
        identity(std::make_shared<const Identity>(read_identity(settings, listeners))),
        core(store, Engine::make(), [this] { return policy.load(); }, {.limits = settings.limits, .version = std::string(version())}),
        service(core, make_faces(core, health, metrics), settings.body) {
    health.add("store", [this] { return probe_store(); });
    health.start();
    metrics.add([this](std::string& out) {
      append_metric(out, "strata_log_lines_dropped_total", "counter", "Lines of the log that could not be written in time.",
                    static_cast<double>(log.dropped()));
    });
    server = std::make_unique<Server>(
        service, [this] { return identity.load(); }, metrics, log, server_options(settings, listeners));
    for (const std::string& address : server->addresses()) log.write("info", "listening", {{"address", std::string_view(address)}});
  }

  std::string probe_store() {
    store.read([](store::Transaction& transaction) { (void)transaction.run("SELECT version FROM strata_schema"); },
               {.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1)});
    return {};
  }

  Settings settings;
  std::vector<Listener> listeners;
  Log log;
  store::Store store;
  std::atomic<std::shared_ptr<const Policy>> policy;
  std::atomic<std::shared_ptr<const Identity>> identity;
  Metrics metrics;
  Health health;
  Core core;
  Service service;
  std::unique_ptr<Server> server;
};

Program::Program(Settings settings) : parts_(std::make_unique<Parts>(std::move(settings))) {}
Program::~Program() = default;

const std::vector<std::string>& Program::addresses() const noexcept { return parts_->server->addresses(); }

std::string Program::description() const {
  std::string out = fmt::format("store: {}\n", parts_->store.database().name());
  for (const std::string& address : addresses()) out += fmt::format("listen: {}\n", address);
  out += fmt::format("policy: {}\n", parts_->settings.policy.empty() ? "built in" : parts_->settings.policy);
  return out;
}

void Program::reload() {
  Parts& parts = *parts_;
  parts.log.reopen();
  try {
    parts.server->reload();
    parts.policy = std::make_shared<const Policy>(read_policy(parts.settings.policy, parts.settings.limits));
    parts.log.write("info", "reloaded", {});
  } catch (const Error& error) {
    const std::string place = error.diagnostic().where.place.to_string();
    parts.log.write("error", "reload.failed",
                    {{"error", std::string_view(error.code())}, {"message", std::string_view(error.what())}, {"place", std::string_view(place)}});
  }
}

bool Program::stop() {
  Parts& parts = *parts_;
  parts.health.drain();
  std::this_thread::sleep_for(parts.settings.drain_delay);
  parts.server->drain();
  const bool is_done = parts.server->wait(parts.settings.drain);
  parts.log.write("info", "stopped", {{"all_answered", is_done}});
  parts.server.reset();
  return is_done;
}

}  // namespace strata::service
