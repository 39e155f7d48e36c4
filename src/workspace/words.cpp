// SPDX-License-Identifier: Apache-2.0
// From a project to the words of its question.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "strata/error.hpp"
#include "strata/near_names.hpp"
#include "strata/paths.hpp"
#include "strata/workspace.hpp"
#include "value/fields.hpp"
#include "workspace/configuration.hpp"

namespace strata::workspace {
namespace {

const VerbOption* option_of(const VerbForm& form, std::string_view name) {
  const auto found = std::ranges::find_if(form.options, [&](const VerbOption& option) {
    return std::ranges::find(option.names, name) != option.names.end();
  });
  return found == form.options.end() ? nullptr : &*found;
}

/// What a word is, or is part of.
struct Read {
  const VerbOption* option = nullptr;  ///< Null: an argument that is not an option, or an unknown option.
  bool is_argument = false;
  std::size_t value = std::string::npos;  ///< Where a value begins in the word, if one does.
};

/// Tells the options of words from their values and from other words, as the verb does.
std::vector<Read> read_words(const std::vector<std::string>& words, const VerbForm& form) {
  std::vector<Read> out;
  const VerbOption* waiting = nullptr;  // For its value.
  bool has_options = true;
  for (const std::string& word : words) {
    Read read;
    if (const VerbOption* option = std::exchange(waiting, nullptr)) {
      read = {.option = option, .value = 0};
    } else if (!has_options || !word.starts_with('-') || word == "-") {
      read = {.is_argument = true, .value = 0};
    } else if (word == "--") {
      has_options = false;
    } else if (word.starts_with("--")) {
      const std::size_t equals = word.find('=');
      read.option = option_of(form, word.substr(0, equals));
      if (read.option != nullptr && read.option->takes_value) {
        if (equals == std::string::npos) waiting = read.option;
        if (equals != std::string::npos) read.value = equals + 1;
      }
    } else {
      read.option = option_of(form, word.substr(0, 2));
      if (read.option != nullptr && read.option->takes_value) {
        if (word.size() == 2) waiting = read.option;
        if (word.size() > 2) read.value = 2;
      }
    }
    out.push_back(read);
  }
  return out;
}

/// The values that words give, those that are wanted.
template <class IsWanted>
std::vector<std::string> given(const std::vector<std::string>& words, const VerbForm& form, const IsWanted& is_wanted) {
  std::vector<std::string> out;
  const auto read = read_words(words, form);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_wanted(read[i])) out.push_back(words[i].substr(read[i].value));
  }
  return out;
}

bool gives(const std::vector<std::string>& words, const VerbForm& form, std::string_view name) {
  const auto read = read_words(words, form);
  return std::ranges::any_of(
      read, [&](const Read& one) { return one.option != nullptr && one.option == option_of(form, name); });
}

bool has_arguments(const std::vector<std::string>& words, const VerbForm& form) {
  const auto read = read_words(words, form);
  return std::ranges::any_of(read, &Read::is_argument);
}

/// A value of an option after a move.
std::string moved_value(const std::string& value, VerbOption::Path kind, const std::string& from,
                        const std::string& to) {
  if (kind == VerbOption::Path::no) return value;
  if (kind == VerbOption::Path::yes) return moved_path(value, from, to);
  const std::size_t equals = value.find('=');
  return equals == std::string::npos ? value
                                     : value.substr(0, equals + 1) + moved_path(value.substr(equals + 1), from, to);
}

/// Appends an option with its value.
void put_option(std::vector<std::string>& words, const std::string& name, const std::string& value) {
  // A value like an option, or none, cannot be a word of its own.
  if (value.empty() || (value.starts_with('-') && value != "-")) {
    words.push_back(name + "=" + value);
  } else {
    words.push_back(name);
    words.push_back(value);
  }
}

class QueryBuilder {
 public:
  QueryBuilder(const Project& project, const VerbForm& form, const std::string& folder,
               const std::vector<std::string>& more)
      : project_(project), form_(form), folder_(folder), more_(more) {}

  Question make(const std::string& nodes) && {
    check_names();
    out_.words.push_back(project_.verb);
    for (const Setting& setting : project_.settings) add(setting);
    for (const VerbOption& option : form_.options) add_default(option);
    if (reads_here()) out_.words.push_back(moved_path(".", project_.folder, folder_));
    if (!nodes.empty()) put("--nodes", nodes);
    if (asks_for_all()) out_.words.emplace_back("--all");
    const auto moved = [this](const std::vector<std::string>& words) {
      return moved_words(words, form_, project_.folder, folder_);
    };
    std::ranges::copy(moved(project_.args), std::back_inserter(out_.words));
    std::ranges::copy(more_, std::back_inserter(out_.words));
    if (!project_.fleet_file.empty()) out_.fleet_file = moved_path(project_.fleet_file, project_.folder, folder_);
    if (project_.members) {
      out_.members.emplace();
      for (const Member& member : *project_.members)
        out_.members->push_back({.name = member.name, .words = moved(member.words)});
    }
    return std::move(out_);
  }

