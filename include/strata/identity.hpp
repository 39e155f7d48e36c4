// SPDX-License-Identifier: Apache-2.0
// How a service recognises who asks. Rules: docs/service/secure.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strata::service {

/// JWTs of an issuer.
struct OidcOptions {
  std::string issuer = {};                  ///< `iss` must be equal.
  std::vector<std::string> audiences = {};  ///< One of `aud` must be one of these.
  std::string jwks = {};                    ///< The issuer's keys: a file, or an https URL (http on this machine).
  std::string roles_claim = "roles";        ///< A list of texts, or a text with blanks. `a.b`: of nested objects.
  std::string project_claim = {};           ///< Empty: the roles hold in all projects.
  std::string ca = {};                      ///< A PEM file for the URL. Empty: those of the system.
};

/// Tokens of Keystone.
struct KeystoneOptions {
  std::string url = {};  ///< Without `/v3`.
  // The service's own user. Without one, Keystone is asked for each token with that token itself.
  std::string username = {};
  std::string password = {};  ///< `file:PATH`, which only its owner can read, or `env:NAME`.
  std::string user_domain = "Default";
  std::string project = {};
  std::string project_domain = "Default";
  std::string ca = {};  ///< A PEM file. Empty: those of the system.
};

/// Whom a client's certificate stands for.
struct CertificateRule {
  std::string name = {};  ///< `DNS:*.example.org`, `URI:…`, `email:…`, `subject:CN=deploy,O=Example`; `*` stands for
                          ///< characters other than `.`.
  std::vector<std::string> roles = {};
  std::string project = {};  ///< Empty: all.
  std::string node = {};     ///< For the role `node`. `*`: the name behind `DNS:` of the certificate.
};

/// One way in which requests show who asks.
struct AuthWay {
  std::string kind = {};  ///< `none`, `none-on-purpose`, `tokens`, `headers`, `oidc`, `keystone`, `mtls`
  std::string file = {};  ///< Of `tokens`. Empty: those of the store.
  OidcOptions oidc = {};
  KeystoneOptions keystone = {};
  std::vector<CertificateRule> certificates = {};
};

/// Reads a way as `--auth` has it: `tokens`, `tokens:FILE`, `keystone:URL`. Error `service.auth`.
[[nodiscard]] AuthWay read_auth_way(std::string_view text);

}  // namespace strata::service
