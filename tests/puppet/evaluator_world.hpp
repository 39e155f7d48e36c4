// SPDX-License-Identifier: Apache-2.0
// Programs of the Puppet language, evaluated.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "puppet/evaluation/evaluator.hpp"
#include "puppet/language/parser.hpp"
#include "ruby/ruby.hpp"
#include "strata/text.hpp"

namespace strata::puppet::testing {

/// One evaluation, with all that its result needs to live.
class Evaluated {
 public:
  struct Options {
    bool strict = false;
    Limits limits = {};
    Functions* functions = nullptr;
    std::string variables =
        R"({"facts": {"os": {"family": "Debian"}, "tags": ["web", "Db"]}, "fqdn": "kermit.example.com", "count": 4, "nothing": null})";
  };

  explicit Evaluated(std::string_view text) : Evaluated(text, Options()) {}
  Evaluated(std::string_view text, const Options& options) : limits_(options.limits) {
    const Value variables =
        arena.deep_copy(text::read_json(sources, sources.add("facts.json", options.variables), {}).root);
    try {
      Parser parser(sources, sources.add("x.pp", std::string(text)), tree, limits_);
      Problems errors;
      const Block* body = parser.program(errors);
      errors.raise();
      for (const Entry& entry : variables.entries()) scope.assign(entry.key.text(), entry.value, entry.key.origin());
      Evaluator evaluator({.sources = sources,
                           .arena = arena,
                           .limits = limits_,
                           .diagnostics = diagnostics,
                           .strict = options.strict,
                           .functions = options.functions});
      value = evaluator.evaluate(*body, scope);
    } catch (const Error& caught) {
      error = caught.diagnostic();
    }
  }

  /// The value as Ruby inspects it; of an error its code, line and column.
  [[nodiscard]] std::string told() const {
    if (error.code.empty()) return ruby::inspect(value);
    return error.code + " " + std::to_string(error.where.place.line.value_or(0)) + ":" +
           std::to_string(error.where.place.column.value_or(0));
  }

 private:
  Limits limits_;

 public:
  Sources sources;
  Arena arena;
  SyntaxTree tree{256};
  Scope scope{nullptr};
  Diagnostics diagnostics;
  Value value;
  Diagnostic error;
};

/// As Evaluated tells it.
inline std::string run(std::string_view text) { return Evaluated(text).told(); }

struct EvaluationCase {
  std::string_view text;
  std::string_view expected;  ///< As `run` returns it.
};

inline void expect_results(std::initializer_list<EvaluationCase> cases) {
  for (const EvaluationCase& one : cases) EXPECT_EQ(run(one.text), one.expected) << one.text;
}

}  // namespace strata::puppet::testing
