// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>

#include "options.hpp"
#include "strata/near_names.hpp"

namespace strata::cli {
namespace {

/// Behind a word that CLI11 would read as a list of words, `[a,b]`, or as an empty one, `{}`: files may be called so.
constexpr char kMark = '\x1f';

std::string marked(const std::string& word) {
  const bool is_list = (word.starts_with('[') && word.ends_with(']')) || word == "{}";
  return is_list ? word + kMark : word;
}

std::string unmarked(std::string word) {
  if (word.ends_with(kMark) && marked(word.substr(0, word.size() - 1)) == word) word.pop_back();
  return word;
}

}  // namespace

Option& Option::type_name(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Option& Option::group(const std::string& heading) {
  option_->group(heading);
  return *this;
}

Option& Option::capture_default_str() {
  option_->capture_default_str();
  return *this;
}

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::one_word() {
  option_->allow_extra_args(false);
  return *this;
}

Option& Option::one_of(const std::vector<std::string>& values) {
  option_->check(CLI::IsMember(values));
  return *this;
}

Option& Option::within(unsigned least, unsigned most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

bool Option::is_given() const { return option_ != nullptr && option_->count() > 0; }

Arguments Arguments::add_subcommand(const std::string& name, const std::string& about) {
  return Arguments(app_->add_subcommand(name, about));
}

Arguments Arguments::subcommand(const std::string& name, const std::string& about) {
  const auto all = app_->get_subcommands([&](const CLI::App* app) { return app->get_name() == name; });
  if (!all.empty()) return Arguments(all.front());
  CLI::App* added = app_->add_subcommand(name, about);
  added->require_subcommand(1);
  return Arguments(added);
}

namespace {

/// An option with one value that is given again has the last one: scripts append to what they were given, and the
/// references take it so.
Option last_of(CLI::Option* option) {
  if (!option->get_positional()) option->take_last();
  return Option(option);
}

}  // namespace

Option Arguments::add_option(const std::string& names, std::string& into, const std::string& about) {
  CLI::Option* option = app_->add_option(names, into, about);
  option->transform(unmarked);
  return last_of(option);
}

Option Arguments::add_option(const std::string& names, std::vector<std::string>& into, const std::string& about) {
  const auto take = [&into](const std::vector<std::string>& words) {
    into.clear();
    std::ranges::transform(words, std::back_inserter(into), unmarked);
  };
  return Option(app_->add_option_function<std::vector<std::string>>(names, take, about));
}

Option Arguments::add_option(const std::string& names, unsigned& into, const std::string& about) {
  return last_of(app_->add_option(names, into, about));
}

Option Arguments::add_flag(const std::string& names, bool& into, const std::string& about) {
  return Option(app_->add_flag(names, into, about));
}

Option Arguments::add_flag(const std::string& names, std::string& into, const std::string& about) {
  return Option(app_->add_flag(names, into, about));
}

Option Arguments::add_ordered(const std::string& name, Given& into, const std::string& about) {
  const auto take = [&into, name](const std::string& word) { into.emplace_back(name, unmarked(word)); };
  CLI::Option* option = app_->add_option_function<std::string>(name, take, about);
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)->trigger_on_parse()->allow_extra_args(false);
  return Option(option);
}

void Arguments::leave_rest() { app_->prefix_command(); }

Option Arguments::add_assignment(const std::string& name, std::string& into, const std::string& about) {
  const auto problem = [](const std::string& word) {
    return word.find('=') == std::string::npos || word.starts_with('@') ? std::string("it has no equals sign")
                                                                        : std::string();
  };
  app_->validate_positionals();
  return Option(app_->add_option(name, into, about)->check(CLI::Validator(problem, "")));
}

std::vector<std::string> Arguments::rest() const { return app_->remaining(); }

bool Arguments::has_given(const std::string& name) const {
  const CLI::Option* option = app_->get_option_no_throw(name);
  return option != nullptr && option->count() > 0;
}

std::string Arguments::about() const { return app_->get_description(); }

bool Arguments::leaves_rest() const { return app_->get_prefix_command(); }

void Arguments::hide() { app_->group(""); }

namespace {

/// What the checks of an option add to the name of its value: `:{yaml,json}`.
std::string told_by_checks(CLI::Option* option) {
  std::string out;
  for (int i = 0;; ++i) {
    try {
      const std::string about = option->get_validator(i)->get_description();
      if (!about.empty()) out += ":" + about;
    } catch (const CLI::OptionNotFound&) {  // CLI11 does not say how many there are.
      return out;
    }
  }
}

/// The words in braces.
std::vector<std::string> listed(std::string_view text) {
  std::vector<std::string> out;
  const std::size_t begin = text.find('{');
  const std::size_t end = text.find('}');
  if (begin == std::string_view::npos || end == std::string_view::npos) return out;
  std::string_view rest = text.substr(begin + 1, end - begin - 1);
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    out.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return out;
}

}  // namespace

std::vector<OptionShape> Arguments::options() const {
  std::vector<OptionShape> out;
  for (CLI::Option* option : app_->get_options()) {
    OptionShape shape;
    for (const std::string& name : option->get_snames()) shape.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) shape.names.push_back("--" + name);
    shape.is_positional = option->get_positional();
    if (shape.is_positional) shape.names = {option->get_name(true)};
    shape.takes_value = option->get_expected_min() > 0;
    shape.is_repeated = shape.takes_value && option->get_expected_max() > 1;
    shape.is_required = option->get_required();
    const std::string checks = told_by_checks(option);
    shape.value_name = option->get_type_name();
    shape.value_name.resize(shape.value_name.size() - checks.size());
    shape.values = listed(checks);
    shape.about = option->get_description();
    shape.heading = option->get_group();
    shape.default_value = option->get_default_str();
    out.push_back(std::move(shape));
  }
  return out;
}

void Arguments::require_subcommand(std::size_t least, std::size_t most) { app_->require_subcommand(least, most); }

bool Arguments::is_given() const { return app_->parsed(); }

std::string Arguments::help() const { return app_->help(); }

void Arguments::footer(const std::string& text) { app_->footer(text); }

namespace {

std::vector<const CLI::App*> commands_of(const CLI::App* app) {
  return app->get_subcommands([](const CLI::App* /*one*/) { return true; });
}

struct UnknownCommand {
  std::string word;
  const CLI::App* app;
};

/// Whether a word looks like a JSON Pointer, and is no file.
bool is_pointer(const std::string& word) { return word.starts_with('/') && access(word.c_str(), F_OK) != 0; }

std::string did_you_mean(const std::vector<std::string>& names, const std::string& word) {
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string hint = name_hint(candidates, word);
  return hint.empty() ? hint : hint + '\n';
}

/// The way out for a command line with words that nothing takes; a line, or empty.
std::string hint_of(const CLI::App& program, const std::optional<UnknownCommand>& unknown) {
  if (unknown) {
    std::vector<std::string> names;
    for (const CLI::App* command : commands_of(unknown->app)) names.push_back(command->get_name());
    return did_you_mean(names, unknown->word);
  }
  const CLI::App* chosen = &program;
  while (!chosen->get_subcommands().empty()) chosen = chosen->get_subcommands().front();
  const std::vector<std::string> left = program.remaining(true);
  for (const std::string& word : left) {
    if (!word.starts_with("--")) continue;
    std::vector<std::string> names;
    for (const CLI::Option* option :
         chosen->get_options([](const CLI::Option* one) { return !one->get_lnames().empty(); }))
      names.push_back("--" + option->get_lnames().front());
    return did_you_mean(names, word.substr(0, word.find('=')));
  }
  const CLI::Option* environments = chosen->get_option_no_throw("--environment");
  if (environments != nullptr && environments->count() > 0 && !left.empty())
    return fmt::format("each environment file needs its own -e: -e {}\n", escaped(on_one_line(left.front())));
  return {};
}

/// The words of a command line, last first as CLI11 wants them. `--name=` with nothing behind it becomes `--name` and
/// an empty word: CLI11 would take the next word as the value. `unknown`: becomes the first word that stands where a
/// command must, and is none.
std::vector<std::string> words_of(const CLI::App* app, const std::vector<std::string>& words,
                                  std::optional<UnknownCommand>& unknown) {
  std::vector<std::string> out;
  bool is_value = false;  // Of the option before it.
  bool has_options = true;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string word = words[i];
    const bool is_read = has_options && !std::exchange(is_value, false);
    if (!is_read) {
      out.push_back(marked(word));
      continue;
    }
    has_options = word != "--";
    const auto takes_value = [app](const std::string& name) {
      const CLI::Option* option = app->get_option_no_throw(name);
      return option != nullptr && option->get_expected_min() > 0;
    };
    if (!word.starts_with('-')) {
      const auto chosen = app->get_subcommands([&word](const CLI::App* one) { return one->get_name() == word; });
      if (!chosen.empty()) {
        app = chosen.front();
      } else if (app->get_prefix_command()) {
        out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
        break;
      } else if (!unknown && !commands_of(app).empty()) {
        unknown = UnknownCommand{.word = word, .app = app};
      }
    } else if (has_options && takes_value(word)) {
      is_value = true;
    } else if (has_options && word.starts_with("--") && word.ends_with('=') &&
               takes_value(word.substr(0, word.size() - 1))) {
      word.pop_back();
      out.push_back(std::move(word));
      word.clear();
    } else if (word == "--explain=") {
      word += kRootPath;  // CLI11 would not tell it from `--explain`.
    } else if (word == "--explain" && i + 1 < words.size() && is_pointer(words[i + 1])) {
      throw UsageError(fmt::format("--explain takes its path after '=': write --explain={}", words[i + 1]));
    }
    out.push_back(marked(word));
  }
  std::ranges::reverse(out);
  return out;
}

}  // namespace

CommandLine::CommandLine(const std::string& about, const std::string& name)
    : app_(std::make_unique<CLI::App>(about, name)) {}

CommandLine::~CommandLine() = default;

Arguments CommandLine::arguments() const noexcept { return Arguments(app_.get()); }

CommandLine::Parsed CommandLine::parse(const std::vector<std::string>& words) {
  std::optional<UnknownCommand> unknown;
  try {
    app_->parse(words_of(app_.get(), words, unknown));
    return Parsed::run;
  } catch (const CLI::ParseError& error) {
    std::ostringstream help;
    std::ostringstream problem;
    const bool is_wrong = app_->exit(error, help, problem) != 0;
    printed_ = help.str();
    if (!is_wrong) return Parsed::helped;
    std::string text = problem.str();
    // The words that it quotes may come from a file of projects.
    const std::string_view message = error.what();
    if (const std::size_t at = text.find(message); at != std::string::npos)
      text.replace(at, message.size(), escaped(on_one_line(message)));
    text.insert(std::min(text.find('\n'), text.size() - 1) + 1, hint_of(*app_, unknown));
    printed_ = std::move(text);
    return Parsed::wrong;
  }
}

}  // namespace strata::cli
