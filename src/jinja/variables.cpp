// SPDX-License-Identifier: Apache-2.0
// Instance data: the variables that it gives, and its values as a template sees them.
#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "jinja/evaluator.hpp"
#include "jinja/jinja.hpp"
#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/scalar_text.hpp"
#include "strata/text.hpp"

namespace strata::jinja {
namespace {

/// The name with each operator of the template language replaced by `_`; empty where there is none in it.
std::string alias_of(std::string_view name) {
  static constexpr std::array<std::string_view, 6> kPairs = {"//", "**", "==", "!=", ">=", "<="};
  static constexpr std::string_view kSingles = "+-/*%~[](){}><=.:|,;";
  std::string alias;
  bool changed = false;
  for (std::size_t at = 0; at < name.size();) {
    const bool is_pair = std::find(kPairs.begin(), kPairs.end(), name.substr(at, 2)) != kPairs.end();
    const bool is_operator = is_pair || kSingles.find(name[at]) != std::string_view::npos;
    alias += is_operator ? '_' : name[at];
    changed = changed || is_operator;
    at += is_pair ? 2 : 1;
  }
  return changed ? alias : std::string();
}

bool is_version(std::string_view name) {
  return name.size() > 1 && name[0] == 'v' &&
         std::all_of(name.begin() + 1, name.end(), [](char byte) { return byte >= '0' && byte <= '9'; });
}

class Converter {
 public:
  Converter(Arena& arena, const Value& data) : arena_(arena) {
    const Value* listed = data.find("base64-encoded-keys");
    if (listed == nullptr || !listed->is_sequence()) return;
    for (const Value& path : listed->items()) {
      if (!path.is_text()) continue;
      std::string decoded(path.text());
      std::replace(decoded.begin(), decoded.end(), '-', '_');
      encoded_.insert(std::move(decoded));
    }
  }

  Value convert(const Value& data, const std::string& prefix, std::size_t depth) {
    MappingBuilder result(arena_, KeyEquality::exact, data.size());
    if (depth > 500) throw Error("jinja.runtime", "the instance data is nested too deeply");
    std::vector<const Entry*> entries;
    for (const Entry& entry : data.entries()) entries.push_back(&entry);
    std::sort(entries.begin(), entries.end(),
              [](const Entry* left, const Entry* right) { return scalar_text(left->key) < scalar_text(right->key); });
    for (const Entry* entry : entries) {
      const std::string key = scalar_text(entry->key);
      const std::string path = prefix.empty() ? key : std::string(prefix).append("/").append(key);
      Value value = entry->value;
      if (encoded_.contains(path)) value = decode(value, path);
      if (value.is_mapping()) {
        value = convert(value, path, depth + 1);
        result.insert(key, value);
        if (is_version(key)) copy_members(value, result);
      } else {
        result.insert(key, value);
      }
      if (const std::string alias = alias_of(key); !alias.empty()) result.insert(alias, value);
    }
    return result.finish();
  }

 private:
  Value decode(const Value& value, const std::string& path) {
    const std::optional<std::string> bytes = value.is_text() ? text::decode_base64(value.text()) : std::nullopt;
    if (!bytes)
      throw Error("jinja.runtime", "the instance data lists '" + path + "' as base64, but its value cannot be decoded");
    const Value decoded =
        text::find_invalid_utf8(*bytes) == std::string::npos ? arena_.text(*bytes) : arena_.binary(*bytes);
    return decoded.with_origin(value.origin()).with_secret(value.is_secret());
  }

  void copy_members(const Value& from, MappingBuilder& to) {
    for (const Entry& entry : from.entries()) to.insert(entry.key, entry.value);
  }

  Arena& arena_;
  std::set<std::string, std::less<>> encoded_;
};

Datum to_datum(Runtime& runtime, const Value& value, std::size_t& depth) {
  runtime.step();
  const DepthGuard guard(runtime, depth);
  switch (value.kind()) {
    case Kind::absent:
    case Kind::null:
      return {};
    case Kind::boolean:
      return Datum::of_boolean(value.as_boolean());
    case Kind::integer:
      return Datum::of_integer(value.as_integer());
    case Kind::floating:
      return Datum::of_floating(value.as_floating());
    case Kind::text:
      return runtime.text(std::string(value.text()));
    case Kind::big_integer: {
      Datum digits = runtime.text(std::string(value.text()));
      digits.type = Type::big_integer;
      return digits;
    }
    case Kind::sequence: {
      const Datum list = runtime.list();
      for (const Value& item : value.items()) append(runtime, list.list(), to_datum(runtime, item, depth));
      return list;
    }
    case Kind::mapping: {
      const Datum dict = runtime.dict();
      for (const Entry& entry : value.entries()) {
        insert(runtime, dict.dict(), to_datum(runtime, entry.key, depth), to_datum(runtime, entry.value, depth));
      }
      return dict;
    }
    default:
      return runtime.text(scalar_text(value));  // JSON has nothing else; other sources give their text.
  }
}

}  // namespace

Value instance_variables(Arena& arena, const Value& instance_data) {
  if (!instance_data.is_mapping()) return arena.mapping();
  return Converter(arena, instance_data).convert(instance_data, {}, 0);
}

Datum from_value(Runtime& runtime, const Value& value) {
  std::size_t depth = 0;
  return to_datum(runtime, value, depth);
}

}  // namespace strata::jinja
