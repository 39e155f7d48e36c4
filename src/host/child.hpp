// SPDX-License-Identifier: Apache-2.0
// Child processes, independent of how the surrounding program handles signals.
#pragma once

#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>

#include "tree/descriptor.hpp"

namespace strata {

/// A child process that leads a process group. Waits by pidfd, or by process number if the kernel has no pidfds (before
/// Linux 5.3). Works whether SIGCHLD is ignored or handled. The only difference: if the kernel or a handler reaps the
/// child, its exit status is unknown.
class Child {
 public:
  Child() = default;
  /// A child that was just started.
  explicit Child(pid_t id) noexcept;
  Child(Child&& other) noexcept : id_(std::exchange(other.id_, 0)), file_(std::move(other.file_)) {}
  Child& operator=(Child&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(file_, other.file_);
    return *this;
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { (void)end(); }

  [[nodiscard]] explicit operator bool() const noexcept { return id_ > 0; }
  /// Waits until it has ended, so long at most. Whether it has.
  [[nodiscard]] bool wait_for_end(std::chrono::milliseconds longest) const noexcept;
  /// Kills its process group and reaps it. Returns its status as waitpid does; no value if it was reaped elsewhere.
  std::optional<int> end() noexcept;

 private:
  enum class State { running, ended, unknown };
  [[nodiscard]] State state() const noexcept;
  [[nodiscard]] int wait(siginfo_t& info, int options) const noexcept;
  void kill_it() const noexcept;

  pid_t id_ = 0;
  detail::Descriptor file_;  ///< The pidfd.
};

/// A status of waitpid in words: `ended with status 1`, `was ended by signal 9 (Killed)`.
[[nodiscard]] std::string how_ended(int status);

/// The pidfd of a process. No value if the kernel does not support it, or the process is gone. Async-signal-safe.
[[nodiscard]] int open_pidfd(pid_t id) noexcept;

/// While it exists, a write of this thread to a pipe without a reader fails with EPIPE and raises no SIGPIPE.
class NoPipeSignal {
 public:
  NoPipeSignal() noexcept;
  ~NoPipeSignal();
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
  bool was_pending_ = false;
};

}  // namespace strata