 private:
  /// All unknown settings at once.
  void check_names() const {
    if (!project_.entry) return;
    std::vector<std::string_view> known(kOwnKeys.begin(), kOwnKeys.end());
    for (const VerbOption& option : form_.options) {
      for (const std::string& name : option.names) {
        if (name.starts_with("--")) known.push_back(std::string_view(name).substr(2));
      }
    }
    const FieldErrors errors{.code = "workspace.value",
                             .key_code = "workspace.key",
                             .sources = project_.sources.get(),
                             .place = project_.at};
    Fields(project_.entry, fmt::format("the project '{}' ({})", project_.name, project_.verb), errors).only(known);
  }

  [[noreturn]] void refuse(const Setting& setting, std::string_view expected) const {
    Error error("workspace.value",
                fmt::format("'{}' of the project '{}' must be {}", setting.name, project_.name, expected));
    if (project_.sources) error.at(*project_.sources, setting.at);
    throw std::move(error);
  }

  void add(const Setting& setting) {
    const std::string name = "--" + setting.name;
    const VerbOption* option = option_of(form_, name);
    if (option == nullptr) return;
    if (!option->takes_value) {
      if (setting.kind != Setting::Kind::flag) refuse(setting, "true or false");
    } else if (setting.kind == Setting::Kind::flag) {
      refuse(setting, option->is_repeated ? "a text or a list of texts" : "a text: quote it");
    } else if (setting.kind == Setting::Kind::list && !option->is_repeated) {
      refuse(setting, "one text, not a list");
    }
    if (!option->is_repeated && gives(more_, form_, name)) return;  // The user says another one.
    if (setting.kind == Setting::Kind::flag) {
      const std::string negated = "--no-" + setting.name;
      if (setting.is_on) out_.words.push_back(name);
      if (!setting.is_on && option_of(form_, negated) != nullptr) out_.words.push_back(negated);
      return;
    }
    for (const std::string& value : setting.values)
      put(name, moved_value(value, option->path, project_.folder, folder_));
  }

  /// Without the option, a path that is relative to the working folder is relative to the project's folder.
  void add_default(const VerbOption& option) {
    if (option.default_path.empty() || option.path != VerbOption::Path::yes || project_.folder == folder_) return;
    for (const std::string& name : option.names) {
      if (name.starts_with("--") && project_.find(std::string_view(name).substr(2)) != nullptr) return;
      if (gives(project_.args, form_, name) || gives(more_, form_, name)) return;
    }
    put(option.names.front(), moved_path(option.default_path, project_.folder, folder_));
  }

  /// Whether the project's folder is to be read where the verb, without arguments, would read the working folder.
  [[nodiscard]] bool reads_here() const {
    if (project_.folder == folder_ || project_.members || has_arguments(project_.args, form_) ||
        has_arguments(more_, form_))
      return false;
    return std::ranges::any_of(form_.options, [this](const VerbOption& option) {
      return option.reads_here && std::ranges::any_of(option.names, [this](const std::string& name) {
               return (name.starts_with("--") && project_.find(std::string_view(name).substr(2)) != nullptr) ||
                      gives(project_.args, form_, name) || gives(more_, form_, name);
             });
    });
  }

  void put(const std::string& name, const std::string& value) { put_option(out_.words, name, value); }

  /// Whether the question is about everything: a project need not say so.
  [[nodiscard]] bool asks_for_all() const {
    if (option_of(form_, "--all") == nullptr || project_.find("all") != nullptr || is_given("all")) return false;
    if (project_.verb == "inventory" && (is_given("nodes") || !project_.fleet_file.empty())) return false;
    for (const std::string_view other : {"classes", "parameters", "variables", "explain-options"}) {
      if (is_given(other)) return false;
    }
    if (has_arguments(project_.args, form_) || has_arguments(more_, form_)) return false;
    return !project_.members || std::ranges::none_of(*project_.members, [&](const Member& member) {
      return has_arguments(member.words, form_) || gives(member.words, form_, "--all");
    });
  }
  [[nodiscard]] bool is_given(std::string_view name) const {
    const std::string option = fmt::format("--{}", name);
    if (option_of(form_, option) == nullptr) return false;
    const Setting* setting = project_.find(name);
    return (setting != nullptr && (setting->kind != Setting::Kind::flag || setting->is_on)) ||
           gives(project_.args, form_, option) || gives(more_, form_, option);
  }

  const Project& project_;
  const VerbForm& form_;
  const std::string& folder_;
  const std::vector<std::string>& more_;
  Question out_;
};

bool is_harmless(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./:=,+@%^").find(c) != std::string_view::npos;
}

