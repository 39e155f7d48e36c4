// SPDX-License-Identifier: Apache-2.0
// PUT: the whole new content of a bucket becomes a revision.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "service/buckets/failure.hpp"
#include "service/buckets/incoming.hpp"
#include "service/buckets/revision_view.hpp"
#include "service/buckets/routes.hpp"
#include "service/buckets/yaml.hpp"
#include "store/sealed.hpp"
#include "store/store.hpp"
#include "value/seeded_hash.hpp"

namespace strata::service::buckets {
namespace {

constexpr std::size_t kLongestBucket = 36;
constexpr std::string_view kDocumentTable = "document";

Failure duplicate(const Triple& triple, std::string_view bucket) {
  return {409, "DuplicateDocumentExists",
          fmt::format("Document {} already exists in bucket: {}", triple.to_string(), bucket)};
}

Triple triple_of(const store::DocumentHead& head) {
  return {.schema = head.schema, .layer = head.layer, .name = head.name};
}

/// Whether two secrets are the same value.
bool same_secret_value(const store::SecretBytes& stored, const std::string& given) {
  if (stored.view() == given) return true;
  const JsonBody before = read_json_text(stored.view(), "<secret>", Limits());
  const JsonBody after = read_json_text(given, "<secret>", Limits());
  return equal(before.root(), after.root());
}

/// One PUT in its transaction.
class Put {
 public:
  Put(Writing& writing, const Call& call, std::span<const Incoming> documents, const store::Keyring* keys)
      : writing_(writing), call_(call), bucket_(call[0]), documents_(documents), keys_(keys) {}

  Response run() {
    newest_ = store::newest_documents(writing_.transaction, writing_.project);
    for (const store::DocumentHead& head : newest_) {
      if (head.bucket == bucket_) {
        before_.emplace(triple_of(head).key(), &head);
      } else if (!head.is_deletion) {
        elsewhere_.emplace(triple_of(head).key(), &head);
      }
    }
    const std::string* unwanted = call_.request.headers.find("If-None-Match");
    if (unwanted != nullptr && *unwanted == "*" && !before_.empty()) {
      throw Failure(412, "PreconditionFailed", fmt::format("The bucket {} is there already.", bucket_));
    }
    if (documents_.empty() && before_.empty()) return yaml_response(std::string());
    check_singleton();
    check_duplicates();
    return store_revision();
  }

 private:
  /// There is one LayeringPolicy: its name changes only after it is deleted.
  void check_singleton() const {
    std::vector<Triple> existing;
    for (const store::DocumentHead& head : newest_) {
      if (!head.is_deletion && triple_of(head).is_policy()) existing.push_back(triple_of(head));
    }
    if (existing.empty()) return;
    std::vector<std::string> conflicting;
    for (const Incoming& document : documents_) {
      if (!document.triple.is_policy()) continue;
      const auto is_same = [&](const Triple& one) { return one.key() == document.triple.key(); };
      if (std::ranges::none_of(existing, is_same)) conflicting.push_back(document.triple.to_string());
    }
    if (conflicting.empty()) return;
    throw Failure(409, "SingletonDocumentConflict",
                  fmt::format("A singleton document {} already exists in the system. The new document(s) {} cannot be "
                              "created. To create a document "
                              "with a new name, delete the current one first",
                              existing.front().to_string(), fmt::join(conflicting, ", ")));
  }

  void check_duplicates() {
    for (const Incoming& document : documents_) {
      const std::string key = document.triple.key();
      if (!wanted_.insert(key).second) throw duplicate(document.triple, bucket_);
      if (const auto other = elsewhere_.find(key); other != elsewhere_.end())
        throw duplicate(document.triple, other->second->bucket);
    }
  }

  /// Whether a sealed secret is that of a document. One that does not open is not: a new one replaces it.
  bool is_same(const std::string& sealed, const Incoming& document) {
    try {
      const store::SecretBytes secret = store::open_sealed(
          writing_.transaction, *keys_, {.project = writing_.project.name, .table = kDocumentTable, .id = sealed});
      return same_secret_value(secret, document.data);
    } catch (const Error& error) {
      if (!store::is_unreadable(error)) throw;
      return false;
    }
  }

  /// The id of the sealed secret: the one that is there, if that is the same.
  std::string sealed_id(const Incoming& document, const store::DocumentHead* before) {
    if (before != nullptr && before->sealed && is_same(*before->sealed, document)) return *before->sealed;
    return store::add_sealed(writing_.transaction, *keys_, writing_.project.name, kDocumentTable, document.data);
  }

