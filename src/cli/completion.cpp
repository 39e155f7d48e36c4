// SPDX-License-Identifier: Apache-2.0
#include "completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "command_form.hpp"
#include "project_question.hpp"
#include "strata/check.hpp"
#include "strata/file_tree.hpp"
#include "strata/git_history.hpp"
#include "terminal.hpp"
#include "verb_question.hpp"

namespace strata::cli {
namespace {

/// Reads files, and nothing else.
class FileHost final : public Host {
 public:
  explicit FileHost(const Limits& limits) : tree_(host_tree({}, limits.input)) {}
  [[nodiscard]] std::optional<std::string> find(const std::string& name) override {
    return name == "-" ? std::nullopt : tree_->read(name);
  }
  [[nodiscard]] const FileTree* files() override { return tree_.get(); }
  [[nodiscard]] Fetcher* network() override { return nullptr; }

 private:
  std::unique_ptr<FileTree> tree_;
};

/// What a place of the command line takes.
enum class CompletionKind { files, folders, files_after_equals, revisions, codes, limits, commands, of_command };

CompletionKind kind_of(std::string_view value_name) {
  struct Known {
    std::string_view name;
    CompletionKind kind;
  };
  static constexpr std::array<Known, 17> kKnown{{{"FILE", CompletionKind::files},
                                                 {"FILE|DIR", CompletionKind::files},
                                                 {"PART", CompletionKind::files},
                                                 {"MAP", CompletionKind::files},
                                                 {"STATE.json", CompletionKind::files},
                                                 {"OUT.json", CompletionKind::files},
                                                 {"FILE=OTHER", CompletionKind::files},
                                                 {"FILE[#N]:POINTER=VALUE", CompletionKind::files},
                                                 {"FILE[#N]:POINTER", CompletionKind::files},
                                                 {"DIR", CompletionKind::folders},
                                                 {"NAME=FILE.lua", CompletionKind::files_after_equals},
                                                 {"FROM=DIR", CompletionKind::files_after_equals},
                                                 {"K=PATH", CompletionKind::files_after_equals},
                                                 {"REV", CompletionKind::revisions},
                                                 {"CODE,…", CompletionKind::codes},
                                                 {"NAME=NUMBER", CompletionKind::limits},
                                                 {"COMMAND", CompletionKind::commands}}};
  const auto* const known = std::ranges::find(kKnown, value_name, &Known::name);
  return known == kKnown.end() ? CompletionKind::of_command : known->kind;
}

bool is_option(std::string_view word) { return word.size() > 1 && word.starts_with('-'); }

const Registration::Entry* entry_named(std::string_view name) {
  for (const Registration::Entry* entry : Registration::all()) {
    if (entry->name == name) return entry;
  }
  return nullptr;
}

using Words = std::span<const std::string>;

class Completer {
 public:
  Completer(std::string current, const AddSuggestion& add) : current_(std::move(current)), add_(add) {}

  /// `before`: the words before the current one.
  void complete(Words before) {
    if (before.empty()) return first_word();
    if (const Registration::Entry* entry = entry_named(before[0])) return command(*entry, before.subspan(1), false);
    if (before.size() == 1) return commands_below(before[0]);
    if (const Registration::Entry* entry = entry_named(before[0] + " " + before[1]))
      command(*entry, before.subspan(2), false);
  }

 private:
  /// Adds a word if the current one is its beginning. `kept`: what stays of the current word.
  void add(std::string word, std::string about = {}, std::string_view kept = {}) const {
    word.insert(0, kept);
    if (word.starts_with(current_)) add_({.word = std::move(word), .about = std::move(about)});
  }

  void first_word() const {
    if (!current_.starts_with('-')) return commands();
    CommandLine line("", "strata");
    Arguments program = line.arguments();
    bool flag = false;
    add_program_options(program, flag, flag);
    options(program.options(), {}, false);
  }

  /// The first words of commands.
  void commands() const {
    std::string_view last;
    for (const Registration::Entry* entry : Registration::all()) {
      const std::string_view first = entry->name.substr(0, entry->name.find(' '));
      if (entry->is_hidden || first == std::exchange(last, first) || !first.starts_with(current_)) continue;
      add(std::string(first), CommandForm(*entry).line().arguments().subcommand(std::string(first), {}).about());
    }
  }

