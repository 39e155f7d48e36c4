// SPDX-License-Identifier: Apache-2.0
// Statements that bind several keys: parameters, variables, maps.
#include <fmt/format.h>
#include <algorithm>

#include "bindings/composition/constants.hpp"
#include "bindings/composition/prepared.hpp"
#include "bindings/problems.hpp"
#include "bindings/types/membership.hpp"
#include "bindings/types/names.hpp"
#include "bindings/types/type_reader.hpp"
#include "puppet/characters.hpp"
#include "puppet/types/type.hpp"
#include "strata/report.hpp"
#include "value/seeded_hash.hpp"

namespace strata::bindings {

using puppet::as;
using puppet::Node;

namespace {

/// Whether the members of a hash are known without evaluating it.
bool has_known_members(const Expression& expression) noexcept {
  if (expression.node == Node::literal) return as<puppet::Literal>(expression).value.is_mapping();
  if (expression.node != Node::hash) return false;
  return std::ranges::all_of(as<puppet::Hash>(expression).entries,
                             [](const puppet::HashEntry& entry) { return scalar_constant(*entry.key) != nullptr; });
}

std::size_t member_count(const Expression& expression) noexcept {
  return expression.node == Node::literal ? as<puppet::Literal>(expression).value.size()
                                          : as<puppet::Hash>(expression).entries.size();
}

/// ARM-8 also takes `_a::b`, which the language cannot write.
bool is_variable_name(std::string_view name) noexcept {
  bool first = true;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == ':') {
      if (first || name.substr(i, 2) != "::") return false;
      ++i;
      first = true;
      continue;
    }
    if (first ? !puppet::is_lower_or_underscore(c) : !puppet::is_word_character(c)) return false;
    first = false;
  }
  return !first;
}

}  // namespace

Member member_of(const Statement& statement, std::uint32_t member) {
  const Expression& hash = *statement.producer.expression;
  if (hash.node == Node::literal) {
    const Entry& entry = as<puppet::Literal>(hash).value.entries()[member];
    return {entry.key, nullptr, entry.value};
  }
  const puppet::HashEntry& entry = as<puppet::Hash>(hash).entries[member];
  return {*scalar_constant(*entry.key), entry.value, {}};
}

std::string variable_key(const Sources& sources, std::string_view name, Origin origin) {
  std::string_view plain = name;
  if (plain.starts_with("::")) plain.remove_prefix(2);
  if (!is_variable_name(plain))
    throw Error("bindings.variable", fmt::format("'{}' is not a variable name", name)).at(sources, origin);
  return fmt::format("/var/{}", plain);
}

void Preparer::check_value(const Statement& statement, std::uint32_t declared, const Value& value, Origin origin,
                           const Describe& what) {
  const Type& type = declared == 0 ? *data_type() : *out_.types[declared];
  if (Types().is_instance(type, value)) return;
  // Which values are secret is not known yet: where some are, none is shown.
  const bool may_be_secret = limits_.secret_keys != nullptr;
  Error error = Error("bindings.type",
                      fmt::format("type error for {}: expected {}, got {} ({})", what(), reference_text(type),
                                  bindings::type_of(value), may_be_secret ? std::string(report::kMask) : shown(value)))
                    .at(sources_, origin);
  if (may_be_secret) error.without_lines();
  if (statement.key.type) add_note(error, sources_, statement.key.type.origin, "the type is declared here");
  record(error);
}

void Preparer::check_constant(const Statement& statement, std::uint32_t declared, const Expression& expression,
                              const Describe& what) {
  if (declared == 0 && is_data_constant(expression)) return;
  if (find_option(statement, "transformer") != nullptr)
    return;  // What it makes of the constant is checked when it is produced.
  const Value value = fold(out_.values, expression);
  if (value && !value.is_null()) check_value(statement, declared, value, expression.origin, what);
}

Error repeated_key(const Sources& sources, std::string_view name, Origin again, Origin first) {
  return Error("puppet.repeated-key", fmt::format("the key '{}' is given twice, the last one counts", name))
      .at(sources, again)
      .note(sources, first, "given here first");
}

