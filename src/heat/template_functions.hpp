// SPDX-License-Identifier: Apache-2.0
// The functions that templates of each version may call. strata resolves a few of them (outputs of stacks); clients
// list all.
#pragma once

#include <string_view>
#include <vector>

#include "heat/template_version.hpp"

namespace strata::heat {

/// A function of templates.
struct TemplateFunction {
  std::string_view name;   ///< `get_param`.
  std::string_view about;  ///< One sentence without a final dot.
};

/// The functions of a version, in the order in which the service lists them. `with_conditions`: also those that only
/// conditions may call.
[[nodiscard]] std::vector<TemplateFunction> template_functions(const TemplateVersion& version, bool with_conditions);

}  // namespace strata::heat
