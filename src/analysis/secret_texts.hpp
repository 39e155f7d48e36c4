// Texts of files without the secrets that stand in them.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "strata/file_tree.hpp"
#include "strata/limits.hpp"
#include "strata/question.hpp"
#include "strata/secret_keys.hpp"

namespace strata::analysis {

/// Knows what is secret in the files of a tree, as the files themselves and Limits::secret_keys say it, whoever reads them: the values of names that
/// are secret; of keys of Hiera that are converted to Sensitive; data of encrypted documents; hidden parameters of Heat. In doubt, a text is secret
/// as a whole. Encrypted values (eyaml) are shown as they stand there. Thread-safe.
class SecretTexts {
 public:
  /// `paths`: of all files of the tree, absolute. Errors: those of reading the tree; those that end a request.
  SecretTexts(const FileTree& tree, std::span<const std::string> paths, Results results, Limits limits);

  /// The text of a file, with `******` in place of what is secret. Line breaks stay. Errors: those that end a request.
  [[nodiscard]] std::string shown(std::string_view path, std::string_view text) const;
  /// Whether the tree may have secrets at all: names are secret, or some file speaks of something that is.
  [[nodiscard]] bool may_have_some() const noexcept { return may_have_some_; }

 private:
  class Walk;
  void learn(std::string_view path, std::string_view text);
  [[nodiscard]] bool names_secret(std::string_view token) const;
  [[nodiscard]] bool speaks_of_secrets(std::string_view text) const;
  [[nodiscard]] std::string without_named_lines(std::string_view text) const;

  Results results_;
  Limits limits_;
  std::set<std::string, std::less<>> names_;         ///< Of keys, or of parameters.
  std::vector<std::string> patterns_of_keys_ = {};   ///< Of `lookup_options`.
  std::unique_ptr<const SecretKeys> patterns_ = {};  ///< Made of these. Null: none.
  bool may_have_some_ = false;
  bool is_unknown_ = false;  ///< What says what is secret cannot be read.
};

}  // namespace strata::analysis
