// The request of inputs that are in memory, without a site.
#pragma once

#include <memory>
#include <string_view>

#include "bindings/request.hpp"
#include "strata/bindings.hpp"

namespace strata::bindings {

/// A lower-case letter, then letters, digits and `_`.
[[nodiscard]] bool is_category_name(std::string_view name) noexcept;

/// Errors: `category.*`, `bindings.variable`, `facts.*`, those of the reader of facts. `session` must outlive the request.
[[nodiscard]] std::shared_ptr<const Request> make_request(const InjectorInputs& inputs, Session& session);

}  // namespace strata::bindings
