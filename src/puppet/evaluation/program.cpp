// SPDX-License-Identifier: Apache-2.0
#include "strata/puppet_program.hpp"

#include "puppet/evaluation/evaluator.hpp"
#include "puppet/language/parser.hpp"

namespace strata::puppet {
struct Program::State {
  State(const Sources& all, std::size_t size) : sources(all), tree(size) {}
  const Sources& sources;
  SyntaxTree tree;
  const Block* body = nullptr;
};

Program Program::parse(const Sources& sources, SourceId source, const Limits& limits) {
  constexpr std::size_t kNodesToText = 4;  // Bytes of nodes a byte of text, about.
  const auto state = std::make_shared<State>(sources, kNodesToText * sources.text(source).size() + 256);
  Parser parser(sources, source, state->tree, limits);
  Problems errors;
  state->body = parser.program(errors);
  errors.raise();
  return Program(state);
}

Value Program::evaluate(const Evaluation& evaluation) const {
  Scope scope(nullptr);
  if (evaluation.variables.is_mapping()) {
    for (const Entry& entry : evaluation.variables.entries()) {
      if (entry.key.is_text()) scope.assign(entry.key.text(), entry.value, entry.key.origin());
    }
  }
  Evaluator evaluator({.sources = state_->sources,
                       .arena = evaluation.arena,
                       .limits = evaluation.limits,
                       .diagnostics = evaluation.diagnostics,
                       .strict = evaluation.strict});
  return evaluator.evaluate(*state_->body, scope);
}

}  // namespace strata::puppet
