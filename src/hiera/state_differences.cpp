// SPDX-License-Identifier: Apache-2.0
// Which root keys of a node can differ between two states, and which nodes are alike in them: known from the files,
// without looking anything up.
#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "affected.hpp"
#include "chains.hpp"
#include "lookup_options.hpp"
#include "node_files.hpp"
#include "node_variables.hpp"
#include "strata/hiera.hpp"
#include "value/alignment.hpp"
#include "value/seeded_hash.hpp"

namespace strata::hiera {
namespace {

using KeyNames = std::set<std::string, std::less<>>;
using Files = std::vector<NodeFiles::File>;

/// A root key of a set in a file.
struct HeldKey {
  std::uint32_t number = 0;                 ///< In the set.
  std::uint32_t entry = 0;                  ///< In the file.
  const FileIndex::Names* names = nullptr;  ///< Null: its texts name nothing.
  bool is_unsure = false;                   ///< What its value follows from is known only when it is looked up.
};
/// What a file holds of a set of root keys.
struct Held {
  bool has_options = false;
  std::vector<HeldKey> keys;
};

/// Root keys that can differ, for all nodes with the same differences.
struct KeySet {
  std::vector<std::string> keys;  ///< Rising.
  std::uint64_t step = 0;
  std::vector<std::uint64_t> steps;  ///< Of each key alone.
  TextViewMap<std::uint32_t> numbers = {};
  std::unordered_map<const DataFile*, Held> held = {};
};

/// What is known of all nodes with the same files.
struct ClassTouched {
  // Files are distinguished by their addresses: no part of the states may be freed.
  std::shared_ptr<const NodeFiles> before;
  std::shared_ptr<const NodeFiles> after;
  const KeySet* keys;                  ///< Null: any.
  std::optional<std::uint64_t> chain;  ///< Of everything but variables.
  std::vector<std::string> variables;  ///< That the values depend on.

