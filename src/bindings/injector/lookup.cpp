// SPDX-License-Identifier: Apache-2.0
#include "bindings/injector/lookup.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bindings/injector/extension_producers.hpp"
#include "bindings/injector/fault.hpp"
#include "bindings/injector/lists.hpp"
#include "bindings/injector/producers.hpp"
#include "bindings/types/names.hpp"
#include "strata/near_names.hpp"
#include "strata/stack.hpp"

namespace strata::bindings {

namespace {

constexpr std::size_t kDeepestChain = 250;  // Each lookup in a lookup takes some kilobytes of the stack.
constexpr std::size_t kLongestLoopTold = 50;

}  // namespace

const Value& Lookup::value(std::uint32_t key) { return slot(key).value.value; }

std::uint32_t Lookup::data_key(std::string_view name) const {
  if (!name.starts_with('/')) return composition_.find({}, name);
  const std::uint32_t key = composition_.find({}, name);
  if (key != KeyTable::kNone) return key;
  const auto canonical = canonical_name(name);
  return canonical ? composition_.find({}, *canonical) : KeyTable::kNone;
}

merge::Traced Lookup::find_exact(std::string_view name) {
  const std::uint32_t key = data_key(name);
  if (key != KeyTable::kNone) return renamed_.contains(key) ? merge::Traced() : look_up(key);
  if (layers_.empty()) return {};
  // A name that only a source may know becomes a key once it has it.
  for (const LayerSources::Source& source : layers_.all()) {
    if (!layers_.ask(source, name).value) continue;
    return look_up(composition_.intern({}, name));
  }
  return {};
}

merge::Traced Lookup::find_data(std::string_view asked) {
  const auto canonical = asked.starts_with('/') ? canonical_name(asked) : std::nullopt;
  const std::string_view name = canonical ? *canonical : asked;
  merge::Traced found = find_exact(name);
  if (found.value) return found;
  if (const auto other = other_parameter_name(name)) {
    found = find_exact(*other);
    if (found.value) return found;
  }
  return lists_.special(name);
}

merge::Traced Lookup::find_typed(const TypeRef& type, std::string_view name, const Value& arguments) {
  if (!name.empty() && is_data(*type)) {
    const merge::Traced found = find_data(name);
    if (found.value && type != data_type() && !expressions_.types().is_instance(*type, found.value)) {
      throw Error("bindings.type",
                  fmt::format("type error for {}: expected {}, got {} ({})", readable_key({}, name),
                              reference_text(*type), bindings::type_of(found.value), shown(found.value)))
          .at(sources_, found.value.origin());
    }
    return found;
  }
  const std::uint32_t key = composition_.find(type_text(*type), name);
  if (key != KeyTable::kNone && !renamed_.contains(key)) {
    const merge::Traced found = look_up(key);
    if (found.value) return found;
  }
  return name.empty() ? extensions_.instance(*type, arguments) : merge::Traced();
}

merge::Traced Lookup::look_up(std::uint32_t key) {
  {
    const Slot& known = slot(key);
    if (known.progress == Progress::done) return known.value;
    if (known.progress == Progress::running) loop(key);
    if (known.progress == Progress::failed) throw Error(failures_.at(key));
  }
  return produce_key(key);
}

merge::Traced Lookup::produce_key(std::uint32_t key) {
  if (chain_.size() >= std::min(kDeepestChain, limits_.depth)) {
    throw Error("limit.depth", fmt::format("more than {} lookups within each other, at {}", chain_.size(),
                                           composition_.readable(key)));
  }
  check_stack(limits_);
  stop_check_.tick();
  slot(key).progress = Progress::running;
  try {
    const Chain<std::uint32_t>::Step step(chain_, key);
    const merge::Traced value = produce_effective(key);
    const Candidate* winner = composition_.effective(key).winner;
    const bool keep =
        winner == nullptr || !value.value || producers_.is_singleton(production_of(composition_, key, *winner));
    Slot& kept = slot(key);
    kept.value = value;
    kept.progress = keep ? Progress::done : Progress::open;
    kept.is_plain = keep && value.value && !holds_objects(value.value);
    return value;
  } catch (const Error& error) {
    // A loop depends on where it was entered, a limit on what else was done.
    const bool lasting = fault_of(error) != Fault::loop && !error.gives_up();
    slot(key).progress = lasting ? Progress::failed : Progress::open;
    if (lasting) failures_.emplace(key, error.diagnostic());
    throw;
  } catch (...) {
    slot(key).progress = Progress::open;
    throw;
  }
}

/// The winner's value; where it is optional and gives nothing, that of the next one.
merge::Traced Lookup::produce_effective(std::uint32_t key) {
  for (;;) {
    const Effective effective = composition_.effective(key);
    const Candidate* winner = effective.winner;
    const Rank rank = winner == nullptr ? 0 : composition_.rank(*winner);
    if (!layers_.empty()) {
      const LayerSources::Found found = layers_.ask_sources(key, rank);
      if (found.source != nullptr) {
        if (winner == nullptr || composition_.rank_of_source(found.source->layer) != rank) return found.value;
        throw Error("bindings.conflict",
                    fmt::format("{} is bound twice in layer '{}' with the same precedence: by {} and by {}",
                                composition_.readable(key), composition_.layer_name(winner->layer),
                                composition_.told(*winner).document, found.source->source->title()))
            .at(sources_, Composition::origin(*winner))
            .note(sources_, found.value.value.origin(), "also there")
            .hint("bind it in a higher layer, or put the statement under a category");
      }
    }
    if (winner == nullptr) return {};
    if (effective.is_tied) throw composition_.conflict(key, *winner);
    if ((winner->flags & Candidate::kAbstract) != 0) throw references_.abstract_error(key, *winner);
    const merge::Traced value = producers_.produce_candidate(key, *winner);
    if (value.value) return value;
    composition_.replace(key, composition_.below(key, rank));
  }
}

const merge::Traced* Lookup::ready(std::string_view name) const noexcept {
  const std::uint32_t key = composition_.find({}, name);
  if (key == KeyTable::kNone) return nullptr;
  const Slot* known = slots_.find(key);
  if (known == nullptr || !known->is_plain || known->progress != Progress::done) return nullptr;
  return renamed_.empty() || !renamed_.contains(key) ? &known->value : nullptr;
}

void Lookup::loop(std::uint32_t key) {
  std::vector<std::string> names;
  for (const std::uint32_t each : chain_.circle(key)) {
    if (names.size() == kLongestLoopTold) {
      names.emplace_back("…");
      break;
    }
    names.push_back(composition_.readable(each));
  }
  names.push_back(composition_.readable(key));
  Error error("bindings.loop", fmt::format("lookup loop: {}", fmt::join(names, " → ")));
  const Candidate* winner = composition_.effective(key).winner;
  if (winner == nullptr) throw Error(error);
  throw std::move(error).at(sources_, Composition::origin(*winner));
}

void Lookup::not_bound(std::string_view type, std::string_view name) {
  Error error("bindings.not-bound", fmt::format("nothing is bound for {}", readable_key(type, name)));
  const std::vector<std::string> near = near_names(type, name);
  if (!near.empty()) set_hint(error, fmt::format("did you mean {}?", fmt::join(near, ", ")));
  const std::uint32_t key = type.empty() ? data_key(name) : composition_.find(type, name);
  if (key == KeyTable::kNone) throw Error(error);
  if (const auto renamed = renamed_.find(key); renamed != renamed_.end()) {
    set_hint(error, fmt::format("it was renamed: ask for {}", composition_.readable(renamed->second)));
    references_.note_ineffective(error, key);
  } else {
    references_.note_without_value(error, key);
  }
  throw Error(error);
}

std::vector<std::string> Lookup::near_names(std::string_view type, std::string_view name) {
  constexpr std::size_t kLongest = 64;
  constexpr std::size_t kMost = 3;
  if (near_budget_ == 0 || name.empty() || name.size() > kLongest) return {};
  --near_budget_;
  std::vector<std::pair<std::size_t, std::string_view>> near;
  const auto is_there = [this](std::uint32_t key) {
    const Slot* known = slots_.find(key);
    return composition_.effective(key).winner != nullptr || (known != nullptr && known->progress == Progress::done);
  };
  const std::size_t allowed = std::max<std::size_t>(1, std::min<std::size_t>(3, name.size() / 3));
  for (std::uint32_t key = 0; key < composition_.key_count(); ++key) {
    const KeyText text = composition_.text(key);
    if (text.type != type || text.name == name) continue;
    const std::size_t longer = std::max(text.name.size(), name.size());
    if (longer - std::min(text.name.size(), name.size()) > allowed ||
        text.name.starts_with('/') != name.starts_with('/'))
      continue;
    const std::size_t distance = edit_distance(name, text.name);
    if (distance <= allowed && is_there(key)) near.emplace_back(distance, text.name);
  }
  std::sort(near.begin(), near.end());
  std::vector<std::string> out;
  for (const auto& one : near) {
    if (out.size() == kMost) break;
    out.push_back(readable_key(type, one.second));
  }
  return out;
}

}  // namespace strata::bindings
