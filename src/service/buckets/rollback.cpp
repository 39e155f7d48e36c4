// SPDX-License-Identifier: Apache-2.0
// POST of a rollback: a new revision with the documents of an older one.
#include <algorithm>
#include <set>

#include "service/buckets/failure.hpp"
#include "service/buckets/incoming.hpp"
#include "service/buckets/revision_view.hpp"
#include "service/buckets/routes.hpp"
#include "service/buckets/yaml.hpp"
#include "store/documents.hpp"
#include "value/seeded_hash.hpp"

namespace strata::service::buckets {
namespace {

std::string document_key(const store::DocumentHead& head) {
  return head.bucket + '\n' + Triple{.schema = head.schema, .layer = head.layer, .name = head.name}.key();
}

/// Whether the metadata, JSON as it is stored, say so.
bool is_encrypted(const store::Document& document) {
  return document.head.sealed || document.metadata.find(R"("storagePolicy":"encrypted")") != std::string::npos;
}

store::NewDocument deletion_of(const store::DocumentHead& head) {
  return {.bucket = head.bucket,
          .schema = head.schema,
          .layer = head.layer,
          .name = head.name,
          .metadata = "{}",
          .data = {},
          .sealed = {},
          .digest = head.digest,
          .is_deletion = true,
          .line = {}};
}

store::NewDocument copy_of(const store::Document& document) {
  store::NewDocument out = deletion_of(document.head);
  out.metadata = document.metadata;
  if (document.data) out.data = *document.data;
  out.sealed = document.head.sealed;
  out.is_deletion = false;
  out.line = document.head.line;
  out.body = document.head.body;
  return out;
}

/// What a rollback writes.
struct RollbackChanges {
  std::vector<store::NewDocument> rows;  ///< Deletions first.
  std::vector<std::int64_t> ended;
  std::set<std::string> buckets;
  bool empties_bucket = false;
};

RollbackChanges changes_to(std::span<const store::Document> target, std::span<const store::DocumentHead> newest,
                           std::int64_t number) {
  RollbackChanges out;
  TextSet wanted;
  std::set<std::string> kept;
  TextSet digests;
  for (const store::Document& document : target) {
    wanted.insert(document_key(document.head));
    kept.insert(document.head.bucket);
    out.buckets.insert(document.head.bucket);
  }
  for (const store::DocumentHead& head : newest) {
    const bool returns = wanted.contains(document_key(head));
    if (!kept.contains(head.bucket)) out.empties_bucket = true;
    if (!head.is_deletion) digests.insert(head.digest);
    if (!head.is_deletion && !returns) {
      out.rows.push_back(deletion_of(head));
      out.buckets.insert(head.bucket);
    }
    if (!head.is_deletion || returns) out.ended.push_back(head.number);
  }
  for (const store::Document& document : target) {
    out.rows.push_back(copy_of(document));
    // What is unchanged is said to be of the target.
    if (digests.contains(document.head.digest)) out.rows.back().since = number;
  }
  return out;
}

}  // namespace

Response roll_back(const Call& call) {
  const auto number = revision_number(call[0]);
  if (!number) throw no_route();
  return write(call, [&](Writing& writing) {
    std::vector<store::Document> target;
    if (*number != 0) {
      (void)demanded_revision(writing.transaction, &writing.project, call[0]);
      target = store::documents_at(writing.transaction, writing.project, *number);
    }
    if (std::ranges::any_of(target, is_encrypted)) call.demand("deckhand:create_encrypted_documents");
    const auto newest = store::newest_documents(writing.transaction, writing.project);
    const RollbackChanges changes = changes_to(target, newest, *number);
    store::Revision revision{.kind = "rollback",
                             .author = call.request.principal.name,
                             .request = call.request.id,
                             .buckets = std::vector<std::string>(changes.buckets.begin(), changes.buckets.end())};
    store::add_revision(writing.transaction, writing.project, revision);
    store::end_documents(writing.transaction, writing.project, revision.number, changes.ended);
    (void)store::add_documents(writing.transaction, writing.project, revision.number, changes.rows);
    writing.note("revision", std::to_string(revision.number), revision.number);
    const auto policies = validation_policies(writing.transaction, writing.project, revision.number);
    // As in the reference: the answer has no buckets where one was emptied. Later ones have.
    if (changes.empties_bucket) revision.buckets.clear();
    Arena arena;
    Response out = yaml_response(revision_value(arena, revision, {}, policies), 201);
    out.headers.set("ETag", revision_tag(revision.number));
    return out;
  });
}

}  // namespace strata::service::buckets
