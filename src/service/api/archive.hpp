// SPDX-License-Identifier: Apache-2.0
// Files out of an uploaded archive.
#pragma once

#include <string_view>

#include "service/sites/files.hpp"

namespace strata::service::api {

/// Reads an archive of tar (ustar, pax, GNU), perhaps compressed with gzip, or a zip. Links, devices and paths that
/// lead out are refused. Errors: `request.archive`, `request.path`, `site.large`.
[[nodiscard]] sites::Files read_archive(std::string_view bytes);

}  // namespace strata::service::api
