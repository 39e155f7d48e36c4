#include "instance_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "jinja/jinja.hpp"
#include "strata/text.hpp"
#include "value/fields.hpp"

namespace strata::cloudinit {

const Value& InstanceData::variables() {
  if (variables_) return *variables_;
  if (!is_given()) throw Error("template.no-data", "a template needs instance data").hint("give it with --instance-data FILE");
  Session& session = documents_.session();
  const Blob& blob = *documents_.request().instance_data;
  const SourceId source = session.sources().add(blob.name, blob.bytes);
  const text::Document document = text::read_json(session.sources(), source, session.limits());
  if (!document.root.is_mapping()) {
    throw Error("template.data", wrong_kind("instance data", "a mapping", document.root)).at(session.sources(), document.root.origin());
  }
  session.keep(document.arena);
  variables_ = jinja::instance_variables(*document.arena, document.root);
  return *variables_;
}

SourceId render_template(Documents& documents, SourceId source, std::size_t body, InstanceData& instance_data) {
  Session& session = documents.session();
  jinja::Rendering rendering = jinja::render(session.sources(), source, body, instance_data.variables(), session.limits());
  if (!rendering.missing.empty()) {
    Diagnostic diagnostic{.code = "template.undefined",
                          .message = fmt::format("{}: the template asks for undefined names: {}", name_of(session.sources(), source),
                                                 fmt::join(rendering.missing, ", ")),
                          .where = {},
                          .notes = {},
                          .hint = "they are written as CI_MISSING_JINJA_VAR/NAME"};
    diagnostic.where.place = session.sources().place(session.sources().at(source, body));
    session.diagnostics().warn(std::move(diagnostic));
  }
  if (rendering.segments.empty()) rendering.segments.push_back({.inner = 0, .outer = session.sources().at(source, body), .verbatim = false});
  return session.sources().add_derived(source, session.sources().part(source), std::move(rendering.text), std::move(rendering.segments));
}

}  // namespace strata::cloudinit
