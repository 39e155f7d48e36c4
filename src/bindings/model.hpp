// SPDX-License-Identifier: Apache-2.0
// A parsed bindings document: statements in order, each with its conditions.
//
// Made by syntax/ from texts, and by providers (ENC, extensions) from data. Read by composition/. Views and addresses
// point into the SyntaxTree.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "puppet/language/ast.hpp"
#include "strata/value.hpp"

namespace strata::bindings {

using puppet::Expression;

/// `node 'kermit'`: a category and its required value. `when common` has no predicate.
struct Predicate {
  std::string_view category;
  const Expression* value;
  Origin origin;
};

/// The condition of one `when`, as a tree. `always` is `common`.
struct Guard {
  enum class Kind : std::uint8_t { always, is, all, any };
  Kind kind = Kind::always;
  Predicate predicate{};                ///< For `is`.
  std::span<const Guard* const> parts;  ///< For `all` and `any`.
};

/// A `when` block: its own condition, inside the block around it.
struct When {
  const Guard* guard;
  const When* outer;  ///< Null at the top.
  Origin origin;
};

/// A typeref. Composition resolves its type (types/).
struct TypeReference {
  /// A TypeName, an Access of one, or, if `is_class_name`, a Word. Null: none was written.
  const Expression* expression = nullptr;
  bool is_class_name = false;  ///< `class ntp`, or a bare lower-case name: Class[ntp].
  Origin origin;
  explicit operator bool() const noexcept { return expression != nullptr; }
};

struct Key {
  TypeReference type;                ///< Null expression: Data.
  const Expression* name = nullptr;  ///< A Literal or an Interpolation; null: anonymous.
  Origin origin;
};

struct Option {
  std::string_view name;
  const Expression* value;  ///< May be a Lambda.
  Origin origin;
};

struct Producer {
  enum class Kind : std::uint8_t { none, expression, named };
  Kind kind = Kind::none;
  bool is_optional = false;
  /// The produced value. For `named` (`producer "x"`, `producer Type[X]`): the text or the reference.
  const Expression* expression = nullptr;
  bool is_class_name = false;  ///< `to class ntp2`: `expression` is the Word of a class.
  Origin origin;
};

struct Edge {
  std::span<const TypeReference> sources;
  std::span<const TypeReference> targets;
  bool notifies = false;  ///< `~>`.
  Origin origin;
};

enum class Form : std::uint8_t {
  bind,
  multibind,
  rebind,
  parameters,
  variables,
  map,
  alias,
  renamed,
  dependency,
  include,
  exclude
};

/// One statement. The form decides which members are used. The parser has already checked 6.1.
struct Statement {
  Form form = Form::bind;
  const When* when = nullptr;  ///< Null: common.
  Origin origin;               ///< Its first word.
  bool is_abstract = false;
  bool is_override = false;
  /// bind, multibind, rebind; the source of alias and renamed. parameters: only `type`. map: the left type. variables:
  /// `type` if given.
  Key key{};
  Key target{};  ///< alias, renamed: after `as`. map: `type` is the right type.
  /// bind: after `in`, which makes it a contribution. multibind: after `as`.
  const Expression* id = nullptr;
  /// variables: the hash, or the names if abstract. map `[a, b]`: the list.
  Producer producer{};
  std::span<const Option> options;           ///< map `{ a => b }`: its entries.
  std::span<const Edge> edges;               ///< dependency, as pairs along the chain.
  std::span<const Expression* const> names;  ///< include, exclude: Words or texts.
};

struct Plan;      // composition/plan.hpp
struct Prepared;  // composition/prepared.hpp

/// Results of composition/ for a document. They live as long as the document: all Snapshots with the document share
/// them.
struct CompositionMemory {
  std::timed_mutex mutex;  ///< Guards everything below, while the document is being prepared.
  std::shared_ptr<const Prepared> prepared;
  std::vector<std::weak_ptr<const Plan>> plans;  ///< Some plans with the document, latest first.
};

/// One document of one layer. It has a fixed address: composition refers to its statements.
struct Document {
  std::string name;  ///< `m::default`, lower case.
  /// The name in messages and provenance: the document's name, or `enc`, or the name given by a provider.
  std::string title;
  std::shared_ptr<const puppet::SyntaxTree> tree;
  std::vector<Statement> statements;  ///< In the order of the text, with those of `when` blocks in place.
  Origin origin;
  /// The whole document is in the node category, without conditions (the ENC layer, 8.4).
  bool in_node_category = false;
  const std::unique_ptr<CompositionMemory> memory = std::make_unique<CompositionMemory>();
};

}  // namespace strata::bindings
