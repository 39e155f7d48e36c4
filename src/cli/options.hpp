// The options that every command shares.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "strata/limits.hpp"
#include "strata/report.hpp"
#include "strata/stop.hpp"

namespace strata::cli {

/// The command line is wrong: exit status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How `--explain=` names the root, whose path is empty.
inline constexpr std::string_view kRootPath = "(root)";

enum class Output { yaml, json, jsonl };
enum class Color { automatic, always, never };

struct SharedOptions {
  Output output = Output::yaml;
  bool output_given = false;
  bool blame = false;
  report::Layout layout;               ///< Of blame, explain and differences as text.
  std::optional<std::string> explain;  ///< The path after `=`; empty for all.
  bool explains_path = false;          ///< A path was given, maybe the empty one, which is the root.
  std::string at;
  std::string against;
  bool strict = false;
  bool quiet = false;
  bool sort_keys = false;
  Color color = Color::automatic;
  std::optional<Stop::Clock::time_point> deadline;   ///< When the request must end, by `--limit seconds=NUMBER`.
  Stop stop;                                         ///< What ends it then: `limits` have it where there is a deadline.
  std::size_t most_output = std::size_t{64} << 20U;  ///< Bytes of an explanation, by `--limit output=BYTES`.
  Limits limits;

  // As typed; `finish` turns them into the above.
  std::string output_name;
  std::string color_name = "auto";
  std::string blame_flag;
  std::string explain_flag;
  bool wide = false;
  std::vector<std::string> limit_texts;
  Option output_option;

  /// Adds the options to a command. `default_output`: what `--output` is when it is not given; `lines`: whether `jsonl` is a choice.
  void add_to(Arguments& command, Output default_output, bool lines = false);
  /// Checks what was typed. Throws UsageError.
  void finish();
};

}  // namespace strata::cli
