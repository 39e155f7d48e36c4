#include "affected.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "interpolation.hpp"
#include "key.hpp"
#include "lookup_options.hpp"
#include "searched_sources.hpp"
#include "strata/hiera.hpp"
#include "view.hpp"

namespace strata::hiera {
namespace {

/// What the texts of one root key name.
class NamedKeys {
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

  std::set<std::string, std::less<>> keys;
  bool is_dynamic = false;

 private:
  void add_text(std::string_view text) {
    // What a secret holds is known to those who decrypt it.
    if (text.find("ENC[") != std::string_view::npos) is_dynamic = true;
    if (!may_interpolate(text)) return;
    std::size_t from = 0;
    while (const auto expression = find_expression(text, from)) {
      // Values beside each other, or beside a brace, can make an expression, which a lookup of this key then follows.
      const bool touches = (expression->begin > 0 && (expression->begin == from || text[expression->begin - 1] == '%')) ||
                           (expression->end < text.size() && text[expression->end] == '{');
      from = expression->end;
      using enum Expression::Method;
      if (touches || (expression->method == literal && may_interpolate(expression->key))) is_dynamic = true;
      if (expression->method != lookup && expression->method != alias) continue;
      try {
        keys.insert(Key(expression->key).root());
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
    NamedKeys named;
    named.add(entry.value);
    for (const std::string& key : named.keys) out.named_by[key].emplace_back(entry.key.text());
    if (named.is_dynamic) out.dynamic.emplace_back(entry.key.text());
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

struct StateDifferences::Memory {
  // Files are told apart by their addresses: nothing of the states may go.
  std::shared_ptr<Snapshot> before;
  std::shared_ptr<Snapshot> after;
  std::mutex mutex;
  std::map<std::pair<const DataFile*, const DataFile*>, std::shared_ptr<const FileDelta>> deltas;
};

StateDifferences::StateDifferences() : memory_(std::make_unique<Memory>()) {}
StateDifferences::~StateDifferences() = default;

/// How two versions of a file differ, remembered.
class DeltaMemory {
 public:
  DeltaMemory(StateDifferences& of, const detail::ViewState& before, const detail::ViewState& after) : memory_(*of.memory_) {
    const std::lock_guard lock(memory_.mutex);
    const std::shared_ptr<Snapshot>& left = before.session.shared_snapshot();
    const std::shared_ptr<Snapshot>& right = after.session.shared_snapshot();
    if (memory_.before == left && memory_.after == right) return;
    memory_.deltas.clear();
    memory_.before = left;
    memory_.after = right;
  }

  std::shared_ptr<const FileDelta> of(const DataFile* before, const DataFile* after) {
    const std::pair pair(before, after);
    {
      const std::lock_guard lock(memory_.mutex);
      if (const auto known = memory_.deltas.find(pair); known != memory_.deltas.end()) return known->second;
    }
    auto made = std::make_shared<const FileDelta>(delta_of(before, after));
    const std::lock_guard lock(memory_.mutex);
    return memory_.deltas.emplace(pair, std::move(made)).first->second;
  }

 private:
  StateDifferences::Memory& memory_;
};

namespace {

/// The data files of a node in one state, by path. No value: a source reads something else, or something else decides.
using Files = std::map<std::string, const DataFile*, std::less<>>;
std::optional<Files> files_of(detail::ViewState& view, const std::function<bool(std::string_view module)>& modules = {}) {
  constexpr int kOwnRules = 5;
  Files out;
  for (const SearchedSource& searched : searched_sources(view, modules)) {
    const DataFile* file = searched.source->read_file();
    // A file of this node alone is not kept by the Snapshot, which remembers what is known of it.
    if (file == nullptr || !file->is_shared()) return std::nullopt;
    if (const Entry* options = file->find(kLookupOptions); options != nullptr && file->content(*options) != Content::plain) return std::nullopt;
    out.emplace(searched.path, file);
  }
  if (view.global()->config->version != kOwnRules) return std::nullopt;
  return out;
}

/// Adds the keys that look up one of `keys`, until none is left.
void add_who_names(std::set<std::string, std::less<>>& keys, const Files& files) {
  std::vector<const FileIndex*> indexes;
  for (const auto& [path, file] : files) {
    const FileIndex& index = file->index();
    keys.insert(index.dynamic.begin(), index.dynamic.end());
    if (!index.named_by.empty()) indexes.push_back(&index);
  }
  if (indexes.empty()) return;
  std::vector<std::string> left(keys.begin(), keys.end());
  while (!left.empty()) {
    const std::string key = std::move(left.back());
    left.pop_back();
    for (const FileIndex* index : indexes) {
      const auto found = index->named_by.find(key);
      if (found == index->named_by.end()) continue;
      for (const std::string& by : found->second) {
        if (keys.insert(by).second) left.push_back(by);
      }
    }
  }
}

/// Values of variables are interpolated, too.
bool are_variables_plain(const detail::ViewState& view) {
  return std::ranges::none_of(std::initializer_list<Value>{view.facts.values, view.facts.variables, view.facts.trusted},
                              [](const Value& variables) { return variables && content_of(variables) != Content::plain; });
}

}  // namespace

std::optional<std::set<std::string, std::less<>>> modules_of(detail::ViewState& view, std::span<const std::string> names) {
  if (!are_variables_plain(view)) return std::nullopt;
  std::set<std::string, std::less<>> modules;
  std::set<std::string, std::less<>> keys{std::string(kLookupOptions)};
  for (const std::string& name : names) keys.insert(root_key(name));
  for (std::size_t known = 0; known != keys.size();) {
    known = keys.size();
    for (const std::string& key : keys) {
      if (const std::size_t colons = key.find("::"); colons != std::string::npos) modules.insert(key.substr(0, colons));
    }
    const auto files = files_of(view, [&modules](std::string_view module) { return modules.contains(module); });
    if (!files) return std::nullopt;
    for (const auto& [path, file] : *files) {
      const FileIndex& index = file->index();
      const auto is_known = [&keys](const std::string& key) { return keys.contains(key); };
      if (std::ranges::any_of(index.dynamic, is_known)) return std::nullopt;
      for (const auto& [named, by] : index.named_by) {
        if (std::ranges::any_of(by, is_known)) keys.insert(named);
      }
    }
  }
  return modules;
}

std::optional<std::vector<std::string>> affected_keys(detail::ViewState& before, detail::ViewState& after, std::span<const std::string> files,
                                                      StateDifferences& memory) {
  try {
    if (!are_variables_plain(before) || !are_variables_plain(after)) return std::nullopt;
    const auto old_files = files_of(before);
    const auto new_files = files_of(after);
    if (!old_files || !new_files) return std::nullopt;
    DeltaMemory deltas(memory, before, after);
    std::set<std::string, std::less<>> keys;
    for (const std::string& path : files) {
      const auto old_file = old_files->find(path);
      const auto new_file = new_files->find(path);
      if (old_file == old_files->end() && new_file == new_files->end()) return std::nullopt;
      const auto delta =
          deltas.of(old_file == old_files->end() ? nullptr : old_file->second, new_file == new_files->end() ? nullptr : new_file->second);
      if (delta->is_any) return std::nullopt;
      keys.insert(delta->keys.begin(), delta->keys.end());
    }
    add_who_names(keys, *old_files);
    add_who_names(keys, *new_files);
    return std::vector<std::string>(keys.begin(), keys.end());
  } catch (const Error& error) {
    // Whoever looks something up meets it as well, and tells of it.
    if (error.ends_request()) throw;
    return std::nullopt;
  }
}

}  // namespace strata::hiera
