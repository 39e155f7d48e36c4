// Which root keys of a node can differ between two states, and which nodes are alike in them: known from the files, without looking anything up.
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
#include "key.hpp"
#include "lookup_options.hpp"
#include "node_files.hpp"
#include "scope.hpp"
#include "strata/hiera.hpp"
#include "value/alignment.hpp"
#include "value/value_hash.hpp"

namespace strata::hiera {
namespace {

using Keys = std::set<std::string, std::less<>>;
using Files = std::vector<NodeFiles::File>;

/// What is known of all nodes with the same files.
struct ClassTouched {
  // Files are told apart by their addresses: nothing of the states may go.
  std::shared_ptr<const NodeFiles> before;
  std::shared_ptr<const NodeFiles> after;
  std::optional<std::vector<std::string>> keys;
  std::optional<std::uint64_t> chain;  ///< Of everything but variables.
  std::vector<std::string> variables;  ///< That the values depend on.
};

/// The entry of a hierarchy to which a place belongs, and whether the place is one of several in it.
std::uint64_t entry_of(std::uint64_t place) { return place >> 1U; }
std::uint64_t layer_of(std::uint64_t place) {
  constexpr unsigned kEntryBits = 32;
  return place >> kEntryBits;
}

/// Which files of two states have the same place among those that both have. A key whose files all have counterparts is merged alike in both.
std::vector<Match> counterparts(const Files& left, const Files& right) {
  constexpr std::size_t kMostPairs = 1'000'000;
  constexpr std::uint64_t kSeveral = 1;
  std::map<std::tuple<std::string_view, std::uint64_t, std::uint64_t>, std::uint32_t> numbers;
  const auto numbered = [&numbers](const Files& files) {
    std::vector<std::uint32_t> out;
    out.reserve(files.size());
    for (const NodeFiles::File& file : files) {
      const auto known = numbers.try_emplace({file.path, layer_of(file.place), file.place & kSeveral}, static_cast<std::uint32_t>(numbers.size()));
      out.push_back(known.first->second);
    }
    return out;
  };
  std::vector<Match> out;
  const Match* last = nullptr;
  for (const Match& match : align(numbered(left), numbered(right), kMostPairs, nullptr)) {
    // What stands in one entry is merged first.
    const bool is_grouped_alike = last == nullptr || (entry_of(left[match.left].place) == entry_of(left[last->left].place)) ==
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

/// Adds the keys that look up one of `keys`, until none is left.
void add_who_names(Keys& keys, std::span<const Files* const> all) {
  std::vector<const FileIndex*> indexes;
  for (const Files* files : all) {
    for (const NodeFiles::File& file : *files) {
      if (file.data == nullptr) continue;
      const FileIndex& index = file.data->index();
      keys.insert(index.dynamic.begin(), index.dynamic.end());
      if (!index.named_by.empty()) indexes.push_back(&index);
    }
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

/// What the values of some keys depend on.
struct Dependencies {
  Keys keys;  ///< With those that they look up.
  Keys variables;
};
/// No value: that is known only when they are looked up.
std::optional<Dependencies> dependencies_of(const Keys& keys, std::span<const Files* const> all) {
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

/// The variables of a node, as far as expressions name them.
class Variables {
 public:
  explicit Variables(const NodeBasis& node) : node_(node) {}

  /// What an expression's value follows from: the variable, or a part of it.
  const Value* decider(const std::string& expression) {
    const Key key(expression);
    std::span<const Segment> segments = key.segments();
    std::string_view root = key.root();
    if (root.starts_with("::")) root.remove_prefix(2);
    const Facts& facts = *node_.facts;
    const Value* here = nullptr;
    if (root == "facts") {
      here = &facts.values;
    } else if (std::ranges::find(kAdded, root) != kAdded.end()) {
      here = scope().find(root);
    } else {
      if (facts.variables.is_mapping()) here = facts.variables.find(root);
      if (here == nullptr && facts.values.is_mapping()) here = facts.values.find(root);
    }
    for (const Segment& segment : segments) {
      const auto* name = std::get_if<std::string>(&segment);
      const Value* member = here == nullptr || name == nullptr || !here->is_mapping() ? nullptr : here->find(*name);
      if (member == nullptr) break;
      here = member;
    }
    return here;
  }

 private:
  /// What a Scope makes itself, besides the facts.
  static constexpr std::array<std::string_view, 8> kAdded{"trusted", "server_facts", "environment",        "name",
                                                          "title",   "module_name",  "caller_module_name", "settings::environment"};

  const Scope& scope() {
    if (!scope_) scope_.emplace(*node_.facts, node_.environment, arena_.emplace());
    return *scope_;
  }

  const NodeBasis& node_;
  std::optional<Arena> arena_;
  std::optional<Scope> scope_;
};

}  // namespace

struct StateDifferences::Memory {
  std::mutex mutex;
  std::shared_ptr<Snapshot> after_state;  ///< All below is about it.
  std::map<std::pair<const DataFile*, const DataFile*>, std::shared_ptr<const FileDelta>> deltas;
  std::map<std::pair<const NodeFiles*, const NodeFiles*>, ClassTouched> classes;
  std::map<std::pair<std::string, std::uint64_t>, const DataFile*, std::less<>> now;       ///< In the second state, by path and place.
  std::map<std::shared_ptr<const NodeFiles>, std::shared_ptr<const NodeFiles>> files_now;  ///< By those in the first state.

  // Steps of chains. Even numbers are files, odd ones all else.
  Chains chains;
  std::uint64_t last_step = 1;
  std::map<std::pair<const DataFile*, std::uint64_t>, std::uint64_t> file_steps;
  std::map<std::vector<std::string>, std::uint64_t> key_steps;
  std::unique_ptr<Arena> values = std::make_unique<Arena>();
  std::unordered_multimap<std::size_t, std::pair<Value, std::uint64_t>> value_steps;

  void begin(const std::shared_ptr<Snapshot>& after) {
    constexpr std::size_t kMostClasses = 512;
    if (after_state == after && classes.size() < kMostClasses) return;
    deltas.clear();
    classes.clear();
    now.clear();
    files_now.clear();
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
        if (before[i].data != after[i].data) others.push_back(after[i]);
      }
    }
    /// Where all that the two hold stands.
    [[nodiscard]] std::array<const Files*, 2> all() const { return {&before, has_same_places ? &others : &after}; }

    const Files& before;
    const Files& after;
    bool has_same_modules = true;
    bool has_same_places = true;
    Files others;  ///< If the places are the same: those of the second list that are others.
  };

  /// The keys that can differ. No value: any.
  std::optional<Keys> keys_between(const Pair& pair) {
    const Files& before = pair.before;
    const Files& after = pair.after;
    // Places count modules.
    if (!pair.has_same_modules) return std::nullopt;
    Keys keys;
    const auto differ = [&](const DataFile* left, const DataFile* right) {
      if (left == right) return true;
      const FileDelta& delta = this->delta(left, right);
      keys.insert(delta.keys.begin(), delta.keys.end());
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
                       [&](std::size_t left, std::size_t right) { is_known = is_known && differ(before[left].data, after[right].data); });
    }
    if (!is_known) return std::nullopt;
    add_who_names(keys, pair.all());
    return keys;
  }

  std::uint64_t new_step(bool is_file) { return (++last_step << 1U) | (is_file ? 0U : 1U); }

  // Ends of lists of files. Steps of files and values are greater.
  static constexpr std::uint64_t kAll = 1;
  static constexpr std::uint64_t kOthers = 3;

  /// `has_all`: files that do not exist, or say nothing of the keys, make no difference, because all others are there.
  std::uint64_t with_files(std::uint64_t chain, const Files& files, const Keys& keys, bool has_all) {
    for (const NodeFiles::File& file : files) {
      const bool matters =
          file.data != nullptr && (file.data->find(kLookupOptions) != nullptr ||
                                   std::ranges::any_of(keys, [&file](const std::string& key) { return file.data->find(key) != nullptr; }));
      if (!matters && has_all) continue;
      auto& step = file_steps[{file.data, file.place}];
      if (step == 0) step = new_step(true);
      chain = chains.next(chain, step);
    }
    return chains.next(chain, has_all ? kAll : kOthers);
  }

  std::uint64_t with_value(std::uint64_t chain, const Value* value) {
    constexpr std::size_t kMost = std::size_t{1} << 14U;
    const Value wanted = value == nullptr ? Value() : *value;
    const std::size_t hash = wanted ? ValueHash()(wanted) : 0;
    const auto [first, last] = value_steps.equal_range(hash);
    const auto known = std::find_if(first, last, [&wanted](const auto& one) {
      const Value& other = one.second.first;
      return static_cast<bool>(other) == static_cast<bool>(wanted) && (!other || identical(other, wanted));
    });
    if (known != last) return chains.next(chain, known->second.second);
    if (value_steps.size() >= kMost) {
      value_steps.clear();
      values = std::make_unique<Arena>();
    }
    const std::uint64_t step = new_step(false);
    value_steps.emplace(hash, std::pair(wanted ? values->deep_copy(wanted) : Value(), step));
    return chains.next(chain, step);
  }

  ClassTouched made(const std::shared_ptr<const NodeFiles>& before, const std::shared_ptr<const NodeFiles>& after,
                    std::span<const std::string> names) {
    ClassTouched out{.before = before, .after = after, .keys = {}, .chain = {}, .variables = {}};
    const Pair pair(*before, *after);
    const auto keys = keys_between(pair);
    if (keys) out.keys.emplace(keys->begin(), keys->end());
    Keys asked;
    for (const std::string& name : names) asked.insert(root_key(name));
    if (names.empty()) {
      if (!keys) return out;
      asked = *keys;
    }
    auto depends = dependencies_of(asked, pair.all());
    if (!depends) return out;
    auto& step = key_steps[out.keys.value_or(std::vector<std::string>())];
    if (step == 0) step = new_step(false);
    std::uint64_t chain = chains.next(Chains::kEmpty, step);
    chain = with_files(chain, pair.before, depends->keys, true);
    out.chain = pair.has_same_places ? with_files(chain, pair.others, depends->keys, false) : with_files(chain, pair.after, depends->keys, true);
    out.variables.assign(depends->variables.begin(), depends->variables.end());
    return out;
  }
};

StateDifferences::StateDifferences() : memory_(std::make_unique<Memory>()) {}
StateDifferences::~StateDifferences() = default;

TouchedKeys StateDifferences::touched(const NodeBasis& before, const std::shared_ptr<const NodeFiles>& after, std::span<const std::string> names) {
  Memory& memory = *memory_;
  const std::lock_guard lock(memory.mutex);
  memory.begin(after->snapshot());
  const auto [place, is_new] = memory.classes.try_emplace({before.files.get(), after.get()});
  ClassTouched& known = place->second;
  if (is_new) {
    for (const NodeFiles::File& file : after->files()) memory.now.try_emplace({std::string(file.path), file.place}, file.data);
    known = memory.made(before.files, after, names);
  }
  TouchedKeys out{.keys = known.keys, .alike = known.chain};
  if (!out.alike || known.variables.empty()) return out;
  Variables variables(before);
  for (const std::string& variable : known.variables) out.alike = memory.with_value(*out.alike, variables.decider(variable));
  return out;
}

std::shared_ptr<const NodeFiles> StateDifferences::files_after(const std::shared_ptr<const NodeFiles>& before, std::span<const std::string> edited) {
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
