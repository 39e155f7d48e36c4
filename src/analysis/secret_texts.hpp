// SPDX-License-Identifier: Apache-2.0
// Contents of files without their secrets.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analysis/secrets/line_masks.hpp"
#include "analysis/secrets/secret_names.hpp"
#include "strata/file_tree.hpp"
#include "strata/limits.hpp"
#include "strata/text_edit.hpp"
#include "strata/traits.hpp"

namespace strata::edit {
struct Reading;
}

namespace strata::analysis {

/// What is known of a text beside what the files of its tree say.
struct TextKnowledge {
  std::optional<std::string_view> shown =
      {};  ///< The text as results have it: without what is secret in them. Line by line.
  std::span<const TextPlace> places = {};     ///< Scalars, and members, that begin here are secret.
  const SecretNames::Names* names = nullptr;  ///< The values of these members of a root are secret. Null: of none.
  const edit::Form* form = nullptr;           ///< How it is read. Null: as its name and the dialect say.
  const edit::Reading* reading = nullptr;     ///< The text as it was read so. Null: it is read again.
  bool shows_comments = false;  ///< Of YAML, in lines of their own behind a secret: for who has the files.
  [[nodiscard]] bool has_names() const noexcept { return names != nullptr && !names->empty(); }
};

/// Knows what is secret in the files of a tree, as the files themselves and Limits::secret_keys say it, independent
/// of the reader: the values of names that are secret; of keys of Hiera that are converted to Sensitive; data of
/// encrypted documents; hidden parameters of Heat. In doubt, a text is secret as a whole. Encrypted values (eyaml) are
/// shown encrypted. Thread-safe.
class SecretTexts {
 public:
  /// `paths`: of all files of the tree, absolute. Errors: those of reading the tree; those that end a request.
  SecretTexts(const FileTree& tree, std::span<const std::string> paths, const query::Traits& traits, Limits limits);
  /// A file that was read already.
  struct Text {
    std::string_view path;
    const edit::Reading* reading;
  };
  SecretTexts(std::span<const Text> texts, const query::Traits& traits, Limits limits);

  /// The text of a file, with `******` in place of what is secret. Line breaks stay. Errors: those that end a request.
  [[nodiscard]] std::string shown(std::string_view path, std::string_view text, const TextKnowledge& known = {}) const;
  /// The same of a file that no result has values of. No value: it is unknown which parts are secret. Errors: as above.
  [[nodiscard]] std::optional<std::string> shown_unread(std::string_view path, std::string_view text,
                                                        const TextKnowledge& known) const;
  /// Whether the tree may have secrets at all: names are secret, or some file speaks of something that is.
  [[nodiscard]] bool may_have_some() const noexcept { return names_.may_have_some(); }

 private:
  [[nodiscard]] std::string shown_alone(std::string_view path, std::string_view text, const TextKnowledge& known) const;

  SecretNames names_;
};

}  // namespace strata::analysis
