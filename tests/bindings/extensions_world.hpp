// SPDX-License-Identifier: Apache-2.0
// Extensions with a context of their own, without an injector.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../support/sessions.hpp"
#include "bindings/extensions/extensions.hpp"
#include "strata/builder.hpp"
#include "strata/text.hpp"

namespace strata::bindings::extensions {

/// Knows some values by `TYPE NAME`.
class TestContext final : public Context {
 public:
  explicit TestContext(Sources& sources)
      : origin(sources.at(sources.add("site.pp", "bind 'x' to producer 'p'\n"), 5)) {}
  Value inject(std::string_view type, std::string_view name) override {
    if (on_inject) return on_inject(type, name);
    const auto found = values.find(std::string(type) + " " + std::string(name));
    if (found == values.end()) throw Error("bindings.not-bound", "nothing is bound for '" + std::string(name) + "'");
    return found->second;
  }
  Value facts() override {
    MappingBuilder all(own);
    all.insert("rack", Value::integer(7));
    return all.finish();
  }
  std::string environment() override { return "production"; }
  Binding binding() override { return {.name = "x", .type = "Data", .origin = origin}; }
  void warn(const std::string& message) override { warnings += message + ";"; }
  Arena& arena() override { return own; }

  Arena own;
  std::map<std::string, Value> values;
  std::function<Value(std::string_view, std::string_view)> on_inject;
  std::string warnings;
  Origin origin;
};

class World {
 public:
  explicit World(const std::string& script = {}) : World(script, Limits{}) {}
  World(const std::string& script, const Limits& bounds)
      : session(strata::testing::test_session({}, {.limits = bounds})),
        context(sources),
        extensions(sources, limits, nullptr) {
    if (!script.empty()) add(script);
  }

  void add(const std::string& script) {
    const std::string file = "/x/e" + std::to_string(count_++) + ".lua";
    extensions.add({.kind = {}, .name = {}, .lua = file, .plugin = {}, .origin = {}}, *memory_tree({{file, script}}));
  }
  Registry& registry() {
    if (!opened_) opened_ = extensions.open(session);
    return *opened_;
  }

  Value value(const std::string& json) {
    documents_.push_back(text::read_json(sources, sources.add("v.json", json), limits));
    return documents_.back().root;
  }
  static std::string json(const Value& value) {
    if (!value) return "absent";
    std::string out = text::write_json(value, {.sort_keys = false, .indent = -1});
    out.pop_back();
    return out;
  }
  std::string produce(const std::string& name, const std::string& arguments = {}) {
    return json(registry().producer(name)->produce(context, arguments.empty() ? Value() : value(arguments)));
  }
  std::string call(const std::string& name, const std::string& arguments, const Callable* lambda = nullptr) {
    return json(registry().function(name)->call(context, value(arguments).items(), lambda));
  }

  Session session;
  Sources& sources = session.sources();
  Limits limits = session.limits();  ///< Of scripts and plugins as they are loaded.
  TestContext context;
  Extensions extensions;

 private:
  int count_ = 0;
  std::vector<text::Document> documents_;
  std::unique_ptr<Registry> opened_;
};

/// The whole of the error that something ends with, as people see it.
template <class Work>
std::string failure(Work&& work) {
  try {
    (void)work();
    return "none";
  } catch (const Error& error) {
    return format(error.diagnostic(), "error");
  }
}

}  // namespace strata::bindings::extensions
