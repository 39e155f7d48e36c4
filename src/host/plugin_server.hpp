// SPDX-License-Identifier: Apache-2.0
// The plugin's side: values that the plugin holds, calls and questions.
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

/// Ends this process and everything that it started: strata is gone or has finished. Destructors of the plugin do not
/// run, because they might hang.
[[noreturn]] void leave();

/// Sends one message. Ends the process if strata is gone. Error `limit.input` if the message is too long; nothing is
/// then sent.
void send(std::span<const Value> message);

/// Values and calls of this process. Its functions throw; functions that the plugin's code calls must catch these
/// exceptions.
class Server {
 public:
  explicit Server(strata_registrar& registrar) : registrar_(registrar) {}

  /// Serves calls until strata closes the socket.
  void serve();

  [[nodiscard]] Arena& arena() { return arena_; }
  /// The address of a value that lives until the outermost call ends. Null for an absent value.
  [[nodiscard]] const strata_value* keep(const Value& value) {
    return value ? &values_.emplace_back(strata_value{value}) : nullptr;
  }

  /// Asks strata. False with the context's last error if it fails. Error `limit.input`: nothing was sent.
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
