// SPDX-License-Identifier: Apache-2.0
#include "service/operation/log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <ctime>
#include <iterator>
#include <system_error>

#include "service/memory.hpp"
#include "strata/error.hpp"
#include "strata/shown_text.hpp"
#include "strata/text.hpp"

namespace strata::service {
namespace {

constexpr std::size_t kMostWaitingBytes = std::size_t{4} << 20U;
constexpr int kPipeTimeout = 1000;  ///< Milliseconds that a pipe may take for its next bytes.

int open_log(const std::string& path) {
  if (path.empty()) return STDERR_FILENO;
  // O_NONBLOCK: opening a pipe without a reader would wait for one.
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0640);
}

void append_content(std::string& out, const Log::Content& content) {
  if (const auto* text = std::get_if<std::string_view>(&content)) {
    text::append_json_text(out, *text);
  } else if (const auto* number = std::get_if<std::int64_t>(&content)) {
    out += std::to_string(*number);
  } else if (const auto* real = std::get_if<double>(&content)) {
    fmt::format_to(std::back_inserter(out), "{:.6f}", *real);
  } else {
    out += std::get<bool>(content) ? "true" : "false";
  }
}

}  // namespace

std::int64_t utc_now() noexcept {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

namespace {

/// `2026-01-31T12:34:56`
const std::string& second_text(std::time_t seconds) {
  thread_local std::time_t last = -1;
  thread_local std::string text;
  if (seconds == last) return text;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
  last = seconds;
  return text;
}

/// The time of a line.
void append_time(std::string& out) {
  constexpr std::int64_t kSecond = 1'000'000;
  const std::int64_t now = utc_now();
  std::array<char, 6> digits{};
  std::int64_t rest = now % kSecond;
  for (std::size_t at = digits.size(); at-- > 0; rest /= 10) digits[at] = static_cast<char>('0' + rest % 10);
  out.append(second_text(now / kSecond)).append(".").append(digits.data(), digits.size()).append("Z");
}

}  // namespace

Log::Log(std::string path, std::string first)
    : path_(std::move(path)), descriptor_(open_log(path_)), first_(std::move(first)) {
  if (descriptor_ < 0)
    throw Error("service.log", fmt::format("the log cannot be opened: {}", std::generic_category().message(errno)))
        .in(path_);
  thread_ = std::thread([this] { serve(); });
}

Log::~Log() {
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
    waiting_ += held_;
  }
  written_.notify_one();
  thread_.join();
  if (!path_.empty()) ::close(descriptor_);
}

void Log::write(std::string_view level, std::string_view event, std::initializer_list<Member> members) {
  write(level, event, members.begin(), members.size());
}

void Log::write(std::string_view level, std::string_view event, const Member* members, std::size_t count) {
  if (!if_memory_allows([&] { append(level, event, members, count); })) ++dropped_;
}

void Log::append(std::string_view level, std::string_view event, const Member* members, std::size_t count) {
  constexpr std::size_t kUsual = 512;
  std::string line;
  line.reserve(kUsual);
  line += R"({"time":")";
  append_time(line);
  line.append(R"(","level":")").append(level).append(R"(","event":")").append(event).append("\"");
  for (const Member* one = members; one != members + count; ++one) {
    line.append(",\"").append(one->name).append("\":");
    append_content(line, one->content);
  }
  line += "}\n";
  bool is_first = false;  // Later ones do not wake the writer: the first did.
  {
    const std::scoped_lock lock(mutex_);
    if (waiting_.size() + held_.size() + line.size() > kMostWaitingBytes) {
      ++dropped_;
      return;
    }
    if (!first_.empty() && event != first_) {
      held_ += line;
      return;
    }
    is_first = waiting_.empty();
    waiting_ += line;
    if (!first_.empty()) {
      waiting_ += held_;
      held_ = {};
      first_ = {};
    }
  }
  if (is_first) written_.notify_one();
}

void Log::reopen() {
  {
    const std::scoped_lock lock(mutex_);
    must_reopen_ = true;
  }
  written_.notify_one();
}

void Log::print(std::string_view text) {
  while (!text.empty()) {
    // A pipe without a reader must not delay the end of the service.
    pollfd ready{.fd = descriptor_, .events = POLLOUT, .revents = 0};
    const int polled = ::poll(&ready, 1, kPipeTimeout);
    // Without O_NONBLOCK a longer write would wait in the kernel: a pipe takes PIPE_BUF when it is ready.
    constexpr std::size_t kPiece = 4096;
    const ssize_t count = polled > 0 ? ::write(descriptor_, text.data(), std::min(text.size(), kPiece)) : -1;
    if (count < 0) {
      if (polled > 0 && errno == EINTR) continue;
      dropped_ += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
      return;
    }
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

void Log::serve() {
  for (;;) {
    std::string text;
    {
      std::unique_lock lock(mutex_);
      written_.wait(lock, [this] { return is_over_ || !waiting_.empty() || must_reopen_; });
      if (waiting_.empty() && is_over_) return;
      text.swap(waiting_);
    }
    if (must_reopen_.exchange(false) && !path_.empty()) {
      if (const int anew = open_log(path_); anew >= 0) {
        ::close(descriptor_);
        descriptor_ = anew;
      }
    }
    print(::isatty(descriptor_) == 1 ? escaped(text) : text);
  }
}

}  // namespace strata::service
