// SPDX-License-Identifier: Apache-2.0
// The reference's wording of errors, if it differs from the message.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "strata/hiera.hpp"
#include "strata/text.hpp"

namespace strata::hiera {

/// `text (file: FILE)`, with `, line: LINE` after the file if there is a line.
[[nodiscard]] ReferenceWords in_config(std::string_view text, std::optional<unsigned> line = {});
/// The line of a place, if the reference gives it: it searches the line for the key, and does not see a quoted one.
[[nodiscard]] std::optional<unsigned> line_with(const Sources& sources, Origin origin, std::string_view key);
/// Psych's words about a file. `is_config`: it is a hiera.yaml.
[[nodiscard]] ReferenceWords in_yaml(const text::YamlError& error, bool is_config);
/// The words of an error, with a text in front.
[[nodiscard]] ReferenceWords behind(std::string_view head, const WordedError& error);

/// The words of an error, or its message if it has none. Relative file names are relative to `working_folder`.
[[nodiscard]] std::string worded(const WordedError& error, const std::string& working_folder);

}  // namespace strata::hiera
