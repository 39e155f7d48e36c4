// SPDX-License-Identifier: Apache-2.0
#include "heat/documents.hpp"

#include <utility>

#include "text/repeated_keys.hpp"

namespace strata::heat {

text::Document Documents::read(SourceId source, text::DocumentPool& pool) {
  text::Document document = ahead_.take(source, pool);
  if (document.arena != pool.arena()) session_.keep(ahead_.memory());
  return document;
}

void warn(Session& session, std::string code, std::string message, Origin where, std::string hint) {
  Diagnostic diagnostic{
      .code = std::move(code), .message = std::move(message), .where = {}, .notes = {}, .hint = std::move(hint)};
  diagnostic.where.place = session.sources().place(where);
  session.diagnostics().warn(std::move(diagnostic));
}

void warn_of_repeated_keys(Session& session, std::span<const text::RepeatedKey> keys) {
  for (const text::RepeatedKey& key : keys) {
    Error error = text::repeated_key_error(session.sources(), key, "heat.repeated-key");
    session.diagnostics().warn(error.without_lines().diagnostic());
  }
}

}  // namespace strata::heat
