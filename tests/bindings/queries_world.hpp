// SPDX-License-Identifier: Apache-2.0
// Queries written as in bindings documents, answered from an inventory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bindings/queries/inventory.hpp"
#include "bindings/queries/service.hpp"
#include "puppet/evaluation/evaluator.hpp"
#include "puppet/language/parser.hpp"
#include "strata/text.hpp"

namespace strata::bindings::queries {

class World {
 public:
  explicit World(const std::string& inventory = {}, const std::string& own_certname = {},
                 const std::string& file = "nodes.yaml")
      : own_(own_certname) {
    if (!inventory.empty()) service = read_inventory(sources, sources.add(file, inventory), limits);
    open();
  }
  void use(std::unique_ptr<QueryService> other) {
    service = std::move(other);
    open();
  }

  /// The value of an expression, in which queries may stand.
  Value evaluate(const std::string& text) {
    auto tree = std::make_shared<puppet::SyntaxTree>(text.size());
    trees.push_back(tree);
    puppet::Parser parser(sources, sources.add("q.pp", text), *tree, limits);
    puppet::Evaluator evaluator(
        {.sources = sources, .arena = arena, .limits = limits, .diagnostics = diagnostics, .queries = answers.get()});
    puppet::Scope scope(nullptr);
    return evaluator.evaluate(*parser.expression({.queries = true}), scope);
  }

  /// The titles of what a query finds, each followed by a blank.
  std::string titles(const std::string& query) {
    std::string out;
    for (const Value& resource : evaluate(query).items()) out.append(resource.find("title")->text()).append(" ");
    return out;
  }

  /// The code of the error that evaluating ends with, and its message.
  std::string failure(const std::string& text) {
    try {
      (void)evaluate(text);
      return "none";
    } catch (const Error& error) {
      return error.code() + ": " + error.what();
    }
  }

  Sources sources;
  Limits limits;
  Diagnostics diagnostics;
  Arena arena;
  std::vector<std::shared_ptr<puppet::SyntaxTree>> trees;
  std::unique_ptr<QueryService> service;
  std::unique_ptr<Answers> answers;

 private:
  void open() { answers = std::make_unique<Answers>(service.get(), sources, arena, own_); }
  std::string own_;
};

}  // namespace strata::bindings::queries
