// SPDX-License-Identifier: Apache-2.0
// Finds the names of Puppet modules in the files that list them, so that a key of a module that is not installed here
// does not count as unused.
//
// Only the statements that name modules are read: `mod NAME` and `dependency NAME` of Ruby files, the lines of a
// Puppetfile.lock, `path = …` of .gitmodules, and members of the JSON and YAML files. A Puppetfile is a program, and no
// reader that does not run it finds all names: a statement that may name others sets `is_computed`, and callers then
// report less. Cost: one pass over each file. Tested by tests/cli/check_files_test.py.
#include "analysis/dependencies.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "edit/target.hpp"
#include "strata/text.hpp"

namespace strata::analysis {
namespace {

constexpr std::array<std::string_view, 7> kDependencyFiles{"Puppetfile",    "Puppetfile.lock", "Modulefile",
                                                           "metadata.json", ".fixtures.yml",   "bolt-project.yaml",
                                                           ".gitmodules"};

bool is_line_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_line_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_line_space(text.back())) text.remove_suffix(1);
  return text;
}

bool is_module_character(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

/// `name` of `author/name`, `author-name` and `name`. Empty: it is not the name of a module.
std::string_view module_of(std::string_view name) {
  name = name.substr(name.find_last_of("/-") + 1);
  return std::ranges::all_of(name, is_module_character) ? name : std::string_view();
}

template <typename Take>
void for_each_line(std::string_view text, const Take& take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// The word at the beginning of a line, which goes with it.
std::string_view take_word(std::string_view& line) {
  line = trimmed(line);
  const auto end = std::ranges::find_if_not(
      line, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.'; });
  const std::string_view word(line.begin(), end);
  line.remove_prefix(word.size());
  return word;
}

/// The text of a Ruby string without interpolation. No value: something else is there.
std::optional<std::string_view> string_at(std::string_view line) {
  line = trimmed(line);
  if (line.starts_with('(')) line = trimmed(line.substr(1));
  if (line.empty() || (line.front() != '\'' && line.front() != '"')) return std::nullopt;
  const std::size_t end = line.find(line.front(), 1);
  const std::string_view text = line.substr(1, end == std::string_view::npos ? end : end - 1);
  if (line.front() == '"' && text.find("#{") != std::string_view::npos) return std::nullopt;
  return text;
}

/// Ruby, of which only the calls `mod NAME` and `dependency NAME` are known. Other statements may name modules, too.
void read_calls(std::string_view text, Dependencies& out) {
  constexpr std::array<std::string_view, 4> kNoModules{"forge", "moduledir", "require", "puts"};
  bool is_continued = false;
  for_each_line(text, [&](std::string_view line) {
    line = trimmed(line);
    if (line.empty() || line.starts_with('#')) return;
    const bool continues = is_continued;
    is_continued = line.ends_with(',') || line.ends_with('(') || line.ends_with('\\');
    const std::string_view word = take_word(line);
    if (word == "mod" || word == "dependency") {
      const auto name = string_at(line);
      const std::string_view module = name ? module_of(*name) : std::string_view();
      if (module.empty()) {
        out.is_computed = true;
      } else {
        out.modules.emplace(module);
      }
    } else if (!continues && !word.empty() && !line.starts_with(':') &&
               std::ranges::find(kNoModules, word) == kNoModules.end()) {
      out.is_computed = true;
    }
  });
}

/// Lines like `  author-name (1.0)`.
void read_lock(std::string_view text, Dependencies& out) {
  for_each_line(text, [&](std::string_view line) {
    line = trimmed(line);
    const std::size_t end = line.find(" (");
    if (end == std::string_view::npos) return;
    if (const std::string_view module = module_of(line.substr(0, end)); !module.empty()) out.modules.emplace(module);
  });
}

/// `path = modules/name`
void read_submodules(std::string_view text, Dependencies& out) {
  for_each_line(text, [&](std::string_view line) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || trimmed(line.substr(0, equals)) != "path") return;
    const std::string_view path = trimmed(line.substr(equals + 1));
    if (const std::string_view name = path.substr(path.rfind('/') + 1); std::ranges::all_of(name, is_module_character))
      out.modules.emplace(name);
  });
}

class ListReader {
 public:
  explicit ListReader(Dependencies& out) : out_(out) {}

  /// `dependencies: [{name: author/name}]`
  void read_metadata(const Value& root) {
    if (const Value* name = member(root, "name"); name != nullptr && name->is_text())
      out_.own.emplace(module_of(name->text()));
    if (const Value* list = member(root, "dependencies")) add_items(*list);
  }

  /// `fixtures: {forge_modules: {NAME: …}, repositories: {NAME: …}, symlinks: {NAME: …}}`
  void read_fixtures(const Value& root) {
    const Value* fixtures = member(root, "fixtures");
    if (fixtures == nullptr || !fixtures->is_mapping()) return;
    for (const Entry& kind : fixtures->entries()) {
      if (!kind.value.is_mapping()) continue;
      const bool is_own = kind.key.is_text() && kind.key.text() == "symlinks";
      for (const Entry& entry : kind.value.entries()) {
        if (entry.key.is_text()) (is_own ? out_.own : out_.modules).emplace(module_of(entry.key.text()));
      }
    }
  }

  /// `modules: [author/name, {name: author/name}]`
  void read_bolt(const Value& root) {
    if (const Value* list = member(root, "modules")) add_items(*list);
  }

 private:
  static const Value* member(const Value& mapping, std::string_view name) {
    return mapping.is_mapping() ? mapping.find(name) : nullptr;
  }

  void add_items(const Value& list) {
    if (!list.is_sequence()) return;
    for (const Value& one : list.items()) {
      const Value* name = one.is_text() ? &one : member(one, "name");
      if (name != nullptr && name->is_text()) out_.modules.emplace(module_of(name->text()));
    }
  }

  Dependencies& out_;
};

}  // namespace

bool Dependencies::is_one(std::string_view name) {
  return std::ranges::find(kDependencyFiles, name) != kDependencyFiles.end();
}

void Dependencies::read(std::string_view name, std::string_view text, const Limits& limits) {
  if (name == "Puppetfile" || name == "Modulefile") {
    lists_all = lists_all || name == "Puppetfile";
    return read_calls(text, *this);
  }
  if (name == "Puppetfile.lock") return read_lock(text, *this);
  if (name == ".gitmodules") return read_submodules(text, *this);
  try {
    const bool is_json = name.ends_with(".json");
    const edit::Form form{.syntax = is_json ? edit::Syntax::json : edit::Syntax::yaml, .profile = &text::psych()};
    const edit::Reading reading(name, text, form, limits);
    if (reading.documents.empty()) return;
    const Value& root = reading.documents.front().root;
    if (is_json) {
      ListReader(*this).read_metadata(root);
    } else if (name == ".fixtures.yml") {
      ListReader(*this).read_fixtures(root);
    } else {
      ListReader(*this).read_bolt(root);
    }
  } catch (const Error& error) {
    if (error.ends_request()) throw;
  }
}

}  // namespace strata::analysis
