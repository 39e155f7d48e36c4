// SPDX-License-Identifier: Apache-2.0
#include "plugin_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "child.hpp"
#include "environment.hpp"
#include "plugin/wire.hpp"
#include "strata/error.hpp"
#include "strata/process_host.hpp"
#include "strata/stop.hpp"
#include "tree/descriptor.hpp"

namespace strata {
namespace {

[[noreturn]] void fail_start(const std::string& file, int error) {
  throw Error("extension.process",
              fmt::format("the process of the plugin {} cannot be started: {}", file, detail::system_message(error)));
}

/// A process with a socket to it.
class ProcessConnection final : public PluginConnection {
 public:
  ProcessConnection(pid_t id, detail::Descriptor socket) : child_(id), socket_(std::move(socket)) {}
  ~ProcessConnection() override { (void)ProcessConnection::end(); }
  ProcessConnection(const ProcessConnection&) = delete;
  ProcessConnection& operator=(const ProcessConnection&) = delete;

  bool send(std::string_view bytes, Clock::time_point deadline, const Stop* stop) override {
    while (!bytes.empty()) {
      if (!wait_for(POLLOUT, deadline, stop)) return false;
      const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  std::optional<std::string> receive(std::size_t size, Clock::time_point deadline, const Stop* stop) override {
    // What was announced may never come: memory grows with what does.
    constexpr std::size_t kBlock = std::size_t{1} << 16U;
    std::string out;
    while (out.size() < size) {
      if (!wait_for(POLLIN, deadline, stop)) return std::nullopt;
      const std::size_t before = out.size();
      out.resize(before + std::min(kBlock, size - before));
      const ssize_t got = recv(socket_.get(), out.data() + before, out.size() - before, MSG_DONTWAIT);
      out.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (got <= 0) return std::nullopt;
    }
    return out;
  }

  std::string end() override {
    if (!child_) return ended_;
    // One whose end of the socket is closed is about to end by itself: how it does is worth a moment.
    constexpr std::chrono::milliseconds kMoment{100};
    const bool has_ended = child_.wait_for_end(is_hung_up() ? kMoment : std::chrono::milliseconds(0));
    // The closed socket has the process end all that the plugin has started, and then itself.
    constexpr std::chrono::milliseconds kLongestEnd{1000};
    socket_ = {};
    (void)child_.wait_for_end(kLongestEnd);
    const std::optional<int> status = child_.end();
    if (!has_ended) return ended_ = "running";
    return ended_ = status ? "it " + how_ended(*status) : "it ended, and how is not known";
  }

 private:
  [[nodiscard]] bool wait_for(short what, Clock::time_point deadline, const Stop* stop) const {
    constexpr std::chrono::milliseconds kLongest{60'000};
    while (true) {
      if (stop != nullptr) stop->check();
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
      if (left.count() <= 0) return false;
      pollfd waiting{.fd = socket_.get(), .events = what, .revents = 0};
      const int ready =
          poll(&waiting, 1, static_cast<int>(std::min(left, stop == nullptr ? kLongest : Stop::kSlice).count()));
      if (ready > 0) return (waiting.revents & (what | POLLHUP)) != 0;
      if (ready < 0 && errno != EINTR) return false;
    }
  }
  [[nodiscard]] bool is_hung_up() const {
    pollfd waiting{.fd = socket_.get(), .events = 0, .revents = 0};
    return poll(&waiting, 1, 0) > 0 && (waiting.revents & (POLLHUP | POLLERR)) != 0;
  }

  Child child_;
  detail::Descriptor socket_;
  std::string ended_;
};

class Starter final : public PluginStarter {
 public:
  explicit Starter(PluginOptions options) : options_(std::move(options)) {}

  std::unique_ptr<PluginConnection> start(const std::string& file) override {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail_start(file, errno);
    detail::Descriptor own(ends[0]);
    const detail::Descriptor its(ends[1]);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    // What a plugin prints goes nowhere: standard output is for results.
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, its.get(), plugin::kSocket);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF);
    sigset_t defaults;
    sigemptyset(&defaults);
    for (const int signal : {SIGPIPE, SIGCHLD}) sigaddset(&defaults, signal);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    std::string program = options_.program;
    std::string word = kPluginHost;
    std::string name = file;
    std::string memory = std::to_string(options_.memory);
    const std::array<char*, 5> arguments{program.data(), word.data(), name.data(), memory.data(), nullptr};
    const CleanEnvironment environment;
    pid_t id = 0;
    const int error =
        posix_spawn(&id, program.c_str(), &actions, &attributes, arguments.data(), environment.variables());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) fail_start(file, error);
    return std::make_unique<ProcessConnection>(id, std::move(own));
  }

 private:
  PluginOptions options_;
};

}  // namespace

std::unique_ptr<PluginStarter> plugin_starter(PluginOptions options) {
  return std::make_unique<Starter>(std::move(options));
}

}  // namespace strata
