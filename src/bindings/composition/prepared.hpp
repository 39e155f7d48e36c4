// SPDX-License-Identifier: Apache-2.0
// A document prepared for composition: everything that does not depend on the node is done once for all nodes.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bindings/composition/guards.hpp"
#include "bindings/composition/key_table.hpp"
#include "bindings/model.hpp"
#include "bindings/types/type_reader.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "value/seeded_hash.hpp"

namespace strata::bindings {

/// The form of a producer.
enum class ProducerForm : std::uint8_t {
  none,
  constant,    ///< Consists of literals.
  expression,  ///< Evaluated.
  type,        ///< A type as a value: `Type[X]`, `class ntp2`, `MyBetter`.
  reference,   ///< `Sql['one']`: a resource.
  query,       ///< `Sql[?? …]`.
  named,       ///< `producer "x"`: of an extension.
};
[[nodiscard]] ProducerForm form_of(const Producer& producer) noexcept;

/// A binding of a key: a statement, or one member of its hash.
struct Binding {
  static constexpr std::uint32_t kWhole = UINT32_MAX;
  static constexpr std::uint32_t kReady = UINT32_MAX / 2;  ///< From here on: a value that only the node knows.

  const Statement* statement = nullptr;
  std::string_view name;        ///< Of the key. Empty: anonymous.
  std::uint32_t hash = 0;       ///< Of the key.
  std::uint32_t type_part = 0;  ///< Of the key. 0: Data; otherwise a type of the document.
  /// The required type of values. 0: Data, which is not checked for constants.
  std::uint32_t declared = 0;
  std::uint32_t guard = Guards::kCommon;
  std::uint32_t member = kWhole;  ///< parameters, variables: the entry of the hash.
  bool is_abstract = false;
  bool is_override = false;
};

/// `bind … in 'id'`.
struct ContributionStatement {
  const Statement* statement = nullptr;
  std::string_view id;
  std::string_view name;  ///< Empty: none.
  std::uint32_t declared = 0;
  std::uint32_t guard = Guards::kCommon;
};

/// A document, or the results of its non-constant statements on one node. Immutable once it is made.
struct Prepared {
  const Document* document = nullptr;
  Guards guards;
  std::vector<Binding> bindings;
  std::vector<ContributionStatement> contributions;
  /// Includes, excludes, and contributions to their lists: (statement, guard), in order.
  struct Placed {
    const Statement* statement;
    std::uint32_t guard;
  };
  std::vector<Placed> classes;
  std::vector<Placed> edges;
  /// Statements that only a node can evaluate: names, types or hashes that are not constant, and parameters of objects.
  std::vector<Placed> open;
  std::vector<TypeRef> types{nullptr};      ///< Number 0: Data, not written.
  std::vector<std::string> type_texts{""};  ///< As parts of keys.
  std::vector<Diagnostic> errors;           ///< At most 20.
  std::vector<Diagnostic> repeated;         ///< Duplicate keys of hashes: warnings, errors if strict.
  /// `Type[X]` as a value, as a combinator, or after `producer`: an extension must have it.
  struct Needed {
    enum class As : std::uint8_t { value, combinator, producer };
    std::string name;
    Origin origin;
    As as;
  };
  std::vector<Needed> needed;
  struct SourceKey {
    std::uint32_t type_part;
    std::string_view name;
  };
  std::unordered_map<const Statement*, SourceKey> sources;  ///< For alias and renamed: their targets.

