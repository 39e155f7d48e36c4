// SPDX-License-Identifier: Apache-2.0
#include "bindings/injector/production.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bindings/types/names.hpp"
#include "puppet/evaluation/pattern_object.hpp"
#include "puppet/types/make.hpp"
#include "strata/builder.hpp"

namespace strata::bindings {

namespace {

constexpr std::string_view kBoundHere = ", bound here";

}  // namespace

Production production_of(const Composition& composition, std::uint32_t key, const Candidate& candidate) {
  const Binding& binding = *candidate.binding;
  Production work;
  work.statement = binding.statement;
  work.prepared = composition.document(candidate.document).prepared.get();
  work.declared = binding.declared;
  work.document = candidate.document;
  work.guard = candidate.guard;
  work.key = composition.text(key);
  if (binding.member < Binding::kReady) {
    const Member member = member_of(*binding.statement, binding.member);
    work.expression = member.expression;
    work.value = member.value;
  }
  return work;
}

const Type& declared_type(const Production& work) {
  return work.declared == 0 ? *data_type() : *work.prepared->types[work.declared];
}

Error located(const Sources& sources, const Production& work, const Error& error) {
  Error out(error.diagnostic());
  if (out.diagnostic().where.place.file.empty()) {
    place_at(out, sources, work.statement->producer.origin ? work.statement->producer.origin : work.statement->origin);
  }
  constexpr std::ptrdiff_t kMostTold = 6;
  const auto& notes = out.diagnostic().notes;
  if (std::count_if(notes.begin(), notes.end(), [](const auto& note) { return note.message.ends_with(kBoundHere); }) >=
      kMostTold)
    return out;
  const std::string name = work.key.type.empty() && work.key.name.empty() ? std::string(form_name(*work.statement))
                                                                          : Composition::readable(work.key);
  return std::move(out).note(sources, work.statement->origin, fmt::format("for {}{}", name, kBoundHere));
}

// Recursion: values are bounded by Limits::depth.
bool holds_objects(const Value& value) {
  if (value.kind() == Kind::object) return true;
  if (value.is_sequence()) return std::any_of(value.items().begin(), value.items().end(), holds_objects);
  return value.is_mapping() && std::any_of(value.entries().begin(), value.entries().end(), [](const Entry& entry) {
           return holds_objects(entry.key) || holds_objects(entry.value);
         });
}

// Recursion: values are bounded by Limits::depth.
Value printed(Arena& arena, const Value& value) {
  if (value.kind() == Kind::object) {
    std::string text = value.as_object().to_string();
    if (const puppet::TypeObject* type = puppet::as_type(value)) text = reference_text(*type->type());
    if (puppet::as_sensitive(value) != nullptr) return value;
    return arena.text(text).with_origin(value.origin()).with_secret(value.is_secret());
  }
  if (!value.is_container() || !holds_objects(value)) return value;
  if (value.is_sequence()) {
    SequenceBuilder out(arena, value.size());
    for (const Value& item : value.items()) out.append(printed(arena, item));
    return out.finish().with_origin(value.origin()).with_secret(value.is_secret());
  }
  MappingBuilder out(arena, KeyEquality::exact, value.size());
  for (const Entry& entry : value.entries())
    out.insert(arena.key(printed(arena, entry.key)), printed(arena, entry.value));
  return out.finish().with_origin(value.origin()).with_secret(value.is_secret());
}

}  // namespace strata::bindings
