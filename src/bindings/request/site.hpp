// SPDX-License-Identifier: Apache-2.0
// The contents of site.pp: categories with their values, layers with their URIs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bindings/request.hpp"
#include "bindings/request/evaluation.hpp"
#include "bindings/request/uri.hpp"
#include "bindings/syntax/site.hpp"

namespace strata::bindings {

/// A layer as it is declared.
struct LayerDeclaration {
  std::string name;
  std::vector<Uri> include;
  std::vector<Uri> exclude;
  Origin origin;
};

struct Site {
  std::vector<Category> categories;
  std::vector<LayerDeclaration> layers;
};

/// Evaluates the items of site.pp in `scope`, which already has `$environment` and related variables. `file`: null if
/// there is no manifest. Errors: `category.*`, `layer.*`, `puppet.*`, `bindings.no-injection`. Several are thrown
/// together (Errors).
[[nodiscard]] Site evaluate_site(const Phase& phase, const SiteFile* file, const Environment& environment,
                                 puppet::Scope& scope);

}  // namespace strata::bindings
