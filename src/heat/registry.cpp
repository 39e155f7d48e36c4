// SPDX-License-Identifier: Apache-2.0
#include "heat/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "heat/environment_file.hpp"
#include "heat/merge_strategies.hpp"
#include "heat/resource_hooks.hpp"
#include "strata/builder.hpp"
#include "strata/path.hpp"
#include "strata/stack.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"
#include "value/fields.hpp"
#include "value/problems.hpp"

namespace strata::heat {
namespace {

using merge::Slot;
using merge::Traced;

constexpr std::string_view kHooksKey = "hooks";
constexpr std::string_view kRestricted = "restricted_actions";
constexpr std::array<std::string_view, 2> kRestrictedActions{"update", "replace"};

/// A value as messages quote it.
std::string shown_entry(const Value& value) {
  if (value.is_text()) return std::string(value.text());
  std::string text;
  text::append_json(text, value, {.sort_keys = false, .indent = -1});
  return text;
}

bool is_among(const Value& value, std::span<const std::string_view> words) {
  const auto is_word = [words](const Value& one) {
    return one.is_text() && std::ranges::find(words, one.text()) != words.end();
  };
  return value.is_sequence() ? std::ranges::all_of(value.items(), is_word) : is_word(value);
}

/// A value that maps a type: text, and not one of the special keys.
bool is_mapping_entry(const Value& key, const Value& value) {
  return value.is_text() && key.text() != kHooksKey && key.text() != kRestricted;
}

/// One level of the registry while entries are loaded over it. Their changes are gathered and merged at once, so that
/// the cost is that of the entries.
class Level {
 public:
  Level(const Documents& documents, const Traced& level)
      : documents_(documents), value_(documents.arena(), documents.session().limits(), documents.session().recorder()) {
    value_.start(level);
  }

  /// What a key maps to; none where it maps to nothing.
  [[nodiscard]] std::optional<Traced> at(const Value& key) {
    if (changes_.find(key) != nullptr) apply();
    const Path::Step step = key;
    return value_.at(std::span(&step, 1));
  }
  /// Maps a key; null removes it.
  void change(const Value& key, const Traced& value) {
    if (changes_.find(key) != nullptr) apply();
    changes_.insert(key, value.value);
    values_.push_back(value);
  }
  /// Puts the level that entries were loaded over in the place of what it was.
  void revise(const Value& key, const Traced& level) {
    const Path::Step step = key;
    value_.revise(std::span(&step, 1), level);
  }
  /// A key that leads to nothing: the value there is reported as removed.
  void note(const Value& key, const Traced& value) {
    const Path::Step step = key;
    const Traced nothing;
    value_.put(std::span(&step, 1), value);
    value_.erase(std::span(&step, 1), &nothing);
  }
  [[nodiscard]] const Traced& value() {
    apply();
    return value_.current();
  }

 private:
  void apply() {
    if (values_.empty()) return;
    value_.merge(documents_.session().recorder().compose(changes_.finish(), values_), registry_strategy());
    changes_ = MappingBuilder(documents_.arena());
    values_.clear();
  }

  const Documents& documents_;
  merge::Accumulator value_;
  MappingBuilder changes_{documents_.arena()};
  std::vector<Traced> values_;  ///< Of the changes.
};

class Loader {
 public:
  explicit Loader(const Documents& documents) : documents_(documents), stop_(documents.session().limits().stop) {}

  struct Loaded {
    Traced level;
    bool registered = false;  ///< If nothing at all was, a level does not come into being.
  };

  /// `odd`: the first key above that is not text; null: all are.
  // Recursion: bounded by Limits::depth, which the reader keeps.
  Loaded load(const std::optional<Traced>& before, const Traced& entries, const Value* odd = nullptr) {
    check_stack(documents_.session().limits());
    Level level(documents_, before.value_or(Traced{documents_.arena().mapping().with_origin(entries.value.origin()),
                                                   Slot(merge::kNoLayer)}));
    bool registered = false;
    for (std::size_t i = 0; i < entries.value.size(); ++i) {
      stop_.tick();
      const Value& key = entries.value.entries()[i].key;
      const Traced value{entries.value.entries()[i].value, merge::Recorder::member(entries, i).slot};
      // An entry that is wrong counts as one: nothing else is wrong because of it.
      bool counts = true;
      problems_.guard([&] { counts = add(level, key, value, odd != nullptr || key.is_text() ? odd : &key); });
      registered = registered || counts;
    }
    return {.level = level.value(), .registered = registered};
  }
  /// Throws what is wrong with the entries.
  void raise() const { problems_.raise(); }

 private:
  bool add(Level& level, const Value& key, const Traced& value, const Value* odd) {
    const std::string_view name = key.is_text() ? key.text() : std::string_view();
    if (value.value.is_null()) {
      check_path(odd);
      remove(level, key, value);
    } else if (name == kHooksKey) {
      check(key, value.value, "heat.hook", kHookTypes,
            fmt::format("Invalid hook type \"{}\" for resource breakpoint, acceptable hook types are: ({})",
                        shown_entry(value.value), fmt::join(kHookTypes, ", ")));
      level.change(key, value);
    } else if (name == kRestricted) {
      check(key, value.value, "heat.restricted-action", kRestrictedActions,
            fmt::format(
                "Invalid restricted_action type \"{}\" for resource, acceptable restricted_action types are: ({})",
                shown_entry(value.value), fmt::join(kRestrictedActions, ", ")));
      level.change(key, value);
    } else if (value.value.is_mapping()) {
      return add_level(level, key, value, odd);
    } else {
      check_path(odd);
      level.change(key, mapping_entry(key, value));
    }
    return true;
  }

