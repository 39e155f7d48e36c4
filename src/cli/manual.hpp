// SPDX-License-Identifier: Apache-2.0
// The manual: pages of man(7), made of the tables that the command line is parsed with and of the pages of docs/.
#pragma once

#include <string>
#include <vector>

namespace strata::cli {

struct ManualPage {
  std::string name;  ///< `strata-lookup`.
  unsigned section;
  /// The name of its file: `strata-lookup.1`.
  [[nodiscard]] std::string file() const { return name + "." + std::to_string(section); }
};

/// All pages: the program, its commands, the files that people write, the errors.
[[nodiscard]] std::vector<ManualPage> manual_pages();
/// The page that words name: those of a command (none: the program), or the name of a page with or without its section.
/// Throws UsageError.
[[nodiscard]] ManualPage manual_page(const std::vector<std::string>& words);
/// The text of a page.
[[nodiscard]] std::string manual_text(const ManualPage& page);

}  // namespace strata::cli
