// SPDX-License-Identifier: Apache-2.0
// The versions of templates, and what they allow for parameters.
#pragma once

#include <span>
#include <string_view>

#include "strata/error.hpp"
#include "strata/value.hpp"

namespace strata::heat {

/// The meaning of a version for parameters.
struct TemplateVersion {
  std::string_view key;      ///< `heat_template_version`.
  std::string_view version;  ///< `2018-08-31`, `rocky`.
  bool is_hot = false;       ///< Spelled as HOT; else as CFN.
  bool has_modulo = false;   ///< The constraint `modulo`.
  bool has_tags = false;     ///< The key `tags`.
};

/// All versions, the aliases of some among them.
[[nodiscard]] std::span<const TemplateVersion> template_versions() noexcept;

/// The keys that make a mapping a template.
[[nodiscard]] std::span<const std::string_view> version_keys() noexcept;

/// The version of a template. Error `heat.template-version`: it is unknown, not text, or there are several.
[[nodiscard]] const TemplateVersion& version_of(const Sources& sources, const Value& root);

}  // namespace strata::heat
