// SPDX-License-Identifier: Apache-2.0
#include "strategies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "strata/scalar_text.hpp"

namespace strata::hiera {
namespace {

struct Name {
  std::string_view name;
  MergeKind kind;
};
constexpr std::array<Name, 7> kMergeNames{{{"first", MergeKind::first},
                                           {"unique", MergeKind::unique},
                                           {"hash", MergeKind::hash},
                                           {"deep", MergeKind::deep},
                                           {"unconstrained_deep", MergeKind::unconstrained_deep},
                                           {"reverse_deep", MergeKind::reverse_deep},
                                           {"default", MergeKind::first}}};

/// Reads one merge behaviour.
class MergeReader {
 public:
  explicit MergeReader(const Sources& sources) : sources_(sources) {}

  /// Without options, unconstrained_deep is deep by name too, as in the reference.
  static MergeKind without_options(MergeKind kind) {
    return kind == MergeKind::unconstrained_deep ? MergeKind::deep : kind;
  }

  MergeOptions read(const Value& value) {
    if (!value || value.is_null() || is_false(value)) return options_;
    if (!value.is_mapping()) {
      options_.kind = without_options(kind(value, value));
      return options_;
    }
    const Value* strategy = value.find("strategy");
    if (strategy == nullptr || strategy->is_null())
      throw wrong(value, "a merge behaviour needs the member 'strategy'", "strategy: deep");
    options_.kind = kind(*strategy, *strategy);
    if (value.size() == 1) {
      options_.kind = without_options(options_.kind);
      return options_;
    }
    for (const Entry& entry : value.entries()) {
      if (!entry.key.is_text())
        throw wrong(entry.key, fmt::format("a merge option is {}, not a name", describe(entry.key.kind())), kHint);
      take(entry);
    }
    return options_;
  }

 private:
  static constexpr const char* kHint =
      "first, unique and hash have no options; deep has knockout_prefix, sort_merged_arrays and merge_hash_arrays";

  static bool is_false(const Value& value) { return value.kind() == Kind::boolean && !value.as_boolean(); }

  [[nodiscard]] Error wrong(const Value& where, std::string message, std::string hint) const {
    return Error("hiera.merge-options", std::move(message)).at(sources_, where.origin()).hint(std::move(hint));
  }

  static std::string shown(const Value& value) {
    if (value.is_secret() || !value.is_leaf() || value.is_container()) return std::string(describe(value.kind()));
    return fmt::format("'{}'", value.is_text() ? std::string(value.text()) : scalar_text(value));
  }

  [[nodiscard]] MergeKind kind(const Value& name, const Value& where) const {
    const auto found = name.is_text() ? std::ranges::find(kMergeNames, name.text(), &Name::name) : kMergeNames.end();
    if (found == kMergeNames.end())
      throw wrong(where, fmt::format("unknown merge strategy {}", shown(name)), "first, unique, hash or deep");
    return found->kind;
  }

  void take(const Entry& entry) {
    const std::string_view name = entry.key.text();
    if (name == "strategy") return;
    const bool is_free = options_.kind > MergeKind::deep;
    if (is_deep(options_.kind)) {
      if (name == "knockout_prefix") return take_prefix(entry.value);
      if (name == "sort_merged_arrays") return take_flag(entry, options_.sort_merged_arrays);
      if (name == "merge_hash_arrays") return take_flag(entry, options_.merge_hash_arrays);
      bool ignored = false;
      if (name == "merge_debug") return take_flag(entry, ignored);
    }
    if (!is_free)
      throw wrong(entry.key, fmt::format("the merge strategy {} has no option '{}'", to_string(options_.kind), name),
                  kHint);
    static constexpr std::array<std::string_view, 4> kOld{"unpack_arrays", "overwrite_arrays", "extend_existing_arrays",
                                                          "preserve_unmergeables"};
    if (std::ranges::find(kOld, name) != kOld.end() && !entry.value.is_null() && !is_false(entry.value))
      throw wrong(entry.key, fmt::format("strata does not know the old merge option '{}'", name), "remove it");
  }

  void take_prefix(const Value& value) {
    if (value.is_null()) return;
    if (!value.is_text())
      throw wrong(value, fmt::format("knockout_prefix is {}, not text", describe(value.kind())),
                  "knockout_prefix: '--'");
    options_.knockout_prefix = value.text();
  }

  void take_flag(const Entry& entry, bool& flag) const {
    const Value& value = entry.value;
    if (value.kind() != Kind::boolean && !value.is_null() && options_.kind == MergeKind::deep)
      throw wrong(value, fmt::format("{} is {}, not a boolean", entry.key.text(), describe(value.kind())),
                  "true or false");
    flag = !value.is_null() && !is_false(value);
  }

