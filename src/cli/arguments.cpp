// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iterator>
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

/// The description of the check that leaves a required argument to `Arguments::rest`.
constexpr const char* kRest = "rest";

std::vector<const CLI::App*> commands_of(const CLI::App* app) {
  return app->get_subcommands([](const CLI::App* /*one*/) { return true; });
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

Option& Option::default_str(const std::string& value) {
  option_->default_str(value);
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
  const auto problem = [values](const std::string& given) {
    return std::ranges::find(values, given) != values.end()
               ? std::string()
               : fmt::format("expected {}, found '{}'", alternatives(values), given);
  };
  option_->check(CLI::Validator(problem, fmt::format("{{{}}}", fmt::join(values, ","))));
  return *this;
}

Option& Option::within(unsigned least, unsigned most) {
  const std::string range = fmt::format("{} to {}", least, most);
  const auto problem = [least, most, range](const std::string& given) {
    unsigned number = 0;
    const bool is_number = CLI::detail::lexical_cast(given, number);
    return is_number && number >= least && number <= most ? std::string()
                                                          : fmt::format("expected {}, found '{}'", range, given);
  };
  option_->check(CLI::Validator(problem, range));
  return *this;
}

bool Option::is_given() const { return option_ != nullptr && option_->count() > 0; }

Arguments Arguments::add_subcommand(const std::string& name, const std::string& about) {
  return Arguments(app_->add_subcommand(name, about)->group("Commands"));
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

Option Arguments::add_option(const std::string& names, std::optional<std::string>& into, const std::string& about) {
  const auto take = [&into](const std::string& word) { into = unmarked(word); };
  return last_of(app_->add_option_function<std::string>(names, take, about));
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

/// As CLI11 wants them: `-e,--environment`.
std::string Arguments::names_of(const query::Option& option) {
  if (option.is_argument()) return std::string(option.name);
  return option.short_name.empty() ? fmt::format("--{}", option.name)
                                   : fmt::format("-{},--{}", option.short_name, option.name);
}

void Arguments::describe(Option added, const query::Option& option) {
  // Flags and arguments have no name of a value.
  if (!option.value_name.empty()) added.type_name(std::string(option.value_name)).one_word();
  if (!option.choices.empty()) added.one_of({option.choices.begin(), option.choices.end()});
  if (!option.default_value.empty()) added.default_str(std::string(option.default_value));
}

Option Arguments::add_ordered(const std::string& name, Given& into, const std::string& about) {
  const auto take = [&into, name](const std::string& word) { into.emplace_back(name, unmarked(word)); };
  CLI::Option* option = app_->add_option_function<std::string>(name, take, about);
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)->trigger_on_parse()->allow_extra_args(false);
  return Option(option);
}

void Arguments::leave_rest(const std::string& name, const std::string& more, const std::string& about,
                           bool is_required) {
  app_->prefix_command();
  // An argument for the help alone: its check refuses each value, so that parsing leaves it to the rest.
  app_->validate_positionals();
  app_->add_option_function<std::string>(
          name, [](const std::string&) {}, about)
      ->type_name(more)
      ->check(CLI::Validator([](const std::string&) { return std::string("left"); }, is_required ? kRest : ""));
}

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

std::string Arguments::name() const {
  std::string out = app_->get_name();
  for (const CLI::App* above = app_->get_parent(); above != nullptr; above = above->get_parent())
    out.insert(0, above->get_name() + " ");
  return out;
}

bool Arguments::leaves_rest() const { return app_->get_prefix_command(); }

void Arguments::group(const std::string& heading) { app_->group(heading); }

namespace {

/// The descriptions of an option's checks, which CLI11 appends to the name of its value after colons.
std::vector<std::string> checks_of(CLI::Option* option) {
  std::vector<std::string> out;
  for (int i = 0;; ++i) {
    try {
      std::string about = option->get_validator(i)->get_description();
      if (!about.empty()) out.push_back(std::move(about));
    } catch (const CLI::OptionNotFound&) {  // CLI11 does not return how many there are.
      return out;
    }
  }
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    out.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return out;
}

}  // namespace

std::string alternatives(const std::vector<std::string>& values) {
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i)
    out += (i == 0 ? "" : i + 1 == values.size() ? " or " : ", ") + values[i];
  return out;
}

std::string OptionShape::usage() const {
  const std::string out = names.front() + value_name + (is_repeated ? "..." : "");
  return is_required ? out : "[" + out + "]";
}

std::string OptionShape::term() const {
  if (is_positional) return names.front() + value_name + (is_repeated ? "..." : "");
  const bool is_joined = value_name.empty() || value_name.starts_with("[=");
  return fmt::format("{}{}{}", fmt::join(names, ", "), is_joined ? "" : " ", value_name);
}

std::string OptionShape::description() const {
  std::string out = about;
  const auto is_named = [this](const std::string& value) { return about.find(value) != std::string::npos; };
  if (!std::ranges::all_of(values, is_named)) out += (out.empty() ? "" : ": ") + alternatives(values);
  std::string more = range;
  const auto add = [&more](const std::string& text) { more += (more.empty() ? "" : ", ") + text; };
  if (!default_value.empty()) add("default: " + default_value);
  if (is_repeated && !is_positional) add("repeatable");
  if (is_required && !is_positional) add("required");
  return more.empty() ? out : out + " (" + more + ")";
}

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
    shape.value_name = option->get_type_name();
    for (const std::string& check : checks_of(option)) {
      shape.value_name.resize(shape.value_name.size() - check.size() - 1);
      if (check == kRest) {
        shape.is_required = true;
      } else if (check.starts_with('{')) {
        shape.values = split_at_commas(std::string_view(check).substr(1, check.size() - 2));
      } else {
        shape.range = check;
      }
    }
    // CLI11 names the types of values that have no name.
    if (!shape.takes_value && !shape.value_name.starts_with('[')) shape.value_name.clear();
    if (shape.is_positional && shape.value_name == "TEXT") shape.value_name.clear();
    shape.about = option->get_description();
    shape.heading = option->get_group();
    shape.default_value = option->get_default_str();
    out.push_back(std::move(shape));
  }
  return out;
}

