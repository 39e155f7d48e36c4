// SPDX-License-Identifier: Apache-2.0
// Which texts of files hold secrets.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "strata/file_tree.hpp"
#include "strata/limits.hpp"
#include "strata/question.hpp"

namespace strata::analysis {

/// Whether something in the text of a file, whose path is absolute, is secret. In doubt, it is. Errors: those that end
/// a request.
using HasSecrets = std::function<bool(const std::string& path, std::string_view text)>;

/// As the files of a tree say it (data of encrypted documents, keys that become Sensitive, hidden parameters) and
/// Limits::secret_keys. `paths`: of those that are read, absolute. Errors: those of reading the tree; those that end a
/// request.
[[nodiscard]] HasSecrets texts_with_secrets(const FileTree& tree, std::span<const std::string> paths,
                                            const query::Traits& traits, const Limits& limits);

}  // namespace strata::analysis
