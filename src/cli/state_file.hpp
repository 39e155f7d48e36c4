// Files that the program writes besides its output.
#pragma once

#include <string>
#include <string_view>

namespace strata::cli {

/// Replaces a file atomically: the old content stays until the new text is completely on the disk. An existing file keeps its permissions; a new file
/// is readable by its owner only, because states contain hidden values. A symbolic link stays a link.
/// Error `output.state`.
void write_state_file(const std::string& path, std::string_view text);

}  // namespace strata::cli
