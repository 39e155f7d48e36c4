// SPDX-License-Identifier: Apache-2.0
// `bindings check`: evaluates everything, and checks what other facts could cause.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "bindings/injector/references.hpp"

namespace strata::bindings {

class Lookup;
class StatementLists;

/// The layers of a request with the titles of their documents and sources.
[[nodiscard]] std::vector<Findings::Layer> list_layers(const Request& request);

/// Checks all bindings of a request.
class Checker {
 public:
  Checker(const Request& request, Composition& composition, Expressions& expressions, References& references,
          Lookup& lookup, StatementLists& lists)
      : request_(request),
        composition_(composition),
        sources_(expressions.sources()),
        expressions_(expressions),
        references_(references),
        lookup_(lookup),
        lists_(lists) {}

  /// As Injector::check.
  [[nodiscard]] Findings check();

 private:
  using Candidates = std::unordered_set<const Candidate*>;
  using Warn = std::function<void(std::string_view code, std::string message, Origin origin)>;
  [[nodiscard]] Candidates check_static(Findings& out);
  void static_conflict(std::uint32_t key, const Candidate& first, const Candidate& second, bool settled, Findings& out);
  void warn_of_key(std::uint32_t key, const Warn& warn, const Candidates& told, std::set<std::string_view>& ids);
  void warn_of_statements(const Candidates& told, Findings& out);

  const Request& request_;
  Composition& composition_;
  const Sources& sources_;
  Expressions& expressions_;
  References& references_;
  Lookup& lookup_;
  StatementLists& lists_;
};

}  // namespace strata::bindings
