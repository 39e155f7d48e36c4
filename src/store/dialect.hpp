// SPDX-License-Identifier: Apache-2.0
// What differs between the SQL of SQLite and of PostgreSQL.
#pragma once

#include <string>
#include <string_view>

#include "store/database.hpp"

namespace strata::store {

/// A statement as the database understands it: replaces these words, and for SQLite `$1` by `?1`.
///
/// | word | stands for |
/// |---|---|
/// | `{integer}` `{text}` `{bytes}` | types: whole numbers of 64 bits, texts in the order of their bytes, bytes |
/// | `{identity}` | the type and the rest of a column with numbers of the database |
/// | `{strict}` | what follows a table |
/// | `{for-update}` | locks the rows that are read, until the end of the transaction |
[[nodiscard]] std::string translated(std::string_view sql, Dialect dialect);

/// Checks a text that becomes a parameter. Error `store.text`.
void check_text(std::string_view text);

}  // namespace strata::store
