// SPDX-License-Identifier: Apache-2.0
#include "hiera_settings.hpp"

#include <cstdlib>

#include "strata/file_tree.hpp"
#include "terminal.hpp"

namespace strata::cli {

namespace {

bool& is_closed() {
  static bool out = false;
  return out;
}

}  // namespace

void close_hiera_host() { is_closed() = true; }

hiera::Settings host_hiera_settings(const std::shared_ptr<const FileBounds>& bounds) {
  hiera::Settings out;
  out.working_folder = working_folder();
  const Ground* ground = OnGround::current();
  if (is_closed() || (ground != nullptr && ground->is_closed)) {
    out.keys_in_tree = true;
    return out;
  }
  out.environment_variable = [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): nothing sets variables
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
  out.read_key = [bounds](const std::string& path) { return bounded_tree(bounds)->read(path); };
  return out;
}

}  // namespace strata::cli
