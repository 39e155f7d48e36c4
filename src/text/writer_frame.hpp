// SPDX-License-Identifier: Apache-2.0
// The position of a writer in a value, kept on its stack for error messages.
#pragma once

#include <cstddef>
#include <string>

#include "strata/value.hpp"

namespace strata::text {

struct WriterFrame {
  const WriterFrame* parent;  ///< Null at the root.
  const Value* key;           ///< Null for an item.
  std::size_t index;
};

/// "at the top", or "at " and a JSON Pointer. Null: the root.
[[nodiscard]] std::string place_of(const WriterFrame* frame);

}  // namespace strata::text
