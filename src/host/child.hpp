// Child processes, independent of how the surrounding program handles signals.
#pragma once

#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>

#include "tree/descriptor.hpp"

namespace strata {

/// A child process that leads a process group. It is waited for by its pidfd; by its number where the kernel has none (before Linux 5.3).
/// Whether SIGCHLD is ignored or handled changes nothing, except that how the child ended is not known where the kernel or a handler reaps it.
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
  /// Kills its process group and reaps it. Its status, as waitpid gives it; none where somebody else reaped it.
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
