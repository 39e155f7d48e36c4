// SPDX-License-Identifier: Apache-2.0
#include "analysis/consumers.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "strata/found_file.hpp"
#include "strata/origin.hpp"
#include "strata/paths.hpp"
#include "strata/study.hpp"
#include "text/unicode/valid_utf8.hpp"

namespace strata::analysis {
namespace {

/// Letters, digits, `_` and `:`; all of UTF-8 beyond ASCII counts as letters.
bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':' ||
         static_cast<unsigned char>(c) >= 0x80;
}

template <typename Take>
void for_each_word(std::string_view text, const Take& take) {
  for (auto at = text.begin(); at != text.end();) {
    const auto begin = std::find_if(at, text.end(), is_word_character);
    at = std::find_if_not(begin, text.end(), is_word_character);
    if (begin != at) take(std::string_view(begin, at));
  }
}

bool is_word(std::string_view key) { return !key.empty() && std::ranges::all_of(key, is_word_character); }

/// Whether it stands somewhere with no word character on either side.
bool holds_whole(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    const std::size_t end = at + key.size();
    if ((at == 0 || !is_word_character(text[at - 1])) && (end == text.size() || !is_word_character(text[end])))
      return true;
  }
  return false;
}

}  // namespace

void Consumers::read(std::span<const std::string> folders) {
  for (const std::string& folder : folders) {
    folders_.each_file(folder, false, [&](const std::string& path, const std::string& name, FileKind kind) {
      if (kind == FileKind::file) read_file(folder, path, name);
    });
  }
}

void Consumers::read_dependencies(const std::string& folder) {
  for (const FileTree::Named& one : tree_.entries(folder)) {
    if (!Dependencies::is_one(one.name)) continue;
    if (const auto text = tree_.read(path_in(folder, one.name))) dependencies_.read(one.name, *text, limits_);
  }
}

/// Adds the module of a file by the folder below `folder` in which the file is. `folder` itself may be an environment,
/// which is not a module.
void Consumers::note_module(std::string_view folder, std::string_view path) {
  if (path.starts_with(folder)) path.remove_prefix(folder.size());
  constexpr std::array<std::string_view, 7> kFolders{"/manifests/", "/functions/", "/templates/", "/lib/puppet/",
                                                     "/plans/",     "/tasks/",     "/types/"};
  std::size_t end = std::string_view::npos;
  for (const std::string_view part : kFolders) end = std::min(end, path.find(part));
  if (end == std::string_view::npos || end == 0) return;
  const std::string_view above = path.substr(0, end);
  modules_.emplace(above.substr(above.rfind('/') + 1));
}

void Consumers::read_file(std::string_view folder, const std::string& path, std::string_view name) {
  constexpr std::array<std::string_view, 6> kExtensions{".pp", ".epp", ".erb", ".rb", ".tp", ".sh"};
  if (Dependencies::is_one(name)) {
    if (!files_.insert(path).second) return;
    if (const auto text = tree_.read(path)) dependencies_.read(name, *text, limits_);
    return;
  }
  const bool is_task = path.ends_with(".json") && path.find("/tasks/") != std::string::npos;
  if (!is_task &&
      std::ranges::none_of(kExtensions, [&path](std::string_view extension) { return path.ends_with(extension); }))
    return;
  if (!files_.insert(path).second) return;
  auto text = tree_.read(path);
  if (!text) return;
  note_module(folder, path);
  if (path.ends_with(".pp")) {
    has_manifests_ = true;
    add_manifest(path, *text);
  } else if (path.ends_with(".epp")) {
    add_manifest(path, code_of_template(*text));
  }
  texts_.push_back(std::move(*text));
  for_each_word(texts_.back(), [&](std::string_view word) {
    if (words_.find(word) == words_.end()) words_.emplace(word);
  });
}

void Consumers::add_manifest(const std::string& path, const std::string& code) {
  Sources sources;
  // Where a manifest is not UTF-8, mostly in comments, its classes count all the same.
  const SourceId source = sources.add(shown_path(path, folder_), text::unicode::with_replacements(code));
  Manifest manifest = read_manifest(sources, source, limits_);
  for (ManifestClass& one : manifest.classes) {
    modules_.emplace(one.name.substr(0, one.name.find(kColons)));
    classes_.try_emplace(std::move(one.name),
                         KnownClass{.parameters = std::move(one.parameters), .where = excerpt_at(sources, one.origin)});
  }
  for (NamedKey& one : manifest.keys) {
    if (one.parts.size() > 1) {
      patterns_of_code_.push_back(std::move(one));
    } else if (one.merges_itself) {
      merged_.insert(one.parts.front());
    }
  }
  computed_ += manifest.computed;
}

const KnownClass* Consumers::find_class(std::string_view name) const {
  const auto found = classes_.find(name);
  return found == classes_.end() ? nullptr : &found->second;
}

bool Consumers::is_parameter(std::string_view key) const {
  const std::size_t colons = key.rfind(kColons);
  if (colons == std::string_view::npos) return false;
  const KnownClass* known = find_class(key.substr(0, colons));
  return known != nullptr &&
         std::ranges::find(known->parameters, key.substr(colons + kColons.size())) != known->parameters.end();
}

bool Consumers::stands_in_code(std::string_view key) const {
  if (is_word(key)) return words_.find(key) != words_.end();
  bool may_stand = true;
  for_each_word(key, [&](std::string_view word) { may_stand = may_stand && words_.find(word) != words_.end(); });
  return may_stand && !key.empty() &&
         std::ranges::any_of(texts_, [key](const std::string& text) { return holds_whole(text, key); });
}

bool Consumers::uses(std::string_view key) const {
  return is_parameter(key) || stands_in_code(key) || named_.find(key) != named_.end() ||
         std::ranges::any_of(patterns_of_code_, [key](const NamedKey& one) { return one.matches(key); }) ||
         std::ranges::any_of(patterns_, [key](const std::string& pattern) { return matches(pattern, key); });
}

Consumers::Module Consumers::module_of_key(std::string_view key) const {
  const std::size_t colons = key.find(kColons);
  if (colons == std::string_view::npos) return Module::none;
  const std::string_view module = key.substr(0, colons);
  if (modules_.contains(module) || dependencies_.own.contains(module)) return Module::present;
  // Puppet Enterprise brings these with itself.
  const bool is_vendors = module == "puppet_enterprise" || module.starts_with("pe_");
  const bool is_listed = dependencies_.modules.contains(module) ||
                         (dependencies_.lists_all && dependencies_.is_computed) ||
                         (!dependencies_.lists_all && !dependencies_.modules.empty());
  return is_vendors || is_listed ? Module::absent : Module::unlisted;
}

std::size_t Consumers::absent_modules() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(dependencies_.modules, [this](const std::string& one) { return !modules_.contains(one); }));
}

bool Consumers::merges_itself(std::string_view key) const {
  return merged_.find(key) != merged_.end() || std::ranges::any_of(patterns_of_code_, [key](const NamedKey& one) {
           return one.merges_itself && one.matches(key);
         });
}

}  // namespace strata::analysis
