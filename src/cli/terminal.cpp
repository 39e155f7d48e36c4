// SPDX-License-Identifier: Apache-2.0
#include "terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace strata::cli {
namespace {

// Short runs show nothing.
constexpr std::chrono::milliseconds kFirstProgress{500};
constexpr std::chrono::milliseconds kNextProgress{100};

bool wants_color(Color color) {
  if (color != Color::automatic) return color == Color::always;
  return tells_on_terminal() &&
         std::getenv("NO_COLOR") == nullptr;  // NOLINT(concurrency-mt-unsafe): no code sets variables
}

void write(const Console* console, std::string_view text) {
  if (console != nullptr) return console->tell(text);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

void tell(std::string_view text) {
  tells_on_terminal() ? write(nullptr, escaped(text)) : write(OnConsole::current(), text);
}

std::size_t terminal_width() {
  winsize size{};
  return shows_on_terminal() && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool shows_on_terminal() { return OnConsole::current() == nullptr && isatty(STDOUT_FILENO) == 1; }
bool tells_on_terminal() { return OnConsole::current() == nullptr && isatty(STDERR_FILENO) == 1; }

Terminal::Terminal(Color color)
    : console_(OnConsole::current()), colored_(wants_color(color)), escapes_(tells_on_terminal()) {}

void Terminal::tell(const Diagnostic& diagnostic, std::string_view severity) const {
  std::string text = escapes_ ? escaped(format(diagnostic, severity)) : format(diagnostic, severity);
  if (colored_) {
    const std::string word = std::string(severity) + ": ";
    const std::size_t at = text.find(word);
    const std::string_view code = severity == "error" ? "\x1b[1;31m" : "\x1b[1;35m";
    if (at != std::string::npos) text.insert(at + word.size(), "\x1b[0m").insert(at, code);
  }
  write(console_, text);
}

Progress::Progress(bool wanted)
    : wanted_(wanted && tells_on_terminal()), next_(std::chrono::steady_clock::now() + kFirstProgress) {}

void Progress::show(const std::string& text) {
  if (!wanted_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kNextProgress;
  const std::string line = "\r" + escaped(text) + "\x1b[K";
  std::fwrite(line.data(), 1, line.size(), stderr);
  is_shown_ = true;
}

void Progress::clear() {
  if (!is_shown_) return;
  std::fputs("\r\x1b[K", stderr);
  is_shown_ = false;
}

namespace {

std::string& other_working_folder() {
  static std::string folder;
  return folder;
}

}  // namespace

void use_working_folder(std::string folder) { other_working_folder() = std::move(folder); }

namespace {

const Ground*& ground_of_thread() noexcept {
  static thread_local const Ground* ground = nullptr;
  return ground;
}

}  // namespace

OnGround::OnGround(const Ground& ground) noexcept : before_(std::exchange(ground_of_thread(), &ground)) {}
OnGround::~OnGround() { ground_of_thread() = before_; }
const Ground* OnGround::current() noexcept { return ground_of_thread(); }

std::string working_folder() {
  if (const Ground* ground = OnGround::current()) return ground->folder;
  if (!other_working_folder().empty()) return other_working_folder();
  std::error_code error;
  const auto path = std::filesystem::current_path(error);
  return error ? std::string() : path.string();
}

}  // namespace strata::cli
