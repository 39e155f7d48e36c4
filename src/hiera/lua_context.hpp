// SPDX-License-Identifier: Apache-2.0
// The `context` of data functions in Lua.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "data_source.hpp"
#include "strata/builder.hpp"

namespace strata::hiera {

/// Lua code that builds the table `context` from one function of the host and calls a data function with it:
/// `call(function, host, environment, module, explains, options [, key])`.
[[nodiscard]] std::string_view context_script() noexcept;

/// The file name in its places.
inline constexpr std::string_view kScriptContext = "<context>";

/// Thrown through a script that has found nothing.
struct NothingFound : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "not found"; }
};

/// Files read by the functions of one script, by path: their texts, and what functions made from them.
struct KeptFiles {
  std::map<std::string, Value, std::less<>> texts;
  std::map<std::string, Value, std::less<>> converted;
};

/// State that calls at one location share, and the host's side of `context`.
class LuaContext {
 public:
  /// `arena` receives what is kept. Relative paths are relative to `folder`.
  LuaContext(const FileTree& tree, std::shared_ptr<Arena> arena, KeptFiles& files, std::string folder)
      : tree_(tree), arena_(std::move(arena)), files_(files), folder_(std::move(folder)), cache_(*arena_) {}

  /// Answers one request of `context_script`: its name and arguments. Errors: NothingFound, `lua.context`, `lua.file`,
  /// `tree.*`, those of interpolation. `has_seen_secrets`: explanations do not show texts of the script.
  [[nodiscard]] Value answer(std::span<const Value> question, FunctionContext& context, bool has_seen_secrets);

 private:
  void keep(const Value& key, const Value& value);
  /// The text of a file. Errors do not show a secret name.
  [[nodiscard]] Value file(const Value& given);
  [[nodiscard]] Value text_of(const Value& given);
  [[nodiscard]] std::string path(const Value& path) const;

  const FileTree& tree_;
  std::shared_ptr<Arena> arena_;
  KeptFiles& files_;
  std::string folder_;
  MappingBuilder cache_;
};

}  // namespace strata::hiera
