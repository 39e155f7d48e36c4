// SPDX-License-Identifier: Apache-2.0
// Watching results by server-sent events.
#pragma once

#include "service/face.hpp"
#include "service/sites/sites.hpp"

namespace strata::service::watch {
class Watches;
}  // namespace strata::service::watch

namespace strata::service::api {

/// `?node=N` (several, or `*`), `&key=K` (several, or none for the whole results), `&value=1` for values;
/// `Last-Event-ID` goes on behind an event.
[[nodiscard]] Response watch_site(const Call& call, sites::Sites& sites, watch::Watches& watches);

}  // namespace strata::service::api
