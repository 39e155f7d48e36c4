// The facts of a node, and the variables that a request begins with.
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

/// What is known of a node. Without facts, an empty mapping.
struct Facts {
  std::shared_ptr<Arena> arena;
  Value values;                                     ///< A mapping.
  Value trusted;                                    ///< The value of `$trusted`, a mapping; absent: the fact of the name.
  std::vector<std::shared_ptr<const void>> owners;  ///< Of `trusted`.
  Facts();

  /// Sets `trusted`: what is `given`, completed as puppet::trusted_of does. `owner` keeps it alive.
  void set_trusted(const Value& given, std::shared_ptr<const void> owner);
};

/// Reads the facts of a node as puppet::read_facts does; `node` may be empty. An empty text is no facts. `shown`: the name for places, which says the
/// format.
[[nodiscard]] Facts read_facts(Sources& sources, std::string_view shown, std::string text, const Limits& limits, std::string_view node = {});

/// What the node is called to servers: `given`, or the certname of `Facts::trusted`, or the first of the facts `trusted.certname`, `clientcert`,
/// `fqdn` and `networking.fqdn` that is a text; empty where nothing says it. The category `node` has a rule of its own.
[[nodiscard]] std::string certname_of(std::string_view given, const Facts& facts);
/// The first of these members that is a text and not empty, `a.b` within one another; empty where there is none.
[[nodiscard]] std::string_view first_text(const Value& facts, std::initializer_list<std::string_view> paths);

/// Variables that are there before anything is evaluated: facts, those of an ENC (which win), `$facts`, `$agent_environment`.
class TopVariables final : public puppet::Variables {
 public:
  /// The values of `facts` outlive it.
  TopVariables(const Facts& facts, const Value& agent_environment);
  /// A further one; `name` outlives it.
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
