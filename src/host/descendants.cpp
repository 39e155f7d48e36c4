// SPDX-License-Identifier: Apache-2.0
#include "descendants.hpp"

#include <fcntl.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>

namespace strata {
namespace {

/// Kills all children; false where the system does not tell which there are.
bool kill_children() noexcept {
  const int file = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  std::array<char, 4096> text{};
  pid_t id = 0;
  for (ssize_t length = ::read(file, text.data(), text.size()); length > 0;
       length = ::read(file, text.data(), text.size())) {
    for (ssize_t i = 0; i < length; ++i) {
      const char c = text[static_cast<std::size_t>(i)];
      if (c >= '0' && c <= '9') {
        id = id * 10 + (c - '0');
      } else if (id > 0) {
        // A child that has ended keeps its number until it is reaped, which nobody else does.
        (void)::kill(id, SIGKILL);
        id = 0;
      }
    }
  }
  ::close(file);
  return true;
}

}  // namespace

void adopt_descendants() noexcept { (void)::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

void kill_descendants() noexcept {
  constexpr int kMostRounds = 5000;
  constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 2'000'000};
  for (int round = 0; round < kMostRounds; ++round) {
    if (!kill_children()) return;
    pid_t reaped = 0;
    do {
      reaped = ::waitpid(-1, nullptr, WNOHANG);
    } while (reaped > 0);
    if (reaped < 0 && errno == ECHILD) return;
    (void)::nanosleep(&kPause, nullptr);
  }
}

}  // namespace strata
