// What is said about bad input: errors, which end a piece of work, and diagnostics, which are collected.
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

/// A place with the line of text that stands there, for the caret.
struct Excerpt {
  Place place;
  std::string line;     ///< The source line; empty where there is none to show.
  std::string message;  ///< Of a note: what is at this place.
};

/// What kind of trouble an error is: what programs decide by.
enum class Category : std::uint8_t {
  input,          ///< The data, documents or texts are wrong.
  not_found,      ///< What was asked for is not there.
  configuration,  ///< What says how to work is wrong: hiera.yaml, site.pp, a strategy, the command's own inputs.
  script,         ///< A user's script or plugin failed.
  limit,          ///< More work, memory or time than the limits allow.
  cancelled,      ///< Somebody ended the request.
  internal,       ///< The machine or strata itself: a library that is missing, a process that cannot be started.
};
/// The category of a code: each code has one. Rule: docs/errors.md, "Categories".
[[nodiscard]] Category category_of(std::string_view code) noexcept;

/// Which limit an error of Category::limit is about.
enum class Limit : std::uint8_t {
  none,    ///< The error is of another category.
  depth,   ///< `limit.depth`
  result,  ///< `limit.result`
  steps,   ///< `limit.steps`
  time,    ///< `limit.time`
  budget,  ///< `limit.processor-time`, `limit.memory`
  other,
};
/// The limit that a code is about.
[[nodiscard]] Limit limit_of(std::string_view code) noexcept;

/// Something to tell about the input. Texts are complete sentences without a final full stop, in lower case.
struct Diagnostic {
  std::string code;     ///< Stable, dotted, documented in docs/errors.md: `yaml.syntax`.
  std::string message;  ///< What is wrong.
  Excerpt where;        ///< The primary place; empty where none is known.
  std::vector<Excerpt> notes;
  std::string hint;  ///< The way out; may be empty.
  /// What led to it, where that tells something that the message does not; may be null, and may have a cause of its own.
  std::shared_ptr<const Diagnostic> cause = {};
};

/// Bad input. Thrown; a bug of strata is an assertion instead.
class Error : public std::exception {
 public:
  Error(std::string code, std::string message);
  explicit Error(Diagnostic diagnostic) noexcept : diagnostic_(std::move(diagnostic)) {}
  Error(const Error&) = default;
  Error(Error&&) noexcept = default;
  Error& operator=(const Error&) = default;
  /// From itself it changes nothing: `error = std::move(error).note(…)` adds a note.
  Error& operator=(Error&& other) noexcept {
    if (this != &other) diagnostic_ = std::move(other.diagnostic_);
    return *this;
  }
  ~Error() override = default;

  /// Sets the primary place.
  Error& at(const Sources& sources, Origin origin) &;
  Error&& at(const Sources& sources, Origin origin) && { return std::move(at(sources, origin)); }
  /// Sets the primary place to a file as a whole.
  Error& in(std::string file) &;
  Error&& in(std::string file) && { return std::move(in(std::move(file))); }
  /// Adds a second place.
  Error& note(const Sources& sources, Origin origin, std::string message) &;
  Error&& note(const Sources& sources, Origin origin, std::string message) && { return std::move(note(sources, origin, std::move(message))); }
  /// Sets the way out.
  Error& hint(std::string text) &;
  Error&& hint(std::string text) && { return std::move(hint(std::move(text))); }
  /// Sets what led to it. For causes that the message does not quote: both are printed.
  Error& because(const Error& cause) &;
  Error&& because(const Error& cause) && { return std::move(because(cause)); }
  /// Drops the lines of text that would be shown of its places: they may hold secrets.
  Error& without_lines() &;

  [[nodiscard]] const char* what() const noexcept override { return diagnostic_.message.c_str(); }
  [[nodiscard]] const std::string& code() const noexcept { return diagnostic_.code; }
  [[nodiscard]] Category category() const noexcept { return category_of(diagnostic_.code); }
  [[nodiscard]] Limit limit() const noexcept { return limit_of(diagnostic_.code); }
  /// Whether strata gave up, at a limit or because somebody ended the request: it is not what the input says, so that nothing that stands for bad
  /// input may stand for it.
  [[nodiscard]] bool gives_up() const noexcept;
  /// Whether it ends the whole request, so that nothing may catch it and go on: its time is over, its budget is spent, or it was
  /// cancelled.
  [[nodiscard]] bool ends_request() const noexcept;
  [[nodiscard]] const Diagnostic& diagnostic() const noexcept { return diagnostic_; }

 private:
  Diagnostic diagnostic_;
};

/// Several errors that were found together; as an Error it is the first of them.
class Errors : public Error {
 public:
  /// `all` is not empty.
  explicit Errors(std::vector<Diagnostic> all) noexcept : Error(all.front()), all_(std::move(all)) {}
  [[nodiscard]] const std::vector<Diagnostic>& all() const noexcept { return all_; }

 private:
  std::vector<Diagnostic> all_;
};

/// Warnings, in the order in which they were found. Not thread-safe: one a request.
///
/// The first kMost are kept. Where there are more, one last warning stands behind them, `diagnostics.more`, which says how many more there were.
class Diagnostics {
 public:
  static constexpr std::size_t kMost = 100'000;

  /// Adds a warning without a place.
  void warn(std::string code, std::string message, std::string hint = {});
  /// Adds a warning.
  void warn(Diagnostic diagnostic);
  [[nodiscard]] const std::vector<Diagnostic>& warnings() const noexcept { return warnings_; }

 private:
  std::vector<Diagnostic> warnings_;
  std::size_t more_ = 0;  ///< Those that are not kept.
};

/// As a compiler prints it: `file:line:column: severity: message [code]`, the line and a caret, notes, causes, the hint; ends with a newline.
[[nodiscard]] std::string format(const Diagnostic& diagnostic, std::string_view severity);

}  // namespace strata
