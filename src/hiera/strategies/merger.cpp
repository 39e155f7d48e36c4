// SPDX-License-Identifier: Apache-2.0
#include "merger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "hiera/faults.hpp"

namespace strata::hiera {

using merge::Traced;

namespace {

/// What is not plain data: a key that is not text, or a value of another kind.
struct Offence {
  Value where;
  bool is_key = false;
};

bool is_scalar_data(const Value& value) {
  switch (value.kind()) {
    case Kind::boolean:
    case Kind::integer:
    case Kind::big_integer:
    case Kind::floating:
    case Kind::text:
      return true;
    default:
      return false;
  }
}

/// The first thing in a value that is not plain data.
// Recursion: bounded by Limits::depth, which every maker of values keeps.
std::optional<Offence> find_offence(const Value& value) {
  if (value.is_null() || is_scalar_data(value)) return std::nullopt;
  if (value.is_sequence()) {
    for (const Value& item : value.items()) {
      if (auto found = find_offence(item)) return found;
    }
    return std::nullopt;
  }
  if (!value.is_mapping()) return Offence{.where = value};
  for (const Entry& entry : value.entries()) {
    if (!entry.key.is_text()) return Offence{.where = entry.key, .is_key = true};
    if (auto found = find_offence(entry.value)) return found;
  }
  return std::nullopt;
}

// Recursion: bounded by Limits::depth.
bool holds_mapping(const Value& value) {
  return value.is_mapping() || (value.is_sequence() && std::ranges::any_of(value.items(), holds_mapping));
}

std::string tell(const Offence& offence) {
  return fmt::format("{} is {}", offence.is_key ? "a key" : "a member", describe(offence.where.kind()));
}

/// What Puppet calls the type of a value.
std::string_view type_name(Kind kind) {
  switch (kind) {
    case Kind::mapping:
      return "Hash";
    case Kind::sequence:
      return "Array";
    case Kind::null:
      return "Undef";
    case Kind::boolean:
      return "Boolean";
    case Kind::integer:
    case Kind::big_integer:
      return "Integer";
    case Kind::floating:
      return "Float";
    case Kind::text:
      return "String";
    default:
      return describe(kind);
  }
}

}  // namespace

Merger::Merger(MergeOptions options, const Sources& sources, Arena& arena, const Limits& limits,
               merge::Recorder& recorder, std::vector<merge::Notice>* notices, merge::StripPrefix strip,
               Promised promised)
    : options_(std::move(options)),
      sources_(sources),
      arena_(arena),
      limits_(limits),
      recorder_(recorder),
      notices_(notices),
      strip_(std::move(strip)),
      promised_(promised) {
  if (options_.kind == MergeKind::first) return;
  strategy_ = ready_strategy(options_);
  if (strategy_ != nullptr) return;
  own_strategy_ = std::make_unique<const merge::Strategy>(build_strategy(options_, promised.independent_copies));
  strategy_ = own_strategy_.get();
}

Traced Merger::single(const Traced& value) {
  if (options_.kind != MergeKind::unique) return value;
  if (promised_.unique_refuses_hashes && holds_mapping(value.value))
    throw mismatch(value.value, {}, "unique does not merge hashes");
  if (!value.value.is_sequence()) return value;
  return run(value, {arena_.sequence(), merge::Slot(merge::kNoLayer)});
}

Traced Merger::convert(const Traced& value) {
  if (options_.kind != MergeKind::unique) return value;
  if (promised_.unique_refuses_hashes && holds_mapping(value.value))
    throw mismatch(value.value, {}, "unique does not merge hashes");
  return merge::flattened(value, arena_, limits_, recorder_);
}

Traced Merger::merge(const Traced& stronger, const Traced& weaker) {
  switch (options_.kind) {
    case MergeKind::first:
      return stronger;
    case MergeKind::unique:
      return unite(stronger, weaker);
    case MergeKind::hash: {
      if (!is_checked(stronger.value)) check_hash(stronger.value, weaker.value);
      check_hash(weaker.value, stronger.value);
      const Traced result = run(weaker, stronger);
      checked_ = result.value;
      return result;
    }
    case MergeKind::deep:
    case MergeKind::unconstrained_deep:
      return run(weaker, stronger);
    case MergeKind::reverse_deep:
      return run(stronger, weaker);
  }
  return stronger;
}

Traced Merger::unite(const Traced& stronger, const Traced& weaker) {
  const bool is_ready = is_checked(stronger.value);
  if (!is_ready) check_unique(stronger.value, weaker.value);
  check_unique(weaker.value, stronger.value);
  const Traced result = run(is_ready ? stronger : convert(stronger), convert(weaker));
  checked_ = result.value;
  return result;
}

bool Merger::is_checked(const Value& value) const noexcept {
  return value && __builtin_memcmp(&value, &checked_, sizeof(Value)) == 0;
}

Traced Merger::run(const Traced& old, const Traced& incoming) {
  if (options_.knockout_prefix) {
    if (options_.knockout_prefix->empty()) {
      throw FaultError(Error("hiera.knockout-prefix", "the knockout_prefix is an empty text")
                           .hint("leave it out, or give it characters: '--'"));
    }
    if (strategy_->lists.knockout_is_pattern && !strip_) {
      throw FaultError(Error("hiera.knockout-prefix",
                             fmt::format("the knockout_prefix '{}' is a regular expression", *options_.knockout_prefix))
                           .hint("use a prefix without regular expression characters"));
    }
  }
  try {
    return merge::merge(old, incoming, *strategy_, arena_, limits_, recorder_, {}, notices_,
                        strip_ ? &strip_ : nullptr);
  } catch (const merge::Unsortable& error) {
    throw FaultError(Error(error));
  }
}

Error Merger::mismatch(const Value& where, const Value& other, std::string message) const {
  Error error = Error("merge.kind-mismatch", std::move(message))
                    .at(sources_, where.origin())
                    .hint("give both values one shape, or choose another merge behaviour");
  if (!other) return error;
  return std::move(error).note(sources_, other.origin(),
                               fmt::format("the other value is of type {}", type_name(other.kind())));
}

void Merger::check_unique(const Value& value, const Value& other) const {
  if (is_scalar_data(value)) return;
  if (!value.is_sequence())
    throw mismatch(value, other, fmt::format("unique merges scalars and lists, got {}", type_name(value.kind())));
  if (const auto offence = find_offence(value)) {
    throw mismatch(offence->where, other, fmt::format("unique merges lists of plain data, and {}", tell(*offence)));
  }
}

void Merger::check_hash(const Value& value, const Value& other) const {
  if (!value.is_mapping())
    throw mismatch(value, other, fmt::format("hash merges hashes, got {}", type_name(value.kind())));
  if (const auto offence = find_offence(value)) {
    throw mismatch(offence->where, other,
                   fmt::format("hash merges hashes of plain data with text keys, and {}", tell(*offence)));
  }
}

Diagnostic describe(const Sources& sources, const merge::Notice& notice) {
  if (notice.action == merge::Action::keep_old_noted) {
    return Error("hiera.null-merge", "null deletes nothing in a deep merge: the weaker value stays")
        .at(sources, notice.incoming.origin())
        .note(sources, notice.old.origin(), "this value stays")
        .hint(
            "remove the null, or give another value: a deep merge removes items of lists alone, with a knockout_prefix")
        .diagnostic();
  }
  const bool is_key = notice.action == merge::Action::recurse;
  const Value& what = is_key ? notice.incoming : notice.old;
  Error error =
      Error("merge.surprise",
            is_key ? "a knockout prefix on a key has no effect: the key is added"
                   : "items of a list that only the stronger value has are lost when others are struck out")
          .at(sources, what.origin())
          .hint(is_key ? "set the member to the prefix, which leaves an empty text" : "--compat promised keeps them");
  return error.diagnostic();
}

}  // namespace strata::hiera
