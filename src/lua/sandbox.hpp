// SPDX-License-Identifier: Apache-2.0
// Sandboxed Lua: users' scripts that see values, and nothing of the machine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/value.hpp"

namespace strata::lua {

/// Limits of a sandbox besides Limits.
struct SandboxOptions {
  std::size_t memory = std::size_t{64} << 20;  ///< Memory of the scripts in bytes (`lua.memory`).
  /// Processor time of one run, for work that no budget counts (`limit.steps`).
  std::uint32_t seconds = 30;
};

class Sandbox;
class Runtime;

/// A Lua value that is kept: a function, a table of functions. Must not outlive its Sandbox.
class Reference {
 public:
  Reference() = default;
  Reference(Reference&& other) noexcept;
  Reference& operator=(Reference&& other) noexcept;
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;
  ~Reference();

  /// False for nil and for a default-constructed value.
  explicit operator bool() const noexcept { return runtime_ != nullptr; }
  [[nodiscard]] bool is_function() const;
  [[nodiscard]] bool is_table() const;
  /// A member of a table, without metamethods. False if it is missing or this is not a table.
  [[nodiscard]] Reference field(std::string_view name) const;

 private:
  friend class Sandbox;
  Runtime* runtime_ = nullptr;
  int key_ = 0;
};

/// A C++ function that a script may call while the call to which it was given is running. May throw Error: the caller
/// of the script receives it unchanged; an error with a code `lua.*` and no place gets the place of the call.
using HostFunction = std::function<Value(std::span<const Value> arguments)>;

/// The arguments of a script. Absent values are nil.
using Argument = std::variant<Value, const Reference*, const HostFunction*>;

/// Used to find the origins of values that come back from Lua. Rule: docs/cloud-init/custom-mergers.md, "Where values
/// come from".
struct Origins {
  Value incoming;                             ///< First choice: the origin of an equal value at the same place here.
  Value old;                                  ///< Second choice: the same here.
  Origin otherwise;                           ///< Otherwise: this origin.
  KeyEquality equality = KeyEquality::exact;  ///< For mappings that the script makes.
};

/// A Lua 5.4 state without io, os, package, debug, coroutines, bytecode, randomness and addresses: the same input gives
/// the same result.
///
/// All work is bounded. VM instructions, pattern matching, sorting and copying are charged to Limits::steps (anew for
/// each outermost call), memory to SandboxOptions. Global variables live as long as the sandbox. Not thread-safe.
/// `sources` and `limits` must outlive it. Errors of all members: `lua.runtime`, `lua.memory`, `lua.result` (a value
/// that cannot be converted), `limit.steps`, `limit.depth`, `limit.result`, each with file and line if known, and
/// errors of host functions. Rule: docs/cloud-init/custom-mergers.md.
class Sandbox {
 public:
  Sandbox(const Sources& sources, const Limits& limits, SandboxOptions options = {});
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  /// Compiles and runs a text. Returns its first result. Errors also: `lua.syntax`. `is_own`: the text belongs to
  /// strata, so errors are placed at its caller.
  [[nodiscard]] Reference load(SourceId source, bool is_own = false);
  /// Calls a function. Returns its first result, as a Lua value.
  [[nodiscard]] Reference call_for_reference(const Reference& function, std::span<const Argument> arguments);
  /// Calls a function. Returns its first result, made in `arena` or shared with the arguments. Absent if it returns
  /// nil; `lua.result` if it returns nothing, because `return` was probably forgotten. An argument that is returned
  /// unchanged is the same Value, and so are its members.
  [[nodiscard]] Value call(const Reference& function, std::span<const Argument> arguments, Arena& arena,
                           const Origins& origins);
  /// Adds the place where a function begins to an error without a place. For code that calls the function through
  /// another one.
  [[nodiscard]] Error in_function(Error error, const Reference& function) const;
  /// Whether scripts have seen a secret value: their texts may contain it.
  [[nodiscard]] bool has_seen_secrets() const noexcept;
  /// A table that is a list and a set of `words`: `t[1] == "append"` and `t.append == true`.
  [[nodiscard]] Reference word_set(std::span<const std::string> words);

 private:
  std::unique_ptr<Runtime> runtime_;
};

}  // namespace strata::lua
