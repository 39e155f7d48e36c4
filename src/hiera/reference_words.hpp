// What the reference prints for a lookup that fails, where that differs from the message.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "strata/hiera.hpp"
#include "strata/text.hpp"

namespace strata::hiera {

/// `text (file: FILE)`, with `, line: LINE` behind the file where there is a line.
[[nodiscard]] ReferenceWords in_config(std::string_view text, std::optional<unsigned> line = {});
/// The line of a place, where the reference names it: it looks for the key in the line, and overlooks one in quotes.
[[nodiscard]] std::optional<unsigned> line_with(const Sources& sources, Origin origin, std::string_view key);
/// What Psych says of a file. `is_config`: it is a hiera.yaml.
[[nodiscard]] ReferenceWords in_yaml(const text::YamlError& error, bool is_config);
/// The words of an error with a text in front.
[[nodiscard]] ReferenceWords behind(std::string_view head, const WordedError& error);

/// The words of an error; its message where it has none. Relative names of files count from `working_folder`.
[[nodiscard]] std::string worded(const WordedError& error, const std::string& working_folder);

}  // namespace strata::hiera
