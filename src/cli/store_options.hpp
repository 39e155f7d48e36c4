// SPDX-License-Identifier: Apache-2.0
// The options that name a store and its keys.
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"
#include "strata/store.hpp"

namespace strata::cli {

/// `--store` and `--key`.
struct StoreChoice {
  std::string address;
  std::vector<std::string> keys;

  void add_to(Arguments& command, bool with_keys = true);
  /// Errors: those of store::default_store.
  [[nodiscard]] store::StoreAddress store() const;
};

}  // namespace strata::cli
