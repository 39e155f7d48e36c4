// SPDX-License-Identifier: Apache-2.0
// Documents of a revision, raw and rendered.
#include <fmt/format.h>

#include <algorithm>

#include "deckhand/redaction.hpp"
#include "service/buckets/failure.hpp"
#include "service/buckets/question.hpp"
#include "service/buckets/rendering.hpp"
#include "service/buckets/revision_view.hpp"
#include "service/buckets/routes.hpp"
#include "service/buckets/work_session.hpp"
#include "service/buckets/yaml.hpp"
#include "service/entity_tags.hpp"
#include "tree/sha256.hpp"

namespace strata::service::buckets {
namespace {

/// A revision never changes: what it depends on is the ETag.
std::string listing_tag(const Call& call, const RenderKey& key) {
  return fmt::format("\"{}\"",
                     sha256_text(fmt::format("{}\n{}\n{}", call.route.pattern, key.text(call), call.request.query_text))
                         .substr(0, 43));
}

Response unchanged(const std::string& tag) { return {.status = 304, .headers = {{"ETag", tag}}, .body = {}}; }

Response listing(std::string body, const std::string& tag) {
  Response out = yaml_response(std::move(body));
  out.headers.set("ETag", tag);
  return out;
}

std::vector<Shown> shown_documents(const std::vector<LoadedDocument>& documents, bool sees_secrets, bool cleartext,
                                   Arena& arena) {
  Views views(arena);
  std::vector<Shown> out;
  out.reserve(documents.size());
  for (const LoadedDocument& one : documents) {
    if (one.is_encrypted && !sees_secrets) continue;
    Value data = one.data();
    Value metadata = one.metadata();
    if (one.is_encrypted && !cleartext) {
      data = deckhand::redacted_data(data, arena);
      metadata = deckhand::redacted_metadata(
          metadata, [](std::size_t) { return false; }, arena);
    }
    out.push_back({.head = one.head,
                   .view = views.view(*one.head, one.head->since, one.schema(), metadata, data),
                   .is_secret = one.is_encrypted});
  }
  return out;
}

/// What is left of a listing of policies that answers do not show.
std::string only_status(const store::DocumentHead& head) {
  Arena arena;
  const Value place =
      json_object(arena, {{"bucket", arena.text(head.bucket)}, {"revision", Value::integer(head.since)}});
  return yaml_text(json_object(arena, {{"status", place}}));
}

}  // namespace

Response list_documents(const Call& call) {
  const Question question = read_question(call.request.query, true);
  RenderKey key{.cleartext = question.cleartext, .sees_secrets = call.may("deckhand:list_encrypted_documents")};
  std::string tag;
  Stored stored;
  bool is_known = false;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    stored = {};
    const store::Revision revision = demanded_revision(transaction, project, call[0], "HTTPNotFound");
    key.revision = revision.number;
    key.birth = fmt::format("{} {}", revision.created_at, revision.request.value_or(""));
    tag = listing_tag(call, key);
    is_known = has_answer(call.request, tag);
    if (!is_known) stored.rows = store::documents_at(transaction, *project, revision.number);
  });
  if (is_known) return unchanged(tag);
  const auto session = work_session(call, stored.bytes());
  const std::vector<LoadedDocument> documents = read_stored(stored, *session);
  const std::vector<Shown> all = shown_documents(documents, key.sees_secrets, question.cleartext, session->arena());
  std::vector<Value> views;
  const std::vector<const Shown*> found = selected(question, all);
  for (const Shown* one : found) {
    if (!one->head->schema.starts_with("deckhand/ValidationPolicy")) views.push_back(one->view);
  }
  return listing(views.empty() && !found.empty() ? only_status(*found.front()->head) : yaml_stream(call, views), tag);
}

Response list_rendered(const Call& call, RenderCache& cache) {
  const Question question = read_question(call.request.query, false);
  std::string tag;
  const auto is_known = [&](const RenderKey& key) {
    tag = listing_tag(call, key);
    return has_answer(call.request, tag);
  };
  const bool blames = call.request.query.flag("strata-blame");
  const auto revision = rendered_revision(
      call, cache, {.revision = call[0], .unknown = "HTTPNotFound", .cleartext = question.cleartext, .blames = blames},
      is_known);
  if (revision == nullptr) return unchanged(tag);
  const std::vector<const Shown*> found = selected(question, revision->shown);
  refuse_withheld(*revision, found);
  Response out =
      listing(question.is_plain() && revision->broken.empty() ? revision->text : listing_text(call, found), tag);
  // Where nobody asks for something else, secrets are in clear text here.
  out.shows_secrets = question.cleartext && std::ranges::any_of(found, [](const Shown* one) { return one->is_secret; });
  if (out.shows_secrets) call.core.audit(call, "200, secrets in clear text");
  return out;
}

}  // namespace strata::service::buckets
