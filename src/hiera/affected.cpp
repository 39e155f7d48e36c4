// SPDX-License-Identifier: Apache-2.0
#include "affected.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "interpolation.hpp"
#include "key.hpp"
#include "lookup_options.hpp"
#include "node_files.hpp"
#include "strata/hiera.hpp"
#include "view.hpp"

namespace strata::hiera {
namespace {

/// What the texts of one root key name.
class TextNames {
 public:
  // Recursion: bounded by Limits::depth.
  void add(const Value& value) {
    if (value.is_text()) {
      add_text(value.text());
    } else if (value.is_sequence()) {
      for (const Value& item : value.items()) add(item);
    } else if (value.is_mapping()) {
      for (const Entry& entry : value.entries()) {
        if (entry.key.is_text()) add_text(entry.key.text());
        add(entry.value);
      }
    }
  }

  FileIndex::Names names;
  bool is_dynamic = false;

 private:
  void add_text(std::string_view text) {
    // What a secret holds is known to those who decrypt it.
    if (text.find("ENC[") != std::string_view::npos) is_dynamic = true;
    if (!may_interpolate(text)) return;
    std::size_t from = 0;
    while (const auto expression = find_expression(text, from)) {
      // Values beside each other, or beside a brace, can make an expression, which a lookup of this key then follows.
      const bool touches =
          (expression->begin > 0 && (expression->begin == from || text[expression->begin - 1] == '%')) ||
          (expression->end < text.size() && text[expression->end] == '{');
      from = expression->end;
      using enum Expression::Method;
      if (touches || (expression->method == literal && may_interpolate(expression->key))) is_dynamic = true;
      if (expression->method != lookup && expression->method != alias && expression->method != scope) continue;
      try {
        const Key key(expression->key);
        if (expression->method == scope) {
          names.variables.insert(key.text());
        } else {
          names.keys.insert(key.root());
        }
      } catch (const Error&) {
        is_dynamic = true;
      }
    }
  }
};

/// The patterns of a mapping of lookup_options, in its order.
std::vector<std::string_view> patterns_of(const Value& options) {
  std::vector<std::string_view> out;
  for (const Entry& entry : options.entries()) {
    if (entry.key.is_text() && entry.key.text().starts_with('^')) out.push_back(entry.key.text());
  }
  return out;
}

/// The names that a differing member of lookup_options is about.
void add_options(const Value* before, const Value* after, FileDelta& out) {
  const auto is_mapping = [](const Value* value) { return value == nullptr || value->is_mapping(); };
  if (!is_mapping(before) || !is_mapping(after)) {
    out.is_any = true;
    return;
  }
  const auto differ = [&out](const Entry& entry, const Value* others) {
    const Value* other = others == nullptr ? nullptr : others->find(entry.key);
    if (other != nullptr && identical(entry.value, *other)) return;
    if (!entry.key.is_text() || entry.key.text().starts_with('^') || content_of(entry.value) != Content::plain) {
      out.is_any = true;
    } else {
      out.keys.emplace_back(entry.key.text());
    }
  };
  if (before != nullptr) {
    for (const Entry& entry : before->entries()) differ(entry, after);
  }
  if (after != nullptr) {
    for (const Entry& entry : after->entries()) differ(entry, before);
  }
  // The first pattern that matches counts. Which ones there are is looked at above.
  if (before != nullptr && after != nullptr && patterns_of(*before) != patterns_of(*after)) out.is_any = true;
}

}  // namespace

FileIndex index_of(const DataFile& file) {
  FileIndex out;
  for (const Entry& entry : file.root().entries()) {
    if (!entry.key.is_text()) continue;
    TextNames found;
    found.add(entry.value);
    for (const std::string& key : found.names.keys) out.named_by[key].emplace_back(entry.key.text());
    if (found.is_dynamic) out.dynamic.emplace_back(entry.key.text());
    if (!found.names.keys.empty() || !found.names.variables.empty())
      out.names.emplace(entry.key.text(), std::move(found.names));
  }
  return out;
}

FileDelta delta_of(const DataFile* before, const DataFile* after) {
  FileDelta out;
  const auto value_in = [](const DataFile* file, std::string_view key) {
    const Entry* found = file == nullptr ? nullptr : file->find(key);
    return found == nullptr ? nullptr : &found->value;
  };
  const auto compare = [&](const DataFile* file, const DataFile* other, bool is_second) {
    if (file == nullptr) return;
    for (const Entry& entry : file->root().entries()) {
      if (!entry.key.is_text()) continue;
      const std::string_view key = entry.key.text();
      const Value* value = value_in(other, key);
      if (value != nullptr && (is_second || identical(entry.value, *value))) continue;
      if (key == kLookupOptions) {
        add_options(is_second ? value : &entry.value, is_second ? &entry.value : value, out);
      } else {
        out.keys.emplace_back(key);
      }
    }
  };
  compare(before, after, false);
  compare(after, before, true);
  std::ranges::sort(out.keys);
  out.keys.erase(std::unique(out.keys.begin(), out.keys.end()), out.keys.end());
  return out;
}

bool are_variables_plain(const Facts& facts) {
  return std::ranges::none_of(
      std::initializer_list<Value>{facts.values, facts.variables, facts.trusted},
      [](const Value& variables) { return variables && content_of(variables) != Content::plain; });
}

std::optional<std::set<std::string, std::less<>>> modules_of(detail::ViewState& view,
                                                             std::span<const std::string> names) {
  if (!are_variables_plain(view.facts)) return std::nullopt;
  std::set<std::string, std::less<>> modules;
  std::set<std::string, std::less<>> keys{std::string(kLookupOptions)};
  for (const std::string& name : names) keys.insert(root_key(name));
  for (std::size_t known = 0; known != keys.size();) {
    known = keys.size();
    for (const std::string& key : keys) {
      if (const std::size_t colons = key.find("::"); colons != std::string::npos) modules.insert(key.substr(0, colons));
    }
    const auto files = node_files(view, [&modules](std::string_view module) { return modules.contains(module); });
    if (!files) return std::nullopt;
    for (const NodeFiles::File& file : files->files()) {
      if (file.data == nullptr) continue;
      const FileIndex& index = file.data->index();
      const auto is_known = [&keys](const std::string& key) { return keys.contains(key); };
      if (std::ranges::any_of(index.dynamic, is_known)) return std::nullopt;
      for (const auto& [named, by] : index.named_by) {
        if (std::ranges::any_of(by, is_known)) keys.insert(named);
      }
    }
  }
  return modules;
}

}  // namespace strata::hiera
