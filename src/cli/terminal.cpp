#include "terminal.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace strata::cli {
namespace {

bool wants_color(Color color) {
  if (color != Color::automatic) return color == Color::always;
  return isatty(STDERR_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;  // NOLINT(concurrency-mt-unsafe): nobody sets variables
}

}  // namespace

Terminal::Terminal(Color color) : colored_(wants_color(color)) {}

void Terminal::tell(const Diagnostic& diagnostic, std::string_view severity) const {
  std::string text = format(diagnostic, severity);
  if (colored_) {
    const std::string word = std::string(severity) + ": ";
    const std::size_t at = text.find(word);
    const std::string_view code = severity == "error" ? "\x1b[1;31m" : "\x1b[1;35m";
    if (at != std::string::npos) text.insert(at + word.size(), "\x1b[0m").insert(at, code);
  }
  std::fwrite(text.data(), 1, text.size(), stderr);
}

std::string working_folder() {
  std::error_code error;
  const auto path = std::filesystem::current_path(error);
  return error ? std::string() : path.string();
}

}  // namespace strata::cli
