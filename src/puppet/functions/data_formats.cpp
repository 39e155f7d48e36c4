// SPDX-License-Identifier: Apache-2.0
// Functions that read and write data: parsejson, parseyaml, to_json, to_yaml, file. Not in core Puppet 7, but `file`.
// Rule: puppetlabs-stdlib.
#include <array>

#include "puppet/functions/arguments.hpp"
#include "ruby/ruby.hpp"
#include "strata/builder.hpp"
#include "strata/scalar_text.hpp"
#include "strata/text.hpp"

namespace strata::puppet {
namespace {

/// A tree that was read, as made by the call: its places are in a text that no file contains.
/// Recursion: Limits::depth bounded what was read.
Value adopted(const FunctionCall& call, Evaluator& evaluator, const Value& value, bool secret) {
  evaluator.charge(1);
  Arena& arena = evaluator.arena();
  const auto mark = [&](const Value& one) { return one.with_origin(call.origin).with_secret(secret); };
  if (value.is_sequence()) {
    SequenceBuilder out(arena, value.size());
    for (const Value& item : value.items()) out.append(adopted(call, evaluator, item, secret));
    return mark(out.finish());
  }
  if (is_hash(value)) {
    MappingBuilder out(arena, KeyEquality::exact, value.size());
    for (const Entry& entry : value.entries())
      out.insert(arena.key(adopted(call, evaluator, entry.key, secret)), adopted(call, evaluator, entry.value, secret));
    return mark(out.finish());
  }
  switch (value.kind()) {
    case Kind::absent:
      return mark(Value::null());
    case Kind::text:
      return mark(arena.text(value.text()));
    case Kind::binary:
      return mark(arena.binary(value.text()));
    case Kind::big_integer:
      return mark(arena.integer(value.text()));
    case Kind::date:
    case Kind::timestamp:
      return mark(arena.text(scalar_text(value)));
    case Kind::object:
      return mark(arena.text(value.as_object().to_string()));
    default:
      return mark(value);
  }
}

/// What `read` makes of the text of the first argument; where it fails the second argument, or else its error.
template <class Read>
Value parsed(const FunctionCall& call, Evaluator& evaluator, const Read& read) {
  const std::string_view text = text_argument(call, evaluator, 0);
  evaluator.charge_text(text.size());
  Sources sources;
  try {
    const text::Document document = read(sources, sources.add(call.name, std::string(text)));
    return adopted(call, evaluator, document.root, call.arguments[0].is_secret());
  } catch (const Error& error) {
    if (call.arguments.size() > 1 && !error.gives_up()) return call.arguments[1];
    throw failed(call, evaluator, error.code(), error.what());
  }
}

Value parsejson(const FunctionCall& call, Evaluator& evaluator) {
  const Limits& limits = evaluator.context().limits;
  return parsed(call, evaluator, [&](Sources& sources, SourceId source) {
    return text::read_json(sources, source, limits, 0, text::kRubyJson);
  });
}

Value parseyaml(const FunctionCall& call, Evaluator& evaluator) {
  const Limits& limits = evaluator.context().limits;
  return parsed(call, evaluator, [&](Sources& sources, SourceId source) {
    return text::read_yaml(sources, source, text::psych(), limits);
  });
}

/// Something in it is secret, and would be seen. Recursion: Limits::depth bounds values.
bool tells_secret(const Value& value) {
  if (value.is_secret() && as_sensitive(value) == nullptr) return true;
  if (value.is_sequence()) {
    for (const Value& item : value.items()) {
      if (tells_secret(item)) return true;
    }
  } else if (is_hash(value)) {
    for (const Entry& entry : value.entries()) {
      if (tells_secret(entry.key) || tells_secret(entry.value)) return true;
    }
  }
  return false;
}

Value to_json(const FunctionCall& call, Evaluator& evaluator) {
  charge_written(evaluator, call.arguments[0]);
  std::string text = ruby::json(call.arguments[0]);
  if (text.ends_with('\n')) text.pop_back();
  return new_text(call, evaluator, text, tells_secret(call.arguments[0]));
}

Value to_yaml(const FunctionCall& call, Evaluator& evaluator) {
  charge_written(evaluator, call.arguments[0]);
  return new_text(call, evaluator, ruby::yaml(call.arguments[0]), tells_secret(call.arguments[0]));
}

Value file(const FunctionCall& call, Evaluator& evaluator) {
  const auto& read = evaluator.context().module_file;
  std::string names;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const std::string_view name = text_argument(call, evaluator, i);
    evaluator.charge(1);
    const std::optional<std::string> text = read ? read(name) : std::nullopt;
    if (text) return new_text(call, evaluator, *text);
    names += (names.empty() ? "" : ", ") + shown(call.arguments[i]);
  }
  throw failed(call, evaluator, "puppet.file", "expected the file " + names)
      .hint("MODULE/PATH is the file PATH in the folder 'files' of a module");
}

constexpr std::array<BuiltinEntry, 5> kDataFunctions = {{
    {"file", file, 1, BuiltinEntry::kMany, BlockRule::none},
    {"parsejson", parsejson, 1, 2, BlockRule::none},
    {"parseyaml", parseyaml, 1, 2, BlockRule::none},
    {"to_json", to_json, 1, 1, BlockRule::none},
    {"to_yaml", to_yaml, 1, 1, BlockRule::none},
}};

}  // namespace

std::span<const BuiltinEntry> data_functions() noexcept { return kDataFunctions; }

}  // namespace strata::puppet
