#include "service/buckets/documents.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "deckhand/redaction.hpp"
#include "service/buckets/answers.hpp"
#include "service/buckets/listing.hpp"
#include "service/core.hpp"
#include "strata/builder.hpp"
#include "tree/sha256.hpp"

namespace strata::service::buckets {
namespace {

constexpr std::string_view kValidationPolicy = "deckhand/ValidationPolicy/";
constexpr std::string_view kListEncrypted = "deckhand:list_encrypted_documents";

/// The name of an answer: what it was made of, and what was asked for.
std::string entity_tag(const Call& call, std::string_view identity, bool sees_encrypted) {
  return fmt::format("\"{}\"",
                     sha256_text(fmt::format("{}\n{}\n{}\n{}", call.route.pattern, identity, call.request.query_text, sees_encrypted)).substr(0, 40));
}

bool is_known(const Call& call, const std::string& tag) {
  const std::string_view known = call.request.headers.get("If-None-Match");
  return known == "*" || known.find(tag) != std::string_view::npos;
}

Response limited(const Query& query, std::vector<Value> documents) {
  sort_by_query(query, documents);
  documents.resize(std::min(documents.size(), limit_of(query)));
  return yaml_response(documents);
}

}  // namespace

Response list_documents(const Call& call) {
  const Query& query = call.request.query;
  const bool cleartext = wants_cleartext(query);
  (void)limit_of(query);
  const bool sees_encrypted = call.may(kListEncrypted);
  const std::string identity = identity_of(call, call[0]);
  const std::string tag = entity_tag(call, identity, sees_encrypted);
  if (is_known(call, tag)) return {.status = 304, .headers = {{"ETag", tag}}};
  RevisionDocuments documents = read_documents_of(call, call[0], false);
  Sources sources;
  const KeptDocuments kept(std::move(documents.stored), {}, sources, call.core.limits(call));
  Arena& arena = *kept.arena();
  const DocumentFilters filters(query, true);
  std::vector<Value> wanted;
  Value policy;
  for (const KeptDocuments::One& one : kept.all()) {
    if (one.is_encrypted && !sees_encrypted) continue;
    Value shown = one.shown(arena);
    if (one.is_encrypted && !cleartext) {
      const auto is_not = [](std::size_t /*substitution*/) { return false; };
      shown = one.shown(arena, deckhand::redacted_data(one.data, arena), deckhand::redacted_metadata(one.metadata, is_not, arena), one.head.since);
    }
    if (!filters.wants(shown)) continue;
    if (one.head.schema.starts_with(kValidationPolicy)) {
      policy = *shown.find("status");
    } else {
      wanted.push_back(shown);
    }
  }
  // As the reference: policies of validations are not shown, but that there is something.
  if (wanted.empty() && policy) {
    MappingBuilder only(arena);
    only.insert("status", policy);
    wanted.push_back(only.finish());
  }
  Response out = limited(query, std::move(wanted));
  out.headers.add("ETag", tag);
  return out;
}

Response list_rendered_documents(const Call& call, Renderings& renderings) {
  const Query& query = call.request.query;
  const bool cleartext = wants_cleartext(query);
  (void)limit_of(query);
  const bool sees_encrypted = call.may(kListEncrypted);
  // A revision without a LayeringPolicy of its own depends on more than itself: its identity is longer.
  std::string identity = identity_of(call, call[0]);
  auto rendered = renderings.known(identity, cleartext);
  std::string tag = entity_tag(call, identity, sees_encrypted);
  if (rendered == nullptr) {
    RevisionDocuments documents = read_documents_of(call, call[0], true);
    tag = entity_tag(call, documents.identity, sees_encrypted);
    if (is_known(call, tag)) return {.status = 304, .headers = {{"ETag", tag}}};
    rendered = renderings.render(call, std::move(documents), cleartext);
  } else if (is_known(call, tag)) {
    return {.status = 304, .headers = {{"ETag", tag}}};
  }
  // Bodies with secrets are not kept.
  const bool is_public = !rendered->has_secrets;
  if (is_public) {
    if (const auto body = renderings.answer(tag))
      return {.status = 200, .headers = {{"Content-Type", std::string(kYaml)}, {"ETag", tag}}, .body = *body};
  }
  const DocumentFilters filters(query, false);
  Arena arena;
  std::vector<Value> wanted;
  for (const RenderedDocuments::One& one : rendered->all) {
    if (one.has_secrets && !sees_encrypted) continue;
    const KeptDocuments::One& source = rendered->kept->all()[one.source];
    const Value shown = source.shown(arena, one.data, one.metadata, source.head.since);
    if (filters.wants(shown)) wanted.push_back(shown);
  }
  Response out = limited(query, std::move(wanted));
  out.headers.add("ETag", tag);
  if (is_public) renderings.keep_answer(tag, std::make_shared<const std::string>(out.body));
  return out;
}

}  // namespace strata::service::buckets
