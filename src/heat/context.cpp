#include "heat/context.hpp"

#include <fmt/format.h>

#include <utility>

namespace strata::heat {

void Context::count(std::size_t more) {
  nodes += more;
  if (nodes > limits.result) {
    throw Error("limit.result", fmt::format("the environments have more than {} nodes together, aliases written out", limits.result))
        .hint("raise the limit with --limit result=NODES");
  }
}

merge::Slot Context::add_layer(const std::string& name, std::string note) const { return recorder.add_layer(name, std::move(note)); }

void Context::warn(std::string code, std::string message, Origin where, std::string hint) const {
  Diagnostic diagnostic{.code = std::move(code), .message = std::move(message), .where = {}, .notes = {}, .hint = std::move(hint)};
  diagnostic.where.place = sources.place(where);
  diagnostics.warn(std::move(diagnostic));
}

}  // namespace strata::heat
