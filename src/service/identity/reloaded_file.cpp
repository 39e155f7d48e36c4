// SPDX-License-Identifier: Apache-2.0
#include "service/identity/reloaded_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include "strata/error.hpp"
#include "strata/named_file.hpp"

namespace strata::service {

std::string file_stamp(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return {};
  return fmt::format("{} {} {} {}.{:09}", about.st_dev, about.st_ino, about.st_size, about.st_mtim.tv_sec,
                     about.st_mtim.tv_nsec);
}

std::string read_whole_file(const std::string& path, std::size_t most) {
  auto text = read_named_file(path, most);
  if (!text) throw Error("tree.unreadable", "the file cannot be read: there is no such file").in(path);
  return *std::move(text);
}

}  // namespace strata::service