std::string shell_word(const std::string& word) {
  if (!word.empty() && std::ranges::all_of(word, is_harmless)) return word;
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  const bool has_controls = std::ranges::any_of(word, is_control);
  std::string out = has_controls ? "$'" : "'";
  for (const char c : word) {
    if (is_control(c)) {
      out += fmt::format("\\{:03o}", static_cast<unsigned>(c));
    } else if (has_controls && (c == '\'' || c == '\\')) {
      out += fmt::format("\\{}", c);
    } else if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

}  // namespace

std::vector<std::string> arguments_of(const std::vector<std::string>& words, const VerbForm& form) {
  return given(words, form, [](const Read& one) { return one.is_argument; });
}

std::vector<std::string> values_of(const std::vector<std::string>& words, const VerbForm& form,
                                   std::string_view option) {
  const VerbOption* const wanted = option_of(form, option);
  return given(words, form, [wanted](const Read& one) {
    return wanted != nullptr && one.option == wanted && one.value != std::string::npos;
  });
}

bool gives_option(const std::vector<std::string>& words, const VerbForm& form, std::string_view option) {
  return option_of(form, option) != nullptr && gives(words, form, option);
}

std::vector<NamedPath> paths_in(const std::vector<std::string>& words, const VerbForm& form) {
  std::vector<NamedPath> out;
  const auto read = read_words(words, form);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const VerbOption* const option = read[i].option;
    const bool is_path = option != nullptr ? option->path != VerbOption::Path::no : form.args_are_paths;
    if (read[i].value == std::string::npos || !is_path) continue;
    std::string path = words[i].substr(read[i].value);
    if (option != nullptr && option->path == VerbOption::Path::after_equals) path.erase(0, path.find('=') + 1);
    out.push_back({.option = option == nullptr ? std::string() : option->names.front(), .path = std::move(path)});
  }
  return out;
}

const VerbForm& form_of(const Project& project, std::span<const VerbForm> forms) {
  const auto found = std::ranges::find(forms, project.verb, &VerbForm::name);
  if (found != forms.end()) return *found;
  std::vector<std::string_view> names;
  for (const VerbForm& form : forms) names.push_back(form.name);
  Error error("workspace.value", fmt::format("'{}' of the project '{}' is not a verb", project.verb, project.name));
  const Value* verb = project.entry ? project.entry.find("verb") : nullptr;
  if (project.sources) error.at(*project.sources, verb != nullptr ? verb->origin() : project.at);
  throw std::move(error).hint(name_hint(names, project.verb, fmt::format("use one of {}", fmt::join(names, ", "))));
}

Question question_of(const Project& project, const VerbForm& form, const std::string& folder,
                     const std::vector<std::string>& more, const std::string& nodes) {
  return QueryBuilder(project, form, folder, more).make(nodes);
}

bool lacks_nodes(const Project& project, const VerbForm& form, const std::vector<std::string>& more) {
  if ((project.verb != "lookup" && project.verb != "inject") || !project.fleet_file.empty() || project.members)
    return false;
  return std::ranges::none_of(
      std::array<std::string_view, 5>{"nodes", "node", "facts", "trusted", "enc"}, [&](std::string_view name) {
        const std::string option = fmt::format("--{}", name);
        return option_of(form, option) != nullptr &&
               (project.find(name) != nullptr || gives(project.args, form, option) || gives(more, form, option));
      });
}

std::vector<std::string> moved_words(const std::vector<std::string>& words, const VerbForm& form,
                                     const std::string& from, const std::string& to) {
  std::vector<std::string> out = words;
  const auto read = read_words(words, form);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (read[i].value == std::string::npos) continue;
    const auto kind = read[i].option != nullptr ? read[i].option->path
                      : form.args_are_paths     ? VerbOption::Path::yes
                                                : VerbOption::Path::no;
    out[i] = words[i].substr(0, read[i].value) + moved_value(words[i].substr(read[i].value), kind, from, to);
  }
  return out;
}

std::vector<std::string> query_moved(const std::vector<std::string>& words, const VerbForm& form,
                                     const std::string& from, const std::string& to) {
  std::vector<std::string> out{words.front()};
  for (const VerbOption& option : form.options) {
    if (option.default_path.empty() || option.path != VerbOption::Path::yes) continue;
    const std::string& name = option.names.front();
    if (!gives(words, form, name)) put_option(out, name, moved_path(option.default_path, from, to));
  }
  std::ranges::copy(moved_words({words.begin() + 1, words.end()}, form, from, to), std::back_inserter(out));
  return out;
}

std::string moved_path(const std::string& path, const std::string& from, const std::string& to) {
  if (from == to || path.empty() || path == "-" || path.starts_with('/') || path.find("://") != std::string::npos)
    return path;
  std::string whole = absolute_path(from, path);
  if (whole == to) return ".";
  const std::string above = to == "/" ? to : to + "/";
  if (!whole.starts_with(above)) return whole;
  std::string below = whole.substr(above.size());
  // Neither an option nor a URL.
  return below.starts_with('-') || below.find("://") != std::string::npos ? "./" + below : below;
}

std::string command_line(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + shell_word(word);
  return out;
}

}  // namespace strata::workspace
