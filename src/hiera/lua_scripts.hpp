// Where the scripts of users' own data functions are: `lua::NAME`.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "strata/origin.hpp"

namespace strata::hiera {

namespace detail {
struct DirectoryState;
}  // namespace detail

/// The scripts of a code directory, each found and read once for all nodes. Thread-safe. Rule: docs/lua-backends.md, "Where scripts are".
class LuaScripts {
 public:
  /// `directory` owns it; nothing is looked for before the first question.
  explicit LuaScripts(const detail::DirectoryState& directory) : directory_(directory) {}

  /// The script of `NAME` or `MODULE::NAME`, as the hiera.yaml of `module` (empty: of none) sees it; none where there is none.
  /// Errors: `tree.*`.
  [[nodiscard]] std::optional<SourceId> find(std::string_view name, std::string_view module);
  /// strata's own script, which makes the `context` of calls. Its texts in Sources are named `kContextName`.
  [[nodiscard]] SourceId context();

  static constexpr std::string_view kContextName = "<context>";

 private:
  [[nodiscard]] std::vector<std::string> folders(std::string_view module) const;
  [[nodiscard]] std::optional<SourceId> search(std::string_view name, std::string_view module);
  [[nodiscard]] std::optional<SourceId> read(const std::string& path);

  const detail::DirectoryState& directory_;
  std::mutex mutex_;
  std::map<std::string, std::optional<SourceId>, std::less<>> found_;  ///< By module and name.
  std::map<std::string, std::optional<SourceId>, std::less<>> read_;   ///< By path: one that two names lead to is one script.
  std::optional<SourceId> context_;
};

}  // namespace strata::hiera
