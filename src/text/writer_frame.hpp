// Where a writer is in a value, kept on its stack for the case of an error.
#pragma once

#include <cstddef>
#include <string>

#include "strata/value.hpp"

namespace strata::text {

struct WriterFrame {
  const WriterFrame* parent;  ///< Null pointer below the root.
  const Value* key;           ///< Null pointer for an item.
  std::size_t index;
};

/// "at the top", or "at " and a JSON Pointer. Null pointer: the root.
[[nodiscard]] std::string place_of(const WriterFrame* frame);

}  // namespace strata::text
