// SPDX-License-Identifier: Apache-2.0
#include "strata/refusal.hpp"

#include "strata/session.hpp"

namespace strata {

bool continues_without(Session& session, const Refusal& refusal) {
  Host* host = session.host();
  if (host == nullptr || !host->leaves_out(refusal)) return false;
  session.diagnostics().warn({.code = std::string(kLeftOut),
                              .message = refusal.what,
                              .where = refusal.where,
                              .notes = {},
                              .hint = host->way_to_allow(refusal.kind)});
  return true;
}

std::string way_to_allow(const Session& session, Refusal::Kind kind) {
  return session.host() == nullptr ? std::string() : session.host()->way_to_allow(kind);
}

}  // namespace strata
