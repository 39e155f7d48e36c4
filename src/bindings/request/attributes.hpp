// SPDX-License-Identifier: Apache-2.0
// Attributes of environments, and the resulting paths.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/request.hpp"
#include "bindings/request/evaluation.hpp"
#include "bindings/syntax/site.hpp"

namespace strata::bindings {

enum class AttributeName : std::uint8_t { envdir, modulepath, manifestdir, manifest, templatedir, bindingsdir };
inline constexpr std::array<std::string_view, 6> kAttributeNames{"envdir",   "modulepath",  "manifestdir",
                                                                 "manifest", "templatedir", "bindingsdir"};

/// What was written for an attribute.
struct AttributeValue {
  bool is_default = false;         ///< The word `default`: what the table says, whatever `Environment {}` has.
  std::vector<std::string> texts;  ///< One text; for modulepath, any number.
  Origin origin;
};

struct Attributes {
  std::array<std::optional<AttributeValue>, kAttributeNames.size()> values;
  [[nodiscard]] std::optional<AttributeValue>& operator[](AttributeName name) {
    return values[static_cast<std::size_t>(name)];
  }
  [[nodiscard]] const std::optional<AttributeValue>& operator[](AttributeName name) const {
    return values[static_cast<std::size_t>(name)];
  }
};

/// Evaluates the attributes of one body. `subject`: `environment 'x'`. Errors: `environment.attribute`.
[[nodiscard]] Attributes evaluate_attributes(const Phase& phase, puppet::Scope& scope, std::string_view subject,
                                             std::span<const Attribute> written);

/// Replaces `$confdir` and `$envdir`, with or without braces. If `envdir` is empty, `$envdir` stays.
[[nodiscard]] std::string with_folders(std::string text, std::string_view confdir, std::string_view envdir);

/// The paths of an environment from its own attributes, the defaults and the table. `envdir`: for dynamic environments,
/// which have no such attribute; otherwise empty. Errors: `environment.path` for an envdir that is not absolute.
[[nodiscard]] Environment resolve(const Phase& phase, const std::string& name, const Attributes& own,
                                  const Attributes& defaults, std::string envdir);
/// Finds the manifest of the chosen environment. Errors: `environment.missing` if an explicit manifest does not exist.
void find_manifest(const Phase& phase, Environment& environment, const Attributes& own, const Attributes& defaults);

}  // namespace strata::bindings