  void commands_below(std::string_view first) const {
    for (const Registration::Entry* entry : Registration::all()) {
      if (!entry->is_hidden && entry->name.starts_with(fmt::format("{} ", first))) {
        add(std::string(entry->name.substr(first.size() + 1)), CommandForm(*entry).arguments().about());
      }
    }
  }

  void options(const std::vector<OptionShape>& shapes, const std::vector<std::string>& given, bool is_asked) const {
    for (const OptionShape& shape : shapes) {
      if (shape.is_positional || shape.heading.empty()) continue;
      const auto is_given = [&](const std::string& name) { return std::ranges::find(given, name) != given.end(); };
      if (!shape.is_repeated && std::ranges::any_of(shape.names, is_given)) continue;
      for (const std::string& name : shape.names) {
        // Of one letter only where it is the only name.
        const bool is_short = !name.starts_with("--") && shape.names.size() > 1;
        if (!is_short && !(is_asked && is_misplaced(name))) add(name, shape.about);
      }
    }
  }

  /// A command with the words behind its name. `is_asked`: as the verb of an analysis.
  void command(const Registration::Entry& entry, Words words, bool is_asked) {
    CommandForm form(entry);
    const std::vector<OptionShape> shapes = form.arguments().options();
    const auto shape_of = [&shapes](std::string_view name) -> const OptionShape* {
      const auto found = std::ranges::find_if(
          shapes, [&](const OptionShape& shape) { return std::ranges::find(shape.names, name) != shape.names.end(); });
      return found == shapes.end() || found->is_positional ? nullptr : &*found;
    };
    const Place place{.entry = entry, .form = form, .words = words};
    std::vector<std::string> given;
    std::size_t count = 0;  // Of arguments that are not options.
    bool has_options = true;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (has_options && word == "--") {
        has_options = false;
      } else if (has_options && is_option(word)) {
        const std::size_t equals = word.find('=');
        given.push_back(word.substr(0, equals));
        const OptionShape* shape = shape_of(given.back());
        if (equals != std::string::npos || shape == nullptr || !shape->takes_value) continue;
        if (i + 1 == words.size()) return value(place, *shape, 0);
        ++i;
      } else if (form.arguments().leaves_rest() &&
                 !(takes_assignment(shapes) && word.find('=') != std::string::npos && !word.starts_with('@'))) {
        return question(words.subspan(i));
      } else {
        ++count;
      }
    }
    if (has_options && current_.starts_with('-')) {
      const std::size_t equals = current_.find('=');
      if (equals == std::string::npos) return options(shapes, given, is_asked);
      const OptionShape* shape = shape_of(current_.substr(0, equals));
      if (shape != nullptr && shape->takes_value) value(place, *shape, equals + 1);
      return;
    }
    if (form.arguments().leaves_rest()) return queries(form.command().options());
    const OptionShape* last = nullptr;
    for (const OptionShape& shape : shapes) {
      if (!shape.is_positional) continue;
      last = &shape;
      if (count == 0) break;
      if (!shape.is_repeated) {
        --count;
        last = nullptr;
      }
    }
    if (last != nullptr) value(place, *last, 0);
  }

  static bool takes_assignment(const std::vector<OptionShape>& shapes) {
    return std::ranges::any_of(
        shapes, [](const OptionShape& shape) { return shape.is_positional && shape.value_name.starts_with('='); });
  }

  /// The command of a query, or a project. `own`: of the analysis.
  void queries(const SharedOptions& own) const {
    for (std::string& name : query_commands(own)) {
      const std::string about = CommandForm(*entry_named(name)).arguments().about();
      add(std::move(name), about);
    }
    if (!current_.empty() && !current_.starts_with('@')) return;
    for (const workspace::Project& project : projects_in(".", limits_).projects)
      add("@" + project.name, fmt::format("project: {}", project.verb));
  }

  void question(Words words) {
    if (!words[0].starts_with('@')) {
      const Registration::Entry* entry = entry_named(words[0]);
      if (entry != nullptr && entry->is_question) command(*entry, words.subspan(1), true);
      return;
    }
    const QuestionChoice choice = question_choice({words.begin(), words.end()}, {}, limits_);
    const Registration::Entry* entry = choice.words.empty() ? nullptr : entry_named(choice.words.front());
    if (entry != nullptr) command(*entry, Words(choice.words).subspan(1), true);
  }

  /// A command that is being typed.
  struct Place {
    const Registration::Entry& entry;
    const CommandForm& form;
    Words words;  ///< Before the current one.
  };

