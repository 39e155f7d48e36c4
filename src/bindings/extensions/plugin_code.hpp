// Plugins: code in processes of their own. Rule: docs/extensions.md.
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

/// A plugin with its process, which is started when it is first needed, and again after it has ended. Shared by requests; thread-safe: threads that
/// share a `turn` wait for each other.
class Plugin {
 public:
  /// `starter` and `limits` must outlive it. `turn`: one for all plugins that may lead to each other, as a call holds it while it asks strata.
  /// `patience`: how long one call may keep strata waiting, what it asks strata not counted.
  Plugin(std::string file, PluginStarter& starter, const Limits& limits, std::shared_ptr<std::recursive_mutex> turn,
         std::chrono::milliseconds patience = std::chrono::seconds(10));

  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  /// What it registers. Starts the process. Errors: `extension.process`, `extension.failed` where it refuses to work.
  [[nodiscard]] std::vector<Registration> registrations();
  /// Errors: as Code::call.
  [[nodiscard]] Value call(const Registration& what, Context& context, const Value& binding, std::span<const Value> arguments,
                           const Callable* lambda);

 private:
  void start();
  [[nodiscard]] std::string packed(std::span<const Value> parts);
  void send(const std::string& message);
  [[nodiscard]] std::vector<Value> receive(Arena& arena);
  [[nodiscard]] Value answer(std::span<const Value> question, Context& context, const Callable* lambda);
  [[noreturn]] void give_up(const std::string& why);

  std::string file_;
  PluginStarter& starter_;
  const Limits& limits_;
  const std::chrono::milliseconds patience_;
  std::shared_ptr<std::recursive_mutex> turn_;  ///< A call may lead to another one by way of inject.
  std::unique_ptr<Peer> peer_;
  std::uint64_t process_ = 0;  ///< Number of the process.
  std::vector<Registration> registrations_;
  std::chrono::steady_clock::duration left_{};
  std::size_t calls_ = 0;  ///< That have not ended.
  std::size_t asked_ = 0;  ///< Questions of the outermost call.
  bool saw_secret_ = false;
};

/// A request's view of a plugin.
[[nodiscard]] std::shared_ptr<Code> open_plugin(std::shared_ptr<Plugin> plugin, const Sources& sources);

}  // namespace strata::bindings::extensions
