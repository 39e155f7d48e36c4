// The ways to recognise who asks, with what each needs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "service/identity/credentials.hpp"
#include "service/identity/identity.hpp"

namespace strata::store {
class Store;
}  // namespace strata::store

namespace strata::service {

/// `Authorization: Bearer strata_ID_SECRET`, of the store. What the store says is believed for a second.
[[nodiscard]] std::unique_ptr<Recogniser> recognise_by_stored_tokens(store::Store& store, IdentityEvents events, IdentityClocks clocks);
/// The same, of a file: a YAML map of ids to `{sha256, project, roles, node, expires}`. Errors: `service.tokens`, and those of reading.
[[nodiscard]] std::unique_ptr<Recogniser> recognise_by_token_file(const std::string& file, IdentityEvents events, IdentityClocks clocks);

struct OidcOptions {
  std::string issuer;                  ///< `iss` must be equal.
  std::vector<std::string> audiences;  ///< One of `aud` must be one of these.
  std::string jwks;                    ///< A file, or an https URL (http on loopback).
  std::string roles_claim = "roles";   ///< A list of texts, or a text with blanks. `a.b`: of nested objects.
  std::string project_claim = {};      ///< Empty: the roles hold in all projects.
  std::string ca = {};                 ///< A PEM file for the URL. Empty: those of the system.
};
/// `Authorization: Bearer` with a JWT. Errors: `service.auth`, `service.jwks`, and those of reading a file.
[[nodiscard]] std::unique_ptr<Recogniser> recognise_by_jwt(OidcOptions options, IdentityEvents events, IdentityClocks clocks);

struct KeystoneOptions {
  std::string url;  ///< Without `/v3`.
  // The service's own credentials. Without a user, each token is asked for with itself.
  std::string username = {};
  std::string password = {};
  std::string user_domain = "Default";
  std::string project = {};
  std::string project_domain = "Default";
  std::string ca = {};  ///< A PEM file. Empty: those of the system.
};
/// `X-Auth-Token` of Keystone. Errors: `service.auth`.
[[nodiscard]] std::unique_ptr<Recogniser> recognise_by_keystone(KeystoneOptions options, IdentityClocks clocks);

/// Whom a certificate stands for.
struct CertificateRule {
  std::string name;  ///< `DNS:*.nodes.example.org`, `subject:CN=deploy,O=Example`, `URI:…`, `email:…`; `*` stands for letters other than `.`.
  std::vector<std::string> roles;
  std::string project = {};
  std::string node = {};  ///< `*`: what is behind `DNS:` in the certificate.
};
/// The first rule that fits one of Request::certificate_names. Errors: `service.auth`.
[[nodiscard]] std::unique_ptr<Recogniser> recognise_by_certificate(std::vector<CertificateRule> rules);

}  // namespace strata::service
