// SPDX-License-Identifier: Apache-2.0
// Reports about bad input: errors end a piece of work, diagnostics are collected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "strata/origin.hpp"

namespace strata {

/// A place with its source line, for the caret.
struct Excerpt {
  Place place;
  std::string line;  ///< The source line, or of a long one the part around the place. Empty if there is none to show.
  std::string message;    ///< For a note: what is at this place.
  std::uint32_t cut = 0;  ///< Code points of the source line before `line`.
  friend bool operator==(const Excerpt&, const Excerpt&) = default;
};

/// The place of an origin with its line, and what is there.
[[nodiscard]] Excerpt excerpt_at(const Sources& sources, Origin origin, std::string message = {});
/// A file as a whole.
[[nodiscard]] Excerpt excerpt_of_file(std::string file);

/// The kind of an error. Programs decide by it.
enum class Category : std::uint8_t {
  input,          ///< The data, documents or texts are wrong.
  not_found,      ///< What was asked for does not exist.
  configuration,  ///< The configuration is wrong: hiera.yaml, site.pp, a strategy, the inputs of the command.
  script,         ///< A user's script or plugin failed.
  limit,          ///< The work exceeded a limit on work, memory or time.
  cancelled,      ///< The request was cancelled.
  internal,       ///< The machine or strata failed: a library is missing, a process cannot be started.
};
/// The category of a code. Each code has one. Rule: docs/errors.md, "Categories".
[[nodiscard]] Category category_of(std::string_view code) noexcept;

/// Which limit an error of Category::limit exceeded.
enum class Limit : std::uint8_t {
  none,    ///< The error is of another category.
  depth,   ///< `limit.depth`
  result,  ///< `limit.result`
  steps,   ///< `limit.steps`
  time,    ///< `limit.time`
  budget,  ///< `limit.processor-time`, `limit.memory`
  other,
};
/// The limit that a code stands for.
[[nodiscard]] Limit limit_of(std::string_view code) noexcept;

/// A message about the input. Texts are complete sentences that begin in lower case and have no final full stop.
struct Diagnostic {
  std::string code;     ///< Stable, dotted, documented in docs/errors.md: `yaml.syntax`.
  std::string message;  ///< What is wrong.
  Excerpt where;        ///< The primary place. Empty if none is known.
  std::vector<Excerpt> notes;
  std::string hint;  ///< What to do. May be empty.
  /// The underlying problem, if it adds to the message. May be null, and may have a cause itself.
  std::shared_ptr<const Diagnostic> cause = {};
  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// Bad input. Thrown. A bug in strata is an assertion failure instead.
class Error : public std::exception {
 public:
  // No member that copies, moves or destroys strings is inline: every source throws, and each would compile them again.
  Error(std::string_view code, std::string message);
  explicit Error(Diagnostic diagnostic) noexcept;
  Error(const Error&);
  Error(Error&&) noexcept;
  Error& operator=(const Error&);
  /// Self-assignment has no effect: `error = std::move(error).note(…)` adds a note.
  Error& operator=(Error&& other) noexcept;
  ~Error() override;

  /// Sets the primary place.
  Error& at(const Sources& sources, Origin origin) &;
  Error&& at(const Sources& sources, Origin origin) &&;
  /// Sets the primary place to a whole file.
  Error& in(std::string file) &;
  Error&& in(std::string file) &&;
  /// Adds a second place.
  Error& note(const Sources& sources, Origin origin, std::string message) &;
  Error&& note(const Sources& sources, Origin origin, std::string message) &&;
  /// Sets the hint: what to do.
  Error& hint(std::string text) &;
  Error&& hint(std::string text) &&;
  /// Sets the cause. Use it for causes that the message does not quote: both are printed.
  Error& because(const Error& cause) &;
  Error&& because(const Error& cause) &&;
  /// Removes the source lines of all places, because they may hold secrets.
  Error& without_lines() &;
  /// Adds errors that were found together with this one.
  Error& with_further(std::vector<Diagnostic> further) &;

  [[nodiscard]] const char* what() const noexcept override;
  [[nodiscard]] const std::string& code() const noexcept { return diagnostic_.code; }
  [[nodiscard]] Category category() const noexcept { return category_of(diagnostic_.code); }
  [[nodiscard]] Limit limit() const noexcept { return limit_of(diagnostic_.code); }
  /// Whether strata gave up: a limit was exceeded or the request was cancelled. Such an error says nothing about the
  /// input, so code that handles bad input must not handle it.
  [[nodiscard]] bool gives_up() const noexcept;
  /// Whether the error ends the whole request: it was cancelled, its time is over or its budget is spent. Nothing may
  /// catch it and continue.
  [[nodiscard]] bool ends_request() const noexcept;
  [[nodiscard]] const Diagnostic& diagnostic() const noexcept { return diagnostic_; }
  /// Errors that were found together with this one, in the order in which they were found. Null: none.
  [[nodiscard]] const std::shared_ptr<const std::vector<Diagnostic>>& further() const noexcept { return further_; }
  /// Its own diagnostic, then the further ones.
  [[nodiscard]] std::vector<Diagnostic> all() const;

 private:
  Diagnostic diagnostic_;
  std::shared_ptr<const std::vector<Diagnostic>> further_ = {};
};

/// Several errors that were found together. Its own diagnostic is the first one.
class Errors : public Error {
 public:
  /// `all` must not be empty.
  explicit Errors(const std::vector<Diagnostic>& all);
  Errors(const Errors&);
  Errors(Errors&&) noexcept;
  Errors& operator=(const Errors&);
  Errors& operator=(Errors&&) noexcept;
  ~Errors() override;
};

/// Warnings, in the order in which they were found. Not thread-safe: one per request.
///
/// Keeps the first kMost warnings. If there are more, a last warning `diagnostics.more` gives their number.
class Diagnostics {
 public:
  static constexpr std::size_t kMost = 100'000;

  /// Adds a warning without a place.
  void warn(std::string_view code, std::string message, std::string hint = {});
  /// Adds a warning.
  void warn(Diagnostic diagnostic);
  [[nodiscard]] const std::vector<Diagnostic>& warnings() const noexcept { return warnings_; }

 private:
  std::vector<Diagnostic> warnings_;
  std::size_t more_ = 0;  ///< How many were not kept.
};

/// Formats as a compiler does: `file:line:column: severity: message [code]`, the line and a caret, notes, causes, the
/// hint. Ends with a newline. Names in it make no lines of their own: line breaks and other control characters are
/// escaped. Messages that are texts of a user's own code
/// (`puppet.fail`, `lua.runtime`, …) keep theirs, each with a bar before it.
[[nodiscard]] std::string format(const Diagnostic& diagnostic, std::string_view severity);

}  // namespace strata