void Preparer::members(const Statement& statement, const Binding& like,
                       const std::function<std::string(std::string_view, Origin)>& key) {
  const std::size_t count = member_count(*statement.producer.expression);
  std::vector<Binding> bindings;
  bindings.reserve(count);
  // Most hashes are small: their members are looked through.
  constexpr std::size_t kFew = 16;
  TextViewMap<std::size_t> known;
  const auto earlier = [&](std::string_view name) -> Binding* {
    if (count > kFew) {
      const auto added = known.emplace(name, bindings.size());
      return added.second ? nullptr : &bindings[added.first->second];
    }
    const auto found =
        std::find_if(bindings.begin(), bindings.end(), [name](const Binding& one) { return one.name == name; });
    return found == bindings.end() ? nullptr : &*found;
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const Member member = member_of(statement, i);
    const Origin origin = member.key.origin() ? member.key.origin() : statement.producer.origin;
    if (!member.key.is_text() || member.key.text().empty()) {
      throw Error("bindings.name", fmt::format("the keys of the hash of '{}' must be texts", form_name(statement)))
          .at(sources_, origin);
    }
    Binding binding = like;
    binding.name = keep(key(member.key.text(), origin));
    binding.member = i;
    Binding* before = earlier(binding.name);
    if (before == nullptr) {
      bindings.push_back(binding);
      continue;
    }
    const Origin first = member_of(statement, before->member).key.origin();
    out_.repeated.push_back(
        repeated_key(sources_, member.key.text(), origin, first ? first : statement.producer.origin).diagnostic());
    *before = binding;
  }
  for (const Binding& binding : bindings) {
    const Member member = member_of(statement, binding.member);
    const auto what = [&binding] { return readable_key("", binding.name); };
    if (member.expression != nullptr && is_constant(*member.expression)) {
      check_constant(statement, binding.declared, *member.expression, what);
    } else if (member.expression == nullptr && binding.declared != 0) {
      check_value(statement, binding.declared, member.value,
                  member.key.origin() ? member.key.origin() : statement.producer.origin, what);
    }
    push(binding);
  }
}

void Preparer::parameters(const Statement& statement, std::uint32_t guard) {
  const auto reference = type_of(statement.key.type);
  const ProducerForm form = form_of(statement.producer);
  const bool known = (form == ProducerForm::constant || form == ProducerForm::expression) &&
                     has_known_members(*statement.producer.expression);
  if (reference) {
    const Type& type = *out_.types[*reference];
    if (!has_parameters(type)) {
      throw Error("bindings.typeref", fmt::format("{} has no parameters that can be bound", reference_text(type)))
          .at(sources_, statement.key.origin);
    }
    options(statement, nullptr);
    if (form == ProducerForm::constant && !known) {
      throw Error("bindings.parameters",
                  fmt::format("the parameters of {} must be a hash", readable_reference(type_text(type))))
          .at(sources_, statement.producer.origin);
    }
  }
  if (!reference || !known) {
    // Objects need the maps that are in effect, hashes that are computed the scope: a node has both.
    if (!resolve_) out_.open.push_back({&statement, guard});
    return;
  }
  const TypeRef type = out_.types[*reference];
  Binding like;
  like.statement = &statement;
  like.guard = guard;
  like.is_override = statement.is_override;
  members(statement, like, [&type](std::string_view name, Origin) { return parameter_key(*type, name); });
}

void Preparer::abstract_variables(const Statement& statement, std::uint32_t guard, std::uint32_t declared) {
  const Expression& names = *statement.producer.expression;
  Value value = fold(out_.values, names);
  if (!value) {
    if (!resolve_) {
      out_.open.push_back({&statement, guard});
      return;
    }
    value = resolve_(names);
  }
  const std::span<const Value> all = value.is_sequence() ? value.items() : std::span(&value, 1);
  for (const Value& name : all) {
    if (!name.is_text())
      throw Error("bindings.variable", fmt::format("{} is not a variable name", shown(name)))
          .at(sources_, names.origin);
    Binding binding;
    binding.statement = &statement;
    binding.name = keep(variable_key(sources_, name.text(), names.origin));
    binding.declared = declared;
    binding.guard = guard;
    binding.is_abstract = true;
    binding.is_override = statement.is_override;
    push(binding);
  }
}

void Preparer::variables(const Statement& statement, std::uint32_t guard) {
  const auto declared = type_of(statement.key.type);
  if (declared) options(statement, nullptr);
  if (declared && statement.is_abstract) return abstract_variables(statement, guard, *declared);
  const Expression& hash = *statement.producer.expression;
  if (!declared || !has_known_members(hash)) {
    if (is_constant(hash) && declared) {
      throw Error("bindings.variable", "variables are bound to a hash of names and values")
          .at(sources_, statement.producer.origin);
    }
    if (!resolve_) out_.open.push_back({&statement, guard});
    return;
  }
  Binding like;
  like.statement = &statement;
  like.declared = *declared;
  like.guard = guard;
  like.is_override = statement.is_override;
  members(statement, like,
          [this](std::string_view name, Origin origin) { return variable_key(sources_, name, origin); });
}

void Preparer::map(const Statement& statement, std::uint32_t guard) {
  const auto left = type_of(statement.key.type);
  const auto right = type_of(statement.target.type);
  if (!left || !right) {
    if (!resolve_) out_.open.push_back({&statement, guard});
    return;
  }
  Binding binding;
  binding.statement = &statement;
  binding.name = keep(fmt::format("/map/{}/{}", type_text(*out_.types[*left]), type_text(*out_.types[*right])));
  binding.guard = guard;
  push(binding);
}

}  // namespace strata::bindings
