// Reads bindings documents.
#pragma once

#include <memory>
#include <string_view>

#include "bindings/model.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"

namespace strata::bindings {

/// Reads one document; what each form needs (6.1) has been checked.
/// `expected_name`: what its path implies, as `m::default`; compared without regard to case, else Error `bindings.name`. Empty: any name.
/// Errors: `puppet.syntax`, `bindings.form`, `bindings.name`, `limit.*`; several of one text are thrown together (Errors).
[[nodiscard]] std::shared_ptr<Document> read_document(const Sources& sources, SourceId source, std::string_view expected_name, const Limits& limits);

}  // namespace strata::bindings
