// SPDX-License-Identifier: Apache-2.0
// Files that the program writes besides its output.
#pragma once

#include <string>
#include <string_view>

#include "strata/file_writer.hpp"

namespace strata::cli {

using FileUse = FileReplacement::Use;
inline constexpr FileUse kStateFile{
    .code = "output.state", .name = "the state", .is_private = true};  // States hold what is hidden.
inline constexpr FileUse kBaselineFile{.code = "output.baseline", .name = "the baseline", .is_private = false};
inline constexpr FileUse kSourceMapFile{.code = "output.source-map", .name = "the source map", .is_private = false};

/// Writes a file as a whole or not at all: what was there before stays until the new text is complete on the disk. A
/// file that exists keeps its permissions. A symbolic link stays one. Error `code` of the use, also where what is there
/// is not a regular file.
void write_whole_file(const std::string& path, std::string_view text, const FileUse& use);

}  // namespace strata::cli
