// SPDX-License-Identifier: Apache-2.0
// Plugins: code in separate processes. Rule: docs/bindings/extensions.md.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "code.hpp"
#include "strata/host.hpp"

namespace strata::bindings::extensions {

/// A lock held by the thread whose call is running.
using Turn = std::recursive_timed_mutex;

/// A plugin with its process, which is started on first use and restarted after it ends. Shared by requests.
/// Thread-safe: threads that share a `turn` wait for each other.
class Plugin {
 public:
  /// `starter` and `limits` must outlive it. `turn`: one for all plugins that may call each other, because a call holds
  /// it while it calls strata. `patience`: how long one call may keep strata waiting, without the time of its own calls
  /// to strata.
  Plugin(std::string file, PluginStarter& starter, const Limits& limits, std::shared_ptr<Turn> turn,
         std::chrono::milliseconds patience = std::chrono::seconds(10));

  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  /// The registrations. Starts the process. `stop`: when the caller's request must end (null: never). The process is
  /// then killed. Errors: `extension.process`; `extension.failed` if the plugin refuses; as Stop::check.
  [[nodiscard]] std::vector<Registration> registrations(const Stop* stop);
  /// Errors: as Code::call; as Stop::check of `stop`, as above.
  [[nodiscard]] Value call(const Registration& what, Context& context, const Value& binding,
                           std::span<const Value> arguments, const Callable* lambda, const Stop* stop);

 private:
  [[nodiscard]] std::unique_lock<Turn> take_turn(const Stop* stop);
  void start(const Stop* stop);
  [[nodiscard]] Value converse(const Registration& what, Context& context, const Value& binding,
                               std::span<const Value> arguments, const Callable* lambda, const Stop* stop);
  [[nodiscard]] std::string packed(std::span<const Value> parts);
  void send(const std::string& message, const Stop* stop);
  [[nodiscard]] std::vector<Value> receive(Arena& arena, const Stop* stop);
  [[nodiscard]] Value answer(std::span<const Value> question, Context& context, const Callable* lambda);
  [[noreturn]] void give_up(const std::string& why);
  /// Kills the process, if there is one. Returns how it ended.
  std::string end_process();

  std::string file_;
  PluginStarter& starter_;
  const Limits& limits_;
  const std::chrono::milliseconds patience_;
  std::shared_ptr<Turn> turn_;  ///< A call may cause another one through inject.
  std::unique_ptr<PluginConnection> connection_;
  std::uint64_t process_ = 0;  ///< Number of the process.
  std::vector<Registration> registrations_;
  std::chrono::steady_clock::duration left_{};
  std::size_t calls_ = 0;  ///< Calls that have not ended.
  std::size_t asked_ = 0;  ///< Questions of the outermost call.
  bool saw_secret_ = false;
};

/// A plugin for one request. `stop`: when the request must end; null: never.
[[nodiscard]] std::shared_ptr<Code> open_plugin(std::shared_ptr<Plugin> plugin, const Sources& sources,
                                                const Stop* stop);

}  // namespace strata::bindings::extensions
