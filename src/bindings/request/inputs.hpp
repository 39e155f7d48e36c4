// SPDX-License-Identifier: Apache-2.0
// The request of inputs that are in memory, without a site.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "bindings/request.hpp"
#include "strata/bindings.hpp"
#include "strata/error.hpp"

namespace strata::bindings {

/// Why a category cannot follow those that are `listed`: `category.name`, `category.common`, `category.duplicate`,
/// without places. No value if it can.
[[nodiscard]] std::optional<Error> category_fault(std::string_view name, std::span<const Category> listed);

/// Errors: `category.*`, `bindings.variable`, `facts.*`, those of the reader of facts. `session` must outlive the
/// request.
[[nodiscard]] std::shared_ptr<const Request> make_request(const InjectorInputs& inputs, Session& session);

}  // namespace strata::bindings
