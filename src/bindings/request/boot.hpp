// SPDX-License-Identifier: Apache-2.0
// Providers of schemes that `confdir:/boot` binds, before any other document is read.
#pragma once

#include <map>
#include <string>

#include "bindings/request.hpp"
#include "bindings/request/documents.hpp"
#include "bindings/request/evaluation.hpp"

namespace strata::bindings {

/// `bind "people" to Type[MyLdap] in 'bindings_providers'`: the provider MyLdap of an extension handles URIs of the
/// scheme `people`.
class BootProviders {
 public:
  /// Reads the document if it exists. Errors: `bindings.boot` for contributions that are conditional, are not literals,
  /// or do not name a provider.
  BootProviders(const Phase& phase, const Environment& environment, const SchemeProviders& providers);
  /// The given providers and the bound schemes. Valid as long as this object.
  [[nodiscard]] SchemeProviders providers() const;

 private:
  const SchemeProviders& given_;
  std::map<std::string, SchemeProvider*, std::less<>> bound_;
};

}  // namespace strata::bindings
