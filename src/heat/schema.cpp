// SPDX-License-Identifier: Apache-2.0
#include "heat/schema.hpp"

#include "heat/secret_names.hpp"
#include "strata/path.hpp"

namespace strata::heat {

std::string_view to_string(ParameterType type) noexcept {
  switch (type) {
    case ParameterType::string:
      return "string";
    case ParameterType::number:
      return "number";
    case ParameterType::json:
      return "json";
    case ParameterType::comma_delimited_list:
      return "comma_delimited_list";
    case ParameterType::boolean:
      break;
  }
  return "boolean";
}

ParameterType implied_type(const Value& value) noexcept {
  switch (value.kind()) {
    case Kind::mapping:
    case Kind::set:
      return ParameterType::json;
    case Kind::sequence:
      return ParameterType::comma_delimited_list;
    case Kind::boolean:
      return ParameterType::boolean;
    case Kind::integer:
    case Kind::big_integer:
    case Kind::floating:
      return ParameterType::number;
    default:
      return ParameterType::string;
  }
}

void Schemata::add(ParameterSchema schema) {
  const auto [found, is_new] = index_.try_emplace(schema.name, all_.size());
  if (is_new) {
    all_.push_back(std::move(schema));
  } else {
    schema.hidden = schema.hidden || all_[found->second].hidden;
    all_[found->second] = std::move(schema);
  }
}

const ParameterSchema* Schemata::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &all_[found->second];
}

const ParameterSchema* Schemata::find(const Value& name) const {
  if (name.is_text()) return find(name.text());
  if (name.is_container()) return nullptr;
  const ParameterSchema* found = find(key_text(name));
  return found != nullptr && found->kind == name.kind() ? found : nullptr;
}

bool Schemata::hides(std::string_view name) const {
  if (encrypted_.contains(name)) return true;
  const ParameterSchema* schema = find(name);
  return schema != nullptr ? schema->hidden : sounds_secret(name);
}

bool Schemata::hides(const Value& name) const {
  if (name.is_text() && encrypted_.contains(name.text())) return true;
  const ParameterSchema* schema = find(name);
  return schema != nullptr ? schema->hidden : name.is_text() && sounds_secret(name.text());
}

}  // namespace strata::heat
