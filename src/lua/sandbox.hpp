// Sandboxed Lua: scripts of users that see values, and nothing of the machine.
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

/// Bounds of a sandbox beside Limits.
struct SandboxOptions {
  std::size_t memory = std::size_t{64} << 20;  ///< Bytes that the scripts may hold (`lua.memory`).
  std::uint32_t seconds = 30;                  ///< Processor time of one run, for work that no budget sees (`limit.steps`).
};

class Sandbox;
class Runtime;

/// A Lua value that is kept for later: a function, a table of functions. Must not outlive its Sandbox.
class Reference {
 public:
  Reference() = default;
  Reference(Reference&& other) noexcept;
  Reference& operator=(Reference&& other) noexcept;
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;
  ~Reference();

  /// False for nil and for a default-constructed one.
  explicit operator bool() const noexcept { return runtime_ != nullptr; }
  [[nodiscard]] bool is_function() const;
  [[nodiscard]] bool is_table() const;
  /// A member of a table, without metamethods; false where there is none, and for anything but a table.
  [[nodiscard]] Reference field(std::string_view name) const;

 private:
  friend class Sandbox;
  Runtime* runtime_ = nullptr;
  int key_ = 0;
};

/// A C++ function that a script may call while the call that it was given to goes on. May throw Error: the script's caller gets it as it was;
/// one with a code `lua.*` and no place gets that of the call.
using HostFunction = std::function<Value(std::span<const Value> arguments)>;

/// What a script is called with. Absent values are nil.
using Argument = std::variant<Value, const Reference*, const HostFunction*>;

/// What helps to find the origins of values that come back from Lua. Rule: docs/cloud-init/custom-mergers.md, "Where values come from".
struct Origins {
  Value incoming;                             ///< An equal value at the same place of this one has its origin,
  Value old;                                  ///< else one of this one;
  Origin otherwise;                           ///< else this is the origin.
  KeyEquality equality = KeyEquality::exact;  ///< Of mappings that the script makes.
};

/// One Lua 5.4 state without io, os, package, debug, coroutines, bytecode, randomness and addresses: the same input gives the same result.
///
/// All work is bounded: VM instructions, pattern matching, sorting and copying are charged to Limits::steps (anew for each outermost call), memory
/// to SandboxOptions. Global variables last as long as the sandbox. Not thread-safe. `sources` and `limits` must outlive it.
/// Errors of all members: `lua.runtime`, `lua.memory`, `lua.result` (a value that cannot be one of ours), `limit.steps`, `limit.depth`,
/// `limit.result`, each with file and line where they are known, and what host functions throw.
/// Rule: docs/cloud-init/custom-mergers.md.
class Sandbox {
 public:
  Sandbox(const Sources& sources, const Limits& limits, SandboxOptions options = {});
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  /// Compiles and runs a text; what it returns first. Errors also: `lua.syntax`. `is_own`: it is strata's, so that errors are placed at what called
  /// it.
  [[nodiscard]] Reference load(SourceId source, bool is_own = false);
  /// Calls a function; what it returns first, as a Lua value.
  [[nodiscard]] Reference call_for_reference(const Reference& function, std::span<const Argument> arguments);
  /// Calls a function; what it returns first, made in `arena` or shared with the arguments. The absent value where it returns nil; `lua.result`
  /// where it returns nothing at all, which is a forgotten `return`. An argument that comes back unchanged is the same Value, and so is each of its
  /// members.
  [[nodiscard]] Value call(const Reference& function, std::span<const Argument> arguments, Arena& arena, const Origins& origins);
  /// The error with the place where a function begins, unless it has a place; for what called it by way of another function.
  [[nodiscard]] Error in_function(Error error, const Reference& function) const;
  /// Whether a secret value was shown to the scripts: what they say may hold it.
  [[nodiscard]] bool has_seen_secrets() const noexcept;
  /// A table that is both the list of `words` and the set of them: `t[1] == "append"` and `t.append == true`.
  [[nodiscard]] Reference word_set(std::span<const std::string> words);

 private:
  std::unique_ptr<Runtime> runtime_;
};

}  // namespace strata::lua
