// SPDX-License-Identifier: Apache-2.0
// A whole store as one file.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "store/store.hpp"

namespace strata::store {

/// Writes a store as text, compressed with zstd: a header, then a line of JSON for each row, table after table, by key,
/// then a line with the SHA-256 of all lines before it. Sealed values stay sealed; with `reseal` they are put under
/// that key. Stores with the same content give the same bytes. `sink` gets the bytes in pieces. Errors: those of
/// reading, of `rewrap`, and of the sink.
void export_store(Store& store, const Key* reseal, const std::function<void(std::string_view)>& sink);

/// Reads what `export_store` wrote into an empty store, in one transaction. `source` fills a buffer, and returns how
/// many bytes it put there, 0 at the end. Errors: `store.not-empty`; `store.export` for a file that is incomplete,
/// changed, or something else.
void import_store(Store& store, const std::function<std::size_t(char* buffer, std::size_t size)>& source);

}  // namespace strata::store
