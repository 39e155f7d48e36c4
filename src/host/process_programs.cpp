#include "process_programs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX, kill
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <utility>

#include "children.hpp"
#include "strata/error.hpp"
#include "tree/descriptor.hpp"

namespace strata {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kBySignal = 128;
constexpr std::size_t kShownErrors = 2000;

using detail::Descriptor;
using detail::system_message;

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error("program.start", fmt::format("no pipe to a program can be made: {}", system_message(errno)));
  return {.read = Descriptor(ends[0]), .write = Descriptor(ends[1])};
}

/// `errors` as ProgramResult::said.
std::string shown_errors(std::string_view errors) {
  while (errors.ends_with('\n') || errors.ends_with(' ')) errors.remove_suffix(1);
  std::string out;
  if (errors.size() > kShownErrors) {
    errors.remove_prefix(errors.size() - kShownErrors);
    out = "... ";
  }
  for (const char byte : errors) {
    const auto c = static_cast<unsigned char>(byte);
    if (byte == '\n') {
      out += "; ";
    } else {
      out += c < 0x20 || c > 0x7E ? '?' : byte;
    }
  }
  return out;
}

/// The same behind a message.
std::string told(const std::string& errors) {
  const std::string shown = shown_errors(errors);
  return shown.empty() ? shown : "; it said: " + shown;
}

/// One program while it runs.
class Child {
 public:
  explicit Child(const Program& program) : program_(program), deadline_(Clock::now() + std::chrono::seconds(program.seconds)) { start(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { end(); }

  ProgramResult run() {
    ProgramResult result;
    std::size_t written = 0;
    if (program_.input.empty()) input_ = {};
    while (output_ || errors_) {
      std::array<pollfd, 3> waits{{{.fd = input_.get(), .events = POLLOUT, .revents = 0},
                                   {.fd = output_.get(), .events = POLLIN, .revents = 0},
                                   {.fd = errors_.get(), .events = POLLIN, .revents = 0}}};
      const int ready = ::poll(waits.data(), waits.size(), left(result.errors));
      if (ready < 0 && errno != EINTR) throw Error("program.start", fmt::format("cannot wait for {}: {}", name(), system_message(errno)));
      if (ready <= 0) continue;
      if (waits[0].revents != 0) write(written);
      if (waits[1].revents != 0) read(output_, result.output, result.errors);
      if (waits[2].revents != 0) read(errors_, result.errors, result.errors);
    }
    const int status = wait(result.errors);
    result.status = WIFSIGNALED(status) ? kBySignal + WTERMSIG(status) : WEXITSTATUS(status);
    result.ended = how_ended(status);
    result.said = shown_errors(result.errors);
    return result;
  }

 private:
  void start() {
    Pipe input = make_pipe();
    Pipe output = make_pipe();
    Pipe errors = make_pipe();
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_adddup2(&actions, input.read.get(), STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, output.write.get(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, errors.write.get(), STDERR_FILENO);
    sigset_t defaults;
    ::sigemptyset(&defaults);
    for (const int signal : {SIGPIPE, SIGCHLD}) ::sigaddset(&defaults, signal);
    ::posix_spawnattr_setsigdefault(&attributes, &defaults);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    std::vector<char*> words;
    for (const std::string& word : program_.words) words.push_back(const_cast<char*>(word.c_str()));  // NOLINT: as execve wants them
    words.push_back(nullptr);
    const int failure = ::posix_spawnp(&process_, words[0], &actions, &attributes, words.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    if (failure != 0) {
      process_ = 0;
      throw Error("program.start", fmt::format("{} cannot be run: {}", name(), system_message(failure)));
    }
    ends_with_us_.emplace(process_);
    input_ = std::move(input.write);
    output_ = std::move(output.read);
    errors_ = std::move(errors.read);
    for (const Descriptor* end : {&input_, &output_, &errors_}) ::fcntl(end->get(), F_SETFL, O_NONBLOCK);
  }

  [[nodiscard]] std::string name() const { return fmt::format("the program '{}'", program_.words.front()); }

  /// Milliseconds until its time is over.
  [[nodiscard]] int left(const std::string& errors) const {
    const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
    if (rest > 0) return static_cast<int>(std::min<std::int64_t>(rest, 1000));
    throw Error("program.timeout", fmt::format("{} took longer than {} seconds{}", name(), program_.seconds, told(errors)));
  }

  void write(std::size_t& written) {
    const ssize_t count = ::write(input_.get(), program_.input.data() + written, program_.input.size() - written);
    if (count > 0) written += static_cast<std::size_t>(count);
    const bool is_over = count < 0 && errno != EAGAIN && errno != EINTR;
    if (is_over || written == program_.input.size()) input_ = {};
  }

  void read(Descriptor& from, std::string& into, const std::string& errors) {
    constexpr std::size_t kBlock = std::size_t{1} << 16U;
    const std::size_t size = into.size();
    into.resize(size + kBlock);
    const ssize_t count = ::read(from.get(), into.data() + size, kBlock);
    into.resize(size + (count > 0 ? static_cast<std::size_t>(count) : 0));
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) from = {};
    if (into.size() > program_.max_output) {
      throw Error("limit.program-output",
                  fmt::format("{} wrote more than {} bytes{}", name(), program_.max_output, &into == &errors ? "" : told(errors)));
    }
  }

  /// Waits until it ended, which it may do later than it closes its outputs. Its status, as waitpid gives it.
  int wait(const std::string& errors) {
    constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 2'000'000};
    int status = 0;
    while (true) {
      const pid_t ended = ::waitpid(process_, &status, WNOHANG);
      if (ended == process_) break;
      if (ended < 0 && errno != EINTR) throw Error("program.start", fmt::format("{} ended, and how is not known: {}", name(), system_message(errno)));
      (void)left(errors);
      ::nanosleep(&kPause, nullptr);
    }
    // What it left behind in its group goes with it.
    ::kill(-process_, SIGKILL);
    process_ = 0;
    return status;
  }

  void end() const noexcept {
    if (process_ <= 0) return;
    ::kill(-process_, SIGKILL);
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }

  const Program& program_;
  Clock::time_point deadline_;
  pid_t process_ = 0;
  Descriptor input_;
  Descriptor output_;
  Descriptor errors_;
  KeptStatus kept_status_;
  SignalAction pipes_{SIGPIPE, SIG_IGN, SIG_DFL};  ///< A program that does not read what it is given ends as it likes.
  std::optional<EndsWithUs> ends_with_us_;
};

class ProcessPrograms final : public Programs {
 public:
  ProgramResult run(const Program& program) override { return Child(program).run(); }
};

}  // namespace

std::unique_ptr<Programs> process_programs() { return std::make_unique<ProcessPrograms>(); }

}  // namespace strata
