// SPDX-License-Identifier: Apache-2.0
#include "heat/resource_types.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "heat/traced_member.hpp"
#include "strata/chain.hpp"
#include "strata/near_names.hpp"
#include "strata/stop.hpp"

namespace strata::heat {
namespace {

bool names_template(std::string_view name) { return name.ends_with(".yaml") || name.ends_with(".template"); }

/// An entry of the registry that may say what a type is.
struct Candidate {
  std::string_view key;
  merge::Traced value;  ///< A text; of the entry that a template makes for itself, absent.
  bool is_own = false;  ///< Of the resource itself.
};

/// What is true before `right` in the order of trying. Keys in the same place are told apart by their text.
bool comes_before(const Candidate& left, const Candidate& right) {
  if (left.is_own != right.is_own) return left.is_own;
  return left.key < right.key;
}

class Resolver {
 public:
  Resolver(const merge::Traced& registry, std::string_view resource, const BuiltInTypes& built_in, Session& session)
      : registry_(registry),
        built_in_(built_in),
        arena_(session.arena()),
        sources_(session.sources()),
        limits_(session.limits()) {
    if (!registry.value.is_mapping()) return;
    const auto entries = registry.value.entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Entry& entry = entries[i];
      if (!entry.key.is_text()) continue;
      if (entry.value.is_text() && entry.key.text().ends_with('*')) wildcards_.push_back(candidate(registry, i));
      if (entry.key.text() == "resources") own_ = own_entries(merge::Recorder::member(registry, i), resource);
    }
  }

  /// What a type is; none where nothing leads anywhere. `value` of the answer is absent where no mapping was followed.
  std::optional<ResolvedType> look_up(const std::string& type) {
    check_stop(limits_.stop);
    if (dead_ends_.contains(type)) return std::nullopt;
    check_loop(type);
    const Chain<std::string>::Step step(way_, type);
    std::optional<ResolvedType> found;
    for (const Candidate& one : candidates(type)) {
      found = follow(one, type);
      if (found) break;
    }
    if (!found && built_in_.holds(type))
      found =
          ResolvedType{.kind = TypeKind::plugin, .value = {named(type), merge::Slot(merge::kNoLayer)}, .memory = {}};
    if (!found) dead_ends_.insert(type);
    return found;
  }

  /// The entries that led to the answer, from the type that was asked for on.
  [[nodiscard]] std::vector<merge::Traced> followed() const { return {followed_.rbegin(), followed_.rend()}; }

 private:
  static Candidate candidate(const merge::Traced& level, std::size_t index) {
    return {.key = level.value.entries()[index].key.text(),
            .value = merge::Recorder::member(level, index),
            .is_own = false};
  }

  /// What stands under a key of a level, as a candidate; none for levels and for what is no mapping of types.
  static std::optional<Candidate> find(const merge::Traced& level, std::string_view key) {
    if (!level.value.is_mapping() || key == "hooks" || key == "restricted_actions") return std::nullopt;
    const Value* found = level.value.find(key);
    if (found == nullptr || !found->is_text()) return std::nullopt;
    return Candidate{.key = key, .value = member(level, key), .is_own = false};
  }

  static merge::Traced own_entries(const merge::Traced& resources, std::string_view resource) {
    if (resource.empty()) return {};
    return member(resources, resource);
  }

  [[nodiscard]] std::vector<Candidate> candidates(const std::string& type) const {
    std::vector<Candidate> found;
    if (auto own = find(own_, type)) {
      own->is_own = true;
      found.push_back(*own);
    }
    if (auto exact = find(registry_, type)) {
      found.push_back(*exact);
    } else if (names_template(type)) {
      found.push_back({.key = type, .value = {}, .is_own = false});
    }
    for (const Candidate& wildcard : wildcards_) {
      const std::string_view value = wildcard.value.value.text();
      if (names_template(value) || value == type || wildcard.key == type) continue;
      if (std::string_view(type).starts_with(wildcard.key.substr(0, wildcard.key.size() - 1)))
        found.push_back(wildcard);
    }
    std::ranges::stable_sort(found, comes_before);
    return found;
  }

