// SPDX-License-Identifier: Apache-2.0
// Parses bindings documents.
#pragma once

#include <memory>
#include <string_view>

#include "bindings/model.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"

namespace strata::bindings {

/// Parses one document and checks the requirements of each form (6.1).
/// `expected_name`: the name that its path implies, such as `m::default`. Compared without case; Error `bindings.name`
/// if it differs. Empty: any name. Messages show no line of a text in which the value of a `Sensitive(…)` is written
/// out. Errors: `puppet.syntax`, `bindings.form`, `bindings.name`, `limit.*`. Several errors in one text are thrown
/// together (Errors).
[[nodiscard]] std::shared_ptr<Document> read_document(Sources& sources, SourceId source, std::string_view expected_name,
                                                      const Limits& limits);

}  // namespace strata::bindings
