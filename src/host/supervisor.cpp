// SPDX-License-Identifier: Apache-2.0
#include "supervisor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "descendants.hpp"
#include "environment.hpp"
#include "strata/error.hpp"

namespace strata {
namespace {

using Report = SupervisedProgram::Report;

/// All that the supervisor needs, made before the fork: after it, no memory may be asked for.
struct Plan {
  Plan(const std::vector<std::string>& texts, const std::array<int, 3>& files, const sigset_t& mask) {
    for (const std::string& word : texts)
      words.push_back(const_cast<char*>(word.c_str()));  // NOLINT: as execve wants them
    words.push_back(nullptr);
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    for (int number = 0; number < 3; ++number)
      ::posix_spawn_file_actions_adddup2(&actions, files[static_cast<std::size_t>(number)],
                                         number);  // NOLINT(*-constant-array-index)
    sigset_t defaults;
    ::sigemptyset(&defaults);
    for (const int signal : {SIGPIPE, SIGCHLD}) ::sigaddset(&defaults, signal);
    ::posix_spawnattr_setsigdefault(&attributes, &defaults);
    ::posix_spawnattr_setsigmask(&attributes, &mask);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  ~Plan() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  std::vector<char*> words;
  CleanEnvironment environment;
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
};

/// Closes all files but one: the fork has those of the whole program.
void keep_only(int file) noexcept {
  const auto close_all = [](unsigned first, unsigned last) {
    if (first > last || ::syscall(SYS_close_range, first, last, 0) == 0) return;
    constexpr unsigned kMost = 65536;
    for (unsigned i = first; i <= std::min(last, kMost); ++i) ::close(static_cast<int>(i));
  };
  if (file > 0) close_all(0, static_cast<unsigned>(file) - 1);
  close_all(static_cast<unsigned>(file) + 1, ~0U);
}

void tell(int socket, const Report& report) noexcept { (void)::send(socket, &report, sizeof report, MSG_NOSIGNAL); }

/// Waits until the program has ended, and reports it; then until the other end wants no more. Async-signal-safe, as
/// everything after a fork.
void watch(pid_t program, int socket) noexcept {
  constexpr int kPause = 10;  // Milliseconds, where the end of a process cannot be polled for.
  const int ended = open_pidfd(program);
  bool is_told = false;
  while (true) {
    std::array<pollfd, 2> waits{{{.fd = socket, .events = POLLIN | POLLRDHUP, .revents = 0},
                                 {.fd = is_told ? -1 : ended, .events = POLLIN, .revents = 0}}};
    (void)::poll(waits.data(), waits.size(), is_told || ended >= 0 ? -1 : kPause);
    siginfo_t info{};
    // It is not reaped yet: as long as it is not, its number, and that of its group, is nobody else's.
    if (!is_told && ::waitid(P_PID, static_cast<id_t>(program), &info, WEXITED | WNOWAIT | WNOHANG) == 0 &&
        info.si_pid == program) {
      const int status = info.si_code == CLD_EXITED ? W_EXITCODE(info.si_status, 0) : W_EXITCODE(0, info.si_status);
      tell(socket, {.error = 0, .program = program, .status = status});
      is_told = true;
    }
    if (waits[0].revents != 0) return;
  }
}

[[noreturn]] void supervise(Plan& plan, int socket) noexcept {
  // A Ctrl-C at the terminal is not for the supervisor: it has to outlive who it works for.
  (void)::setpgid(0, 0);
  struct sigaction defaults {};
  defaults.sa_handler = SIG_DFL;
  (void)::sigaction(SIGCHLD, &defaults, nullptr);
  adopt_descendants();
  pid_t program = 0;
  const int error = ::posix_spawnp(&program, plan.words[0], &plan.actions, &plan.attributes, plan.words.data(),
                                   plan.environment.variables());
  keep_only(socket);
  tell(socket, {.error = error, .program = program, .status = 0});
  if (error != 0) ::_exit(1);
  watch(program, socket);
  // The group at once; then what has left it.
  ::kill(-program, SIGKILL);
  kill_descendants();
  ::_exit(0);
}

}  // namespace

SupervisedProgram::SupervisedProgram(const std::vector<std::string>& words, const std::array<int, 3>& files) {
  std::array<int, 2> ends{};
  const auto fail = [&](int error) -> Error {
    return {"program.start",
            fmt::format("the program '{}' cannot be run: {}", words.front(), detail::system_message(error))};
  };
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) throw fail(errno);
  socket_ = detail::Descriptor(ends[0]);
  const detail::Descriptor other(ends[1]);
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  // No handler of the program around strata may run in the fork.
  ::pthread_sigmask(SIG_SETMASK, nullptr, &before);
  Plan plan(words, files, before);
  ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
  const pid_t id = ::fork();
  if (id == 0) supervise(plan, other.get());
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (id < 0) throw fail(error);
  supervisor_ = Child(id);
}

std::optional<SupervisedProgram::Report> SupervisedProgram::take() {
  Report report{};
  const ssize_t got = ::recv(socket_.get(), &report, sizeof report, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
  if (got != sizeof report)
    throw Error("program.start", "a program ended, and how is not known: who watched it is gone");
  program_ = report.program;
  return report;
}

SupervisedProgram::~SupervisedProgram() {
  constexpr std::chrono::seconds kLongest{1};
  ::shutdown(socket_.get(), SHUT_WR);
  if (supervisor_.wait_for_end(kLongest)) return;
  // The program may have stopped its supervisor, which is why it is still there: nobody has reaped the program, and the
  // number is its own.
  if (program_ > 0) ::kill(-program_, SIGKILL);
}

}  // namespace strata
