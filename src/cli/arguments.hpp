// SPDX-License-Identifier: Apache-2.0
// The command line: a wrapper around CLI11, whose headers would cost ten seconds of compile time in each file.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "query/options.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's
class App;
class Option;
}  // namespace CLI

namespace strata::cli {

/// An option of a command. Copies are the same option.
class Option {
 public:
  Option() = default;
  explicit Option(CLI::Option* option) noexcept : option_(option) {}

  /// The name of its value in the help.
  Option& type_name(const std::string& name);
  /// The heading in the help. An empty heading hides the option.
  Option& group(const std::string& heading);
  /// The help shows the default.
  Option& capture_default_str();
  /// The help shows this default.
  Option& default_str(const std::string& value);
  /// The option is required.
  Option& required();
  /// Takes one word each time it is given, not all following words.
  Option& one_word();
  // Checks of the value. Anything else is a wrong command line.
  Option& one_of(const std::vector<std::string>& values);
  Option& within(unsigned least, unsigned most);

  /// Whether it was given. Valid after parsing.
  [[nodiscard]] bool is_given() const;

 private:
  CLI::Option* option_ = nullptr;
};

/// The description of an option of a command.
struct OptionShape {
  std::vector<std::string> names;  ///< With dashes; of a positional argument its name.
  bool is_positional = false;
  bool takes_value = false;
  bool is_repeated = false;
  bool is_required = false;
  std::string value_name;           ///< For a positional argument the string after its name, `=VALUE`.
  std::vector<std::string> values;  ///< The only ones that it takes. Empty: any.
  std::string range;                ///< The numbers that it takes: `0 to 1024`. Empty: any.
  std::string default_value;        ///< If the help shows it.
  std::string about;
  std::string heading;  ///< In the help. Empty: hidden.

  /// A positional argument in a usage line: `MAP`, `[KEY...]`.
  [[nodiscard]] std::string usage() const;
  /// The names with the value: `-e, --environment FILE`, `--blame[=short|wide]`.
  [[nodiscard]] std::string term() const;
  /// The description with the values, the range and the default: `yaml or json (default: yaml)`. It lists the values
  /// only if `about` does not name them.
  [[nodiscard]] std::string description() const;
};

/// `a, b or c`
[[nodiscard]] std::string alternatives(const std::vector<std::string>& values);

/// The options of the program or of one of its commands. Copies are the same object. The variables for values must
/// outlive parsing.
class Arguments {
 public:
  Arguments() = default;
  explicit Arguments(CLI::App* app) noexcept : app_(app) {}

  Arguments add_subcommand(const std::string& name, const std::string& about);
  /// `names`: `--name`, or a word for a positional argument.
  /// A command that has commands of its own, one of which is required. The same name gives the same command.
  Arguments subcommand(const std::string& name, const std::string& about);
  /// If it is given several times, the last one counts.
  Option add_option(const std::string& names, std::string& into, const std::string& about);
  Option add_option(const std::string& names, std::optional<std::string>& into, const std::string& about);
  Option add_option(const std::string& names, std::vector<std::string>& into, const std::string& about);
  Option add_option(const std::string& names, unsigned& into, const std::string& about);
  Option add_flag(const std::string& names, bool& into, const std::string& about);
  /// A flag with an optional value after `=`; "true" without one.
  Option add_flag(const std::string& names, std::string& into, const std::string& about);

  /// Adds the options of a table. `values` must outlive parsing.
  template <class Values>
  void add(std::span<const query::OptionOf<Values>> table, Values& values) {
    for (const query::OptionOf<Values>& one : table)
      std::visit([&](auto member) { describe(add_named(one.option, values.*member), one.option); }, one.member);
  }

  /// Options of one kind, in the order in which they are given: the name with its dashes and the value.
  using Given = std::vector<std::pair<std::string, std::string>>;
  Option add_ordered(const std::string& name, Given& into, const std::string& about);
  /// The first argument that is neither an option nor its value, and all arguments behind it, are not read: `rest`
  /// returns them. `name` and `more` are what the usage line shows: `COMMAND` and ` …`.
  void leave_rest(const std::string& name, const std::string& more, const std::string& about, bool is_required = true);
  /// Those arguments. Valid after parsing.
  [[nodiscard]] std::vector<std::string> rest() const;
  /// A word before that, if it has an equals sign and does not begin with `@`.
  Option add_assignment(const std::string& name, std::string& into, const std::string& about);
  /// Whether there is an option of this name and it was given. Valid after parsing.
  [[nodiscard]] bool has_given(const std::string& name) const;

  /// All options that were added, and `--help`.
  [[nodiscard]] std::vector<OptionShape> options() const;
  /// The purpose of the command, in one line.
  [[nodiscard]] std::string about() const;
  /// The command as users type it: `strata bindings check`.
  [[nodiscard]] std::string name() const;
  /// `strata check [OPTIONS] COMMAND …`
  [[nodiscard]] std::string usage() const;
  /// Whether `leave_rest` was called.
  [[nodiscard]] bool leaves_rest() const;
  /// The heading of the command in the help of the program. Empty: the help does not list it.
  void group(const std::string& heading);

  /// The allowed number of commands.
  void require_subcommand(std::size_t least, std::size_t most);
  /// Whether this command was given. Valid after parsing.
  [[nodiscard]] bool is_given() const;
  [[nodiscard]] std::string help() const;
  /// The end of the help.
  void footer(const std::string& text);

 private:
  Option add_named(const query::Option& option, bool& into) {
    return add_flag(names_of(option), into, std::string(option.help));
  }
  template <class Value>
  Option add_named(const query::Option& option, Value& into) {
    return add_option(names_of(option), into, std::string(option.help));
  }
  static std::string names_of(const query::Option& option);
  static void describe(Option added, const query::Option& option);

  CLI::App* app_ = nullptr;
};

/// The whole command line.
class CommandLine {
 public:
  CommandLine(const std::string& about, const std::string& name);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  [[nodiscard]] Arguments arguments() const noexcept;
  enum class Parsed { run, helped };
  /// Sets the variables of the options. `words`: without the name of the program. Throws UsageError.
  Parsed parse(const std::vector<std::string>& words);
  /// The requested help. Valid after parsing.
  [[nodiscard]] const std::string& printed() const noexcept { return printed_; }

 private:
  std::unique_ptr<CLI::App> app_;
  std::string printed_;
};

}  // namespace strata::cli
