// Where the values of rendered documents were written.
#pragma once

#include <span>

#include "service/buckets/loaded.hpp"

namespace strata::service::buckets {

/// The metadata of a rendered document with a member `strata`: `[{path, file, line}]`, one for each scalar or empty container of its data. `file` is
/// `BUCKET@REVISION`, `line` the line in the body of that PUT.
[[nodiscard]] Value with_blame(const Value& metadata, const Value& data, std::span<const LoadedDocument> documents, const Sources& sources,
                               Arena& arena);

}  // namespace strata::service::buckets