  /// The reference writes the keys that lead to types and to what it removes as one text; it fails where one is no
  /// text. Hooks, restricted actions and empty levels may lie below any key.
  void check_path(const Value* odd) const {
    if (odd == nullptr) return;
    throw Error("heat.registry", wrong_kind(fmt::format("the key {} of the registry", key_text(*odd)), "text", *odd))
        .at(documents_.session().sources(), odd->origin())
        .hint("quote it");
  }

  void check(const Value& key, const Value& value, std::string_view code, std::span<const std::string_view> words,
             std::string message) const {
    if (is_among(value, words)) return;
    throw Error(code, std::move(message))
        .at(documents_.session().sources(), value.origin())
        .note(documents_.session().sources(), key.origin(), fmt::format("the value of '{}'", key.text()));
  }

  /// What a key that is neither a level nor special maps to.
  [[nodiscard]] Traced mapping_entry(const Value& key, const Traced& value) const {
    if (is_template_name(key.text()))
      return {documents_.arena().text(key.text()).with_origin(value.value.origin()), value.slot};
    if (value.value.is_text()) return value;
    throw Error("heat.registry", fmt::format("'{}' must map to a type or a template, not to {}", key.text(),
                                             describe(value.value.kind())))
        .at(documents_.session().sources(), value.value.origin());
  }

  bool add_level(Level& level, const Value& key, const Traced& value, const Value* odd) {
    const auto known = level.at(key);
    const bool over_level = known && known->value.is_mapping();
    const Loaded loaded = load(over_level ? known : std::nullopt, value, odd);
    if (!loaded.registered && !over_level) {
      if (!known && documents_.session().recorder().keeps()) level.note(key, value);
      return false;
    }
    if (known && !over_level) {
      throw Error("heat.registry", fmt::format("'{}' maps a type: there cannot be entries below it", key_text(key)))
          .at(documents_.session().sources(), key.origin())
          .note(documents_.session().sources(), known->value.origin(), "the type is mapped here");
    }
    // The values that the files have replaced here are reported, whatever is registered.
    const Traced made = documents_.session().recorder().succeed(loaded.level, value);
    if (over_level) {
      level.revise(key, made);
    } else {
      level.change(key, made);
    }
    return loaded.registered;
  }

  void remove(Level& level, const Value& key, const Traced& by) {
    const std::string_view name = key.text();
    if (!name.ends_with('*')) {
      if (level.at(key)) level.change(key, by);
      return;
    }
    std::vector<Value> matching;
    for (const Entry& entry : level.value().value.entries()) {
      stop_.tick();
      if (is_mapping_entry(entry.key, entry.value) && entry.key.text().starts_with(name.substr(0, name.size() - 1)))
        matching.push_back(entry.key);
    }
    for (const Value& entry : matching) level.change(entry, by);
  }

  const Documents& documents_;
  StopCheck stop_;
  Problems problems_;
};

}  // namespace

bool is_template_name(std::string_view name) noexcept { return name.ends_with(".yaml") || name.ends_with(".template"); }

Traced empty_registry(const Documents& documents) {
  MappingBuilder registry(documents.arena());
  registry.insert(kResources, documents.arena().mapping());
  return {registry.finish(), Slot(merge::kNoLayer)};
}

Traced load_registry(const Documents& documents, const Traced& registry, const Traced& entries) {
  if (!entries.value.is_mapping()) {
    throw Error("heat.registry", wrong_kind(fmt::format("'{}'", kResourceRegistry), "a mapping", entries.value))
        .at(documents.session().sources(), entries.value.origin());
  }
  Loader loader(documents);
  const Traced level = loader.load(registry, entries).level;
  loader.raise();
  return level;
}

void warn_of_wildcards(const Documents& documents, const Value& registry) {
  constexpr std::size_t kMost = 1000;  // A person does not write a registry with so many wildcards.
  std::vector<const Entry*> wildcards;
  for (const Entry& entry : registry.entries()) {
    if (is_mapping_entry(entry.key, entry.value) && entry.key.text().ends_with('*') &&
        !is_template_name(entry.value.text()))
      wildcards.push_back(&entry);
  }
  if (wildcards.empty() || wildcards.size() > kMost) return;
  StopCheck stop(documents.session().limits().stop);
  for (const Entry& entry : registry.entries()) {
    stop.tick(static_cast<std::uint32_t>(wildcards.size()));
    if (!is_mapping_entry(entry.key, entry.value)) continue;
    const std::string_view name = entry.key.text();
    const auto beats = [&](const Entry* wildcard) {
      const std::string_view pattern = wildcard->key.text();
      return wildcard != &entry && !name.ends_with('*') && name.starts_with(pattern.substr(0, pattern.size() - 1)) &&
             pattern < name && wildcard->value.text() != name && wildcard->value.text() != entry.value.text();
    };
    const auto found = std::ranges::find_if(wildcards, beats);
    if (found == wildcards.end()) continue;
    warn(documents.session(), "heat.wildcard",
         fmt::format("'{}' goes before the exact entry '{}', since its name sorts before it", (*found)->key.text(),
                     name),
         entry.key.origin(), "narrow the wildcard, or map the types one by one");
  }
}

}  // namespace strata::heat
