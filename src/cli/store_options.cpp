// SPDX-License-Identifier: Apache-2.0
#include "store_options.hpp"

namespace strata::cli {

void StoreChoice::add_to(Arguments& command, bool with_keys) {
  command
      .add_option(
          "--store", address,
          "the store: sqlite:PATH or postgresql://USER@HOST/DATABASE; without it, $XDG_DATA_HOME/strata/strata.db")
      .type_name("ADDRESS");
  if (with_keys) {
    command.add_option("--key", keys, "a key of sealed values: file:PATH or env:NAME; repeatable, the first seals")
        .type_name("KEY")
        .one_word();
  }
}

store::StoreAddress StoreChoice::store() const {
  return {.address = address.empty() ? store::default_store() : address, .keys = keys};
}

}  // namespace strata::cli
