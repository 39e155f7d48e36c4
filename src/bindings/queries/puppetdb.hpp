// Resources out of PuppetDB. Rule: docs/bindings/queries.md.
#pragma once

#include <memory>
#include <string>

#include "bindings/request/configuration.hpp"
#include "service.hpp"
#include "strata/host.hpp"

namespace strata::bindings::queries {

/// A service that sends `POST URL/pdb/query/v4` once for each distinct query of its request: make one a request. What PuppetDB cannot answer as the
/// language means it is widened (pushdown.hpp). Answers are texts in `sources`, so that values have a place in them.
/// `client`: null where there is no network, which is the error `query.unavailable` once something is asked. `own_certname`: whose resources need
/// not come; may be empty. All must outlive it.
/// Errors of `ask`: `query.failed` (no answer, a status other than 200), `query.answer` (what came is no list of resources), `limit.input`; each
/// names the URL. Never an empty set instead.
[[nodiscard]] std::unique_ptr<QueryService> puppetdb(const PuppetDbSettings& settings, HttpClient* client, Sources& sources, const Limits& limits,
                                                     std::string own_certname = {});

}  // namespace strata::bindings::queries
