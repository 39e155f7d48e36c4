// SPDX-License-Identifier: Apache-2.0
// The variables of interpolation.
#pragma once

#include <string>
#include <string_view>

#include "strata/hiera.hpp"
#include "strata/value.hpp"

namespace strata::hiera {

/// The variables of one node: its facts, each also by its own name, and Puppet's additions. Rule: docs/hiera/lookup.md,
/// "Variables".
class Scope {
 public:
  /// What variables come from besides the facts of the node.
  struct Surroundings {
    std::string_view environment;
    std::string_view codedir = {};  ///< Empty: there is none.
    Compat compat;
    const ServerFacts* server_facts;  ///< Null: unknown.
  };
  /// `arena` keeps the additions. Facts and server facts must outlive the scope.
  Scope(const Facts& facts, const Surroundings& surroundings, Arena& arena);

  /// A variable by the first segment of its name. Null if there is none. A leading `::` passes over a Local, and has no
  /// other effect.
  [[nodiscard]] const Value* find(std::string_view name) const noexcept;
  /// As find, by the rules of version 3: an empty text is null, and so are the names of the calling class and module.
  [[nodiscard]] const Value* find_legacy(std::string_view name) const noexcept;

  /// Whether a name is that of a fact or of a variable of the node.
  [[nodiscard]] bool has_fact(std::string_view name) const noexcept {
    return facts_.find(name) != nullptr || variables_.find(name) != nullptr;
  }
  /// The variable, with its members, that a name with a typing error probably means: `facts.os.famly` is near to
  /// `facts.os.family`. Empty if no name is similar. Cost: one comparison per name.
  [[nodiscard]] std::string nearest(std::string_view name) const;
  /// The same if the names differ by one letter of a word; else empty.
  [[nodiscard]] std::string misspelt(std::string_view name) const;

  /// While a Local exists, `name` has the value `value`.
  class Local {
   public:
    Local(Scope& scope, std::string_view name, const Value& value) : scope_(scope) {
      scope.local_name_ = name;
      scope.local_ = value;
    }
    ~Local() { scope_.local_ = Value(); }
    Local(const Local&) = delete;
    Local& operator=(const Local&) = delete;

   private:
    Scope& scope_;
  };

 private:
  Value facts_;
  Value variables_;
  Value added_;
  Value server_variables_;
  std::string_view local_name_;
  Value local_;
};

/// Whether OpenVox knows a variable of this name about each server.
[[nodiscard]] bool is_server_fact(std::string_view name) noexcept;

}  // namespace strata::hiera