  /// The value of an option or argument, which is the current word from `from` on.
  void value(const Place& place, const OptionShape& shape, std::size_t from) const {
    const std::string_view kept = std::string_view(current_).substr(0, from);
    const std::string_view typed = std::string_view(current_).substr(from);
    if (!shape.values.empty()) {
      for (const std::string& one : shape.values) add(one, {}, kept);
      return;
    }
    const std::string kind = shape.is_positional ? shape.names.front() : shape.value_name;
    switch (kind_of(kind)) {
      case CompletionKind::files:
        return paths(typed, kept, true);
      case CompletionKind::folders:
        return paths(typed, kept, false);
      case CompletionKind::files_after_equals: {
        const std::size_t equals = typed.find('=');
        if (equals != std::string_view::npos)
          paths(typed.substr(equals + 1), std::string_view(current_).substr(0, from + equals + 1), true);
        return;
      }
      case CompletionKind::revisions:
        add("HEAD", {}, kept);
        for (std::string& name : git_references(std::string())) add(std::move(name), {}, kept);
        return;
      case CompletionKind::codes: {
        const std::size_t comma = typed.rfind(',');
        const std::size_t begin = from + (comma == std::string_view::npos ? 0 : comma + 1);
        for (const analysis::FindingCode& code : analysis::finding_codes()) {
          add(std::string(code.name), std::string(code.about), std::string_view(current_).substr(0, begin));
        }
        return;
      }
      case CompletionKind::limits:
        for (const std::string_view name : SharedOptions::limit_names()) add(std::string(name) + "=", {}, kept);
        return;
      case CompletionKind::commands: {
        std::vector<std::string_view> typed_before;
        std::ranges::copy_if(place.words, std::back_inserter(typed_before),
                             [](const std::string& word) { return !is_option(word); });
        if (typed_before.size() == 1) return commands_below(typed_before.front());
        if (!typed_before.empty()) return;
        commands();
        return of_command(place, kind, kept);
      }
      case CompletionKind::of_command:
        return of_command(place, kind, kept);
    }
  }

  void paths(std::string_view typed, std::string_view kept, bool with_files) const {
    const std::size_t slash = typed.rfind('/');
    const std::string folder(slash == std::string_view::npos ? "" : typed.substr(0, slash + 1));
    const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): nothing sets variables
    const std::string real = folder.starts_with("~/") && home != nullptr ? home + folder.substr(1)
                             : folder.empty()                            ? "."
                                                                         : folder;
    const auto tree = host_tree();
    if (tree->kind(real) != FileKind::folder) return;
    const bool wants_hidden = typed.substr(folder.size()).starts_with('.');
    for (const std::string& name : tree->list(real)) {
      if (name.starts_with('.') && !wants_hidden) continue;
      if (!std::string_view(name).starts_with(typed.substr(folder.size()))) continue;
      const bool is_folder = tree->kind(fmt::format("{}/{}", real, name)) == FileKind::folder;
      if (is_folder || with_files) add(folder + name + (is_folder ? "/" : ""), {}, kept);
    }
  }

  /// What only the command knows.
  void of_command(const Place& place, const std::string& kind, std::string_view kept) const {
    std::vector<std::string> words;
    const std::size_t blank = place.entry.name.find(' ');
    words.emplace_back(place.entry.name.substr(0, blank));
    if (blank != std::string_view::npos) words.emplace_back(place.entry.name.substr(blank + 1));
    std::ranges::copy(place.words, std::back_inserter(words));
    words.push_back(current_.size() == kept.size() ? current_ + "x"
                                                   : current_);  // Options and required arguments want a word.
    if (place.form.line().parse(words) != CommandLine::Parsed::run) return;
    Command& command = place.form.command();
    SharedOptions& options = command.options();
    options.finish();
    FileHost host(options.limits);
    Session session(Snapshot::make(Engine::make({.file_cache = 0}), host_tree({}, options.limits.input),
                                   {.folder = working_folder(), .limits = options.limits, .host = &host}),
                    {.limits = options.limits, .host = &host});
    command.suggest(kind, host, session, [&](Suggestion one) { add(std::move(one.word), std::move(one.about), kept); });
  }

  std::string current_;
  const AddSuggestion& add_;
  Limits limits_;
};

}  // namespace

void complete(const std::vector<std::string>& words, const AddSuggestion& add) {
  if (words.empty()) return;
  Completer(words.back(), add).complete(Words(words).first(words.size() - 1));
}

}  // namespace strata::cli
