// SPDX-License-Identifier: Apache-2.0
// Reads arbitrary bytes as the condition of a query, then a line end, then an inventory. What is pushed down must let
// everything through that matches, by a model of what PuppetDB does with it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "../tests/support/puppetdb_model.hpp"
#include "bindings/queries/inventory.hpp"
#include "bindings/queries/pushdown.hpp"
#include "puppet/evaluation/evaluator.hpp"
#include "puppet/language/parser.hpp"
#include "strata/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace strata;
  using namespace strata::bindings::queries;
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t end = all.find('\n');
  if (end == std::string_view::npos || end > 2000) return 0;
  Limits limits;
  limits.depth = 50;
  limits.input = std::size_t{1} << 16U;
  limits.aliases = 1000;
  limits.steps = 20'000;
  Sources sources;
  Diagnostics diagnostics;
  Arena arena;
  try {
    const auto inventory =
        bindings::queries::read_inventory(sources, sources.add("i.yaml", std::string(all.substr(end + 1))), limits);
    puppet::SyntaxTree tree(end);
    puppet::Parser parser(sources, sources.add("q.pp", "?? " + std::string(all.substr(0, end))), tree, limits);
    puppet::Evaluator evaluator({.sources = sources, .arena = arena, .limits = limits, .diagnostics = diagnostics});
    puppet::Scope scope(nullptr);
    const puppet::Expression& parsed = *parser.expression({.queries = true});
    if (parsed.node != puppet::Node::query) return 0;
    const auto& query = puppet::as<puppet::Query>(parsed);
    if (query.condition == nullptr) return 0;
    const Condition condition = evaluate(*query.condition, scope, evaluator);
    const Value filter = pushed_filter(arena, condition);
    (void)pushed_query({.type = "Sql", .condition = condition, .origin = {}}, "me");
    if (!filter) return 0;
    for (const Resource& resource : inventory->ask({}).all()) {
      if (matches(resource, condition, evaluator) && strata::testing::puppetdb_holds(filter, resource) != true)
        std::abort();
    }
  } catch (const Error& error) {
    if (error.diagnostic().message.empty()) std::abort();
  }
  return 0;
}
