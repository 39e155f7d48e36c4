// SPDX-License-Identifier: Apache-2.0
#include "hiera_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "options.hpp"
#include "strata/file_tree.hpp"
#include "strata/paths.hpp"
#include "terminal.hpp"

namespace strata::cli {

namespace {

bool& is_closed() {
  static bool out = false;
  return out;
}

}  // namespace

void close_hiera_host() { is_closed() = true; }

bool is_host_closed() {
  const Ground* ground = OnGround::current();
  return is_closed() || (ground != nullptr && ground->is_closed);
}

std::optional<std::string> host_variable(const std::string& name) {
  if (is_host_closed()) return std::nullopt;
  const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): nothing sets variables
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

hiera::Settings host_hiera_settings(const std::shared_ptr<const FileBounds>& bounds) {
  hiera::Settings out;
  out.working_folder = working_folder();
  if (is_host_closed()) {
    out.keys_in_tree = true;
    return out;
  }
  out.environment_variable = host_variable;
  out.read_key = [bounds](const std::string& path) { return bounded_tree(bounds)->read(path); };
  return out;
}

std::vector<MappedFolder> mapped_folders(const std::vector<std::string>& options) {
  std::vector<MappedFolder> out;
  for (const std::string& option : options) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == option.size() || !option.starts_with('/')) {
      throw UsageError(Usage::value, fmt::format("--map: '{}' is not FROM=DIR, with an absolute path FROM", option),
                       "--map /etc/puppetlabs/code/hieradata=hieradata");
    }
    MappedFolder made{.from = absolute_path("/", option.substr(0, equals)),
                      .to = absolute_path(working_folder(), option.substr(equals + 1))};
    const auto same = std::ranges::find(out, made.from, &MappedFolder::from);
    if (same != out.end() && same->to != made.to)
      throw UsageError(Usage::conflict, fmt::format("--map: '{}' stands for two folders", made.from));
    out.push_back(std::move(made));
  }
  return out;
}

}  // namespace strata::cli
