// SPDX-License-Identifier: Apache-2.0
// The ways to recognise who asks, with what each needs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "service/identity/credentials.hpp"
#include "service/identity/identity.hpp"
#include "strata/identity.hpp"

namespace strata::store {
class Store;
}  // namespace strata::store

namespace strata::service {

/// `Authorization: Bearer strata_ID_SECRET`, of the store. What the store says is believed for a second.
[[nodiscard]] std::unique_ptr<Recogniser> recognise_by_stored_tokens(store::Store& store, IdentityEvents events,
                                                                     IdentityClocks clocks);
/// The same, of a file: a YAML map of ids to `{sha256, project, roles, node, expires}`. Errors: `service.tokens`, and
/// those of reading.
[[nodiscard]] std::unique_ptr<Recogniser> recognise_by_token_file(const std::string& file, IdentityEvents events,
                                                                  const IdentityClocks& clocks);
/// `Authorization: Bearer` with a JWT. Errors: `service.auth`, `service.jwks`, and those of reading a file.
[[nodiscard]] std::unique_ptr<Recogniser> recognise_by_jwt(OidcOptions options, IdentityEvents events,
                                                           IdentityClocks clocks);
/// `X-Auth-Token` of Keystone. Here the password is the password itself. Errors: `service.auth`.
[[nodiscard]] std::unique_ptr<Recogniser> recognise_by_keystone(KeystoneOptions options, IdentityClocks clocks);
/// The first rule that fits one of Request::certificate_names. Errors: `service.auth`.
[[nodiscard]] std::unique_ptr<Recogniser> recognise_by_certificate(std::vector<CertificateRule> rules);

/// What makes a recogniser besides its options.
struct IdentityNeeds {
  store::Store* store = nullptr;  ///< Must outlive the recognisers.
  std::vector<std::string> anonymous_roles = {};
  IdentityEvents events = {};
  IdentityClocks clocks = {};
  Pages pages = {};
};

/// Who can reach a listener.
enum class Reach : std::uint8_t { local, certified, anybody };  ///< `certified`: those with a certificate of a client.

/// Checks that no way lets in more than it should. `none` and `headers` are for listeners that are local, `headers`
/// also for those that demand certificates. Error `service.auth`.
void check_auth_ways(const std::vector<AuthWay>& ways, const std::vector<Reach>& listeners);
/// The recogniser of a way. Call while there is one thread: it may take a variable out of the environment. Errors:
/// `service.auth`, `service.jwks`, `service.tokens`, `service.key-readable`, and those of reading files.
[[nodiscard]] std::unique_ptr<Recogniser> make_recogniser(const AuthWay& way, const IdentityNeeds& needs);
/// All ways of a service; without any, everybody is recognised as `anonymous`. Errors: those of `make_recogniser`.
[[nodiscard]] Identity make_identity(const std::vector<AuthWay>& ways, const IdentityNeeds& needs);

}  // namespace strata::service
