// SPDX-License-Identifier: Apache-2.0
// Who uses the keys of a hierarchy. Rules: docs/analysis/check.md, "Consumers".
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/dependencies.hpp"
#include "analysis/manifest.hpp"
#include "analysis/real_folders.hpp"
#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/limits.hpp"
#include "value/seeded_hash.hpp"

namespace strata::analysis {

inline constexpr std::string_view kColons = "::";  ///< Between the parts of a qualified name.

/// A class of Puppet, as a manifest defines it.
struct KnownClass {
  std::vector<std::string> parameters;
  Excerpt where;
};

/// Reads code: manifests, templates, functions, tasks, scripts.
class Consumers {
 public:
  /// `folder`: names of files below it are shown relative to it.
  Consumers(const FileTree& tree, std::string folder, const Limits& limits)
      : tree_(tree), folder_(std::move(folder)), limits_(limits), folders_(tree) {}

  /// Reads all code below folders that is not read yet. Absolute paths. Errors: those that end the run.
  void read(std::span<const std::string> folders);
  /// Reads the files in a folder, not below it, that name modules. An absolute path.
  void read_dependencies(const std::string& folder);
  /// A text of data names these keys.
  void add_named(std::span<const std::string> keys) { named_.insert(keys.begin(), keys.end()); }
  /// A user says that these keys are used: patterns with `*` and `?`.
  void add_patterns(std::span<const std::string> patterns) { patterns_.assign(patterns.begin(), patterns.end()); }

  [[nodiscard]] bool has_manifests() const noexcept { return has_manifests_; }
  /// By name. Null: no manifest defines it.
  [[nodiscard]] const KnownClass* find_class(std::string_view name) const;
  [[nodiscard]] const TextMap<KnownClass>& classes() const noexcept { return classes_; }
  /// Whether a key is a parameter of a class.
  [[nodiscard]] bool is_parameter(std::string_view key) const;
  /// Whether something uses a key.
  [[nodiscard]] bool uses(std::string_view key) const;
  /// What is known about the code of the module that a key belongs to.
  enum class Module : std::uint8_t {
    none,      ///< The key has no module in its name.
    present,   ///< Its code is here.
    absent,    ///< Its code is not here, and files name it, or may do so.
    unlisted,  ///< Its code is not here, and no file names it.
  };
  [[nodiscard]] Module module_of_key(std::string_view key) const;
  /// The number of modules that files name and whose code is not here.
  [[nodiscard]] std::size_t absent_modules() const;
  /// Whether a Puppetfile was read.
  [[nodiscard]] bool has_module_list() const noexcept { return dependencies_.lists_all; }
  /// Whether a lookup of the key in code has a merge behaviour of its own.
  [[nodiscard]] bool merges_itself(std::string_view key) const;
  /// The number of lookups in code whose keys are computed.
  [[nodiscard]] std::size_t computed() const noexcept { return computed_; }

 private:
  void read_file(std::string_view folder, const std::string& path, std::string_view name);
  void note_module(std::string_view folder, std::string_view path);
  void add_manifest(const std::string& path, const std::string& code);
  [[nodiscard]] bool stands_in_code(std::string_view key) const;

  const FileTree& tree_;
  std::string folder_;
  const Limits& limits_;
  RealFolders folders_;
  std::set<std::string> files_;
  Dependencies dependencies_;
  std::set<std::string, std::less<>> modules_;  ///< Whose code is here.
  bool has_manifests_ = false;
  TextMap<KnownClass> classes_;
  std::set<std::string, std::less<>> words_;  ///< Of all texts.
  std::vector<std::string> texts_;            ///< For keys that are not words.
  std::set<std::string, std::less<>> named_;
  std::vector<NamedKey> patterns_of_code_;
  std::set<std::string, std::less<>> merged_;  ///< By lookups with a merge behaviour.
  std::vector<std::string> patterns_;
  std::size_t computed_ = 0;
};

}  // namespace strata::analysis
