// SPDX-License-Identifier: Apache-2.0
#include "output_file.hpp"

namespace strata::cli {

void write_whole_file(const std::string& path, std::string_view text, const FileUse& use) {
  FileReplacement replacement(path, use);
  replacement.write(text);
  replacement.place();
}

}  // namespace strata::cli
