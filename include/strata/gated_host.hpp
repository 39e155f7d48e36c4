// SPDX-License-Identifier: Apache-2.0
// The one place that decides whether programs are run and servers are contacted because files of configuration ask for
// it. Rules: SECURITY.md, "A repository is not a trusted host".
//
// Files that are read can come from a stranger: a pull request, a cloned repository. They name programs (the ENC of
// strata.yaml, plugins) and servers (PuppetDB, includes of cloud-init, files of Heat). Code below the hosts reaches
// either only through Host, so a host without them is enough: no other code checks a permission. A new kind of program
// or server is refused until a permission of Host covers it. Tested by tests/cli/trust_test.py and script/attacks.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "strata/host.hpp"

namespace strata {

/// How a request ends whose files ask for a program or server that is not allowed.
enum class OnRefusal : std::uint8_t {
  fail,       ///< It is an error, as its result would be used.
  leave_out,  ///< It continues without it where it can. The owner of the host reports `refusals` once.
};

/// A host with permissions. Its files, standard input and keys are those of the host below. Thread-safe as that one.
class GatedHost final : public Host {
 public:
  GatedHost(std::unique_ptr<Host> host, Permissions permissions, OnRefusal on_refusal = OnRefusal::fail)
      : host_(std::move(host)), permissions_(permissions), on_refusal_(on_refusal) {}

  [[nodiscard]] std::optional<std::string> find(const std::string& name) override { return host_->find(name); }
  [[nodiscard]] ReadMore open(const std::string& name) override { return host_->open(name); }
  [[nodiscard]] const FileTree* files() override { return host_->files(); }
  [[nodiscard]] std::size_t bytes_read() const noexcept override { return host_->bytes_read(); }
  [[nodiscard]] const KeyFiles* key_files() const noexcept override { return host_->key_files(); }

  [[nodiscard]] Fetcher* network() override { return permissions_.network ? host_->network() : nullptr; }
  [[nodiscard]] HttpClient* http() override { return permissions_.network ? host_->http() : nullptr; }
  [[nodiscard]] PluginStarter* plugins() override { return permissions_.programs ? host_->plugins() : nullptr; }
  [[nodiscard]] Programs* programs() override { return permissions_.programs ? host_->programs() : nullptr; }

  [[nodiscard]] bool leaves_out(const Refusal& refusal) override;
  [[nodiscard]] std::string way_to_allow(Refusal::Kind kind) const override;

  /// The refusals so far, each once, in the order in which files asked.
  [[nodiscard]] std::vector<Refusal> refusals() const;
  /// Calls with each one at once instead of keeping it. Set before the host is used.
  void report_to(std::function<void(const Refusal& refusal)> report) { report_ = std::move(report); }

 private:
  std::unique_ptr<Host> host_;
  Permissions permissions_;
  OnRefusal on_refusal_;
  mutable std::mutex mutex_;
  std::vector<Refusal> refusals_;
  std::function<void(const Refusal& refusal)> report_;
};

/// How the user allows them: `allow it with --allow-programs on the command line`.
[[nodiscard]] std::string refusal_hint(const std::vector<Refusal>& refusals);
/// The one warning about refusals, which must not be empty: what was left out, where, and the options that allow it.
[[nodiscard]] Diagnostic refusal_warning(const std::vector<Refusal>& refusals);

}  // namespace strata
