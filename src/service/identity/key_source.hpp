// SPDX-License-Identifier: Apache-2.0
// Where the keys of an issuer come from.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "service/identity/credentials.hpp"
#include "service/identity/key_set.hpp"

namespace strata::service {

/// Thread-safe.
class KeySource {
 public:
  virtual ~KeySource() = default;
  /// Whether `current` answers at once, and with what it answered last.
  [[nodiscard]] virtual bool is_ready() = 0;
  /// The keys. `request`: for whom they may have to be asked for. Errors: Refused, 503, if there are none.
  [[nodiscard]] virtual std::shared_ptr<const KeySet> current(const Request& request) = 0;
  /// The keys, asked for anew where that is due: somebody signed with one that is not among them.
  [[nodiscard]] virtual std::shared_ptr<const KeySet> newer(const Request& request) = 0;
};

/// A file that is read anew when it changes. Errors: `service.jwks`, and those of reading.
[[nodiscard]] std::unique_ptr<KeySource> keys_of_file(const std::string& file, IdentityEvents events,
                                                      const IdentityClocks& clocks);
/// A URL, which is asked when the keys are first needed; then as its answers say in `Cache-Control`, after 5 minutes at
/// least and 24 hours at most; for an unknown key again, but once a minute. While it does not answer, the last keys are
/// used.
[[nodiscard]] std::unique_ptr<KeySource> keys_of_url(std::string url, std::string ca, IdentityEvents events,
                                                     IdentityClocks clocks);

/// How long an answer may be kept, by its `Cache-Control`.
[[nodiscard]] std::chrono::seconds kept_for(std::string_view cache_control);
/// Whether a URL is https, or http to this machine.
[[nodiscard]] bool is_safe_url(std::string_view url);

}  // namespace strata::service
