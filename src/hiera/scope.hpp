// The variables that interpolation can name.
#pragma once

#include <string>
#include <string_view>

#include "strata/hiera.hpp"
#include "strata/value.hpp"

namespace strata::hiera {

/// The variables of one node: its facts, each by its own name too, and what Puppet adds. Rule: docs/hiera/lookup.md, "Variables".
class Scope {
 public:
  /// `arena` keeps what is added; the facts must outlive the scope.
  Scope(const Facts& facts, std::string_view environment, Arena& arena);

  /// A variable by the first segment of its name; null pointer where there is none. A leading `::` has no effect.
  [[nodiscard]] const Value* find(std::string_view name) const noexcept;
  /// As find, by the rules of version 3: an empty text is null, and so is what names the class and module that call.
  [[nodiscard]] const Value* find_legacy(std::string_view name) const noexcept;

  /// Until the Local goes, `name` means `value`.
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
  std::string_view local_name_;
  Value local_;
};

}  // namespace strata::hiera
