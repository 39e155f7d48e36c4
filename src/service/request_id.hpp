// SPDX-License-Identifier: Apache-2.0
// The ids of requests.
#pragma once

#include <string>
#include <vector>

#include "service/request.hpp"

namespace strata::service {

/// A new UUID of version 7: ids sort by time.
[[nodiscard]] std::string new_request_id();
/// Takes over the id that the client gave, if it is one: `X-Request-Id`, `X-Openstack-Request-Id`.
void take_request_id(Request& request);
/// Takes over `traceparent` and `tracestate` (W3C Trace Context), and gives the request a span of its own. One that is
/// malformed is not there.
void take_trace(Request& request);
/// Adds `traceparent`, with a new span, and `tracestate` to the headers of a request that is sent for this one, where
/// that is part of a trace.
void add_trace(std::vector<std::string>& headers, const Request& request);

}  // namespace strata::service
