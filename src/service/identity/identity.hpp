// SPDX-License-Identifier: Apache-2.0
// Who asks: the ways in which a request shows it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "service/identity/attempts.hpp"
#include "service/identity/credentials.hpp"
#include "service/identity/origin.hpp"
#include "service/request.hpp"

namespace strata::service {

/// One way to recognise a principal. Thread-safe.
class Recogniser {
 public:
  virtual ~Recogniser() = default;
  /// `tokens`
  [[nodiscard]] virtual std::string_view name() const noexcept = 0;
  /// No value: the request has no credentials of this kind. Error (Refused, 401 or 503) for those that are wrong, or
  /// that nobody can judge now.
  [[nodiscard]] virtual std::optional<Principal> recognise(const Request& request) const = 0;
  /// Whether it answers at once: without the store and the network.
  [[nodiscard]] virtual bool is_brief(const Request& request) const = 0;
  /// The challenge of a 401: `Bearer realm="strata"`. Empty: none.
  [[nodiscard]] virtual std::string challenge() const { return {}; }
};

/// Everybody, with the roles of `roles`.
[[nodiscard]] std::unique_ptr<Recogniser> recognise_anybody(std::vector<std::string> roles);
/// Whom a proxy names: `X-Identity-Status: Confirmed`, `X-User-Id`, `X-Roles`, `X-Project-Id`.
[[nodiscard]] std::unique_ptr<Recogniser> recognise_by_headers();

/// The ways of a service, in their order: the first that knows the credentials decides. Thread-safe.
class Identity {
 public:
  explicit Identity(std::vector<std::unique_ptr<Recogniser>> ways, IdentityClocks clocks = {}, Pages pages = {});

  /// Errors (Refused): those of check_page; 401 where nobody recognises the request, the same whatever is wrong; 429
  /// for an address that has shown wrong credentials ten times within a minute; 503 where nobody can judge. Credentials
  /// that are known to be right are always taken.
  [[nodiscard]] Principal recognise(const Request& request) const;
  [[nodiscard]] bool is_brief(const Request& request) const;

 private:
  [[nodiscard]] std::optional<Principal> ask(const Request& request) const;

  std::vector<std::unique_ptr<Recogniser>> ways_;
  IdentityClocks clocks_;
  Pages pages_;
  std::unique_ptr<FailedAttempts> attempts_;
};

}  // namespace strata::service
