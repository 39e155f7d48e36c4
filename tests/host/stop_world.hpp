// SPDX-License-Identifier: Apache-2.0
// Waits that are ended: by another thread, and by a deadline.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>

#include "strata/error.hpp"
#include "strata/stop.hpp"

namespace strata::testing {

/// How long something may take that takes no time: a loaded machine is slow, and what hangs must be told of.
inline constexpr std::chrono::seconds kWatchdog{60};

/// Ends the whole test where it hangs.
class Watchdog {
 public:
  Watchdog() { ::alarm(static_cast<unsigned>(kWatchdog.count())); }
  ~Watchdog() { ::alarm(0); }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
};

inline bool until(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + kWatchdog;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

/// Whether a process is there, and is no zombie. A stream would throw where the process ends between opening and
/// reading.
inline bool is_running(pid_t id) {
  const int file = ::open(("/proc/" + std::to_string(id) + "/stat").c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  std::array<char, 1024> bytes{};
  const ssize_t size = ::read(file, bytes.data(), bytes.size());
  ::close(file);
  const std::string_view text(bytes.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  const std::size_t name = text.rfind(')');
  return name != std::string_view::npos && name + 2 < text.size() && text[name + 2] != 'Z';
}

/// The number that somebody has written to a file, with its line's end; 0 as long as there is none.
inline pid_t number_in(const std::string& path) {
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return text.ends_with('\n') ? static_cast<pid_t>(std::strtol(text.c_str(), nullptr, 10)) : 0;
}

/// The code of the error of `work`, whose request is cancelled by another thread once `is_waiting` holds.
inline std::string code_when_cancelled(const std::function<void(const Stop*)>& work,
                                       const std::function<bool()>& is_waiting) {
  const Watchdog watchdog;
  Stop stop;
  std::thread other([&] {
    EXPECT_TRUE(until(is_waiting));
    stop.cancel();
  });
  std::string code = "none";
  try {
    work(&stop);
  } catch (const Error& error) {
    code = error.code();
  }
  other.join();
  return code;
}

/// The same, whose deadline comes once `is_waiting` holds.
inline std::string code_at_deadline(const std::function<void(const Stop*)>& work,
                                    const std::function<bool()>& is_waiting) {
  const Watchdog watchdog;
  Stop stop;
  std::thread other([&] {
    EXPECT_TRUE(until(is_waiting));
    stop.end_at(std::chrono::steady_clock::now() + std::chrono::milliseconds(30));
  });
  std::string code = "none";
  try {
    work(&stop);
  } catch (const Error& error) {
    code = error.code();
  }
  other.join();
  return code;
}

}  // namespace strata::testing
