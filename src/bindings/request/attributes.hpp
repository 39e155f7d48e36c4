// Attributes of environments: which count, and the paths that they come to.
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
inline constexpr std::array<std::string_view, 6> kAttributeNames{"envdir", "modulepath", "manifestdir", "manifest", "templatedir", "bindingsdir"};

/// What was written for an attribute.
struct AttributeValue {
  bool is_default = false;         ///< The word `default`: what the table says, whatever `Environment {}` has.
  std::vector<std::string> texts;  ///< One; of modulepath as many as there are.
  Origin origin;
};

struct Attributes {
  std::array<std::optional<AttributeValue>, kAttributeNames.size()> values;
  [[nodiscard]] std::optional<AttributeValue>& operator[](AttributeName name) { return values[static_cast<std::size_t>(name)]; }
  [[nodiscard]] const std::optional<AttributeValue>& operator[](AttributeName name) const { return values[static_cast<std::size_t>(name)]; }
};

/// Evaluates the attributes of one body. `subject`: `environment 'x'`. Errors: `environment.attribute`.
[[nodiscard]] Attributes evaluate_attributes(const Phase& phase, puppet::Scope& scope, std::string_view subject, std::span<const Attribute> written);

/// `$confdir` and `$envdir`, with or without braces, replaced. An empty `envdir`: it is left as it stands.
[[nodiscard]] std::string with_folders(std::string text, std::string_view confdir, std::string_view envdir);

/// The paths of an environment out of its own attributes, the defaults and the table. `envdir`: given for dynamic environments, whose attributes do
/// not say it; else empty. Errors: `environment.path` for an envdir that is not absolute.
[[nodiscard]] Environment resolve(const Phase& phase, const std::string& name, const Attributes& own, const Attributes& defaults, std::string envdir);
/// Finds the manifest of the chosen environment. Errors: `environment.missing` where an explicit one does not exist.
void find_manifest(const Phase& phase, Environment& environment, const Attributes& own, const Attributes& defaults);

}  // namespace strata::bindings
