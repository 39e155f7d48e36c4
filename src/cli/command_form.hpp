// SPDX-License-Identifier: Apache-2.0
// A command as the command line knows it: its options, without a run. For manuals, completions and projects.
#pragma once

#include <memory>
#include <string_view>

#include "arguments.hpp"
#include "command.hpp"

namespace strata::cli {

/// A command of its own, in a program of its own.
class CommandForm {
 public:
  explicit CommandForm(const Registration::Entry& entry);

  [[nodiscard]] Command& command() const noexcept { return *command_; }
  [[nodiscard]] CommandLine& line() const noexcept { return *line_; }
  [[nodiscard]] const Arguments& arguments() const noexcept { return arguments_; }

 private:
  std::unique_ptr<CommandLine> line_;
  std::unique_ptr<Command> command_;
  Arguments arguments_;
};

/// The arguments of a command that was added to `program`. `name`: of one or two words.
[[nodiscard]] Arguments arguments_of(Arguments program, std::string_view name);
/// Adds the options of the program itself.
void add_program_options(Arguments& program, bool& version, bool& verbose);
/// What the program is, in one line.
inline constexpr std::string_view kProgram = "strata: one engine for layered configuration";

}  // namespace strata::cli
