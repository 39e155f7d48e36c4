// SPDX-License-Identifier: Apache-2.0
#include "service/identity/reloaded_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>

#include "strata/error.hpp"
#include "tree/descriptor.hpp"

namespace strata::service {

std::string file_stamp(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return {};
  return fmt::format("{} {} {} {}.{:09}", about.st_dev, about.st_ino, about.st_size, about.st_mtim.tv_sec,
                     about.st_mtim.tv_nsec);
}

std::string read_whole_file(const std::string& path, std::size_t most) {
  const detail::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file)
    throw Error("tree.unreadable", fmt::format("the file cannot be read: {}", detail::system_message(errno))).in(path);
  return detail::read_all(file, path, most);
}

}  // namespace strata::service
