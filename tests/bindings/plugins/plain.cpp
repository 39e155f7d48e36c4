// SPDX-License-Identifier: Apache-2.0
// A plugin that offers one of each kind, for tests.
#include "strata/plugin.hpp"

namespace {

using strata::plugin::Context;
using strata::plugin::Value;

struct Sum : strata::plugin::Producer {
  int calls = 0;
  Value produce(Context& context, Value arguments) override {
    ++calls;
    std::int64_t sum = 0;
    const Value numbers = arguments["numbers"];
    for (std::size_t i = 0; i < numbers.size(); ++i) sum += numbers.at(i).as_integer();
    return context.mapping({{"sum", context.integer(sum)},
                            {"calls", context.integer(calls)},
                            {"environment", context.text(context.environment())},
                            {"rack", context.facts()["rack"]},
                            {"line", context.binding()["line"]}});
  }
};

struct Nothing : strata::plugin::Producer {
  Value produce(Context& /*context*/, Value /*arguments*/) override { return {}; }
};

struct Fails : strata::plugin::Producer {
  Value produce(Context& /*context*/, Value arguments) override {
    if (arguments["placed"]) throw strata::plugin::Failure("bad row", "table.csv", 12);
    throw std::runtime_error("no luck");
  }
};

struct Injects : strata::plugin::Producer {
  Value produce(Context& context, Value arguments) override {
    context.warn("careful");
    return context.inject(arguments["type"].as_text(), arguments["name"].as_text());
  }
};

struct Echo : strata::plugin::Function {
  Value call(Context& context, const std::vector<Value>& arguments) override { return context.sequence(arguments); }
};

struct Twice : strata::plugin::Function {
  Value call(Context& context, const std::vector<Value>& arguments) override {
    return context.call_lambda({context.call_lambda({arguments.at(0)})});
  }
};

struct Join : strata::plugin::Combinator {
  Value combine(Context& context, const std::vector<Value>& arguments) override {
    if (arguments.size() == 3)
      return context.sequence({arguments[0], context.boolean(static_cast<bool>(arguments[1])), arguments[2]});
    return context.sequence({arguments.at(0), arguments.at(1)});
  }
};

struct Logger : strata::plugin::RuntimeType {
  Value create(Context& context, Value /*arguments*/) override { return context.text("a logger"); }
};

struct Ldap : strata::plugin::Provider {
  std::vector<strata::plugin::Document> bindings(Context& context,
                                                 const strata::plugin::LayerRequest& request) override {
    std::vector<Value> all;
    for (const std::string& uri : request.include) {
      all.push_back(context.mapping(
          {{"op", context.text("bind")}, {"name", context.text(uri)}, {"value", context.text(request.layer)}}));
    }
    return {{"people", context.sequence(all)}};
  }
};

struct Cmdb : strata::plugin::QueryService {
  Value resources(Context& context, Value query) override {
    return context.sequence({context.mapping({{"type", query["type"]}, {"title", context.text("one")}})});
  }
};

}  // namespace

STRATA_PLUGIN(plugin) {
  plugin.add_producer("Sum", std::make_unique<Sum>(), "Hash", false);
  plugin.add_producer("Nothing", std::make_unique<Nothing>());
  plugin.add_producer("Fails", std::make_unique<Fails>());
  plugin.add_producer("Injects", std::make_unique<Injects>());
  plugin.add_function("echo", std::make_unique<Echo>());
  plugin.add_function("twice", std::make_unique<Twice>());
  plugin.add_combinator("Join", std::make_unique<Join>());
  plugin.add_type("Logger", std::make_unique<Logger>(), "Base");
  plugin.add_provider("ldap", std::make_unique<Ldap>());
  plugin.add_query_service("cmdb", std::make_unique<Cmdb>());
}
