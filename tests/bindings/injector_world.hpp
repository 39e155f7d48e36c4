// SPDX-License-Identifier: Apache-2.0
// Requests made by hand: documents as texts, layers, categories and facts; what the injector makes of them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../support/sessions.hpp"
#include "bindings/queries/service.hpp"
#include "bindings/request.hpp"
#include "bindings/services.hpp"
#include "bindings/syntax/document.hpp"
#include "strata/bindings.hpp"
#include "strata/text.hpp"

namespace strata::bindings::testing {

/// Whether `text` contains `part`; the failure shows both.
inline ::testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "no '" << part << "' in:\n" << text;
}

/// Facts as a mapping, also as `$facts`.
class Facts final : public puppet::Variables {
 public:
  explicit Facts(Value facts) : facts_(facts) {}
  [[nodiscard]] Value find(std::string_view name, puppet::Evaluator& /*evaluator*/) override {
    if (name == "facts") return facts_;
    const Value* found = facts_.find(name);
    return found == nullptr ? Value() : *found;
  }

 private:
  Value facts_;
};

/// One layer: its name, and its documents as (name, body).
struct LayerText {
  std::string name;
  std::vector<std::pair<std::string, std::string>> documents;
};

class World {
 public:
  explicit World(const SessionSettings& settings = {}) : session(strata::testing::test_session({}, settings)) {
    category("node", "kermit");
    category("environment", "production");
    category("virtual", "true");
    facts(R"({"fqdn": "kermit", "rack": 7})");
  }

  /// Categories, highest first; they replace those of the constructor.
  World& categories(const std::vector<std::pair<std::string, std::optional<std::string>>>& all) {
    request->categories.clear();
    for (const auto& one : all) category(one.first, one.second);
    return *this;
  }
  World& facts(const std::string& json) {
    const SourceId source = sources.add("<facts>", json);
    fact_document = text::read_json(sources, source, session.limits());
    request->facts = fact_document.root;
    request->variables = std::make_shared<Facts>(fact_document.root);
    request->scope = std::make_shared<puppet::Scope>(nullptr, request->variables.get());
    request->scope->assign("environment", request_arena->text("production"), {});
    return *this;
  }
  /// A document; its file is its name with `.pp`. Bodies are without `bindings … {}`.
  std::shared_ptr<const Document> document(const std::string& name, const std::string& body) {
    const SourceId source = sources.add(name + ".pp", "bindings " + name + " {\n" + body + "\n}\n");
    return read_document(sources, source, name, session.limits());
  }
  World& layer(const LayerText& text) {
    Layer& added = request->layers.emplace_back();
    added.name = text.name;
    std::vector<std::shared_ptr<const Document>> documents;
    for (const auto& one : text.documents) documents.push_back(document(one.first, one.second));
    if (!documents.empty()) added.parts.push_back(LayerPart::of(std::move(documents)));
    return *this;
  }
  World& source(const std::string& name, std::shared_ptr<KeySource> keys) {
    request->layers.push_back({name, {}, {{nullptr, std::move(keys)}}});
    return *this;
  }
  /// One layer of one document.
  World& body(const std::string& text) { return layer({"site", {{"default", text}}}); }

  Injector& injector() {
    if (made == nullptr) {
      services.strict = strict;
      made = make_injector(shared, request, services, session);
    }
    return *made;
  }
  /// As compact JSON.
  std::string inject(const std::string& name) { return json(injector().inject(name).value); }
  std::string inject(const std::string& type, const std::string& name) {
    return json(injector().inject(type, name).value);
  }
  static std::string json(const Value& value) {
    std::string out;
    text::append_json(out, value, {.sort_keys = false, .indent = -1});
    return out;
  }
  /// Everything that is said of what is wrong: codes, messages, places, notes and hints.
  std::string error_of(const std::string& name) {
    try {
      return "value " + inject(name);
    } catch (const Errors& errors) {
      std::string out;
      for (const Diagnostic& each : errors.all()) out += format(each, "error");
      return out;
    } catch (const Error& error) {
      return format(error.diagnostic(), "error");
    }
  }

  Session session;
  Sources& sources = session.sources();
  Preparations shared;
  Services services;
  bool strict = false;
  std::shared_ptr<Arena> request_arena = std::make_shared<Arena>();
  std::shared_ptr<Request> request = std::make_shared<Request>();
  text::Document fact_document;
  std::unique_ptr<Injector> made;

 private:
  void category(const std::string& name, const std::optional<std::string>& value) {
    request->categories.push_back({name, value, {}});
  }
};

}  // namespace strata::bindings::testing
