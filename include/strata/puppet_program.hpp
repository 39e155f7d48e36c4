// SPDX-License-Identifier: Apache-2.0
// Programs in the Puppet language: expressions that give a value. docs/bindings/language.md describes the supported
// part of the language.
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

/// The context of one evaluation.
struct Evaluation {
  Arena& arena;              ///< The result is made here.
  Diagnostics& diagnostics;  ///< Receives warnings: unknown variables, texts used as numbers, `notice(…)`.
  Value variables = {};      ///< A mapping: its members are top-scope variables. Absent: none.
  Limits limits = {};        ///< `steps`, `depth`, `result` and `input` apply.
  bool strict = false;       ///< Unknown variables and duplicate keys in a hash are errors.
};

/// A parsed program. Immutable and cheap to copy: copies share one tree. Several threads may evaluate it at once.
class Program {
 public:
  /// `sources` must outlive the program. Errors: `puppet.syntax` (all of them together, as Errors), `limit.input`,
  /// `limit.depth`.
  [[nodiscard]] static Program parse(const Sources& sources, SourceId source, const Limits& limits = {});

  /// The value of the last statement; undef (null) if there is none. Its parts are shared: it lives as long as the
  /// program (or a copy of it), the arena and the variables. A value may be or contain an Object: a type, a regular
  /// expression. Errors: `puppet.*` with the place of the expression, `limit.*`. Cost: about ten nanoseconds per node.
  [[nodiscard]] Value evaluate(const Evaluation& evaluation) const;

 private:
  struct State;
  explicit Program(std::shared_ptr<const State> state) noexcept : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

}  // namespace strata::puppet
