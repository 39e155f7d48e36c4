// SPDX-License-Identifier: Apache-2.0
#include "bindings/request/boot.hpp"

#include <fmt/format.h>

#include <optional>

#include "bindings/problems.hpp"
#include "bindings/request/paths.hpp"
#include "puppet/characters.hpp"

namespace strata::bindings {
namespace {

std::optional<std::string_view> literal_text(const Expression* expression) {
  if (expression == nullptr || expression->node != puppet::Node::literal) return std::nullopt;
  const Value& value = puppet::as<puppet::Literal>(*expression).value;
  return value.is_text() ? std::optional(value.text()) : std::nullopt;
}

/// The P of `Type[P]`.
std::optional<std::string_view> type_parameter_name(const Producer& producer) {
  if (producer.kind != Producer::Kind::expression || producer.expression->node != puppet::Node::access)
    return std::nullopt;
  const auto& access = puppet::as<puppet::Access>(*producer.expression);
  const bool is_type =
      access.target->node == puppet::Node::type_name && puppet::as<puppet::TypeName>(*access.target).name == "Type";
  if (!is_type || access.keys.size() != 1 || access.keys[0]->node != puppet::Node::type_name) return std::nullopt;
  return puppet::as<puppet::TypeName>(*access.keys[0]).name;
}

}  // namespace

BootProviders::BootProviders(const Phase& phase, const Environment& environment, const SchemeProviders& providers)
    : given_(providers) {
  std::string path;
  for (const std::string& folder : {environment.bindingsdir, joined(environment.confdir, "bindings")}) {
    const std::string candidate = joined(folder, "boot.pp");
    if (path.empty() && phase.session.tree().kind(candidate) == FileKind::file) path = candidate;
  }
  if (path.empty()) return;
  Problems problems;
  const std::shared_ptr<const Document> document = load_document({.name = "boot", .path = path}, phase.session);
  for (const Statement& statement : document->statements) {
    if (statement.form != Form::bind || literal_text(statement.id) != "bindings_providers") continue;
    problems.guard([&] {
      const auto scheme = literal_text(statement.key.name);
      const auto name = type_parameter_name(statement.producer);
      if (statement.when != nullptr || !scheme || !name) {
        throw Error("bindings.boot", "a provider of a scheme must be bound unconditionally and with literals")
            .at(phase.session.sources(), statement.origin)
            .hint("write bind 'SCHEME' to Type[PROVIDER] in 'bindings_providers'");
      }
      SchemeProvider* provider = given_ ? given_(*name) : nullptr;
      if (provider == nullptr && given_) provider = given_(puppet::lower(*name));
      if (provider == nullptr) {
        throw Error("bindings.boot", fmt::format("no extension provides bindings as '{}'", *name))
            .at(phase.session.sources(), statement.origin);
      }
      if (!bound_.emplace(puppet::lower(*scheme), provider).second) {
        throw Error("bindings.boot", fmt::format("the scheme '{}' is bound twice", *scheme))
            .at(phase.session.sources(), statement.origin);
      }
    });
  }
  problems.raise();
}

SchemeProviders BootProviders::providers() const {
  return [this](std::string_view scheme) -> SchemeProvider* {
    const auto found = bound_.find(scheme);
    if (found != bound_.end()) return found->second;
    return given_ ? given_(scheme) : nullptr;
  };
}

}  // namespace strata::bindings
