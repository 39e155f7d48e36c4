// The code of one extension, as a request sees it, whether it is Lua or a plugin; and what registers it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/extensions/registry.hpp"
#include "strata/limits.hpp"

namespace strata::bindings::extensions {

/// One thing that an extension registered.
struct Registration {
  std::string kind;  ///< One of plugin::kKinds.
  std::string name;
  std::string type;    ///< Of a producer: what it produces.
  std::string parent;  ///< Of a type.
  bool is_singleton = true;
};

class Code {
 public:
  virtual ~Code() = default;
  [[nodiscard]] virtual const std::string& file() const = 0;
  [[nodiscard]] virtual const std::vector<Registration>& registrations() const = 0;
  /// Calls what was registered, with its arguments; absent ones are nil. What it returns is in the context's arena or shared with the arguments.
  /// Errors are its own, without the binding that it worked for: `lua.*`, `extension.failed`, `extension.process`, `limit.*`.
  [[nodiscard]] virtual Value call(const Registration& what, Context& context, std::span<const Value> arguments, const Callable* lambda) = 0;
};

/// What requests share of the calls that go on in them.
struct Shared {
  Sources& sources;
  const Limits& limits;
  Diagnostics& diagnostics;
  std::size_t running = 0;     ///< Calls that have not ended.
  std::string failed = {};     ///< The message of the last call that failed, as it is told.
  Context* context = nullptr;  ///< For query services, which are asked without one; see Registry::Attached.
};

/// Adds all that the code registers, each with an adapter that turns its failures into errors with the place of the binding.
/// Errors: `extension.duplicate`.
void register_code(Registry& registry, const std::shared_ptr<Code>& code, const std::shared_ptr<Shared>& shared);

/// The error of a call: at the binding, naming the extension; where the code failed is a note. What it asked the engine for and did not get stays as
/// it is.
[[nodiscard]] Error failure(const Error& error, const Registration& what, const std::string& file, const Sources& sources, Origin at);

/// A value as extensions see it: instances of runtime types are what their constructors gave.
[[nodiscard]] Value unwrapped(const Value& value);
/// What a query service is asked: `{type, where}`; conditions are `["and", …]`, `["or", …]`, `["not", c]`, `[operator, field, operand]`, where a
/// parameter is `["parameter", name]` and a pattern its text.
[[nodiscard]] Value describe_query(Arena& arena, const queries::Query& query);

}  // namespace strata::bindings::extensions
