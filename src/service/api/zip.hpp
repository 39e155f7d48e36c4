// SPDX-License-Identifier: Apache-2.0
// The files of a zip.
#pragma once

#include <string_view>

#include "service/sites/files.hpp"

namespace strata::service::api {

/// Whether bytes begin as a zip does.
[[nodiscard]] bool is_zip(std::string_view bytes) noexcept;
/// The files of a zip whose entries are stored or deflated, each once. Errors: `request.archive` for what is broken,
/// encrypted, larger than 4 GiB, or neither a file nor a folder; `request.path`; `site.large`.
[[nodiscard]] sites::Files read_zip(std::string_view bytes);

}  // namespace strata::service::api
