// Standard error for people.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "options.hpp"
#include "strata/error.hpp"

namespace strata::cli {

/// Tells diagnostics on standard error, in colour where it is a terminal that wants it (NO_COLOR is honoured). On a terminal, control characters of
/// names and values are written as escapes, so that they do nothing.
class Terminal {
 public:
  explicit Terminal(Color color);
  void tell(const Diagnostic& diagnostic, std::string_view severity) const;

 private:
  bool colored_;
  bool escapes_;
};

/// Control characters (but for line ends and tabs) as `\xHH`: what a terminal may be given. Those beyond ASCII are escaped, too.
[[nodiscard]] std::string escaped(std::string_view text);
/// Columns of the terminal that standard output is; 0 where it is none, or does not say.
[[nodiscard]] std::size_t terminal_width();
/// Whether standard output is a terminal; standard error.
[[nodiscard]] bool shows_on_terminal();
[[nodiscard]] bool tells_on_terminal();

/// The level of what a program said on purpose (`notice()`) and nobody has to mend; empty for warnings.
[[nodiscard]] std::string_view remark_level(const Diagnostic& diagnostic);

/// One line on standard error that tells how far a long piece of work is. Shows nothing where standard error is no terminal.
class Progress {
 public:
  explicit Progress(bool wanted);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows a text, unless one was shown a moment ago.
  void show(const std::string& text);
  /// Takes the line away.
  void clear();

 private:
  bool wanted_;
  bool is_shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

/// The folder in which the process runs; empty where that cannot be known.
[[nodiscard]] std::string working_folder();

}  // namespace strata::cli
