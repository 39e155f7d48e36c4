// SPDX-License-Identifier: Apache-2.0
#include "command_form.hpp"

#include <string>

namespace strata::cli {

Arguments arguments_of(Arguments program, std::string_view name) {
  const std::size_t blank = name.find(' ');
  const Arguments first = program.subcommand(std::string(name.substr(0, blank)), {});
  return blank == std::string_view::npos ? first : Arguments(first).subcommand(std::string(name.substr(blank + 1)), {});
}

void add_program_options(Arguments& program, bool& version, bool& verbose) {
  program.add_flag("--version", version, "print the version; with --verbose, also those of the dialects");
  program.add_flag("--verbose", verbose, "").group("");
}

CommandForm::CommandForm(const Registration::Entry& entry)
    : line_(std::make_unique<CommandLine>("", "strata")), command_(entry.make()) {
  Arguments program = line_->arguments();
  command_->add_to(program);
  arguments_ = arguments_of(program, entry.name);
}

}  // namespace strata::cli
