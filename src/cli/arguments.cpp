#include "arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

namespace strata::cli {

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

Arguments Arguments::add_subcommand(const std::string& name, const std::string& about) { return Arguments(app_->add_subcommand(name, about)); }

Arguments Arguments::subcommand(const std::string& name, const std::string& about) {
  const auto all = app_->get_subcommands([&](const CLI::App* app) { return app->get_name() == name; });
  if (!all.empty()) return Arguments(all.front());
  CLI::App* added = app_->add_subcommand(name, about);
  added->require_subcommand(1);
  return Arguments(added);
}

Option Arguments::add_option(const std::string& names, std::string& into, const std::string& about) {
  return Option(app_->add_option(names, into, about));
}

Option Arguments::add_option(const std::string& names, std::vector<std::string>& into, const std::string& about) {
  return Option(app_->add_option(names, into, about));
}

Option Arguments::add_option(const std::string& names, unsigned& into, const std::string& about) {
  return Option(app_->add_option(names, into, about));
}

Option Arguments::add_flag(const std::string& names, bool& into, const std::string& about) { return Option(app_->add_flag(names, into, about)); }

Option Arguments::add_flag(const std::string& names, std::string& into, const std::string& about) {
  return Option(app_->add_flag(names, into, about));
}

void Arguments::require_subcommand(std::size_t least, std::size_t most) { app_->require_subcommand(least, most); }

bool Arguments::is_given() const { return app_->parsed(); }

std::string Arguments::help() const { return app_->help(); }

namespace {

/// The words of a command line, last first as CLI11 wants them. `--name=` with nothing behind it becomes `--name` and an empty word: CLI11 would
/// take the next word as the value.
std::vector<std::string> words_of(const CLI::App* app, int argc, const char* const* argv) {
  std::vector<std::string> out;
  bool is_value = false;  // Of the option before it.
  bool has_options = true;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    const bool is_read = has_options && !std::exchange(is_value, false);
    if (!is_read) {
      out.push_back(std::move(word));
      continue;
    }
    has_options = word != "--";
    const auto takes_value = [app](const std::string& name) {
      const CLI::Option* option = app->get_option_no_throw(name);
      return option != nullptr && option->get_expected_min() > 0;
    };
    if (!word.starts_with('-')) {
      const auto chosen = app->get_subcommands([&word](const CLI::App* one) { return one->get_name() == word; });
      if (!chosen.empty()) app = chosen.front();
    } else if (has_options && takes_value(word)) {
      is_value = true;
    } else if (has_options && word.starts_with("--") && word.ends_with('=') && takes_value(word.substr(0, word.size() - 1))) {
      word.pop_back();
      out.push_back(std::move(word));
      word.clear();
    }
    out.push_back(std::move(word));
  }
  std::ranges::reverse(out);
  return out;
}

}  // namespace

CommandLine::CommandLine(const std::string& about, const std::string& name) : app_(std::make_unique<CLI::App>(about, name)) {}

CommandLine::~CommandLine() = default;

Arguments CommandLine::arguments() const noexcept { return Arguments(app_.get()); }

CommandLine::Parsed CommandLine::parse(int argc, const char* const* argv) {
  try {
    app_->parse(words_of(app_.get(), argc, argv));
    return Parsed::run;
  } catch (const CLI::ParseError& error) {
    return app_->exit(error) == 0 ? Parsed::helped : Parsed::wrong;
  }
}

}  // namespace strata::cli
