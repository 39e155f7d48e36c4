// SPDX-License-Identifier: Apache-2.0
// Resources from PuppetDB. Rule: docs/bindings/queries.md.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bindings/request/configuration.hpp"
#include "service.hpp"
#include "strata/host.hpp"

namespace strata::bindings::queries {

/// A service that sends `POST URL/pdb/query/v4` once for each distinct query of its request: make one per request. What
/// PuppetDB cannot answer with the meaning of the language is widened (pushdown.hpp). Answers are texts in `sources`,
/// so that values have places in them. `client`: null without a network; queries are then the error
/// `query.unavailable`. `own_certname`: its resources are not needed; may be empty. `when_refused`
/// is called before that error, with the URL as messages show it; what it returns is added to the hint; may be empty.
/// All must outlive it. Errors of `ask`: `query.failed` (no answer, or a status other than 200), `query.answer` (the
/// answer is not a list of resources), `limit.input`. Each names the URL. An error is never reported as an empty set.
[[nodiscard]] std::unique_ptr<QueryService> puppetdb(
    const PuppetDbSettings& settings, HttpClient* client, Sources& sources, const Limits& limits,
    std::string own_certname = {}, std::function<std::string(const std::string& url)> when_refused = {});

}  // namespace strata::bindings::queries
