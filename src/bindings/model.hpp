// A bindings document as it was read: statements in their order, each with the conditions that it stands under.
//
// Made by syntax/ out of texts, and by providers (ENC, extensions) out of data; read by composition/. Views and addresses point into the SyntaxTree.
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

/// `node 'kermit'`: a category and the value that it must have. `when common` leaves no predicate.
struct Predicate {
  std::string_view category;
  const Expression* value;
  Origin origin;
};

/// What stands behind one `when`, as a tree; `always` is `common`.
struct Guard {
  enum class Kind : std::uint8_t { always, is, all, any };
  Kind kind = Kind::always;
  Predicate predicate{};                ///< Of `is`.
  std::span<const Guard* const> parts;  ///< Of `all`, `any`.
};

/// A `when` block: its own condition within that of the block around it.
struct When {
  const Guard* guard;
  const When* outer;  ///< Null at the top.
  Origin origin;
};

/// A typeref. Which type it is is found when the document is composed (types/).
struct TypeReference {
  const Expression* expression = nullptr;  ///< A TypeName, an Access of one, or, where `is_class_name`, a Word; null: none was written.
  bool is_class_name = false;              ///< `class ntp`, or a lower-case bare name: Class[ntp].
  Origin origin;
  explicit operator bool() const noexcept { return expression != nullptr; }
};

struct Key {
  TypeReference type;                ///< None: Data.
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
  const Expression* expression = nullptr;  ///< What is produced. Of `named` (`producer "x"`, `producer Type[X]`): the text or the reference.
  bool is_class_name = false;              ///< `to class ntp2`: `expression` is the Word of a class.
  Origin origin;
};

struct Edge {
  std::span<const TypeReference> sources;
  std::span<const TypeReference> targets;
  bool notifies = false;  ///< `~>`.
  Origin origin;
};

enum class Form : std::uint8_t { bind, multibind, rebind, parameters, variables, map, alias, renamed, dependency, include, exclude };

/// One statement. Which fields count depends on the form; 6.1 is checked by the parser already.
struct Statement {
  Form form = Form::bind;
  const When* when = nullptr;  ///< Null: common.
  Origin origin;               ///< Of its first word.
  bool is_abstract = false;
  bool is_override = false;
  Key key{};  ///< bind, multibind, rebind; the source of alias and renamed. parameters: `type` alone. map: the left type. variables: `type` if given.
  Key target{};                              ///< alias, renamed: behind `as`. map: `type` is the right one.
  const Expression* id = nullptr;            ///< bind: behind `in`, which makes it a contribution. multibind: behind `as`.
  Producer producer{};                       ///< variables: the hash, or the names where abstract. map `[a, b]`: the list.
  std::span<const Option> options;           ///< map `{ a => b }`: its entries.
  std::span<const Edge> edges;               ///< dependency, already pairwise along the chain.
  std::span<const Expression* const> names;  ///< include, exclude: Words or texts.
};

struct Plan;      // composition/plan.hpp
struct Prepared;  // composition/prepared.hpp

/// What composition/ has made of a document. It lives as long as the document: all Snapshots that have the document share it.
struct CompositionMemory {
  std::timed_mutex mutex;  ///< Of all below, for as long as the document is prepared.
  std::shared_ptr<const Prepared> prepared;
  std::vector<std::weak_ptr<const Plan>> plans;  ///< Some that the document is in, the latest first.
};

/// One document of one layer. It stays where it is: what is made of it points at its statements.
struct Document {
  std::string name;   ///< `m::default`, lower case.
  std::string title;  ///< As messages and provenance name it: the name, or `enc`, or what a provider says.
  std::shared_ptr<const puppet::SyntaxTree> tree;
  std::vector<Statement> statements;  ///< In the order of the text, those of `when` blocks in place.
  Origin origin;
  /// All of it stands in the node category, with no condition asked (the ENC layer, 8.4).
  bool in_node_category = false;
  const std::unique_ptr<CompositionMemory> memory = std::make_unique<CompositionMemory>();
};

}  // namespace strata::bindings
