// SPDX-License-Identifier: Apache-2.0
#include "bindings/request/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "bindings/problems.hpp"
#include "bindings/request/facts.hpp"
#include "bindings/syntax/document.hpp"
#include "puppet/characters.hpp"
#include "puppet/language/word_characters.hpp"
#include "puppet/quote.hpp"
#include "strata/engine.hpp"
#include "strata/session.hpp"
#include "value/fields.hpp"

namespace strata::bindings {

struct LayeredDocuments::State {
  explicit State(const Snapshot& snapshot) : texts(snapshot.engine().locations(), snapshot.settings().folder) {}
  Sources texts;
  std::vector<Layer> layers;
};

LayeredDocuments::LayeredDocuments(std::span<const LayerTexts> layers, Session& session) {
  const auto state = std::make_shared<State>(session.snapshot());
  Problems problems;
  for (const LayerTexts& given : layers) {
    if (given.name.empty()) problems.add(Error("layer.name", "the name of a layer must be a text that is not empty"));
    if (std::ranges::find(state->layers, given.name, &Layer::name) != state->layers.end())
      problems.add(Error("layer.duplicate", fmt::format("there are two layers called {}", puppet::quote(given.name))));
    std::vector<std::shared_ptr<const Document>> documents;
    for (const NamedText& text : given.documents) {
      problems.guard([&] {
        documents.push_back(read_document(state->texts, state->texts.add(text.name, text.text), {}, session.limits()));
      });
    }
    Layer& layer = state->layers.emplace_back();
    layer.name = given.name;
    if (!documents.empty()) layer.parts.push_back(LayerPart::of(std::move(documents)));
  }
  problems.raise();
  state_ = state;
}

std::optional<Error> category_fault(std::string_view name, std::span<const Category> listed) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_part = [&](char c) { return is_letter(puppet::lower(c)) || puppet::is_digit(c) || c == '_'; };
  if (name.empty() || !is_letter(name[0]) || !std::ranges::all_of(name, is_part)) {
    return Error("category.name",
                 fmt::format("{} is not a category name: write a lower-case letter, then letters, digits and '_'",
                             puppet::quote(name)));
  }
  if (name == "common")
    return Error("category.common", "the category 'common' must not be listed: it is always the lowest one");
  if (std::ranges::find(listed, name, &Category::name) == listed.end()) return std::nullopt;
  return Error("category.duplicate", fmt::format("the category '{}' is listed twice", name));
}

namespace {

std::vector<Category> categories_of(const std::vector<CategoryValue>& given) {
  std::vector<Category> out;
  Problems problems;
  for (const CategoryValue& one : given) {
    if (auto fault = category_fault(one.name, out)) {
      problems.add(*fault);
    } else {
      out.push_back(
          {.name = one.name, .value = one.value && !one.value->empty() ? one.value : std::nullopt, .origin = {}});
    }
  }
  problems.raise();
  return out;
}

Facts facts_of(const InjectorInputs& inputs, Session& session) {
  if (const auto* text = std::get_if<NamedText>(&inputs.facts))
    return read_facts(session.sources(), text->name, text->text, session.limits(), inputs.certname);
  Facts out;
  const auto* value = std::get_if<Value>(&inputs.facts);
  if (value == nullptr || !*value) return out;
  if (!value->is_mapping()) throw Error("facts.shape", wrong_kind("facts", "a mapping of names to values", *value));
  out.values = *value;
  return out;
}

void add_variables(const Value& variables, TopVariables& to) {
  if (!variables) return;
  if (!variables.is_mapping()) throw Error("bindings.variable", wrong_kind("variables", "a mapping", variables));
  for (const Entry& entry : variables.entries()) {
    const std::string_view name = entry.key.is_text() ? entry.key.text() : std::string_view();
    if (!puppet::is_qualified_name(name))
      throw Error("bindings.variable", fmt::format("{} is not the name of a variable", puppet::quote(name)));
    to.set(name, entry.value);
  }
}

}  // namespace

std::shared_ptr<const Request> make_request(const InjectorInputs& inputs, Session& session) {
  auto request = std::make_shared<Request>();
  const Facts facts = facts_of(inputs, session);
  const auto variables = std::make_shared<TopVariables>(facts, Value::null());
  add_variables(inputs.variables, *variables);
  request->certname = certname_of(inputs.certname, facts);
  request->environment.name = inputs.environment;
  request->categories = categories_of(inputs.categories);
  if (const auto& documents = inputs.documents.state()) {
    request->layers = documents->layers;
    session.keep(documents);
  }
  request->arena = std::make_shared<Arena>();
  request->variables = variables;
  request->scope = std::make_shared<puppet::Scope>(nullptr, variables.get());
  (void)request->scope->assign("environment", request->arena->text(inputs.environment), {});
  request->facts = facts.values;
  request->trusted = facts.trusted;
  request->owners = facts.owners;
  request->owners.push_back(facts.arena);
  return request;
}

}  // namespace strata::bindings
