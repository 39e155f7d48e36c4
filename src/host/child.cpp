// SPDX-License-Identifier: Apache-2.0
#include "child.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

namespace strata {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// A process that was killed ends at once, unless the kernel holds it (a file system that does not answer). It then
/// ends when it can.
constexpr std::chrono::seconds kLongestDeath{2};

/// As waitpid tells it.
int status_of(const siginfo_t& info) {
  constexpr int kDumped = 0x80;
  if (info.si_code == CLD_EXITED) return W_EXITCODE(info.si_status, 0);
  return W_EXITCODE(0, info.si_status) | (info.si_code == CLD_DUMPED ? kDumped : 0);
}

}  // namespace

int open_pidfd(pid_t id) noexcept { return static_cast<int>(::syscall(SYS_pidfd_open, id, 0)); }

Child::Child(pid_t id) noexcept : id_(id), file_(open_pidfd(id)) {}

int Child::wait(siginfo_t& info, int options) const noexcept {
  info = {};
  int done = 0;
  do {
    done = file_ ? ::waitid(P_PIDFD, static_cast<id_t>(file_.get()), &info, options)
                 : ::waitid(P_PID, static_cast<id_t>(id_), &info, options);
  } while (done != 0 && errno == EINTR);
  return done;
}

Child::State Child::state() const noexcept {
  siginfo_t info;
  if (wait(info, WEXITED | WNOWAIT | WNOHANG) != 0) return State::unknown;
  return info.si_pid == 0 ? State::running : State::ended;
}

bool Child::wait_for_end(std::chrono::milliseconds longest) const noexcept {
  constexpr std::chrono::milliseconds kPause{2};
  const auto end = SteadyClock::now() + longest;
  while (true) {
    if (state() == State::ended) return true;
    if (file_) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - SteadyClock::now()).count();
      pollfd waiting{.fd = file_.get(), .events = POLLIN, .revents = 0};
      if (::poll(&waiting, 1, static_cast<int>(std::max<decltype(left)>(left, 0))) > 0) return true;
    } else {
      if (state() == State::unknown) return true;
      std::this_thread::sleep_for(kPause);
    }
    if (SteadyClock::now() >= end) return false;
  }
}

void Child::kill_it() const noexcept {
  if (!file_) {
    ::kill(id_, SIGKILL);
  } else {
    (void)::syscall(SYS_pidfd_send_signal, file_.get(), SIGKILL, nullptr, 0);
  }
}

std::optional<int> Child::end() noexcept {
  if (id_ <= 0) return std::nullopt;
  // Until it is reaped, no other process has its number. Where other code reaped it, the group is still its own as long
  // as no process has the number.
  const bool is_own = state() != State::unknown;
  if (is_own || (::kill(id_, 0) != 0 && errno == ESRCH)) ::kill(-id_, SIGKILL);
  if (is_own || file_) kill_it();
  siginfo_t info{};
  const bool is_reaped =
      is_own && wait_for_end(kLongestDeath) && wait(info, WEXITED | WNOHANG) == 0 && info.si_pid != 0;
  id_ = 0;
  file_ = {};
  if (!is_reaped) return std::nullopt;
  return status_of(info);
}

std::string how_ended(int status) {
  if (!WIFSIGNALED(status)) return fmt::format("ended with status {}", WEXITSTATUS(status));
  const char* name = ::sigdescr_np(WTERMSIG(status));
  return fmt::format("was ended by signal {} ({})", WTERMSIG(status), name == nullptr ? "unknown" : name);
}

NoPipeSignal::NoPipeSignal() noexcept {
  ::sigemptyset(&pipe_);
  ::sigaddset(&pipe_, SIGPIPE);
  sigset_t pending;
  ::sigpending(&pending);
  was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
  ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
}

NoPipeSignal::~NoPipeSignal() {
  const int error = errno;
  // A signal that was raised meanwhile belongs to this thread alone, and is dropped.
  constexpr timespec kNoTime{.tv_sec = 0, .tv_nsec = 0};
  while (!was_pending_ && ::sigtimedwait(&pipe_, nullptr, &kNoTime) < 0 && errno == EINTR) {
  }
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  errno = error;
}

}  // namespace strata
