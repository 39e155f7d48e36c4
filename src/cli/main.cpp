// strata COMMAND [options] …: the composition root.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <new>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "command.hpp"
#include "command_form.hpp"
#include "strata/process_host.hpp"
#include "terminal.hpp"
#include "verb_question.hpp"
#include "version.hpp"

namespace {

constexpr int kInputIsWrong = 1;
constexpr int kCommandLineIsWrong = 2;
constexpr int kBug = 70;

/// The command that was chosen; null where none was.
strata::cli::Command* chosen_of(const std::vector<std::unique_ptr<strata::cli::Command>>& commands) {
  const auto chosen = std::ranges::find_if(commands, [](const auto& command) { return command->is_chosen(); });
  return chosen == commands.end() ? nullptr : chosen->get();
}

/// The exit status of a wrong command line, which the chosen command decides.
int usage_status(const std::vector<std::unique_ptr<strata::cli::Command>>& commands) {
  strata::cli::Command* chosen = chosen_of(commands);
  return chosen == nullptr ? kCommandLineIsWrong : chosen->usage_status();
}

/// The exit status of a run that ends with an error.
int error_status(const std::vector<std::unique_ptr<strata::cli::Command>>& commands) {
  strata::cli::Command* chosen = chosen_of(commands);
  return chosen == nullptr ? kInputIsWrong : chosen->error_status();
}

/// Prints help and the like. The exit status.
int print(const std::string& text) {
  if (std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0) return 0;
  std::fprintf(stderr, "strata: error: the output cannot be written: %s\n", std::strerror(errno));  // NOLINT(concurrency-mt-unsafe): one thread
  return kInputIsWrong;
}

/// Ends the help of a command, which `program` has, with two examples and the page of the manual.
void add_examples(const strata::cli::Arguments& program, const strata::cli::Registration::Entry& entry) {
  strata::cli::arguments_of(program, entry.name)
      .footer(fmt::format("Examples:\n  {}\n  {}\n\nManual: docs/{}", entry.examples[0], entry.examples[1], entry.page));
}

/// The commands that the first word can mean: making the options of all takes longer than a small run.
std::vector<const strata::cli::Registration::Entry*> entries_for(const std::vector<std::string>& words) {
  const auto all = strata::cli::Registration::all();
  std::vector<const strata::cli::Registration::Entry*> out;
  std::ranges::copy_if(all, std::back_inserter(out),
                       [&words](const auto* entry) { return !words.empty() && entry->name.substr(0, entry->name.find(' ')) == words.front(); });
  return out.empty() ? all : out;
}

int run(const std::vector<std::string>& words) {
  using strata::cli::CommandLine;
  using strata::cli::Terminal;
  CommandLine command_line(std::string(strata::cli::kProgram), "strata");
  strata::cli::Arguments program = command_line.arguments();
  program.require_subcommand(0, 1);
  bool version = false;
  bool verbose = false;
  strata::cli::add_program_options(program, version, verbose);
  std::vector<std::unique_ptr<strata::cli::Command>> commands;
  for (const strata::cli::Registration::Entry* entry : entries_for(words)) {
    commands.push_back(entry->make());
    commands.back()->add_to(program);
    add_examples(program, *entry);
  }
  const auto color = [&commands] {
    const auto chosen = chosen_of(commands);
    return chosen == nullptr ? strata::cli::Color::automatic : chosen->options().color;
  };
  try {
    const CommandLine::Parsed parsed = command_line.parse(words);
    if (parsed == CommandLine::Parsed::wrong) {
      strata::cli::tell(command_line.printed());
      return usage_status(commands);
    }
    if (parsed == CommandLine::Parsed::helped) return print(command_line.printed());
    if (version) return print(strata::cli::version_text(verbose));
    for (const auto& command : commands) {
      if (!command->is_chosen()) continue;
      command->options().finish();
      return command->execute(words);
    }
    return print(program.help());
  } catch (const strata::cli::Ended& ended) {
    if (ended.status == 0) return print(ended.told);
    strata::cli::tell(ended.told);
    return ended.status;
  } catch (const strata::cli::UsageError& error) {
    const std::string problem = fmt::format("strata: {}\nRun with --help for more information.\n", error.what());
    strata::cli::tell(problem);
    return usage_status(commands);
  } catch (const strata::Errors& errors) {
    for (const strata::Diagnostic& error : errors.all()) Terminal(color()).tell(error, "error");
    return error_status(commands);
  } catch (const strata::Error& error) {
    Terminal(color()).tell(error.diagnostic(), "error");
    return error_status(commands);
  } catch (const std::bad_alloc&) {
    std::fputs("strata: error: out of memory\n", stderr);
    return error_status(commands);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    // Not for people: strata starts itself so, for each plugin.
    constexpr int kPluginArguments = 4;
    if (argc == kPluginArguments && std::string_view(argv[1]) == strata::kPluginHost) return strata::run_plugin_host(argv[2], argv[3]);
    // Who started this may ignore it, which is inherited: how a plugin has ended would not be known.
    std::signal(SIGCHLD, SIG_DFL);
    return run(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "strata: this is a bug in strata: %s\nPlease report it with the command and its input.\n", error.what());
    return kBug;
  }
}
