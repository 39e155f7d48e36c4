#include "store_options.hpp"

#include <cstdlib>

#include "options.hpp"

namespace strata::cli {

std::string default_store() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets variables
    return std::string(value == nullptr ? "" : value);
  };
  std::string folder = variable("XDG_DATA_HOME");
  // As the XDG rules say: a path that is relative does not count.
  if (!folder.starts_with('/')) {
    folder = variable("HOME");
    if (!folder.starts_with('/')) throw UsageError("--store is needed: neither XDG_DATA_HOME nor HOME names a folder");
    folder += "/.local/share";
  }
  return "sqlite:" + folder + "/strata/strata.db";
}

void StoreChoice::add_to(Arguments& command, bool with_keys) {
  command.add_option("--store", address, "the store: sqlite:PATH or postgresql://USER@HOST/DATABASE; without it, $XDG_DATA_HOME/strata/strata.db")
      .type_name("ADDRESS");
  if (with_keys) {
    command.add_option("--key", keys, "a key of sealed values: file:PATH or env:NAME; repeatable, the first seals").type_name("KEY").one_word();
  }
}

store::StoreAddress StoreChoice::store() const { return {.address = address.empty() ? default_store() : address, .keys = keys}; }

}  // namespace strata::cli
