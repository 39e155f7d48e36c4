// The process of a plugin, as it serves strata: values that the plugin holds, calls and questions.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "strata/limits.hpp"
#include "strata/plugin.h"
#include "strata/value.hpp"

namespace strata::plugin {
class Server;
}

// The types that plugin.h leaves open.
struct strata_value {
  strata::Value value;
};

struct strata_registrar {
  struct Registered {
    strata_extension_v1 extension;
    std::string kind, name, type, parent;
  };
  std::map<std::string, Registered> all;  ///< By kind and name.
  std::string refusal;
  bool is_open = true;
};

struct strata_context {
  strata::plugin::Server* server;
  std::string environment;
  strata::Value binding;
  bool has_lambda = false;
  const strata_value* facts = nullptr;
  std::string last_error = {};
  std::string failure = {};
  std::string failure_file = {};
  std::uint32_t failure_line = 0;
};

namespace strata::plugin {

/// Ends this process and what it has started: strata is gone, or wants no more. Destructors of the plugin's own are not worth a hang.
[[noreturn]] void leave();

/// Sends one message. Ends the process where strata is gone. Error `limit.input` where it is too long; nothing was sent then.
void send(std::span<const Value> message);

/// Values and calls of this process. Its functions throw; what is called from the plugin's code must not let that through.
class Server {
 public:
  explicit Server(strata_registrar& registrar) : registrar_(registrar) {}

  /// Until strata closes the socket.
  void serve();

  [[nodiscard]] Arena& arena() { return arena_; }
  /// The address of a value that lives until the outermost call ends; null for an absent one.
  [[nodiscard]] const strata_value* keep(const Value& value) { return value ? &values_.emplace_back(strata_value{value}) : nullptr; }

  /// Asks strata; false with the context's last error where it fails. Error `limit.input`: it was not asked.
  [[nodiscard]] bool ask(strata_context& context, std::vector<Value> question, Value& answer);

 private:
  [[nodiscard]] bool receive(std::vector<Value>& message);
  void run(const std::vector<Value>& message);

  strata_registrar& registrar_;
  Limits limits_;
  Arena arena_;
  std::deque<strata_value> values_;
};

}  // namespace strata::plugin
