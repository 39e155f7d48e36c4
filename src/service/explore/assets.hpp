// SPDX-License-Identifier: Apache-2.0
// The pages: files of web/dist, compiled in.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "service/face.hpp"

namespace strata::service::explore {

/// A file of the pages, packed by gzip.
struct Asset {
  std::string_view name;  ///< `app.js`
  std::string_view type;
  std::string_view sha256;  ///< Of the unpacked bytes.
  std::span<const unsigned char> packed;
};
/// Those of the program, by name. Empty: it was built without.
[[nodiscard]] std::span<const Asset> assets() noexcept;

/// What a browser gets for a path below `/explore/`: a file of this name, else the page. `folder`: files of the host in
/// place of those of the program.
[[nodiscard]] Response show_asset(const Call& call, const std::string& path, const std::string& folder);

}  // namespace strata::service::explore
