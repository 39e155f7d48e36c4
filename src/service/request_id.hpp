// The ids of requests.
#pragma once

#include <string>

#include "service/request.hpp"

namespace strata::service {

/// A new UUID of version 7: ids sort by time.
[[nodiscard]] std::string new_request_id();
/// Takes over the id that the client gave, if it is one: `X-Request-Id`, `X-Openstack-Request-Id`.
void take_request_id(Request& request);

}  // namespace strata::service
