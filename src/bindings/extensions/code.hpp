// SPDX-License-Identifier: Apache-2.0
// The code of one extension for a request, in Lua or as a plugin, and its registration.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/extensions/registry.hpp"
#include "strata/limits.hpp"

namespace strata::bindings::extensions {

/// One registration of an extension.
struct Registration {
  std::string kind;  ///< One of plugin::kKinds.
  std::string name;
  std::string type;    ///< For a producer: the type of its values.
  std::string parent;  ///< For a type.
  bool is_singleton = true;
};

class Code {
 public:
  virtual ~Code() = default;
  [[nodiscard]] virtual const std::string& file() const = 0;
  [[nodiscard]] virtual const std::vector<Registration>& registrations() const = 0;
  /// Calls a registration with its arguments; absent ones are nil. The result is in the context's arena or shared with
  /// the arguments. Errors do not name the binding: `lua.*`, `extension.failed`, `extension.process`, `limit.*`.
  [[nodiscard]] virtual Value call(const Registration& what, Context& context, std::span<const Value> arguments,
                                   const Callable* lambda) = 0;
};

/// State shared by the nested calls of a request.
struct Shared {
  Sources& sources;
  const Limits& limits;
  Diagnostics& diagnostics;
  std::size_t running = 0;     ///< Calls that have not ended.
  std::string failed = {};     ///< The message of the last failed call, as reported.
  Context* context = nullptr;  ///< For query services, which are called without one; see Registry::Attached.
};

/// Adds all registrations of the code, each with an adapter that converts its failures to errors at the binding.
/// Errors: `extension.duplicate`.
void register_code(Registry& registry, const std::shared_ptr<Code>& code, const std::shared_ptr<Shared>& shared);

/// The error of a call: at the binding, with the name of the extension, and a note where its code failed. Errors of its
/// own calls to strata are unchanged.
[[nodiscard]] Error failure(const Error& error, const Registration& what, const std::string& file,
                            const Sources& sources, Origin at);

/// A value for extensions: instances of runtime types are replaced by the results of their constructors.
[[nodiscard]] Value unwrapped(const Value& value);
/// The argument of a query service: `{type, where}`. Conditions are `["and", …]`, `["or", …]`, `["not", c]`,
/// `[operator, field, operand]`; a parameter is `["parameter", name]`, a pattern its text.
[[nodiscard]] Value describe_query(Arena& arena, const queries::Query& query);

}  // namespace strata::bindings::extensions
