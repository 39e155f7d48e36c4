// SPDX-License-Identifier: Apache-2.0
// What a template must look like besides its parameters, as far as it is known without resources.
#pragma once

#include <string>
#include <string_view>

#include "heat/template.hpp"
#include "strata/heat.hpp"

namespace strata::service::stacks {

/// The name of the template that implements a type. Empty: none does, as far as is known here.
[[nodiscard]] std::string template_of_type(const heat::Composition& composition, std::string_view type,
                                           const std::string& resource, Session& session);
/// The reference's message about a text that is not a template. `error`: `heat.template`.
[[nodiscard]] std::string template_fault(const Error& error);
/// Sections, parameter groups, conditions, the members of resources and of outputs, and what they refer to by name.
/// `type`: of the error, as the reference calls it. Errors (Refused, 400): `type`, with the reference's message;
/// `InvalidTemplateReference`.
void check_structure(const heat::Template& of, const Sources& sources, std::string_view type);

/// The templates among the files that implement types of resources: they are there, can be read, and have the
/// parameters that resources give properties to. `needs_values`: resources give all that have no default, too. Errors:
/// as above, and those of reading a template.
void check_nested(const heat::Composition& composition, Session& session, std::string_view type, bool needs_values);

}  // namespace strata::service::stacks
