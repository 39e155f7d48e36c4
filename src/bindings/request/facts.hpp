// SPDX-License-Identifier: Apache-2.0
// The facts of a node, and the initial variables of a request.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "puppet/evaluation/evaluator.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/value.hpp"
#include "value/seeded_hash.hpp"

namespace strata::bindings {

/// The data of a node. Without facts, an empty mapping.
struct Facts {
  std::shared_ptr<Arena> arena;
  Value values;   ///< A mapping.
  Value trusted;  ///< The value of `$trusted`, a mapping. Absent: the fact with this name.
  std::vector<std::shared_ptr<const void>> owners;  ///< For `trusted`.
  Facts();

  /// Sets `trusted` to `given`, completed by puppet::trusted_of. `owner` keeps it alive.
  void set_trusted(const Value& given, std::shared_ptr<const void> owner);
};

/// Reads the facts of a node as puppet::read_facts does; `node` may be empty. An empty text has no facts. `shown`: the
/// name in places, which decides the format.
[[nodiscard]] Facts read_facts(Sources& sources, std::string_view shown, std::string text, const Limits& limits,
                               std::string_view node = {});

/// The node's name for servers: `given`, or the certname of `Facts::trusted`, or the first of the facts
/// `trusted.certname`, `clientcert`, `fqdn` and `networking.fqdn` that is a text. Empty if there is none. The category
/// `node` has its own rule.
[[nodiscard]] std::string certname_of(std::string_view given, const Facts& facts);
/// The first of these members that is a non-empty text; `a.b` is a nested member. Empty if there is none.
[[nodiscard]] std::string_view first_text(const Value& facts, std::initializer_list<std::string_view> paths);

/// Variables that exist before anything is evaluated: facts, those of an ENC (which override facts), `$facts`,
/// `$agent_environment`.
class TopVariables final : public puppet::Variables {
 public:
  /// The values of `facts` must outlive it.
  TopVariables(const Facts& facts, const Value& agent_environment);
  /// Adds a variable. `name` must outlive it.
  void set(std::string_view name, const Value& value) { values_[name] = value; }
  [[nodiscard]] Value find(std::string_view name, puppet::Evaluator& evaluator) override;
  [[nodiscard]] std::vector<std::string> names() const override;
  /// Assigns all of them in a scope.
  void assign_to(puppet::Scope& scope) const;
  [[nodiscard]] bool has(std::string_view name) const { return values_.contains(name); }

 private:
  TextViewMap<Value> values_;
};

}  // namespace strata::bindings
