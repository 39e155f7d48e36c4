// SPDX-License-Identifier: Apache-2.0
// The pages of docs/ that commands and manuals name, as the build found them (cmake/StrataPages.cmake).
#pragma once

#include <span>
#include <string_view>

namespace strata::cli {

struct Page {
  std::string_view name;  ///< Below docs/.
  std::string_view text;
};
[[nodiscard]] std::span<const Page> pages() noexcept;
/// The date of the build, or of SOURCE_DATE_EPOCH: 2026-11-25.
[[nodiscard]] std::string_view date_of_pages() noexcept;

}  // namespace strata::cli