  const Sources& sources_;
  MergeOptions options_;
};

/// deep_merge as tables. The member table differs where the weaker side has nothing: there the stronger value is merged
/// with itself.
constexpr std::string_view kDeep =
    "root:\n"
    "  * <- *: take_new\n"
    "  * <- null: keep_old_noted\n"
    "  * <- absent: keep_old\n"
    "  * <- mapping.empty: keep_old\n"
    "  * <- mapping.some: self_merge_rest\n"
    "  mapping <- mapping: recurse\n"
    "  sequence <- sequence: union\n"
    "  absent|null|false <- *: take_new\n"
    "  null|false <- null|absent: keep_old\n"
    "member:\n"
    "  * <- *: take_new\n"
    "  * <- null: keep_old_noted\n"
    "  * <- absent: keep_old\n"
    "  * <- mapping.empty: keep_old\n"
    "  * <- mapping.some: self_merge_rest\n"
    "  mapping <- mapping: recurse\n"
    "  sequence <- sequence: union\n"
    "  absent|null|false <- *: self_merge\n"
    "  * <- absent: keep_old\n"
    "item:\n"
    "  * <- *: take_new\n"
    "  mapping <- mapping: recurse\n";

constexpr std::string_view kHash =
    "root:\n"
    "  * <- *: fail\n"
    "  mapping <- mapping: recurse\n"
    "member:\n"
    "  * <- *: take_new\n"
    "item:\n"
    "  * <- *: take_new\n";

constexpr std::string_view kUnique =
    "root:\n"
    "  * <- *: fail\n"
    "  sequence <- sequence: union\n"
    "member:\n"
    "  * <- *: take_new\n"
    "item:\n"
    "  * <- *: take_new\n";

const merge::Strategy& deep_strategy() {
  static const merge::Strategy deep = merge::parse_strategy(kDeep);
  return deep;
}

void set_actions(merge::Strategy::Table& table, merge::Action from, merge::Action to) {
  for (auto& row : table) std::ranges::replace(row, from, to);
}

}  // namespace

std::string_view to_string(MergeKind kind) noexcept { return std::ranges::find(kMergeNames, kind, &Name::kind)->name; }

MergeOptions parse_merge(const Sources& sources, const Value& value) { return MergeReader(sources).read(value); }

bool is_pattern(std::string_view prefix) noexcept {
  return prefix.find_first_of("\\^$.|?*+()[]{}") != std::string_view::npos;
}

std::vector<std::string> remarks(const MergeOptions& options) {
  std::vector<std::string> out;
  if (options.kind > MergeKind::deep)
    out.push_back(fmt::format("the merge strategy '{}' is internal to Puppet; use 'deep'", to_string(options.kind)));
  if (options.knockout_prefix && is_pattern(*options.knockout_prefix)) {
    out.push_back(fmt::format("the knockout_prefix '{}' is used as a regular expression", *options.knockout_prefix));
  }
  return out;
}

const merge::Strategy* ready_strategy(const MergeOptions& options) {
  if (options.kind == MergeKind::hash) {
    static const merge::Strategy hash = merge::parse_strategy(kHash);
    return &hash;
  }
  if (options.kind == MergeKind::unique) {
    static const merge::Strategy unique = merge::parse_strategy(kUnique);
    return &unique;
  }
  if (!options.knockout_prefix.value_or("").empty() || options.sort_merged_arrays || options.merge_hash_arrays)
    return nullptr;
  return &deep_strategy();
}

merge::Strategy build_strategy(const MergeOptions& options, bool independent_copies) {
  using enum merge::Shape;
  using merge::Action;
  if (const merge::Strategy* ready = ready_strategy(options)) return *ready;
  merge::Strategy strategy = deep_strategy();
  const std::string prefix = options.knockout_prefix.value_or("");
  strategy.lists = {.knockout = prefix,
                    .knockout_is_pattern = is_pattern(prefix),
                    .sort = options.sort_merged_arrays,
                    .by_index = options.merge_hash_arrays,
                    .independent_copies = independent_copies};
  for (merge::Strategy::Table* table : {&strategy.root, &strategy.member}) {
    set_actions(*table, Action::union_, Action::merge_lists);
    if (prefix.empty()) continue;
    for (const merge::Shape old : {true_, zero, number, scalar, set, empty_text, text, empty_mapping, mapping,
                                   empty_sequence, merge::Shape::sequence}) {
      if (old != empty_sequence && old != merge::Shape::sequence)
        set_cells(*table, {old}, {empty_sequence, merge::Shape::sequence}, Action::take_list);
      set_cells(*table, {old}, {empty_text, text}, Action::take_text);
    }
  }
  return strategy;
}

}  // namespace strata::hiera
