// SPDX-License-Identifier: Apache-2.0
// The options that every command shares.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "console.hpp"
#include "strata/file_bounds.hpp"
#include "strata/host.hpp"
#include "strata/limits.hpp"
#include "strata/report.hpp"
#include "strata/shown_text.hpp"
#include "strata/stop.hpp"

namespace strata::cli {

/// What is wrong with a command line.
enum class Usage {
  unknown_command,
  unknown_option,
  missing,   ///< An argument, an option or its value.
  extra,     ///< An argument that the command does not take.
  value,     ///< An option or argument does not take this value.
  conflict,  ///< Options or arguments that cannot be combined.
};

/// A wrong command line: exit status 2. Message and hint are one line each, whatever arguments they quote.
class UsageError : public std::runtime_error {
 public:
  UsageError(Usage usage, std::string_view message, std::string_view hint = {})
      : std::runtime_error(escaped(on_one_line(message))), usage_(usage), hint_(escaped(on_one_line(hint))) {}

  /// `usage.missing` and so on.
  [[nodiscard]] std::string_view code() const noexcept;
  [[nodiscard]] const std::string& hint() const noexcept { return hint_; }
  /// The same error of a command, whose name begins the message.
  [[nodiscard]] UsageError in(std::string_view command) const;

 private:
  Usage usage_;
  std::string hint_;
};

/// The name of the root in `--explain=`. Its path is empty.
inline constexpr std::string_view kRootPath = "(root)";

enum class Output { yaml, json, jsonl };
enum class Color { automatic, always, never };

class Verb;

struct SharedOptions {
  /// The most that `--limit depth=` takes, however large the stack is.
  static constexpr std::size_t kDeepest = 10'000;

  Output output = Output::yaml;
  bool output_given = false;
  bool blame = false;
  bool lists = false;                  ///< How lists were merged is shown instead of the result.
  report::Layout layout;               ///< For blame, explain and differences as text.
  std::optional<std::string> explain;  ///< The path after `=`. Empty: all.
  bool explains_path = false;          ///< A path was given; it may be empty, which is the root.
  std::string at;
  std::string against;
  bool compares = false;  ///< Results are compared or looked through, not shown: with `--against`, and for analyses.
  bool strict = false;
  bool quiet = false;
  bool sort_keys = false;
  Color color = Color::automatic;
  std::optional<Stop::Clock::time_point> deadline;  ///< From `--limit seconds=NUMBER`.
  Stop stop{OnConsole::stop()};                     ///< `limits` has it if there is a deadline.
  std::size_t most_output = std::size_t{64}
                            << 20U;  ///< Maximal size of an explanation in bytes, from `--limit output=BYTES`.
  Limits limits;
  /// Of an analysis: which commands its query can have. Null: all.
  bool (Verb::*takes)() const = nullptr;
  /// Of an analysis: its limits cap those of its query, which may come from a file of other people; and its secrets are
  /// theirs.
  bool caps_limits = false;
  Permissions permissions;  ///< As typed: `--allow-programs`, `--allow-network`.
  /// The files of the host that files may name. Null: all. A plain command reads all, and its messages quote only those
  /// that its arguments name.
  std::shared_ptr<const FileBounds> bounds = {};
  std::vector<std::string> allowed_folders = {};  ///< Further folders that files may name.
  bool source_map_content = false;
  unsigned threads = 0;    ///< 0: one per core.
  std::string source_map;  ///< The file of the source map; `-` prints it instead of the result. Empty: none.
  // Limits of analyses.
  std::size_t most_causes = 32;
  std::size_t most_caused = 1000;
  std::size_t most_effects = 10'000;
  std::size_t most_alignment = 1'000'000;
  std::size_t most_proposals = 100;
  std::size_t most_findings = 100'000;

  // As typed. `finish` converts them.
  std::string output_name;
  std::string color_name = "auto";
  std::string yaml_name = "fast";
  std::string blame_flag;
  std::string explain_flag;
  bool wide = false;
  std::vector<std::string> limit_texts;
  Option output_option;
  Option source_map_option;

  /// Errors: `limit.output` if an explanation of so many bytes is larger than it may be.
  void check_explanation(std::size_t bytes) const;

  /// Adds the options to a command. `default_output`: the default of `--output`. `lines`: whether `jsonl` is allowed.
  void add_to(Arguments& command, Output default_output, bool lines = false);
  /// Adds the options of source maps, to a command whose results have places.
  void add_source_map_to(Arguments& command);
  /// Adds `--lists`, to a command that merges.
  void add_lists_to(Arguments& command);
  /// Adds only those that analyses have as well.
  void add_common_to(Arguments& command);
  /// Adds the options that allow what files of configuration ask for, to a command that refuses it otherwise.
  void add_permissions_to(Arguments& command);
  /// Joins those options with the ones given in another part of the command line, before `finish`.
  void join(const SharedOptions& other);
  /// No limit is more than another one has.
  void cap(const Limits& most);
  /// The names that `--limit` takes.
  [[nodiscard]] static std::vector<std::string_view> limit_names();
  /// Whether messages have colors, as typed. Valid before `finish`, too.
  [[nodiscard]] Color typed_color() const noexcept;
  /// Checks the typed values. Throws UsageError.
  void finish();
  /// Whether where the result comes from is shown instead of it.
  /// Whether `explain` is not a JSON Pointer.
  [[nodiscard]] bool explains_name() const;
  /// Throws: the result never had the path to explain. UsageError if it is not a JSON Pointer, else `explain.path`.
  [[noreturn]] void throw_no_such_path(const Value& result) const;
  [[nodiscard]] bool reports() const { return blame || explain || lists; }
  /// Whether a source map is asked for.
  [[nodiscard]] bool maps() const { return source_map_option.is_given(); }
};

}  // namespace strata::cli
