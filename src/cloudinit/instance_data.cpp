#include "instance_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "jinja/jinja.hpp"
#include "strata/text.hpp"

namespace strata::cloudinit {

const Value& InstanceData::variables() {
  if (variables_) return *variables_;
  if (!is_given()) throw Error("template.no-data", "a template needs instance data").hint("give it with --instance-data FILE");
  const Blob& blob = *context_.request.instance_data;
  const SourceId source = context_.sources.add(blob.name, blob.bytes);
  const text::Document document = text::read_json(context_.sources, source, context_.limits);
  if (!document.root.is_mapping()) {
    throw Error("template.data", fmt::format("instance data must be a mapping, not {}", describe(document.root.kind())))
        .at(context_.sources, document.root.origin());
  }
  context_.arenas.push_back(document.arena);
  variables_ = jinja::instance_variables(*document.arena, document.root);
  return *variables_;
}

SourceId render_template(Context& context, SourceId source, std::size_t body, InstanceData& instance_data) {
  jinja::Rendering rendering = jinja::render(context.sources, source, body, instance_data.variables(), context.limits);
  if (!rendering.missing.empty()) {
    Diagnostic diagnostic{
        .code = "template.undefined",
        .message = fmt::format("{}: the template asks for undefined names: {}", context.name_of(source), fmt::join(rendering.missing, ", ")),
        .where = {},
        .notes = {},
        .hint = "they are written as CI_MISSING_JINJA_VAR/NAME"};
    diagnostic.where.place = context.sources.place(context.sources.at(source, body));
    context.diagnostics.warn(std::move(diagnostic));
  }
  if (rendering.segments.empty()) rendering.segments.push_back({.inner = 0, .outer = context.sources.at(source, body), .verbatim = false});
  return context.sources.add_derived(source, context.sources.part(source), std::move(rendering.text), std::move(rendering.segments));
}

}  // namespace strata::cloudinit