  std::vector<TouchedKeys::Part> parts;                             ///< Without variables.
  std::vector<std::pair<std::size_t, std::string>> part_variables;  ///< By part.
  bool is_sum = false;  ///< All keys are alike together where each one alone is.
};

/// The entry of a hierarchy to which a place belongs, and whether the place is one of several in it.
std::uint64_t entry_of(std::uint64_t place) { return place >> 1U; }
std::uint64_t layer_of(std::uint64_t place) {
  constexpr unsigned kEntryBits = 32;
  return place >> kEntryBits;
}

/// Which files of two states have the same place among those that both have. A key whose files all have counterparts is
/// merged alike in both.
std::vector<Match> counterparts(const Files& left, const Files& right) {
  constexpr std::size_t kMostPairs = 1'000'000;
  constexpr std::uint64_t kSeveral = 1;
  std::map<std::tuple<std::string_view, std::uint64_t, std::uint64_t>, std::uint32_t> numbers;
  const auto numbered = [&numbers](const Files& files) {
    std::vector<std::uint32_t> out;
    out.reserve(files.size());
    for (const NodeFiles::File& file : files) {
      const auto known = numbers.try_emplace({file.path, layer_of(file.place), file.place & kSeveral},
                                             static_cast<std::uint32_t>(numbers.size()));
      out.push_back(known.first->second);
    }
    return out;
  };
  std::vector<Match> out;
  const Match* last = nullptr;
  for (const Match& match : align(numbered(left), numbered(right), kMostPairs, nullptr)) {
    // Files of one entry are merged first.
    const bool is_grouped_alike =
        last == nullptr || (entry_of(left[match.left].place) == entry_of(left[last->left].place)) ==
                               (entry_of(right[match.right].place) == entry_of(right[last->right].place));
    if (!is_grouped_alike) continue;
    out.push_back(match);
    last = &out.back();
  }
  return out;
}

bool have_same_places(const Files& left, const Files& right) {
  return std::ranges::equal(left, right, [](const NodeFiles::File& a, const NodeFiles::File& b) {
    return a.place == b.place && a.path.size() == b.path.size() && (a.path.data() == b.path.data() || a.path == b.path);
  });
}

/// The indexes of the files whose texts look up keys, or may do so.
std::vector<const FileIndex*> naming_indexes(std::span<const Files* const> all) {
  std::vector<const FileIndex*> out;
  for (const Files* files : all) {
    for (const NodeFiles::File& file : *files) {
      const FileIndex* index = file.data == nullptr ? nullptr : &file.data->index();
      if (index != nullptr && (!index->dynamic.empty() || !index->named_by.empty())) out.push_back(index);
    }
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// Adds the keys that look up one of `keys`, until none is left.
void add_who_names(KeyNames& keys, const std::vector<const FileIndex*>& indexes) {
  if (indexes.empty()) return;
  for (const FileIndex* index : indexes) keys.insert(index->dynamic.begin(), index->dynamic.end());
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

/// What the values of some keys depend on.
struct Dependencies {
  KeyNames keys;  ///< With those that they look up.
  KeyNames variables;
};
/// No value: that is known only when they are looked up.
std::optional<Dependencies> dependencies_of(const KeyNames& keys, std::span<const Files* const> all) {
  Dependencies out{.keys = keys, .variables = {}};
  std::vector<std::string> left(keys.begin(), keys.end());
  while (!left.empty()) {
    const std::string key = std::move(left.back());
    left.pop_back();
    for (const Files* files : all) {
      for (const NodeFiles::File& file : *files) {
        const Entry* entry = file.data == nullptr ? nullptr : file.data->find(key);
        if (entry == nullptr) continue;
        const Content content = file.data->content(*entry);
        if (content == Content::invalid) return std::nullopt;
        const FileIndex& index = file.data->index();
        if (std::ranges::find(index.dynamic, key) != index.dynamic.end()) return std::nullopt;
        const auto named = index.names.find(key);
        if (named == index.names.end()) continue;
        out.variables.insert(named->second.variables.begin(), named->second.variables.end());
        for (const std::string& other : named->second.keys) {
          if (out.keys.insert(other).second) left.push_back(other);
        }
      }
    }
  }
  return out;
}

}  // namespace

struct StateDifferences::Memory {
  std::mutex mutex;
  std::shared_ptr<Snapshot> after_state;              ///< All below is about it.
  std::set<std::shared_ptr<Snapshot>> before_states;  ///< Of bases that are kept there may be several.
  std::map<std::pair<const DataFile*, const DataFile*>, std::shared_ptr<const FileDelta>> deltas;
  /// By the differences of their files, and by what can look up keys in them.
  std::map<std::pair<std::vector<const FileDelta*>, std::vector<const FileIndex*>>, std::unique_ptr<KeySet>> sets;
  std::map<std::pair<const NodeFiles*, const NodeFiles*>, ClassTouched> classes;
  std::map<std::pair<std::string, std::uint64_t>, const DataFile*, std::less<>>
      now;  ///< In the second state, by path and place.
  std::map<std::shared_ptr<const NodeFiles>, std::shared_ptr<const NodeFiles>>
      files_now;  ///< By those in the first state.

  // Steps of chains. Even numbers are files, odd ones all else.
  Chains chains;
  std::uint64_t last_step = 1;
  std::map<std::pair<const DataFile*, std::uint64_t>, std::uint64_t> file_steps;
  std::map<std::vector<std::string>, std::uint64_t> set_steps;
  TextMap<std::uint64_t> key_steps;
  KnownValues values;

  void begin(const std::shared_ptr<Snapshot>& before, const std::shared_ptr<Snapshot>& after) {
    constexpr std::size_t kMostClasses = 512;
    constexpr std::size_t kMostFiles = std::size_t{1} << 14U;
    constexpr std::size_t kMostStates = 8;
    const bool are_others = after_state != after || before_states.size() > kMostStates;
    if (are_others) before_states.clear();
    before_states.insert(before);
    if (!are_others && classes.size() < kMostClasses) return;
    classes.clear();
    now.clear();
    files_now.clear();
    if (!are_others && file_steps.size() < kMostFiles && deltas.size() < kMostFiles && sets.size() < kMostClasses)
      return;
    deltas.clear();
    sets.clear();
    file_steps.clear();
    after_state = after;
  }

  const FileDelta& delta(const DataFile* before, const DataFile* after) {
    auto& known = deltas[{before, after}];
    if (!known) known = std::make_shared<const FileDelta>(delta_of(before, after));
    return *known;
  }

  /// Two lists of files, and what tells them apart.
  struct Pair {
    Pair(const NodeFiles& left, const NodeFiles& right) : before(left.files()), after(right.files()) {
      has_same_modules = left.modules() == right.modules();
      has_same_places = have_same_places(before, after);
      for (std::size_t i = 0; has_same_places && i < before.size(); ++i) {
        if (before[i].data == after[i].data) continue;
        others.push_back(after[i]);
        others_at.push_back(i);
      }
    }
    /// Where all that the two hold stands.
    [[nodiscard]] std::array<const Files*, 2> all() const { return {&before, &new_files()}; }
    [[nodiscard]] const Files& new_files() const { return has_same_places ? others : after; }
    /// Where one of them is in the whole list.
    [[nodiscard]] std::size_t new_place(std::size_t number) const {
      return has_same_places ? others_at[number] : number;
    }

    const Files& before;
    const Files& after;
    bool has_same_modules = true;
    bool has_same_places = true;
    Files others;  ///< If the places are the same: those of the second list that are others.
    std::vector<std::size_t> others_at;
  };

  /// The keys that can differ. Null: any.
  KeySet* keys_between(const Pair& pair) {
    const Files& before = pair.before;
    const Files& after = pair.after;
    // Places count modules.
    if (!pair.has_same_modules) return nullptr;
    std::vector<const FileDelta*> found;
    const auto differ = [&](const DataFile* left, const DataFile* right) {
      if (left == right) return true;
      const FileDelta& delta = this->delta(left, right);
      if (!delta.keys.empty()) found.push_back(&delta);
      return !delta.is_any;
    };
    bool is_known = true;
    if (pair.has_same_places) {
      for (std::size_t i = 0; i < before.size(); ++i) is_known = is_known && differ(before[i].data, after[i].data);
    } else {
      const auto gap = [&](std::size_t left, std::size_t left_end, std::size_t right, std::size_t right_end) {
        for (; left < left_end; ++left) is_known = is_known && differ(before[left].data, nullptr);
        for (; right < right_end; ++right) is_known = is_known && differ(nullptr, after[right].data);
      };
      for_each_stretch(counterparts(before, after), before.size(), after.size(), gap,
                       [&](std::size_t left, std::size_t right) {
                         is_known = is_known && differ(before[left].data, after[right].data);
                       });
    }
    if (!is_known) return nullptr;
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    const auto [known, is_new] = sets.try_emplace({std::move(found), naming_indexes(pair.all())});
    if (is_new) known->second = set_of(known->first.first, known->first.second);
    return known->second.get();
  }

  std::unique_ptr<KeySet> set_of(const std::vector<const FileDelta*>& differing,
                                 const std::vector<const FileIndex*>& naming) {
    KeyNames keys;
    for (const FileDelta* delta : differing) keys.insert(delta->keys.begin(), delta->keys.end());
    add_who_names(keys, naming);
    auto out = std::make_unique<KeySet>(KeySet{.keys = {keys.begin(), keys.end()}, .steps = {}});
    const auto stepped = [this](std::uint64_t& step) { return step == 0 ? step = new_step(false) : step; };
    out->step = stepped(set_steps[out->keys]);
    for (const std::string& key : out->keys) {
      out->numbers.emplace(key, static_cast<std::uint32_t>(out->steps.size()));
      out->steps.push_back(stepped(key_steps[key]));
    }
    return out;
  }

  /// What a file holds of a set of keys.
  static const Held& held_in(KeySet& set, const DataFile& file) {
    const auto [known, is_new] = set.held.try_emplace(&file);
    Held& out = known->second;
    if (!is_new) return out;
    out.has_options = file.find(kLookupOptions) != nullptr;
    const FileIndex& index = file.index();
    const std::span<const Entry> entries = file.root().entries();
    const auto add = [&](const Entry& entry, std::uint32_t number) {
      const std::string_view key = set.keys[number];
      const auto names = index.names.find(key);
      HeldKey one{.number = number, .entry = static_cast<std::uint32_t>(&entry - entries.data())};
      if (names != index.names.end()) one.names = &names->second;
      // What other keys come to follows from more than this file.
      one.is_unsure = file.content(entry) == Content::invalid || (one.names != nullptr && !one.names->keys.empty()) ||
                      std::ranges::find(index.dynamic, key) != index.dynamic.end();
      out.keys.push_back(one);
    };
    if (entries.size() < set.keys.size()) {
      for (const Entry& entry : entries) {
        const auto found = entry.key.is_text() ? set.numbers.find(entry.key.text()) : set.numbers.end();
        if (found != set.numbers.end()) add(entry, found->second);
      }
    } else {
      for (std::uint32_t number = 0; number < set.keys.size(); ++number) {
        if (const Entry* entry = file.find(set.keys[number])) add(*entry, number);
      }
    }
    return out;
  }

  /// What is known of each single key of a set.
  void add_parts(KeySet& set, const Pair& pair, const NodeFiles& names, ClassTouched& out) {
    const std::size_t count = set.keys.size();
    out.parts.resize(count);
    std::vector<bool> is_unsure(count, false);
    std::vector<std::set<std::string_view>> variables;
    std::uint64_t first = Chains::kEmpty;
    for (const Files* files : pair.all()) {
      for (const NodeFiles::File& file : *files) {
        if (file.data != nullptr && held_in(set, *file.data).has_options) first = chains.next(first, file_step(file));
      }
      first = chains.next(first, kAll);
    }
    for (std::size_t i = 0; i < count; ++i) out.parts[i].alike = chains.next(first, set.steps[i]);
    const auto add = [&](const Files& files, std::uint64_t TouchedKeys::Part::*rank, const auto& place_of) {
      for (std::size_t at = 0; at < files.size(); ++at) {
        const NodeFiles::File& file = files[at];
        if (file.data == nullptr) continue;
        const std::uint64_t step = file_step(file);
        const std::string prefix = prefix_of(file, names);
        for (const HeldKey& key : held_in(set, *file.data).keys) {
          TouchedKeys::Part& part = out.parts[key.number];
          constexpr unsigned kEntryBits = 32;
          part.alike = chains.next(part.alike, step);
          if (part.*rank == 0 && set.keys[key.number].starts_with(prefix))
            part.*rank = (place_of(at) + 1) << kEntryBits | key.entry;
          is_unsure[key.number] = is_unsure[key.number] || key.is_unsure;
          if (key.names == nullptr || key.names->variables.empty()) continue;
          variables.resize(count);
          variables[key.number].insert(key.names->variables.begin(), key.names->variables.end());
        }
      }
    };
    add(pair.before, &TouchedKeys::Part::before, [](std::size_t at) { return std::uint64_t{at}; });
    for (TouchedKeys::Part& part : out.parts) part.alike = chains.next(part.alike, kAll);
    add(pair.new_files(), &TouchedKeys::Part::after,
        [&pair](std::size_t at) { return std::uint64_t{pair.new_place(at)}; });
    for (std::size_t i = 0; i < count; ++i) {
      if (is_unsure[i]) {
        out.parts[i].alike = TouchedKeys::Part::kNone;
      } else if (!variables.empty()) {
        for (const std::string_view variable : variables[i]) out.part_variables.emplace_back(i, variable);
      }
    }
  }

  /// What the keys of a file begin with: those of a module's layer.
  static std::string prefix_of(const NodeFiles::File& file, const NodeFiles& names) {
    constexpr std::uint64_t kFirstModule = 4;
    const std::uint64_t layer = layer_of(file.place);
    return layer < kFirstModule ? std::string() : names.modules()[(layer - kFirstModule) / 2] + "::";
  }

  std::uint64_t file_step(const NodeFiles::File& file) {
    auto& step = file_steps[{file.data, file.place}];
    if (step == 0) step = new_step(true);
    return step;
  }

  std::uint64_t new_step(bool is_file) { return (++last_step << 1U) | (is_file ? 0U : 1U); }

  // Ends of lists of files. Steps of files and values are greater.
  static constexpr std::uint64_t kAll = 1;
  static constexpr std::uint64_t kOthers = 3;

  /// `has_all`: files that do not exist, or say nothing of the keys, make no difference, because all others are there.
  std::uint64_t with_files(std::uint64_t chain, const Files& files, const KeyNames& keys, bool has_all) {
    for (const NodeFiles::File& file : files) {
      const bool matters =
          file.data != nullptr &&
          (file.data->find(kLookupOptions) != nullptr ||
           std::ranges::any_of(keys, [&file](const std::string& key) { return file.data->find(key) != nullptr; }));
      if (!matters && has_all) continue;
      chain = chains.next(chain, file_step(file));
    }
    return chains.next(chain, has_all ? kAll : kOthers);
  }

  std::uint64_t with_value(std::uint64_t chain, const Value* value) {
    std::uint64_t step = values.number(value);
    if (step == 0) values.add(value, step = new_step(false));
    return chains.next(chain, step);
  }

  /// Of all keys of a set together.
  std::uint64_t sum_of(const KeySet& set, const std::vector<TouchedKeys::Part>& parts) {
    std::uint64_t out = chains.next(Chains::kEmpty, set.step);
    for (const TouchedKeys::Part& part : parts) out = chains.next(out, part.alike);
    return out;
  }

  ClassTouched made(const std::shared_ptr<const NodeFiles>& before, const std::shared_ptr<const NodeFiles>& after,
                    std::span<const std::string> names) {
    ClassTouched out{.before = before,
                     .after = after,
                     .keys = nullptr,
                     .chain = {},
                     .variables = {},
                     .parts = {},
                     .part_variables = {}};
    const Pair pair(*before, *after);
    KeySet* keys = keys_between(pair);
    out.keys = keys;
    KeyNames asked;
    for (const std::string& name : names) asked.insert(root_key(name));
    if (names.empty()) {
      if (keys == nullptr) return out;
      add_parts(*keys, pair, *before, out);
      out.is_sum = std::ranges::none_of(
          out.parts, [](const TouchedKeys::Part& part) { return part.alike == TouchedKeys::Part::kNone; });
      if (out.is_sum) {
        out.chain = sum_of(*keys, out.parts);
        return out;
      }
      asked.insert(keys->keys.begin(), keys->keys.end());
    }
    auto depends = dependencies_of(asked, pair.all());
    if (!depends) return out;
    std::uint64_t chain = chains.next(Chains::kEmpty, keys == nullptr ? kOthers : keys->step);
    chain = with_files(chain, pair.before, depends->keys, true);
    out.chain = pair.has_same_places ? with_files(chain, pair.others, depends->keys, false)
                                     : with_files(chain, pair.after, depends->keys, true);
    out.variables.assign(depends->variables.begin(), depends->variables.end());
    return out;
  }
};

StateDifferences::StateDifferences() : memory_(std::make_unique<Memory>()) {}
StateDifferences::~StateDifferences() = default;

TouchedKeys StateDifferences::touched(const NodeBasis& before, const std::shared_ptr<const NodeFiles>& after,
                                      std::span<const std::string> names) {
  Memory& memory = *memory_;
  const std::lock_guard lock(memory.mutex);
  memory.begin(before.files->snapshot(), after->snapshot());
  const auto [place, is_new] = memory.classes.try_emplace({before.files.get(), after.get()});
  ClassTouched& known = place->second;
  if (is_new) {
    for (const NodeFiles::File& file : after->files())
      memory.now.try_emplace({std::string(file.path), file.place}, file.data);
    known = memory.made(before.files, after, names);
  }
  TouchedKeys out{.keys = {}, .alike = known.chain, .parts = known.parts};
  if (known.keys != nullptr) out.keys = known.keys->keys;
  if (known.variables.empty() && known.part_variables.empty()) return out;
  Variables variables(before);
  if (out.alike) {
    for (const std::string& variable : known.variables)
      out.alike = memory.with_value(*out.alike, variables.decider(variable));
  }
  for (const auto& [number, variable] : known.part_variables) {
    std::uint64_t& alike = out.parts[number].alike;
    alike = memory.with_value(alike, variables.decider(variable));
  }
  if (known.is_sum) out.alike = memory.sum_of(*known.keys, out.parts);
  return out;
}

std::shared_ptr<const NodeFiles> StateDifferences::files_after(const std::shared_ptr<const NodeFiles>& before,
                                                               std::span<const std::string> edited) {
  Memory& memory = *memory_;
  const std::lock_guard lock(memory.mutex);
  if (memory.after_state == nullptr) return nullptr;
  if (const auto known = memory.files_now.find(before); known != memory.files_now.end()) return known->second;
  Files files = before->files();
  std::size_t found = 0;
  for (const std::string& path : edited) {
    bool is_data = false;
    for (NodeFiles::File& file : files) {
      if (file.path != path) continue;
      const auto now = memory.now.find(std::pair(path, file.place));
      if (now == memory.now.end()) return nullptr;
      file.data = now->second;
      is_data = true;
    }
    found += is_data ? 1U : 0U;
  }
  if (found != edited.size()) return nullptr;
  auto out = std::make_shared<const NodeFiles>(memory.after_state, *before, std::move(files));
  memory.files_now.emplace(before, out);
  return out;
}

}  // namespace strata::hiera
