#include "service/buckets/body.hpp"

#include <fmt/format.h>

#include "deckhand/findings.hpp"
#include "deckhand/structure.hpp"
#include "service/buckets/answers.hpp"
#include "service/core.hpp"
#include "strata/builder.hpp"
#include "strata/engine.hpp"
#include "strata/file_tree.hpp"
#include "strata/snapshot.hpp"
#include "text/yaml/parallel_stream.hpp"

namespace strata::service::buckets {
namespace {

constexpr std::string_view kBody = "<body>";

Refused not_yaml(const Error& error) {
  const Excerpt& where = error.diagnostic().where;
  const std::string place =
      where.place.line ? fmt::format(" in \"<byte string>\", line {}, column {}", *where.place.line, where.place.column.value_or(1)) : std::string();
  return refused(400, "HTTPBadRequest", fmt::format("The request body must be properly formatted YAML. Details: {}{}.", error.what(), place));
}

const Value* member(const Value& mapping, std::string_view name) { return mapping.is_mapping() ? mapping.find(name) : nullptr; }

std::string text_of(const Value* value) { return value != nullptr && value->is_text() ? std::string(value->text()) : std::string(); }

/// Whether there is something in data that is worth to be hidden.
bool has_content(const Value& data) {
  return !data.is_null() && !(data.is_text() && data.text().empty()) && !(data.is_container() && data.size() == 0);
}

/// Metadata as they are stored: with the defaults of the reference.
Value filled(Arena& arena, const Value& metadata) {
  MappingBuilder out = MappingBuilder::copy_of(arena, metadata, 3);
  const auto fill = [&arena](MappingBuilder& into, std::string_view name, const Value& value) {
    const Value* there = into.find(name);
    if (there == nullptr || there->is_null()) into.insert(arena.key(name), value);
  };
  fill(out, "storagePolicy", arena.text("cleartext"));
  fill(out, "replacement", Value::boolean(false));
  const Value* layering = metadata.find("layeringDefinition");
  MappingBuilder definition =
      layering != nullptr && layering->is_mapping() ? MappingBuilder::copy_of(arena, *layering, 1) : MappingBuilder(arena, KeyEquality::exact, 1);
  fill(definition, "abstract", Value::boolean(false));
  out.insert(arena.key("layeringDefinition"), definition.finish());
  return out.finish();
}

NewDocument read_document(Arena& arena, const Value& root, std::int64_t line) {
  const Value& metadata = *root.find("metadata");
  const Value* data = root.find("data");
  NewDocument out{.schema = text_of(root.find("schema")),
                  .layer = {},
                  .name = text_of(metadata.find("name")),
                  .metadata = filled(arena, metadata),
                  // Absent data are stored as an empty mapping.
                  .data = data == nullptr ? MappingBuilder(arena).finish() : *data,
                  .line = line};
  const Value* layering = metadata.find("layeringDefinition");
  const Value* layer = layering == nullptr ? nullptr : member(*layering, "layer");
  if (layer != nullptr && layer->is_text()) out.layer = std::string(layer->text());
  out.is_encrypted = text_of(metadata.find("storagePolicy")) == "encrypted" && has_content(out.data);
  return out;
}

}  // namespace

void check_content_type(const Request& request) {
  if (request.body.empty()) return;
  const std::string* type = request.headers.find("Content-Type");
  if (type == nullptr || type->empty()) throw refused(400, "HTTPMissingHeader", "The \"Content-Type\" header is required.");
  std::string_view word = std::string_view(*type).substr(0, type->find(';'));
  word = word.substr(0, word.find_last_not_of(" \t") + 1);
  if (!same_name(word, kYaml)) {
    throw refused(415, "HTTPUnsupportedMediaType",
                  fmt::format("Unexpected content type: {}. Expected content types are: ['application/x-yaml'].", *type));
  }
}

YamlBody read_yaml_body(const Call& call) {
  YamlBody out{.sources = std::make_shared<Sources>(), .document = {}};
  if (call.request.body.empty()) return out;
  const SourceId source = out.sources->add(kBody, call.request.body);
  try {
    out.document = text::read_yaml(*out.sources, source, text::pyyaml_json(), call.core.limits(call));
  } catch (const Error& error) {
    if (error.gives_up()) throw;
    throw not_yaml(error);
  }
  return out;
}

DocumentsBody::DocumentsBody(const Call& call) {
  const Limits limits = call.core.limits(call);
  session_ = std::make_unique<Session>(Snapshot::make(call.core.engine(), memory_tree({}), {.folder = "/", .limits = limits}),
                                       SessionSettings{.limits = limits});
  Sources& sources = session_->sources();
  const SourceId source = sources.add(kBody, call.request.body);
  // It may be that of an encrypted document: what is wrong is told without it.
  if (call.request.body.find("encrypted") != std::string::npos) sources.mark_secret(source);
  text::DocumentPool pool(arena_);
  try {
    texts_ = text::read_yaml_stream(call.core.engine()->settings().executor, sources, source, text::pyyaml_json(), limits, pool);
  } catch (const Error& error) {
    if (error.gives_up()) throw;
    throw not_yaml(error);
  }
  // A text without any document is an empty list of them.
  if (texts_.size() == 1 && texts_.front().root.is_null() && call.request.body.find_first_not_of(" \t\r\n") == std::string::npos) texts_.clear();
  std::string wrong;
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    const Value& root = texts_[i].root;
    if (!root.is_mapping() || root.size() == 0) wrong += fmt::format("{}{}", wrong.empty() ? "" : ",", i + 1);
  }
  if (!wrong.empty()) {
    throw refused(400, "HTTPBadRequest", fmt::format("Expected a list of valid objects. Invalid entries found at following indexes: {}.", wrong));
  }
  deckhand::Findings findings;
  for (const text::Document& one : texts_) deckhand::check_structure(sources, one.root, true, findings);
  if (!findings.empty()) findings.stop();
  for (const text::Document& one : texts_) {
    documents_.push_back(read_document(*arena_, one.root, static_cast<std::int64_t>(sources.place(one.origin).line.value_or(1))));
  }
}

}  // namespace strata::service::buckets
