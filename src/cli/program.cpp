// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <new>

#include "arguments.hpp"
#include "command.hpp"
#include "command_form.hpp"
#include "output.hpp"
#include "terminal.hpp"
#include "verb_question.hpp"
#include "version.hpp"

namespace strata::cli {
namespace {

constexpr int kInputIsWrong = 1;
constexpr int kCommandLineIsWrong = 2;

/// The command that was chosen; null where none was.
Command* chosen_command(const std::vector<std::unique_ptr<Command>>& commands) {
  const auto chosen = std::ranges::find_if(commands, [](const auto& command) { return command->is_chosen(); });
  return chosen == commands.end() ? nullptr : chosen->get();
}

/// The exit status of a wrong command line, which the chosen command decides.
int usage_status(const std::vector<std::unique_ptr<Command>>& commands) {
  Command* chosen = chosen_command(commands);
  return chosen == nullptr ? kCommandLineIsWrong : chosen->usage_status();
}

/// The exit status of a run that ends with an error.
int error_status(const std::vector<std::unique_ptr<Command>>& commands) {
  Command* chosen = chosen_command(commands);
  return chosen == nullptr ? kInputIsWrong : chosen->error_status();
}

/// Prints help and the like. The exit status.
int print_all(const std::string& text) {
  try {
    print(text);
    flush_output();
    return 0;
  } catch (const Error& error) {
    tell(fmt::format("strata: error: {}\n", error.what()));
    return kInputIsWrong;
  }
}

/// Gives a command, which `program` has, its heading, and ends its help with two examples and the page of the manual.
void complete_help(Arguments program, const Registration::Entry& entry) {
  program.subcommand(std::string(entry.name.substr(0, entry.name.find(' '))), {}).group(std::string(entry.heading()));
  arguments_of(program, entry.name)
      .footer(
          fmt::format("Examples:\n  {}\n  {}\n\nManual: docs/{}", entry.examples[0], entry.examples[1], entry.page));
}

/// The name of the command that the first arguments give. Empty: none.
std::string chosen_name(const std::vector<std::string>& words) {
  const std::string first = words.empty() ? std::string() : words.front();
  const std::string pair = words.size() < 2 ? first : first + ' ' + words[1];
  const auto all = Registration::all();
  for (const std::string& name : {pair, first}) {
    const auto is_meant = [&name](const auto* entry) {
      return entry->name == name || entry->name.starts_with(name + ' ');
    };
    if (!name.empty() && std::ranges::any_of(all, is_meant)) return name;
  }
  return {};
}

/// The usage line of a command of `program`; without a name, of the program.
std::string usage_line(const Arguments& program, const std::string& name) {
  return name.empty() ? program.usage() : arguments_of(program, name).usage();
}

/// The commands that the first word can mean: making the options of all takes longer than a small run.
std::vector<const Registration::Entry*> entries_for(const std::vector<std::string>& words) {
  const auto all = Registration::all();
  std::vector<const Registration::Entry*> out;
  std::ranges::copy_if(all, std::back_inserter(out), [&words](const auto* entry) {
    return !words.empty() && entry->name.substr(0, entry->name.find(' ')) == words.front();
  });
  return out.empty() ? all : out;
}

}  // namespace

int run_program(const std::vector<std::string>& words) {
  CommandLine command_line(std::string(kProgram), "strata");
  Arguments program = command_line.arguments();
  program.require_subcommand(0, 1);
  bool version = false;
  bool verbose = false;
  add_program_options(program, version, verbose);
  std::vector<std::unique_ptr<Command>> commands;
  for (const Registration::Entry* entry : entries_for(words)) {
    commands.push_back(entry->make());
    commands.back()->add_to(program);
    complete_help(program, *entry);
  }
  const auto color = [&commands] {
    const auto chosen = chosen_command(commands);
    return chosen == nullptr ? Color::automatic : chosen->options().typed_color();
  };
  try {
    if (command_line.parse(words) == CommandLine::Parsed::helped) return print_all(command_line.printed());
    if (version) return print_all(version_text(verbose));
    for (const auto& command : commands) {
      if (!command->is_chosen()) continue;
      command->options().finish();
      return command->execute(words);
    }
    return print_all(program.help());
  } catch (const HelpRequested& request) {
    return print_all(request.help);
  } catch (const UsageError& error) {
    const std::string name = chosen_name(words);
    const UsageError wrong = name.empty() ? error : error.in(name);
    const std::string program_name = name.empty() ? "strata: " : "strata ";
    Terminal(color()).tell(Error(std::string(wrong.code()), program_name + wrong.what())
                               .hint(wrong.hint().empty() ? "usage: " + usage_line(program, name) : wrong.hint())
                               .diagnostic(),
                           "error");
    return usage_status(commands);
  } catch (const Error& error) {
    for (const Diagnostic& one : error.all()) Terminal(color()).tell(one, "error");
    return error_status(commands);
  } catch (const std::bad_alloc&) {
    tell("strata: error: out of memory\n");
    return error_status(commands);
  }
}

}  // namespace strata::cli
