// Files that the program writes besides its output.
#pragma once

#include <string>
#include <string_view>

namespace strata::cli {

/// Writes a file as a whole or not at all: what was there before stays until the new text is complete on the disk. A file that exists keeps its
/// permissions; a new one can be read by its owner only, since states hold what is hidden. A symbolic link stays one.
/// Error `output.state`.
void write_state_file(const std::string& path, std::string_view text);

}  // namespace strata::cli
