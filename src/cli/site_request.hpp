// What the commands that ask a site have in common: their options, and one request with everything that answers it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings/extensions/extensions.hpp"
#include "bindings/extensions/registry.hpp"
#include "bindings/queries/service.hpp"
#include "bindings/request.hpp"
#include "bindings/request/configuration.hpp"
#include "bindings/request/prepare.hpp"
#include "command.hpp"
#include "hiera_layer.hpp"
#include "strata/bindings.hpp"

namespace strata::cli {

/// Which site is asked, and about whom.
class SiteOptions {
 public:
  /// `names_node`: whether there are `--node`, `--inventory` and `--agent-environment`… for commands whose node is an argument, only the latter two.
  void add_to(Arguments& command, bool names_node);
  /// Reads what comes from the host. Throws UsageError, Error.
  void prepare(Host& host);
  void set_node(std::string node) { node_ = std::move(node); }

  /// A text of the host with the name that places show.
  struct Named {
    std::string name;
    std::string text;
  };

  [[nodiscard]] const std::string& confdir() const noexcept { return confdir_; }
  [[nodiscard]] const std::string& environments_file() const noexcept { return environments_file_; }
  [[nodiscard]] const std::string& node() const noexcept { return node_; }
  [[nodiscard]] const std::optional<Named>& facts() const noexcept { return facts_; }
  [[nodiscard]] const std::optional<Named>& enc() const noexcept { return enc_; }
  [[nodiscard]] const std::optional<Named>& inventory() const noexcept { return inventory_; }
  [[nodiscard]] std::optional<std::string> agent_environment() const;
  [[nodiscard]] Host& host() const noexcept { return *host_; }

 private:
  std::string confdir_;
  std::string environments_file_;
  std::string facts_name_;
  std::string enc_name_;
  std::string inventory_name_;
  std::string agent_environment_;
  std::string node_;
  Option agent_option_;
  std::optional<Named> facts_;
  std::optional<Named> enc_;
  std::optional<Named> inventory_;
  Host* host_ = nullptr;
};

/// One request on one tree. It owns all that its answers point into, save for the tree and the sources.
class SiteRequest {
 public:
  /// `run` is copied; what it refers to must outlive this.
  SiteRequest(const SiteOptions& options, const Run& run, bool strict);
  ~SiteRequest();
  SiteRequest(const SiteRequest&) = delete;
  SiteRequest& operator=(const SiteRequest&) = delete;

  /// Facts, ENC, environment, site, documents. Errors: of one step, all together. What was found before them is in `request`.
  /// `facts_of_node`: whether `facts_dir` is asked where no facts were given.
  void prepare(bool facts_of_node = false);
  /// The injector; composes when it is first asked for.
  [[nodiscard]] bindings::Injector& injector();
  /// All that is wrong. Never throws for bad input.
  [[nodiscard]] bindings::Findings check();
  [[nodiscard]] const bindings::Request& request() const noexcept { return *request_; }

 private:
  [[nodiscard]] bindings::Facts read_facts(bool facts_of_node) const;
  [[nodiscard]] std::shared_ptr<const bindings::Enc> read_enc(const bindings::Facts& facts) const;
  [[nodiscard]] std::shared_ptr<const bindings::Enc> run_enc(const bindings::Facts& facts) const;
  [[nodiscard]] bindings::SchemeProvider* provider(std::string_view scheme);
  [[nodiscard]] bindings::Registry& registry();
  [[nodiscard]] bindings::QueryService* queries();
  [[nodiscard]] bindings::Services services();

  const SiteOptions& options_;
  Run run_;
  bool strict_;
  std::string confdir_;
  bindings::Configuration configuration_;
  std::shared_ptr<bindings::Request> request_;
  bindings::DocumentStore documents_;
  HieraLayers hiera_;
  std::unique_ptr<bindings::extensions::Extensions> extensions_;
  std::unique_ptr<bindings::Registry> registry_;
  std::unique_ptr<bindings::QueryService> queries_;
  bindings::Preparations preparations_;
  std::unique_ptr<bindings::Injector> injector_;
};

}  // namespace strata::cli
