// From URIs to documents.
#pragma once

#include <vector>

#include "bindings/request.hpp"
#include "bindings/request/documents.hpp"
#include "bindings/request/evaluation.hpp"
#include "bindings/request/site.hpp"

namespace strata::bindings {

/// Loads everything that the layers name. `request`: as it is so far, for providers; what they and the ENC make is kept by it.
/// Errors: `layer.uri`, `layer.scheme`, `layer.missing`, those of documents and providers; several are thrown together (Errors).
[[nodiscard]] std::vector<Layer> load_layers(const Phase& phase, const std::vector<LayerDeclaration>& declared, const Request& request,
                                             const SchemeProviders& providers);

}  // namespace strata::bindings
