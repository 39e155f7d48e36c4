// SPDX-License-Identifier: Apache-2.0
// What strata itself makes injectors of: a request, and what answers it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/request.hpp"
#include "strata/bindings.hpp"

namespace strata::bindings {

class QueryService;  // queries/service.hpp
class Registry;      // extensions/registry.hpp

/// What an injector may use besides its request. Every pointer may be null; what it points to must outlive the
/// injector.
struct Services {
  QueryService* queries = nullptr;         ///< Resources for queries and references. Null: "no query service".
  Registry* extensions = nullptr;          ///< Producers, combinators, types and functions that extensions declare.
  puppet::Functions* functions = nullptr;  ///< More functions for expressions (`lookup`).
  /// The parameter names of a class or a defined type, for maps. No value: unknown.
  std::function<std::optional<std::vector<std::string>>(const std::string& type_name)> parameter_names = {};
  /// Reads `MODULE/PATH` for `file(…)`.
  std::function<std::optional<std::string>(std::string_view)> module_file = {};
  bool strict = false;     ///< Unknown variables and duplicate keys in a hash literal are errors.
  Usage* usage = nullptr;  ///< Learns which statements count.
};

/// Errors: as the constructor of Injector. `session` must outlive the injector.
[[nodiscard]] std::unique_ptr<Injector> make_injector(Preparations& shared, std::shared_ptr<const Request> request,
                                                      const Services& services, Session& session);
/// As `check` of strata/bindings.hpp.
[[nodiscard]] Findings check(Preparations& shared, std::shared_ptr<const Request> request, const Services& services,
                             Session& session);

}  // namespace strata::bindings
