// Programs in the Puppet language: expressions that give a value. docs/bindings/language.md has what of the language there is.
//
//     Sources sources;
//     const SourceId text = sources.add("rule.pp", "$facts['os']['family'] ? { 'Debian' => 'apt', default => 'yum' }");
//     const puppet::Program program = puppet::Program::parse(sources, text);
//     Arena arena;
//     Diagnostics warnings;
//     const Value value = program.evaluate({.arena = arena, .diagnostics = warnings, .variables = facts});
#pragma once

#include <memory>

#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/origin.hpp"
#include "strata/value.hpp"

namespace strata::puppet {

/// What one evaluation works with.
struct Evaluation {
  Arena& arena;              ///< Where the result is made.
  Diagnostics& diagnostics;  ///< Gets warnings: unknown variables, texts used as numbers, `notice(…)`.
  Value variables = {};      ///< A mapping: its members are variables of top scope. Absent: there are none.
  Limits limits = {};        ///< `steps`, `depth`, `result` and `input` count.
  bool strict = false;       ///< Unknown variables and repeated keys of a hash are errors.
};

/// A text of the language, parsed. Immutable and cheap to copy; copies share one tree, and may be evaluated by several threads at once.
class Program {
 public:
  /// `sources` must outlive the program. Errors: `puppet.syntax` (all of them at once, as Errors), `limit.input`, `limit.depth`.
  [[nodiscard]] static Program parse(const Sources& sources, SourceId source, const Limits& limits = {});

  /// The value of the last statement; undef (null) where there is none. It lives as long as the program (or a copy of it), the arena and the
  /// variables: parts of them are shared. A value may be or hold an Object: a type, a regular expression.
  /// Errors: `puppet.*` with the place of the expression, `limit.*`. Cost: some ten nanoseconds a node.
  [[nodiscard]] Value evaluate(const Evaluation& evaluation) const;

 private:
  struct State;
  explicit Program(std::shared_ptr<const State> state) noexcept : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

}  // namespace strata::puppet