void Arguments::require_subcommand(std::size_t least, std::size_t most) { app_->require_subcommand(least, most); }

bool Arguments::is_given() const { return app_->parsed(); }

std::string Arguments::usage() const {
  std::string out = name() + " [OPTIONS]";
  for (const OptionShape& shape : options()) {
    if (shape.is_positional && !shape.heading.empty()) out += " " + shape.usage();
  }
  return !commands_of(app_).empty() ? out + " COMMAND …" : out;
}

namespace {

constexpr std::size_t kDescriptionColumn = 30;
constexpr std::size_t kHelpWidth = 100;

/// The text with a break before each word that would pass kHelpWidth, indented to kDescriptionColumn.
std::string wrapped(std::string_view text) {
  std::string out;
  for (std::size_t column = kDescriptionColumn; !text.empty();) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const bool breaks = column > kDescriptionColumn && column + 1 + word.size() > kHelpWidth;
    if (breaks) column = kDescriptionColumn;
    if (column > kDescriptionColumn) {
      out += ' ';
      ++column;
    } else if (!out.empty()) {
      out += fmt::format("\n{:{}}", "", kDescriptionColumn);
    }
    out += word;
    column += word.size();
  }
  return out;
}

}  // namespace

std::string Arguments::help() const {
  using Rows = std::vector<std::pair<std::string, std::string>>;
  std::vector<std::pair<std::string, Rows>> sections;
  const auto rows_of = [&sections](const std::string& heading) -> Rows& {
    const auto found = std::ranges::find(sections, heading, &std::pair<std::string, Rows>::first);
    return found != sections.end() ? found->second : sections.emplace_back(heading, Rows()).second;
  };
  const std::vector<OptionShape> shapes = options();
  for (const bool is_positional : {true, false}) {
    for (const OptionShape& shape : shapes) {
      if (shape.is_positional != is_positional || shape.heading.empty()) continue;
      rows_of(is_positional ? "Arguments" : shape.heading).emplace_back(shape.term(), shape.description());
    }
  }
  for (const CLI::App* command : commands_of(app_)) {
    if (!command->get_group().empty())
      rows_of(command->get_group()).emplace_back(command->get_name(), command->get_description());
  }
  std::string out = fmt::format("{}\nUsage: {}\n", about(), usage());
  for (const auto& [heading, rows] : sections) {
    out += fmt::format("\n{}:\n", heading);
    for (const auto& [term, text] : rows) {
      // fmt counts the columns of UTF-8 text.
      out += fmt::format("  {:{}}", term, kDescriptionColumn - 2);
      if (term.size() >= kDescriptionColumn - 2) out += fmt::format("\n{:{}}", "", kDescriptionColumn);
      out += wrapped(text) + "\n";
    }
  }
  const std::string end = app_->get_footer();
  return end.empty() ? out : fmt::format("{}\n{}\n", out, end);
}

void Arguments::footer(const std::string& text) { app_->footer(text); }

namespace {

/// The innermost command that was given.
CLI::App* chosen_of(CLI::App* program) {
  CLI::App* chosen = program;
  while (!chosen->get_subcommands().empty()) chosen = chosen->get_subcommands().front();
  return chosen;
}

struct UnknownCommand {
  std::string word;
  CLI::App* app;
};

/// Whether a word looks like a JSON Pointer, and no file has this name.
bool is_pointer(const std::string& word) { return word.starts_with('/') && access(word.c_str(), F_OK) != 0; }

/// The first argument that neither the program nor a command takes. Empty: none.
std::string unexpected_argument(const CLI::App& program) {
  const std::vector<std::string> left = program.remaining(true);
  const auto option = std::ranges::find_if(left, [](const std::string& word) { return word.starts_with("-"); });
  return left.empty() ? std::string() : unmarked(option == left.end() ? left.front() : *option);
}

UsageError unknown_command(const UnknownCommand& unknown) {
  const std::string name = Arguments(unknown.app).name();
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(unknown.app)) names.push_back(command->get_name());
  return {Usage::unknown_command, fmt::format("unknown command '{}'", unknown.word),
          name_hint(std::vector<std::string_view>(names.begin(), names.end()), unknown.word,
                    fmt::format("{} --help lists the commands", name))};
}

