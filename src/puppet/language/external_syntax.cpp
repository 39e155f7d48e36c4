// SPDX-License-Identifier: Apache-2.0
#include "puppet/language/external_syntax.hpp"

#include "strata/error.hpp"
#include "strata/text.hpp"

namespace strata::puppet {

std::string problem_of(std::string_view syntax, std::string_view text, const Limits& limits) {
  const std::size_t plus = syntax.rfind('+');
  if (plus != std::string_view::npos) syntax.remove_prefix(plus + 1);
  if (syntax != "json" && syntax != "yaml") return {};
  try {
    Sources alone;
    const SourceId source = alone.add("heredoc", std::string(text));
    if (syntax == "json") {
      static_cast<void>(text::read_json(alone, source, limits, 0, text::kRubyJson));
    } else {
      static_cast<void>(text::read_yaml(alone, source, text::psych(), limits));
    }
  } catch (const Error& bad) {
    if (bad.ends_request()) throw;
    const auto& line = bad.diagnostic().where.place.line;
    const std::string place = line ? "line " + std::to_string(*line) + " of it: " : std::string();
    return "this heredoc is not " + std::string(syntax == "json" ? "JSON" : "YAML") + ": " + place + bad.what();
  }
  return {};
}

}  // namespace strata::puppet
