// What a data function in Lua may ask: the `context` of its calls.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "data_source.hpp"

namespace strata::hiera {

/// Lua that makes the table `context` out of one function of the host, and calls a data function with it:
/// `call(function, host, environment, module, explains, options [, key])`.
[[nodiscard]] std::string_view context_script() noexcept;

/// What places in it are called.
inline constexpr std::string_view kScriptContext = "<context>";

/// Thrown through a script that has found nothing.
struct NothingFound : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "not found"; }
};

/// Files that the functions of one script have read, by path: their texts, and what functions have made of them.
struct KeptFiles {
  std::map<std::string, Value, std::less<>> texts;
  std::map<std::string, Value, std::less<>> converted;
};

/// What calls at one location keep for each other, and the host's side of `context`.
class LuaContext {
 public:
  /// `arena` gets what is kept. Relative paths count from `folder`.
  LuaContext(const FileTree& tree, std::shared_ptr<Arena> arena, KeptFiles& files, std::string folder)
      : tree_(tree), arena_(std::move(arena)), files_(files), folder_(std::move(folder)), cache_(arena_->mapping()) {}

  /// One question of `context_script`: its name and its arguments. Errors: NothingFound, `lua.context`, `lua.file`, `tree.*`, those of interpolation.
  /// `has_seen_secrets`: explanations do not show what is said.
  [[nodiscard]] Value answer(std::span<const Value> question, FunctionContext& context, bool has_seen_secrets);

 private:
  void keep(const Value& key, const Value& value);
  /// The text of a file. Errors do not tell a name that is secret.
  [[nodiscard]] Value file(const Value& given);
  [[nodiscard]] Value text_of(const Value& given);
  [[nodiscard]] std::string path(const Value& path) const;

  const FileTree& tree_;
  std::shared_ptr<Arena> arena_;
  KeptFiles& files_;
  std::string folder_;
  Value cache_;  ///< A mapping.
};

}  // namespace strata::hiera
