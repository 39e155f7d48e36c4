// SPDX-License-Identifier: Apache-2.0
#include "descriptor.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <system_error>

#include "strata/stop.hpp"
#include "strata/stop_scope.hpp"
#include "value/charge.hpp"
#include "value/pages.hpp"
#include "value/tree_path.hpp"

namespace strata::detail {
namespace {

constexpr std::chrono::milliseconds kPipePatience{10'000};  ///< A pipe without a writer is waited for so long.

/// Waits for more. False at the end of the file: `ended` says that the last read found no writer.
bool wait_for_input(const Descriptor& file, bool ended, std::string_view path) {
  const auto end = ended ? std::optional(Stop::Clock::now() + kPipePatience) : std::nullopt;
  for (;;) {
    const Stop* stop = StopScope::stop();
    if (stop != nullptr) stop->check();
    const auto slice = stop != nullptr ? Stop::kSlice : ended ? kPipePatience : std::chrono::milliseconds(-1);
    pollfd state{.fd = file.get(), .events = POLLIN, .revents = 0};
    // A pipe that a writer had and left says so at once; one that waits for its first writer says nothing.
    const int ready = poll(&state, 1, static_cast<int>(slice.count()));
    if (ready < 0 && errno == EINTR) return true;
    if (ready != 0) return ready > 0 && ((state.revents & POLLIN) != 0 || !ended);
    if (end && Stop::Clock::now() >= *end) throw unreadable_error(path, "this pipe has no writer");
  }
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

std::string system_message(int error) { return std::generic_category().message(error); }

Descriptor open_without_links(const std::string& path, int flags, unsigned mode) {
  Descriptor at(open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  const TreePath parsed = parse_tree_path(path);
  int error = at ? 0 : errno;
  for (std::size_t i = 0; i < parsed.names.size() && at; ++i) {
    const std::string name(parsed.names[i]);
    const int how = i + 1 == parsed.names.size() ? flags : O_PATH | O_DIRECTORY;
    Descriptor next(openat(at.get(), name.c_str(), how | O_NOFOLLOW | O_CLOEXEC, static_cast<mode_t>(mode)));
    error = next ? 0 : errno;
    // O_PATH opens a link itself, and with O_DIRECTORY reports any other file as if it were none.
    struct stat status {};
    const bool is_known = next ? fstat(next.get(), &status) == 0
                               : error == ENOTDIR && fstatat(at.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
    if (is_known && S_ISLNK(status.st_mode)) {
      next = Descriptor();
      error = ELOOP;
    }
    at = std::move(next);
  }
  errno = error;
  return at;
}

std::vector<FolderEntry> read_folder(const Descriptor& folder) {
  std::vector<FolderEntry> out;
  const int copy = fcntl(folder.get(), F_DUPFD_CLOEXEC, 0);
  DIR* stream = copy < 0 ? nullptr : fdopendir(copy);
  if (stream == nullptr) {
    if (copy >= 0) close(copy);
    return out;
  }
  // NOLINTNEXTLINE(concurrency-mt-unsafe): readdir is safe on streams that are not shared.
  while (const dirent* entry = readdir(stream)) {
    const std::string_view name = static_cast<const char*>(entry->d_name);
    if (name != "." && name != "..") out.push_back({.name = std::string(name), .type = entry->d_type});
  }
  closedir(stream);
  return out;
}

std::string read_all(const Descriptor& file, std::string_view path, std::size_t max_bytes) {
  struct stat status {};
  if (fstat(file.get(), &status) != 0) throw unreadable_error(path, system_message(errno));
  if (S_ISDIR(status.st_mode)) throw unreadable_error(path, "it is a folder");
  const bool regular = S_ISREG(status.st_mode);
  const bool pipe = S_ISFIFO(status.st_mode);
  const std::size_t expected = regular ? static_cast<std::size_t>(status.st_size) : 0;
  if (expected > max_bytes) throw too_large_error(path, max_bytes);

  // Sizes are hints: files under /proc have none, others grow while they are read.
  constexpr std::size_t kFirst = 16'384;
  std::string bytes;
  // With one byte more, a read that stops before it has met the end of the file.
  const std::size_t room = expected == 0 ? 0 : expected + 1;
  bytes.reserve(room);
  populate(bytes.data(), room);
  bytes.resize(room);
  std::size_t size = 0;
  std::array<char, kFirst>
      overflow;  // NOLINT(cppcoreguidelines-pro-type-member-init): a clean 16 KiB a file costs more than reading it
  while (true) {
    const bool full = size == bytes.size();
    char* target = full ? overflow.data() : bytes.data() + size;
    const ssize_t count = read(file.get(), target, full ? overflow.size() : bytes.size() - size);
    if (count < 0) {
      if (errno == EINTR) continue;
      if (errno != EAGAIN) throw unreadable_error(path, system_message(errno));
      if (!wait_for_input(file, false, path)) break;
      continue;
    }
    if (count == 0) {
      if (!pipe || size != 0 || !wait_for_input(file, true, path)) break;
      continue;
    }
    const auto got = static_cast<std::size_t>(count);
    if (got > max_bytes - size) throw too_large_error(path, max_bytes);
    if (size == 0 && got == expected) {
      size = got;
      break;
    }
    if (full) {
      bytes.append(overflow.data(), got);
      size += got;
      // From here on the size is unknown: read in growing steps straight into the text. A device may never end.
      const std::size_t wanted = std::min(std::max(size * 2, kFirst * 4), std::max(size, max_bytes));
      if (!regular) charge(StopScope::stop(), wanted);
      bytes.resize(wanted);
    } else {
      size += got;
    }
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace strata::detail
