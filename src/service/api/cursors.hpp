// SPDX-License-Identifier: Apache-2.0
// Cursors: where the next page of a list begins.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace strata::service {
class Signer;
}  // namespace strata::service

namespace strata::service::api {

struct Cursor {
  std::string list = {};      ///< Which list it is of. A cursor of another one is none.
  std::int64_t snapshot = 0;  ///< The generation that the list was made of. 0: it has none.
  std::string after = {};     ///< The last name of the page before.
};

/// A cursor for clients: they give it back as it is.
[[nodiscard]] std::string cursor_text(const Cursor& cursor, const Signer& signer);
/// No value: it was not made by this service, or for another list.
[[nodiscard]] std::optional<Cursor> read_cursor(std::string_view text, std::string_view list, const Signer& signer);

}  // namespace strata::service::api