  store::NewDocument stored(const Incoming& document) {
    const auto found = before_.find(document.triple.key());
    const store::DocumentHead* before = found == before_.end() || found->second->is_deletion ? nullptr : found->second;
    store::NewDocument out{.bucket = bucket_,
                           .schema = document.triple.schema,
                           .layer = document.triple.layer,
                           .name = document.triple.name,
                           .metadata = document.metadata,
                           .data = {},
                           .sealed = {},
                           .digest = document.digest,
                           .is_deletion = false,
                           .line = document.line};
    if (document.is_sealed) {
      out.sealed = sealed_id(document, before);
      out.digest = sealed_digest(document, *out.sealed);
    } else {
      out.data = document.data;
    }
    if (before != nullptr && before->digest == out.digest) out.since = before->since;
    return out;
  }

  /// What the bucket ever had and the body lacks. Deletions are repeated in each revision, as in the reference: numbers
  /// of documents show it.
  [[nodiscard]] std::vector<store::NewDocument> deletions() const {
    static const std::string no_digest = store::blob_id("");
    std::vector<store::NewDocument> out;
    for (const store::DocumentHead& head : newest_) {
      if (head.bucket != bucket_ || wanted_.contains(triple_of(head).key())) continue;
      out.push_back({.bucket = bucket_,
                     .schema = head.schema,
                     .layer = head.layer,
                     .name = head.name,
                     .metadata = "{}",
                     .data = {},
                     .sealed = {},
                     .digest = no_digest,
                     .is_deletion = true,
                     .line = {}});
    }
    return out;
  }

  Response store_revision() {
    std::vector<store::NewDocument> rows = deletions();
    const std::size_t deleted = rows.size();
    rows.reserve(deleted + documents_.size());
    for (const Incoming& document : documents_) rows.push_back(stored(document));
    store::Revision revision{
        .kind = "put", .author = call_.request.principal.name, .request = call_.request.id, .buckets = {bucket_}};
    store::add_revision(writing_.transaction, writing_.project, revision);
    store::end_bucket(writing_.transaction, writing_.project, revision.number, bucket_);
    const std::vector<std::int64_t> numbers =
        store::add_documents(writing_.transaction, writing_.project, revision.number, rows);
    writing_.note("revision", std::to_string(revision.number), revision.number);
    Response out =
        yaml_response(body(std::span(rows).subspan(deleted), std::span(numbers).subspan(deleted), revision.number));
    out.headers.set("ETag", revision_tag(revision.number));
    return out;
  }

  /// The stored documents, or where there would be some.
  std::string body(std::span<const store::NewDocument> rows, std::span<const std::int64_t> numbers,
                   std::int64_t revision) {
    Arena arena;
    const Value place = json_object(arena, {{"bucket", arena.text(bucket_)}, {"revision", Value::integer(revision)}});
    const std::string status = yaml_text(json_object(arena, {{"status", place}}));
    std::string out;
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      const Incoming& document = documents_[i];
      if (!document.is_shown) continue;
      if (!out.empty()) out += "---\n";
      if (document.is_sealed) {
        out += yaml_text(json_object(arena, {{"data", arena.text(secret_reference(*rows[i].sealed))}}));
      } else {
        out += document.data_yaml;
      }
      fmt::format_to(std::back_inserter(out), "id: {}\n", numbers[i]);
      out += document.rest_yaml;
      out += status;
    }
    return out.empty() ? status : out;
  }

  Writing& writing_;
  const Call& call_;
  const std::string& bucket_;
  std::span<const Incoming> documents_;
  const store::Keyring* keys_;
  std::vector<store::DocumentHead> newest_;
  TextMap<const store::DocumentHead*> before_;     ///< Of this bucket.
  TextMap<const store::DocumentHead*> elsewhere_;  ///< Of other buckets, without deletions.
  TextSet wanted_;
};

}  // namespace

Response put_documents(const Call& call) {
  (void)checked_name(call[0], "bucket", kLongestBucket);
  std::vector<Incoming> documents = read_incoming(call);
  if (std::ranges::any_of(documents, &Incoming::is_encrypted)) call.demand("deckhand:create_encrypted_documents");
  std::shared_ptr<const store::Keyring> keys;
  if (std::ranges::any_of(documents, &Incoming::is_sealed)) {
    keys = call.core.store().keys(true);
    (void)keys->current();
  }
  Response out = write(call, [&](Writing& writing) { return Put(writing, call, documents, keys.get()).run(); });
  for (Incoming& document : documents) {
    if (document.is_sealed) store::wipe(document.data);
  }
  return out;
}

}  // namespace strata::service::buckets
