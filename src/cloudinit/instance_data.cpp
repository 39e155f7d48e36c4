// SPDX-License-Identifier: Apache-2.0
#include "instance_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "jinja/jinja.hpp"
#include "strata/builder.hpp"
#include "strata/report.hpp"
#include "strata/secret_keys.hpp"
#include "strata/text.hpp"
#include "value/fields.hpp"

namespace strata::cloudinit {
namespace {

/// A value of the same kind that has nothing in common with this one: no character of a text, nor its length.
Value other_than(Arena& arena, const Value& value) {
  if (value.kind() == Kind::boolean) return Value::boolean(!value.as_boolean());
  if (value.kind() == Kind::integer) return Value::integer(value.as_integer() / 2 + 4711);
  if (!value.is_text()) return arena.text("other");
  std::string out;
  for (const char one : value.text()) out += one == 'x' ? 'y' : 'x';
  return arena.text(out + "xx");
}

/// The value with others in place of the secret ones. Recursion: bounded by Limits::depth, which the reader kept.
Value with_others(Arena& arena, const Value& value) {
  if (value.is_container() && value.size() != 0)
    return with_members(arena, value, [&arena](const Value& member) { return with_others(arena, member); });
  return value.is_secret() ? other_than(arena, value) : value;
}

}  // namespace

const Value& InstanceData::variables() {
  if (variables_) return *variables_;
  if (!is_given())
    throw Error("template.no-data", "a template needs instance data").hint("give it with --instance-data FILE");
  Session& session = documents_.session();
  const Blob& blob = *documents_.request().instance_data;
  const SourceId source = session.sources().add(blob.name, blob.bytes);
  const text::Document document = text::read_json(session.sources(), source, session.limits());
  if (!document.root.is_mapping()) {
    throw Error("template.data", wrong_kind("instance data", "a mapping", document.root))
        .at(session.sources(), document.root.origin());
  }
  session.keep(document.arena);
  variables_ = jinja::instance_variables(*document.arena, document.root);
  if (const auto& keys = session.limits().secret_keys)
    variables_ = with_secrets(*document.arena, *keys, {}, *variables_);
  return *variables_;
}

const Value& InstanceData::replaced() {
  if (replaced_) return *replaced_;
  const Value& given = variables();
  replaced_ = report::holds_secret(given) ? with_others(documents_.session().arena(), given) : Value();
  return *replaced_;
}

namespace {

/// What the template gives with other variables. Empty: nothing that can be used.
std::string text_with(Documents& documents, SourceId source, std::size_t body, const Value& variables) {
  Session& session = documents.session();
  try {
    return jinja::render(session.sources(), source, body, variables, session.limits()).text;
  } catch (const Error& error) {
    if (error.gives_up()) throw;
    return {};
  }
}

}  // namespace

SourceId render_template(Documents& documents, SourceId source, std::size_t body, InstanceData& instance_data) {
  Session& session = documents.session();
  jinja::Rendering rendering =
      jinja::render(session.sources(), source, body, instance_data.variables(), session.limits());
  if (!rendering.missing.empty()) {
    Diagnostic diagnostic{
        .code = "template.undefined",
        .message = fmt::format("{}: the template asks for undefined names: {}", name_of(session.sources(), source),
                               fmt::join(rendering.missing, ", ")),
        .where = {},
        .notes = {},
        .hint = "they are written as CI_MISSING_JINJA_VAR/NAME"};
    diagnostic.where.place = session.sources().place(rendering.first_missing);
    session.diagnostics().warn(std::move(diagnostic));
  }
  if (rendering.segments.empty())
    rendering.segments.push_back({.inner = 0, .outer = session.sources().at(source, body), .verbatim = false});
  std::optional<std::string> other;
  if (const Value& replaced = instance_data.replaced()) other = text_with(documents, source, body, replaced);
  const SourceId out = session.sources().add_derived(source, session.sources().part(source), std::move(rendering.text),
                                                     std::move(rendering.segments));
  if (other && *other != session.sources().text(out))
    documents.set_other(out, session.sources().add("", *std::move(other)));
  return out;
}

}  // namespace strata::cloudinit