UsageError unknown_option(CLI::App* command, std::string_view word) {
  const std::string name(word.substr(0, word.find('=')));
  std::vector<std::string> names;
  for (const CLI::Option* option : command->get_options([](CLI::Option* one) { return !one->get_lnames().empty(); }))
    names.push_back("--" + option->get_lnames().front());
  return {Usage::unknown_option, fmt::format("unknown option '{}'", name),
          name_hint(std::vector<std::string_view>(names.begin(), names.end()), name,
                    fmt::format("{} --help lists the options", Arguments(command).name()))};
}

UsageError unexpected(CLI::App* command, const std::string& word) {
  const CLI::Option* environments = command->get_option_no_throw("--environment");
  const bool lacks_option = environments != nullptr && environments->count() > 0;
  return {Usage::extra, fmt::format("unexpected argument '{}'", word),
          lacks_option ? fmt::format("each environment file needs its own -e: -e {}", word)
                       : "usage: " + Arguments(command).usage()};
}

/// The required arguments and options that a command lacks; else the command below it.
UsageError missing(CLI::App* command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command->get_options()) {
    if (option->get_required() && option->count() == 0) names.push_back(option->get_name());
  }
  if (names.empty()) names.emplace_back("COMMAND");
  return {Usage::missing, fmt::format("{} {} missing", fmt::join(names, " and "), names.size() == 1 ? "is" : "are"),
          "usage: " + Arguments(command).usage()};
}

/// The error of CLI11 in our words. `unknown`: the first argument in place of a command that is none.
UsageError usage_error(const CLI::ParseError& error, CLI::App* program, const std::optional<UnknownCommand>& unknown) {
  if (unknown) return unknown_command(*unknown);
  CLI::App* command = chosen_of(program);
  const std::string word = command->get_prefix_command() ? std::string() : unexpected_argument(*program);
  if (word.starts_with('-')) return unknown_option(command, word);
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) return missing(command);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return unexpected(command, word);
  const std::string message = error.what();
  const std::string option = message.substr(0, message.find(": "));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && option.size() < message.size())
    return {Usage::missing, option + " needs a value", "usage: " + Arguments(command).usage()};
  constexpr std::string_view kConversion = "Could not convert: ";
  if (!message.starts_with(kConversion)) return {Usage::value, message};
  const std::size_t equals = message.find(" = ");
  const std::string name = message.substr(kConversion.size(), equals - kConversion.size());
  const CLI::Option* wrong = command->get_option_no_throw(name);
  const bool is_flag = wrong != nullptr && wrong->get_expected_max() == 0;
  return {Usage::value, is_flag ? name + " takes no value"
                                : fmt::format("{}: expected a number, found '{}'", name, message.substr(equals + 3))};
}

/// The arguments of a command line, last first as CLI11 wants them. `--name=` without a value becomes `--name` and an
/// empty argument: CLI11 would take the next argument as the value. Sets `unknown` to the first argument that should be
/// a command and is not one.
std::vector<std::string> words_of(CLI::App* app, const std::vector<std::string>& words,
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
      word += kRootPath;  // CLI11 would take it for `--explain`.
    } else if (word == "--explain" && i + 1 < words.size() && is_pointer(words[i + 1])) {
      throw UsageError(Usage::value,
                       fmt::format("--explain takes its path after '=': write --explain={}", words[i + 1]));
    }
    out.push_back(marked(word));
  }
  std::ranges::reverse(out);
  return out;
}

}  // namespace

CommandLine::CommandLine(const std::string& about, const std::string& name)
    : app_(std::make_unique<CLI::App>(about, name)) {
  app_->set_help_flag("-h,--help", "print this help");
}

CommandLine::~CommandLine() = default;

Arguments CommandLine::arguments() const noexcept { return Arguments(app_.get()); }

CommandLine::Parsed CommandLine::parse(const std::vector<std::string>& words) {
  std::optional<UnknownCommand> unknown;
  try {
    app_->parse(words_of(app_.get(), words, unknown));
    return Parsed::run;
  } catch (const CLI::Success&) {
    printed_ = Arguments(chosen_of(app_.get())).help();
    return Parsed::helped;
  } catch (const CLI::ParseError& error) {
    throw usage_error(error, app_.get(), unknown);
  }
}

}  // namespace strata::cli
