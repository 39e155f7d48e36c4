// What can stand on the command line: a front to CLI11, whose headers would cost each file that includes them ten seconds of compiling.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

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

  /// What its value is called in the help.
  Option& type_name(const std::string& name);
  /// The heading that the help lists it under; the empty one hides it.
  Option& group(const std::string& heading);
  /// The help says what it is when it is not given.
  Option& capture_default_str();
  /// Leaving it out is a wrong command line.
  Option& required();
  /// Takes one word each time that it is given, not all that follow.
  Option& one_word();
  // What its value must be; anything else is a wrong command line.
  Option& one_of(const std::vector<std::string>& values);
  Option& within(unsigned least, unsigned most);

  /// Whether it was given; after parsing.
  [[nodiscard]] bool is_given() const;

 private:
  CLI::Option* option_ = nullptr;
};

/// The options of the program or of one of its commands. Copies are the same. Where values go must outlive the parsing.
class Arguments {
 public:
  Arguments() = default;
  explicit Arguments(CLI::App* app) noexcept : app_(app) {}

  Arguments add_subcommand(const std::string& name, const std::string& about);
  /// `names`: `--name`, or a word for what stands without a name.
  /// A command that has commands itself, one of which must be given. Asking again for the same name gives the same.
  Arguments subcommand(const std::string& name, const std::string& about);
  Option add_option(const std::string& names, std::string& into, const std::string& about);
  Option add_option(const std::string& names, std::vector<std::string>& into, const std::string& about);
  Option add_option(const std::string& names, unsigned& into, const std::string& about);
  Option add_flag(const std::string& names, bool& into, const std::string& about);
  /// A flag with a value after `=`; "true" without one.
  Option add_flag(const std::string& names, std::string& into, const std::string& about);

  /// At least so many and at most so many commands are given.
  void require_subcommand(std::size_t least, std::size_t most);
  /// Whether this command was given; after parsing.
  [[nodiscard]] bool is_given() const;
  [[nodiscard]] std::string help() const;
  /// What the help ends with.
  void footer(const std::string& text);

 private:
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
  enum class Parsed { run, helped, wrong };
  /// Fills what the options name. Keeps the help that was asked for, and tells what is wrong on standard error.
  Parsed parse(int argc, const char* const* argv);
  /// The help that was asked for; after parsing.
  [[nodiscard]] const std::string& printed() const noexcept { return printed_; }

 private:
  std::unique_ptr<CLI::App> app_;
  std::string printed_;
};

}  // namespace strata::cli
