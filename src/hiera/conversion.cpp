// SPDX-License-Identifier: Apache-2.0
#include "conversion.hpp"

#include <fmt/format.h>

#include <vector>

#include "strata/builder.hpp"
#include "strata/hiera.hpp"
#include "strata/puppet.hpp"

namespace strata::hiera {
namespace {

/// What stands in a container that a conversion has made, at the place of what it was made of. What it has taken over
/// is where it was.
// Recursion: bounded by what the conversion made.
Value with_placed_members(const Value& made, Origin at, Arena& arena) {
  if (!made.is_container()) return made;
  return with_members(arena, made, [&](const Value& member) {
    return member.origin() ? member : with_placed_members(member, at, arena).with_origin(at);
  });
}

}  // namespace

Value convert_to(const Sources& sources, std::string_view key, const Value& wanted, const Value& value, Arena& arena,
                 const Limits& limits, std::string* arguments) {
  const Value list = wanted.is_sequence() ? wanted : arena.sequence(std::span(&wanted, 1));
  const Value name = list.size() == 0 ? Value::null() : list.items().front();
  puppet::TypeRef type;
  try {
    if (!name.is_text())
      throw Error("puppet.type", fmt::format("expected the name of a type, found {}", describe(name.kind())));
    type = puppet::parse_type(name.text(), limits);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    throw LookupError(
        Error("hiera.convert-to",
              fmt::format("Invalid data type in lookup_options for key '{}' could not parse '{}', error: '{}'", key,
                          name.is_text() ? name.text() : "", error.what()))
            .at(sources, wanted.origin()))
        .tells(std::string(key));
  }
  std::vector<Value> given{value};
  given.insert(given.end(), list.items().begin() + 1, list.items().end());
  Value made;
  try {
    made = puppet::convert(*type, given, arena, limits);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    throw LookupError(
        Error("hiera.convert-to",
              fmt::format("The convert_to lookup_option for key '{}' raised error: {}", key, error.what()))
            .at(sources, value.origin())
            .note(sources, wanted.origin(), "the conversion that was asked for"))
        .tells(std::string(key));
  }
  if (arguments != nullptr) {
    SequenceBuilder words = SequenceBuilder::copy_of(arena, list);
    words.replace(0, puppet::make_type_value(arena, type));
    const Value shown = words.finish();
    *arguments = puppet::convert(*puppet::parse_type("String", limits), std::span(&shown, 1), arena, limits).text();
  }
  made = with_placed_members(made, value.origin(), arena);
  if (!made.origin()) made = made.with_origin(value.origin());
  return value.is_secret() ? made.with_secret() : made;
}

}  // namespace strata::hiera
