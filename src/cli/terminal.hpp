// SPDX-License-Identifier: Apache-2.0
// Standard error for people, or the console of the thread.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "console.hpp"
#include "options.hpp"
#include "strata/error.hpp"
#include "strata/shown_text.hpp"

namespace strata::cli {

/// Prints diagnostics on standard error, in colour if it is a terminal that accepts it (NO_COLOR is honoured). On a
/// terminal, control characters in names and values are escaped.
class Terminal {
 public:
  explicit Terminal(Color color);
  void tell(const Diagnostic& diagnostic, std::string_view severity) const;

 private:
  const Console* console_;  ///< Others of its threads tell, too.
  bool colored_;
  bool escapes_;
};

/// Prints a text on standard error; on a terminal, escaped.
void tell(std::string_view text);
/// The width of the terminal at standard output in columns. 0 if it is not a terminal or the width is unknown.
[[nodiscard]] std::size_t terminal_width();
/// Whether standard output is a terminal; the same for standard error.
[[nodiscard]] bool shows_on_terminal();
[[nodiscard]] bool tells_on_terminal();

/// A progress line on standard error. Shows nothing if standard error is not a terminal.
class Progress {
 public:
  explicit Progress(bool wanted);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows a text, unless one was shown a moment ago.
  void show(const std::string& text);
  /// Removes the line.
  void clear();

 private:
  bool wanted_;
  bool is_shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

/// The working directory of the process. Empty if it is unknown.
[[nodiscard]] std::string working_folder();
/// Makes another folder count as that: for questions of a tree that is not the host's. Before other threads ask.
void use_working_folder(std::string folder);

/// Where the questions of a thread are asked, if that is not where the process is.
struct Ground {
  std::string folder;  ///< Counts as the working directory.
  bool is_closed =
      false;  ///< Only what the files of the question hold can be read: no key files, no environment variables.
};
/// While it exists, it is so for this thread. `ground` must outlive it.
class OnGround {
 public:
  explicit OnGround(const Ground& ground) noexcept;
  ~OnGround();
  OnGround(const OnGround&) = delete;
  OnGround& operator=(const OnGround&) = delete;
  /// That of this thread. Null: there is none.
  [[nodiscard]] static const Ground* current() noexcept;

 private:
  const Ground* before_;
};

}  // namespace strata::cli
