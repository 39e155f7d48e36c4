// SPDX-License-Identifier: Apache-2.0
// The syntax tree of a template.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "jinja/operations.hpp"

namespace strata::jinja {

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

/// The arguments of a call, a filter or a test.
struct CallArguments {
  std::vector<ExpressionPtr> positional;
  std::vector<std::pair<std::string, ExpressionPtr>> named;
  ExpressionPtr rest;        ///< `*rest`; may be null.
  ExpressionPtr named_rest;  ///< `**named_rest`; may be null.
};

struct Expression {
  enum class Kind : std::uint8_t {
    none,
    boolean,
    integer,
    floating,
    text,       ///< `text` is the value.
    name,       ///< `text`.
    list,       ///< `items`.
    tuple,      ///< `items`.
    dict,       ///< `items`: key, value, key, value, …
    attribute,  ///< `items[0]`.`text`.
    item,       ///< `items[0]`[`items[1]`].
    slice,      ///< `items[0]`[`items[1]`:`items[2]`:`items[3]`]; unset bounds are null.
    call,       ///< `items[0]`(`arguments`).
    filter,     ///< `items[0]`|`text`(`arguments`); `items[0]` is null if a block is filtered.
    test,       ///< `items[0]` is `text`(`arguments`).
    calculate,  ///< `items[0]` `operation` `items[1]`.
    negative,
    positive,
    logical_not,
    logical_and,
    logical_or,
    compare,      ///< `items[0]` `comparisons[0]` `items[1]` `comparisons[1]` …
    concatenate,  ///< The texts of `items`.
    conditional,  ///< `items[0]` if `items[1]` else `items[2]`, which may be null.
  };

  Kind kind = Kind::none;
  Operator operation = Operator::add;
  std::uint16_t depth = 1;  ///< Height of the tree below.
  std::uint32_t at = 0;     ///< Byte in the template.
  union {
    std::int64_t integer = 0;
    double floating;
  };
  std::string text;
  std::vector<ExpressionPtr> items;
  std::vector<Comparison> comparisons;
  CallArguments arguments;
};

struct Parameter {
  std::string name;
  ExpressionPtr standard;  ///< The default; may be null.
};

/// The target of an assignment: a name, a member of a namespace, or a tuple of targets.
struct Target {
  std::uint32_t at = 0;
  std::string name;
  std::string member;  ///< For a namespace. Empty otherwise.
  bool is_tuple = false;
  std::vector<Target> items;
};

struct Statement {
  enum class Kind : std::uint8_t {
    text,    ///< Bytes [`at`, `end`) of the template.
    output,  ///< `expressions`.
    branch,  ///< if: `expressions[i]` chooses `bodies[i]`; one more body is the else.
    loop,    ///< for: `targets[0]`, `expressions[0]`; `expressions[1]` filters if there; `bodies[0]`, else `bodies[1]`.
    assign,  ///< set: `targets[0]`, `expressions[0]`.
    capture,   ///< block set: `targets[0]`, `bodies[0]`; `expressions[0]` filters if there.
    scope,     ///< with: `targets[i]` is `expressions[i]` in `bodies[0]`.
    filter,    ///< filter block: `expressions[0]`, `bodies[0]`.
    macro,     ///< `name`, `parameters`, `bodies[0]`.
    call,      ///< call block: `expressions[0]`, `parameters`, `bodies[0]`.
    evaluate,  ///< do: `expressions[0]`.
  };

  Kind kind = Kind::text;
  std::uint32_t at = 0;
  std::uint32_t end = 0;
  std::string name;
  bool is_recursive = false;                                            ///< For a for.
  bool uses_varargs = false, uses_kwargs = false, uses_caller = false;  ///< For a macro: names that its body uses.
  std::vector<Target> targets;
  std::vector<ExpressionPtr> expressions;
  std::vector<Parameter> parameters;
  std::vector<std::vector<Statement>> bodies;
};

using Body = std::vector<Statement>;

}  // namespace strata::jinja
