// The options that name a store and its keys.
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"
#include "strata/store.hpp"

namespace strata::cli {

/// `sqlite:` and the file that a service uses if nothing names another: $XDG_DATA_HOME/strata/strata.db, else below $HOME/.local/share.
/// Throws UsageError where neither variable is set.
[[nodiscard]] std::string default_store();

/// `--store` and `--key`.
struct StoreChoice {
  std::string address;
  std::vector<std::string> keys;

  void add_to(Arguments& command, bool with_keys = true);
  /// Throws UsageError.
  [[nodiscard]] store::StoreAddress store() const;
};

}  // namespace strata::cli
