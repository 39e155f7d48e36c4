// SPDX-License-Identifier: Apache-2.0
// Names of resources.
#pragma once

#include <string>
#include <string_view>

#include "service.hpp"

namespace strata::bindings::queries {

/// The name of a type with each segment capitalised, without a leading `::`.
[[nodiscard]] std::string type_name(std::string_view written);
/// For messages: `Sql[one] of db1.example.com`.
[[nodiscard]] std::string name_of(const Resource& resource);
[[nodiscard]] ResourceOrigin origin_of_resource(const Resource& resource);

}  // namespace strata::bindings::queries
