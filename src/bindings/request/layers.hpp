// SPDX-License-Identifier: Apache-2.0
// Converts URIs to documents.
#pragma once

#include <vector>

#include "bindings/request.hpp"
#include "bindings/request/documents.hpp"
#include "bindings/request/evaluation.hpp"
#include "bindings/request/site.hpp"

namespace strata::bindings {

/// Loads everything that the layers name. `request`: its present state, for providers; it keeps the results of
/// providers and of the ENC. Errors: `layer.uri`, `layer.scheme`, `layer.missing`, those of documents and providers.
/// Several are thrown together (Errors).
[[nodiscard]] std::vector<Layer> load_layers(const Phase& phase, const std::vector<LayerDeclaration>& declared,
                                             const Request& request, const SchemeProviders& providers);

}  // namespace strata::bindings
