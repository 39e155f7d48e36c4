// SPDX-License-Identifier: Apache-2.0
#include "jinja/evaluator.hpp"
#include "jinja/jinja.hpp"
#include "jinja/parser.hpp"

namespace strata::jinja {

Rendering render(const Sources& sources, SourceId source, std::size_t begin, const Value& variables,
                 const Limits& limits) {
  const TemplateText text(sources, source, begin);
  const Body body = parse(text);
  Rendering rendering;
  Output output;
  output.segments = &rendering.segments;
  Evaluator evaluator(text, variables, limits);
  evaluator.run(body, output);
  if (text.ends_with_newline()) {
    rendering.segments.push_back(
        {static_cast<std::uint32_t>(output.text.size()), text.origin(text.text().size()), true});
    output.text += '\n';
  }
  rendering.text = std::move(output.text);
  // A name that was made text but never written is not missing.
  for (const auto& [name, at] : evaluator.runtime().missing()) {
    if (rendering.text.find(std::string(kMissing) + name) == std::string::npos) continue;
    if (rendering.missing.empty()) rendering.first_missing = text.origin(at);
    rendering.missing.push_back(name);
  }
  return rendering;
}

}  // namespace strata::jinja
