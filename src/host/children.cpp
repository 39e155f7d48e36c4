#include "children.hpp"

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX, sigaction and kill
#include <sys/wait.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>

namespace strata {
namespace {

constexpr std::size_t kMostSignals = 65;
constexpr std::size_t kMostGroups = 256;  ///< At once; more of them are not ended.

/// A signal that is held.
struct Held {
  std::size_t users = 0;
  bool is_changed = false;
  struct sigaction before {};
};

struct AllHeld {
  std::mutex mutex;
  std::array<Held, kMostSignals> signals{};
};

AllHeld& all_held() {
  static AllHeld all;
  return all;
}

std::array<std::atomic<pid_t>, kMostGroups> groups{};
static_assert(std::atomic<pid_t>::is_always_lock_free, "a handler of signals reads it");

/// Its action is the default one again when it is called: raised once more, the signal does what it always would have.
void end_groups(int signal) {
  const int error = errno;
  for (const std::atomic<pid_t>& group : groups) {
    if (const pid_t id = group.load(); id > 0) ::kill(-id, SIGKILL);
  }
  ::raise(signal);
  errno = error;
}

}  // namespace

SignalAction::SignalAction(int signal, void (*action)(int), void (*instead_of)(int)) : signal_(signal) {
  AllHeld& all = all_held();
  const std::lock_guard lock(all.mutex);
  Held& held = all.signals.at(static_cast<std::size_t>(signal));
  if (held.users++ > 0) return;
  ::sigaction(signal, nullptr, &held.before);
  const bool forgets_children = signal == SIGCHLD && (held.before.sa_flags & SA_NOCLDWAIT) != 0;
  held.is_changed = forgets_children || ((held.before.sa_flags & SA_SIGINFO) == 0 && held.before.sa_handler == instead_of);
  if (!held.is_changed) return;
  struct sigaction wanted {};
  wanted.sa_handler = action;
  ::sigemptyset(&wanted.sa_mask);
  const bool is_handler = action != SIG_DFL && action != SIG_IGN;
  wanted.sa_flags = is_handler ? static_cast<int>(SA_RESETHAND) : 0;
  ::sigaction(signal, &wanted, nullptr);
}

SignalAction::~SignalAction() {
  AllHeld& all = all_held();
  const std::lock_guard lock(all.mutex);
  Held& held = all.signals.at(static_cast<std::size_t>(signal_));
  if (--held.users == 0 && held.is_changed) ::sigaction(signal_, &held.before, nullptr);
}

KeptStatus::KeptStatus() : children_(SIGCHLD, SIG_DFL, SIG_IGN) {}

EndsWithUs::EndsWithUs(pid_t group)
    : hangup_(SIGHUP, end_groups, SIG_DFL),
      interrupt_(SIGINT, end_groups, SIG_DFL),
      quit_(SIGQUIT, end_groups, SIG_DFL),
      terminate_(SIGTERM, end_groups, SIG_DFL),
      group_(group) {
  for (std::atomic<pid_t>& free : groups) {
    pid_t none = 0;
    if (free.compare_exchange_strong(none, group)) return;
  }
}

EndsWithUs::~EndsWithUs() {
  for (std::atomic<pid_t>& own : groups) {
    pid_t group = group_;
    if (own.compare_exchange_strong(group, 0)) return;
  }
}

std::string how_ended(int status) {
  if (!WIFSIGNALED(status)) return fmt::format("ended with status {}", WEXITSTATUS(status));
  const char* name = ::sigdescr_np(WTERMSIG(status));
  return fmt::format("was ended by signal {} ({})", WTERMSIG(status), name == nullptr ? "unknown" : name);
}

}  // namespace strata
