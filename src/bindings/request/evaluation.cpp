// SPDX-License-Identifier: Apache-2.0
#include "bindings/request/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace strata::bindings {

Value NoInjection::call(const puppet::FunctionCall& call, puppet::Evaluator& /*evaluator*/) {
  throw Error("bindings.no-injection",
              fmt::format("injection is not available here: {}() is for bindings documents", call.name))
      .at(sources_, call.origin)
      .hint("environments.pp and site.pp are evaluated before there is anything to inject");
}

void Phase::warn(std::string_view code, std::string message, Origin origin, std::string hint) const {
  session.diagnostics().warn(
      Error(code, std::move(message)).at(session.sources(), origin).hint(std::move(hint)).diagnostic());
}

std::optional<std::vector<std::string>> texts_of(const Value& value) {
  const auto is_good = [](const Value& item) { return item.is_text() && !item.text().empty(); };
  std::vector<std::string> out;
  if (is_good(value)) {
    out.emplace_back(value.text());
  } else if (value.is_sequence() && std::ranges::all_of(value.items(), is_good)) {
    for (const Value& item : value.items()) out.emplace_back(item.text());
  } else {
    return std::nullopt;
  }
  return out;
}

}  // namespace strata::bindings