  // Referenced from above.
  std::deque<std::string> texts;
  Arena values;
};

/// The key of a binding.
[[nodiscard]] inline KeyText key_text(const Prepared& prepared, const Binding& binding) noexcept {
  return {prepared.type_texts[binding.type_part], binding.name};
}
/// Adds a type to a document. Equal types may have several numbers.
[[nodiscard]] std::uint32_t add_type(Prepared& prepared, TypeRef type);
/// The number of the type part of a key: 0 for names in the Data namespace.
[[nodiscard]] std::uint32_t key_part(const Prepared& prepared, std::uint32_t declared, std::string_view name);
/// The hash of a key.
[[nodiscard]] std::uint32_t key_hash(std::string_view type_part, std::string_view name) noexcept;

/// Evaluates with a node's values. Null while a document is prepared for all nodes.
using Resolve = std::function<Value(const Expression&)>;

/// Converts statements to a Prepared. With `resolve`, non-constant parts are evaluated; without it, they are deferred
/// (Prepared::open).
class Preparer {
 public:
  Preparer(Prepared& out, const Sources& sources, const Limits& limits, Resolve resolve = {});

  /// Adds one statement, with a guard of `out`. Throws its errors.
  void add(const Statement& statement, std::uint32_t guard);

 private:
  void defer(const Statement& statement, std::uint32_t guard, std::optional<std::uint32_t> declared);
  std::optional<std::string_view> text_of(const Expression& expression, std::string_view what);
  std::optional<std::uint32_t> type_of(const TypeReference& reference);
  std::string_view checked_name(std::string_view name, Origin origin);
  std::string_view keep(std::string text);
  void push(Binding binding);
  void record(const Error& error);
  void need(const Statement& statement);
  void options(const Statement& statement, const Type* declared);

  void bind(const Statement& statement, std::uint32_t guard);
  void contribution(const Statement& statement, std::uint32_t guard);
  void other_name(const Statement& statement, std::uint32_t guard);
  void parameters(const Statement& statement, std::uint32_t guard);
  void variables(const Statement& statement, std::uint32_t guard);
  void abstract_variables(const Statement& statement, std::uint32_t guard, std::uint32_t declared);
  void map(const Statement& statement, std::uint32_t guard);
  void members(const Statement& statement, const Binding& like,
               const std::function<std::string(std::string_view, Origin)>& key);
  using Describe = std::function<std::string()>;
  void check_constant(const Statement& statement, std::uint32_t declared, const Expression& expression,
                      const Describe& what);
  void check_value(const Statement& statement, std::uint32_t declared, const Value& value, Origin origin,
                   const Describe& what);

  Prepared& out_;
  const Sources& sources_;
  const Limits& limits_;
  const Resolve resolve_;
  TextViewMap<std::uint32_t> plain_types_;  ///< By name, for types that are only a name.
};

/// Prepares a document. Its errors are in `errors`.
[[nodiscard]] std::shared_ptr<const Prepared> prepare(const Document& document, const Sources& sources,
                                                      const Limits& limits);

/// Checks names, forms and constants of a statement's options. Errors: `bindings.option`.
void check_options(const Sources& sources, const Statement& statement, const Type* declared);
/// An option by name. Null if it is not given.
[[nodiscard]] const Option* find_option(const Statement& statement, std::string_view name) noexcept;

/// The members of a hash that a statement binds: from a literal, or from its value. Entry `member` of either.
struct Member {
  Value key;
  const Expression* expression = nullptr;  ///< Null: `value` is set.
  Value value;
};
[[nodiscard]] Member member_of(const Statement& statement, std::uint32_t member);

/// The key of a variable, without a leading `::`. Error `bindings.variable` for an invalid name.
[[nodiscard]] std::string variable_key(const Sources& sources, std::string_view name, Origin origin);

/// The error for a duplicate key in a hash whose members are bound, in the evaluator's words: a warning, an error if
/// strict.
[[nodiscard]] Error repeated_key(const Sources& sources, std::string_view name, Origin again, Origin first);

/// An error of an expression that is evaluated during composition, with its statement.
[[nodiscard]] Error for_statement(const Sources& sources, const Error& error, const Statement& statement);

/// For messages: `bind`, `multibind`, `bind parameters`, ….
[[nodiscard]] std::string_view form_name(const Statement& statement) noexcept;

}  // namespace strata::bindings
