// SPDX-License-Identifier: Apache-2.0
// Requests for tests of identity.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "service/identity/identity.hpp"
#include "service/request.hpp"

namespace strata::service::testing {

/// A request with headers.
inline Request asking(const std::vector<Field>& headers, std::string address = "192.0.2.1") {
  Request out;
  out.method = "GET";
  out.path = "/";
  for (const auto& [name, value] : headers) out.headers.add(name, value);
  out.address = std::move(address);
  return out;
}
inline Request bearing(const std::string& token, std::string address = "192.0.2.1") {
  return asking({{"Authorization", "Bearer " + token}}, std::move(address));
}

/// The status with which a request is refused; 0: it is not; no value counts as 401.
template <class Who>
unsigned status_of(const Who& who, const Request& request) {
  try {
    if constexpr (std::is_base_of_v<Recogniser, Who>) return who.recognise(request) ? 0 : 401;
    (void)who.recognise(request);
    return 0;
  } catch (const Refused& refused) {
    return refused.refusal().status;
  }
}

/// Clocks that a test turns.
struct TurnedClocks {
  std::shared_ptr<std::chrono::seconds> passed = std::make_shared<std::chrono::seconds>(0);
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  std::chrono::system_clock::time_point day = std::chrono::system_clock::now();

  [[nodiscard]] IdentityClocks clocks() const {
    return {.steady = [passed = passed, begin = begin] { return begin + *passed; },
            .wall = [passed = passed, day = day] { return day + *passed; }};
  }
  void turn(std::chrono::seconds time) const { *passed += time; }
  [[nodiscard]] std::int64_t seconds() const {
    return std::chrono::duration_cast<std::chrono::seconds>((day + *passed).time_since_epoch()).count();
  }
};

}  // namespace strata::service::testing