  std::optional<ResolvedType> follow(const Candidate& one, const std::string& type) {
    if (names_template(one.key)) return answer(TypeKind::template_, one, one.key);
    const std::string_view value = one.value.value.text();
    if (names_template(value)) return answer(TypeKind::template_, one, value);
    auto found = look_up(next(one, type));
    if (!found) return std::nullopt;
    followed_.push_back(one.value);
    return found;
  }

  ResolvedType answer(TypeKind kind, const Candidate& one, std::string_view name) {
    if (one.value.value) followed_.push_back(one.value);
    return {.kind = kind,
            .value = {arena_.text(name).with_origin(one.value.value.origin()),
                      one.value.value ? one.value.slot : merge::Slot(merge::kNoLayer)},
            .memory = {}};
  }

  /// The type that a mapping stands for. Entries of a resource whose key ends in `*` are found by exactly that key.
  static std::string next(const Candidate& one, const std::string& type) {
    const std::string_view value = one.value.value.text();
    if (!one.key.ends_with('*') || !value.ends_with('*')) return std::string(value);
    return std::string(value.substr(0, value.size() - 1)) + type.substr(one.key.size() - 1);
  }

  void check_loop(const std::string& type) const {
    const auto circle = way_.circle(type);
    if (circle.empty()) {
      if (way_.size() < limits_.depth) return;
      throw Error("limit.depth", fmt::format("the type '{}' is mapped more than {} times in a row",
                                             way_.names().front(), limits_.depth))
          .hint("does a wildcard produce longer and longer names?");
    }
    Error error("heat.type-loop", fmt::format("the mappings of the type '{}' lead back to it: {} -> {}", type,
                                              fmt::join(circle, " -> "), type));
    const auto entry = find(registry_, type);
    throw std::move(error).at(sources_, entry ? entry->value.value.origin() : Origin());
  }

  [[nodiscard]] Value named(const std::string& type) { return arena_.text(type); }

  const merge::Traced& registry_;
  const BuiltInTypes& built_in_;
  Arena& arena_;
  const Sources& sources_;
  const Limits& limits_;
  std::vector<Candidate> wildcards_;
  merge::Traced own_;
  Chain<std::string> way_;  ///< The types that are being looked up.
  std::set<std::string> dead_ends_;
  std::vector<merge::Traced> followed_;  ///< The last one first.
};

[[noreturn]] void fail_resource_type(const merge::Traced& registry, std::string_view type) {
  Error error("heat.type", fmt::format("the resource type ({}) could not be found", type));
  std::vector<std::string_view> names;
  if (registry.value.is_mapping()) {
    for (const Entry& entry : registry.value.entries()) {
      if (entry.key.is_text() && entry.value.is_text()) names.push_back(entry.key.text());
    }
  }
  const std::string_view near = nearest_name(names, type);
  throw std::move(error).hint(
      near.empty() || near == type
          ? "types that begin with OS::, AWS:: or DOCKER:: are known; --types names others, the registry maps the rest"
          : fmt::format("did you mean '{}'?", near));
}

}  // namespace

std::string_view to_string(TypeKind kind) noexcept { return kind == TypeKind::plugin ? "plugin" : "template"; }

void BuiltInTypes::add_lines(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) continue;
    line = line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
    add(std::string(line));
  }
}

bool BuiltInTypes::holds(std::string_view type) const {
  return type.starts_with("OS::") || type.starts_with("AWS::") || type.starts_with("DOCKER::") ||
         types_.contains(std::string(type));
}

ResolvedType resolve_type(const merge::Traced& registry, std::string_view type, std::string_view resource,
                          const BuiltInTypes& built_in, Session& session) {
  Resolver resolver(registry, resource, built_in, session);
  auto found = resolver.look_up(std::string(type));
  if (!found) fail_resource_type(registry, type);
  const auto followed = resolver.followed();
  if (followed.empty()) return *found;
  found->value.value = found->value.value.with_origin(followed.back().value.origin());
  found->value = session.recorder().derive(found->value.value, followed);
  return *found;
}

}  // namespace strata::heat
