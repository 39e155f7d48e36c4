// Plugins: code in processes of their own. Rule: docs/bindings/extensions.md.
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

/// Whose turn it is: held by the thread whose call is under way.
using Turn = std::recursive_timed_mutex;

/// A plugin with its process, which is started when it is first needed, and again after it has ended. Shared by requests; thread-safe: threads that
/// share a `turn` wait for each other.
class Plugin {
 public:
  /// `starter` and `limits` must outlive it. `turn`: one for all plugins that may lead to each other, as a call holds it while it asks strata.
  /// `patience`: how long one call may keep strata waiting, what it asks strata not counted.
  Plugin(std::string file, PluginStarter& starter, const Limits& limits, std::shared_ptr<Turn> turn,
         std::chrono::milliseconds patience = std::chrono::seconds(10));

  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  /// What it registers. Starts the process. `stop`: when the caller's request must end (null: never); the process is killed then, as its answer would
  /// come too late. Errors: `extension.process`, `extension.failed` where it refuses to work, as Stop::check.
  [[nodiscard]] std::vector<Registration> registrations(const Stop* stop);
  /// Errors: as Code::call; as Stop::check of `stop`, as above.
  [[nodiscard]] Value call(const Registration& what, Context& context, const Value& binding, std::span<const Value> arguments, const Callable* lambda,
                           const Stop* stop);

 private:
  [[nodiscard]] std::unique_lock<Turn> take_turn(const Stop* stop);
  void start(const Stop* stop);
  [[nodiscard]] Value converse(const Registration& what, Context& context, const Value& binding, std::span<const Value> arguments,
                               const Callable* lambda, const Stop* stop);
  [[nodiscard]] std::string packed(std::span<const Value> parts);
  void send(const std::string& message, const Stop* stop);
  [[nodiscard]] std::vector<Value> receive(Arena& arena, const Stop* stop);
  [[nodiscard]] Value answer(std::span<const Value> question, Context& context, const Callable* lambda);
  [[noreturn]] void give_up(const std::string& why);
  /// Kills the process, if there is one. How it ended.
  std::string end_process();

  std::string file_;
  PluginStarter& starter_;
  const Limits& limits_;
  const std::chrono::milliseconds patience_;
  std::shared_ptr<Turn> turn_;  ///< A call may lead to another one by way of inject.
  std::unique_ptr<PluginConnection> connection_;
  std::uint64_t process_ = 0;  ///< Number of the process.
  std::vector<Registration> registrations_;
  std::chrono::steady_clock::duration left_{};
  std::size_t calls_ = 0;  ///< That have not ended.
  std::size_t asked_ = 0;  ///< Questions of the outermost call.
  bool saw_secret_ = false;
};

/// A request's view of a plugin. `stop`: when the request must end; null: never.
[[nodiscard]] std::shared_ptr<Code> open_plugin(std::shared_ptr<Plugin> plugin, const Sources& sources, const Stop* stop);

}  // namespace strata::bindings::extensions
