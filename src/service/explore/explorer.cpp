// SPDX-License-Identifier: Apache-2.0
#include "strata/explorer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>

#include "service/core.hpp"
#include "service/explore/face.hpp"
#include "service/explore/host_source.hpp"
#include "service/http/server.hpp"
#include "service/identity/credentials.hpp"
#include "service/identity/identity.hpp"
#include "service/operation/log.hpp"
#include "service/operation/metrics.hpp"
#include "service/policy.hpp"
#include "service/service.hpp"
#include "strata/engine.hpp"
#include "strata/version.hpp"

namespace strata::service {
namespace {

/// The user who started the program, by the token that it printed.
class ByPrintedToken final : public Recogniser {
 public:
  explicit ByPrintedToken(std::string token) : token_(std::move(token)) {}
  [[nodiscard]] std::string_view name() const noexcept override { return "explorer"; }
  [[nodiscard]] std::string challenge() const override { return "Bearer realm=\"strata\""; }
  [[nodiscard]] std::optional<Principal> recognise(const Request& request) const override {
    const std::string_view bearer = bearer_of(request);
    if (bearer.empty()) return std::nullopt;
    if (!explore::same_secret(bearer, token_)) throw wrong_credentials();
    return Principal{.name = "user", .method = "explorer", .roles = {"reader"}};
  }
  [[nodiscard]] bool is_brief(const Request& /*request*/) const override { return true; }

 private:
  std::string token_;
};

std::shared_ptr<const Identity> identity_of(const std::string& token) {
  std::vector<std::unique_ptr<Recogniser>> ways;
  ways.push_back(std::make_unique<ByPrintedToken>(token));
  return std::make_shared<const Identity>(std::move(ways));
}

/// Most of them wait for what others find out.
constexpr std::size_t kWorkers = 16;

ServerOptions options_of(std::uint16_t port) {
  ServerOptions out{.listeners = {read_listener(fmt::format("127.0.0.1:{}", port))}, .loops = 1, .workers = kWorkers};
  out.limits.request_time = std::chrono::minutes(10);  // Large fleets take their time; who asked can go.
  return out;
}

}  // namespace

struct Explorer::Parts {
  explicit Parts(ExplorerSettings settings)
      : token(explore::random_token()),
        policy(std::make_shared<const Policy>()),
        identity(identity_of(token)),
        log("/dev/null"),
        core(settings.engine, [this] { return policy; },
             {.limits = settings.limits, .version = std::string(version())}),
        web_folder(settings.web_folder),
        port(settings.port),
        source(std::move(settings)),
        service(core, faces(), 0),
        server(
            service, [this] { return identity; }, metrics, log, options_of(port)) {
    const std::string& bound = server.addresses().front();
    const std::string number = bound.substr(bound.rfind(':'));
    address = fmt::format("http://127.0.0.1{}/explore/?token={}", number, token);
    const std::scoped_lock lock(mutex);
    for (const std::string_view host : {"127.0.0.1", "localhost", "[::1]"})
      hosts.push_back(fmt::format("{}{}", host, number));
  }

  std::vector<std::unique_ptr<Face>> faces() {
    explore::Gate gate{.takes_host = [this](std::string_view host) { return takes_host(host); },
                       .closes_pages = true,
                       .recognise = [this](const Request& request) { return identity->recognise(request); }};
    std::vector<std::unique_ptr<Face>> out;
    out.push_back(explore::make_explorer_face(source, std::move(gate), web_folder));
    return out;
  }

  bool takes_host(std::string_view host) {
    const std::scoped_lock lock(mutex);  // The port is known when somebody listens already.
    return std::ranges::any_of(hosts, [host](const std::string& one) { return same_name(one, host); });
  }

  std::string token;
  std::shared_ptr<const Policy> policy;
  std::shared_ptr<const Identity> identity;
  Log log;
  Metrics metrics;
  Core core;
  std::string web_folder;
  std::uint16_t port;
  std::mutex mutex;                ///< Of `hosts`.
  std::vector<std::string> hosts;  ///< With the port.
  explore::HostSource source;
  Service service;
  Server server;
  std::string address;
};

Explorer::Explorer(ExplorerSettings settings) : parts_(std::make_unique<Parts>(std::move(settings))) {}
Explorer::~Explorer() = default;

const std::string& Explorer::address() const noexcept { return parts_->address; }

void Explorer::stop() {
  constexpr std::chrono::seconds kPatience{2};
  parts_->source.shut_down();
  parts_->server.drain();
  (void)parts_->server.wait(kPatience);
}

}  // namespace strata::service
