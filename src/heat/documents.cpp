#include "heat/documents.hpp"

#include <utility>

namespace strata::heat {

void warn(Session& session, std::string code, std::string message, Origin where, std::string hint) {
  Diagnostic diagnostic{.code = std::move(code), .message = std::move(message), .where = {}, .notes = {}, .hint = std::move(hint)};
  diagnostic.where.place = session.sources().place(where);
  session.diagnostics().warn(std::move(diagnostic));
}

void warn_of_repeated_keys(Session& session, std::span<const Origin> keys) {
  for (const Origin key : keys) {
    warn(session, "heat.repeated-key", "duplicate key: the earlier value is lost", key, "keep one of the two");
  }
}

}  // namespace strata::heat
