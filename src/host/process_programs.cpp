// SPDX-License-Identifier: Apache-2.0
#include "process_programs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <utility>

#include "child.hpp"
#include "strata/error.hpp"
#include "strata/stop.hpp"
#include "supervisor.hpp"
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
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw Error("program.start", fmt::format("no pipe to a program can be made: {}", system_message(errno)));
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
class Run {
 public:
  explicit Run(const Program& program)
      : program_(program), deadline_(Clock::now() + std::chrono::seconds(program.seconds)) {
    if (program_.stop != nullptr) program_.stop->check();
    Pipe input = make_pipe();
    Pipe output = make_pipe();
    Pipe errors = make_pipe();
    running_.emplace(program_.words, std::array<int, 3>{input.read.get(), output.write.get(), errors.write.get()});
    input_ = std::move(input.write);
    output_ = std::move(output.read);
    errors_ = std::move(errors.read);
    for (const Descriptor* end : {&input_, &output_, &errors_}) ::fcntl(end->get(), F_SETFL, O_NONBLOCK);
  }

  ProgramResult finish() {
    ProgramResult result;
    std::size_t written = 0;
    std::optional<int> status;
    if (program_.input.empty()) input_ = {};
    // What it started may write after it has ended.
    while (output_ || errors_ || !status) {
      std::array<pollfd, 4> waits{{{.fd = input_.get(), .events = POLLOUT, .revents = 0},
                                   {.fd = output_.get(), .events = POLLIN, .revents = 0},
                                   {.fd = errors_.get(), .events = POLLIN, .revents = 0},
                                   {.fd = status ? -1 : running_->reports(), .events = POLLIN, .revents = 0}}};
      const int ready = ::poll(waits.data(), waits.size(), left(result.errors));
      if (ready < 0 && errno != EINTR)
        throw Error("program.start", fmt::format("cannot wait for {}: {}", name(), system_message(errno)));
      if (ready <= 0) continue;
      if (waits[3].revents != 0) status = report();
      if (waits[0].revents != 0) write(written);
      if (waits[1].revents != 0) read(output_, result.output, result.errors);
      if (waits[2].revents != 0) read(errors_, result.errors, result.errors);
    }
    result.status = WIFSIGNALED(*status) ? kBySignal + WTERMSIG(*status) : WEXITSTATUS(*status);
    result.ended = how_ended(*status);
    result.said = shown_errors(result.errors);
    return result;
  }

 private:
  [[nodiscard]] std::string name() const { return fmt::format("the program '{}'", program_.words.front()); }

  /// How it ended, where that is what is reported.
  std::optional<int> report() {
    const auto report = running_->take();
    if (!report) return std::nullopt;
    if (report->error != 0)
      throw Error("program.start", fmt::format("{} cannot be run: {}", name(), system_message(report->error)));
    if (std::exchange(is_started_, true)) return report->status;
    return std::nullopt;
  }

  /// Milliseconds until something has to be looked at again. Errors: its time, or that of the request, is over.
  [[nodiscard]] int left(const std::string& errors) const {
    constexpr std::chrono::milliseconds kLongest{1000};
    if (program_.stop != nullptr) program_.stop->check();
    const auto rest = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now());
    if (rest.count() > 0)
      return static_cast<int>(std::min(rest, program_.stop == nullptr ? kLongest : Stop::kSlice).count());
    throw Error("program.timeout",
                fmt::format("{} took longer than {} seconds{}", name(), program_.seconds, told(errors)));
  }

  void write(std::size_t& written) {
    const NoPipeSignal no_signal;  // A program that does not read what it is given ends as it likes.
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
      throw Error("limit.program-output", fmt::format("{} wrote more than {} bytes{}", name(), program_.max_output,
                                                      &into == &errors ? "" : told(errors)));
    }
  }

  const Program& program_;
  Clock::time_point deadline_;
  std::optional<SupervisedProgram> running_;
  bool is_started_ = false;
  Descriptor input_;
  Descriptor output_;
  Descriptor errors_;
};

class ProcessPrograms final : public Programs {
 public:
  ProgramResult run(const Program& program) override { return Run(program).finish(); }
};

}  // namespace

std::unique_ptr<Programs> process_programs() { return std::make_unique<ProcessPrograms>(); }

}  // namespace strata
