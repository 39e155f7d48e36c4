// SPDX-License-Identifier: Apache-2.0
#include "strata/named_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include "descriptor.hpp"
#include "value/tree_path.hpp"

namespace strata {

std::optional<detail::Descriptor> detail::open_named_file(const std::string& path) {
  // O_NONBLOCK: opening a pipe that has no writer would wait for one.
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (!file || fstat(file.get(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    throw unreadable_error(path, system_message(errno));
  }
  if (S_ISDIR(status.st_mode)) throw unreadable_error(path, "it is a folder");
  constexpr std::array<std::string_view, 4> kOwn{"/dev/fd/", "/dev/null", "/dev/stdin", "/proc/self/fd/"};
  const bool is_own = std::ranges::any_of(kOwn, [&path](std::string_view one) { return path.starts_with(one); });
  if (!S_ISREG(status.st_mode) && !is_own) throw unreadable_error(path, "it is not a regular file");
  return file;
}

std::optional<std::string> read_named_file(const std::string& path, std::size_t max_bytes) {
  const std::optional<detail::Descriptor> file = detail::open_named_file(path);
  if (!file) return std::nullopt;
  return detail::read_all(*file, path, max_bytes);
}

}  // namespace strata
