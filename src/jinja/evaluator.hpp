// SPDX-License-Identifier: Apache-2.0
// Runs a parsed template.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "jinja/ast.hpp"
#include "jinja/runtime.hpp"
#include "strata/value.hpp"
#include "value/seeded_hash.hpp"

namespace strata::jinja {

/// Each level needs well under 4 KiB of stack, also in instrumented builds.
inline constexpr std::size_t kMaxEvaluationDepth = 1000;

/// Converts a value of instance data for templates.
[[nodiscard]] Datum from_value(Runtime& runtime, const Value& value);

/// Assigned names, and the enclosing scope.
struct Scope : Object {
  Scope* parent = nullptr;
  TextViewMap<Datum> names;  ///< The keys live in the syntax tree.
  bool is_captured = false;  ///< A macro still needs it.
};

/// Text that is being written, with its origins if they are needed.
struct Output {
  std::string text;
  std::vector<Segment>* segments = nullptr;
};

class Evaluator {
 public:
  Evaluator(const TemplateText& source, const Value& variables, const Limits& limits)
      : source_(source), variables_(variables), runtime_(source, limits) {}

  void run(const Body& body, Output& output);
  [[nodiscard]] const Runtime& runtime() const noexcept { return runtime_; }

 private:
  // evaluator.cpp
  Datum evaluate(const Expression& node, Scope& scope);
  Datum evaluate_name(const Expression& node, Scope& scope);
  Datum evaluate_dict(const Expression& node, Scope& scope);
  Datum evaluate_calculation(const Expression& node, Scope& scope);
  Datum evaluate_comparison(const Expression& node, Scope& scope);
  Datum evaluate_concatenation(const Expression& node, Scope& scope);
  Datum evaluate_conditional(const Expression& node, Scope& scope);
  Datum evaluate_attribute(const Expression& node, Scope& scope);
  Datum evaluate_item(const Expression& node, Scope& scope);
  Datum evaluate_slice(const Expression& node, Scope& scope);
  Datum evaluate_call(const Expression& node, Scope& scope, const Datum* caller = nullptr);
  Datum evaluate_filter(const Expression& node, Scope& scope, const Datum* block = nullptr);
  Datum evaluate_test(const Expression& node, Scope& scope);
  std::vector<Datum> evaluate_all(const std::vector<ExpressionPtr>& nodes, Scope& scope);
  Arguments evaluate_arguments(const CallArguments& nodes, Scope& scope);
  Datum lookup(const std::string& name, Scope& scope);
  std::optional<Datum> global(std::string_view name);

  // statements.cpp
  void execute(const Body& body, Scope& scope, Output& output);
  void execute(const Statement& statement, Scope& scope, Output& output);
  void write_text(const Statement& statement, Output& output);
  void write(const Datum& datum, const Statement& statement, Output& output);
  void execute_branch(const Statement& statement, Scope& scope, Output& output);
  void execute_loop(const Statement& statement, const Datum& iterable, Scope& scope, std::size_t depth, Output& output);
  void execute_scope(const Statement& statement, Scope& scope, Output& output);
  void execute_call(const Statement& statement, Scope& scope, Output& output);
  Datum capture(const Body& body, Scope& scope);
  Datum capture_filtered(const Statement& statement, Scope& scope);
  Datum only_matching(const Statement& statement, const Datum& iterable, Scope& scope);
  Datum make_macro(const Statement& statement, Scope& scope);
  Datum call_macro(const Statement& statement, Scope& definition, Arguments& arguments);
  void assign(const Target& target, const Datum& value, Scope& scope);
  Scope* new_scope(Scope* parent);

  const TemplateText& source_;
  const Value& variables_;
  Runtime runtime_;
  TextMap<Datum> loaded_;  ///< Variables and globals that were used.
  std::size_t depth_ = 0;
};

}  // namespace strata::jinja
