// SPDX-License-Identifier: Apache-2.0
// What a site is made of, as the configuration, a request and the store write it.
#pragma once

#include <string>

#include "store/sites.hpp"
#include "strata/service.hpp"
#include "strata/value.hpp"
#include "value/fields.hpp"

namespace strata::service::sites {

/// Whether a site can be called so.
[[nodiscard]] bool is_site_name(std::string_view name) noexcept;
/// Error `request.path`.
void check_site_name(std::string_view name);

// Options for the service, and not for the question.
inline constexpr std::string_view kKeepLastGood = "keep-last-good";
inline constexpr std::string_view kNodeSecrets = "node-secrets";
inline constexpr std::string_view kSecretKeys = "secret-keys";

/// A mapping with dashes for the underscores of its keys: `client_ca` is as good as `client-ca`. Error of `errors`
/// where both are given.
[[nodiscard]] Value dashed(Arena& arena, const Value& mapping, const FieldErrors& errors);

/// Reads a site of the configuration. Other members are options of its query. Errors: those of
/// `errors`; `site.dialect`.
[[nodiscard]] SiteSettings read_configured(const std::string& name, const Value& given, const FieldErrors& errors);
/// Reads the site of a request: an upload, or a repository. It names nothing else of this machine. Errors: as above.
[[nodiscard]] SiteSettings read_requested(const std::string& name, const Value& given, const FieldErrors& errors);

/// The row of a site of a request: a repository if it has a path, else an upload.
[[nodiscard]] store::Site row_of(const SiteSettings& settings);
[[nodiscard]] SiteSettings settings_of(const store::Site& row);
/// The kind of sites whose files clients send.
inline constexpr std::string_view kUpload = "upload";
/// Whether a row is the whole site: other sites are in a configuration, and the store keeps their nodes.
[[nodiscard]] inline bool is_of_store(const store::Site& row) { return row.kind == kUpload || row.source.has_value(); }
/// Differs where the settings of two repositories do. Empty for other sites.
[[nodiscard]] std::string settings_tag(const store::Site& row);

}  // namespace strata::service::sites
