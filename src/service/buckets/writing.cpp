#include "service/buckets/writing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "service/buckets/answers.hpp"
#include "service/buckets/body.hpp"
#include "service/buckets/kept.hpp"
#include "service/buckets/revisions.hpp"
#include "service/core.hpp"
#include "store/documents.hpp"
#include "store/revisions.hpp"
#include "store/sealed.hpp"
#include "store/store.hpp"
#include "strata/builder.hpp"
#include "strata/text.hpp"
#include "tree/sha256.hpp"

namespace strata::service::buckets {
namespace {

constexpr std::string_view kTable = "document";
constexpr std::string_view kPolicy = "deckhand/LayeringPolicy/";
constexpr std::string_view kValidationPolicy = "deckhand/ValidationPolicy/";
constexpr std::size_t kLongestName = 255;

/// What names a document in a revision.
std::string triple_of(std::string_view schema, const std::optional<std::string>& layer, std::string_view name) {
  return fmt::format("{}\n{}\n{}", schema, layer.value_or("\n"), name);
}
std::string triple_of(const store::DocumentHead& head) { return triple_of(head.schema, head.layer, head.name); }
std::string triple_of(const NewDocument& document) { return triple_of(document.schema, document.layer, document.name); }

std::string title_of(std::string_view schema, const std::optional<std::string>& layer, std::string_view name) {
  return fmt::format("[{}, {}] {}", schema, layer.value_or("None"), name);
}

/// Equal documents have equal ones, whatever the order of their keys. Data that are sealed count by the id of their secret.
std::string digest_of(const Value& metadata, const Value& data, const std::optional<std::string>& sealed) {
  std::string bytes = text::write_yaml(metadata, {.profile = &text::pyyaml(), .sort_keys = true});
  bytes += '\0';
  bytes += sealed ? *sealed : text::write_yaml(data, {.profile = &text::pyyaml(), .sort_keys = true});
  const auto digest = sha256(bytes);
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

/// A document with its texts, before it is in the transaction.
struct Prepared {
  const NewDocument* document;
  std::string metadata;
  std::string data;    ///< To be stored, or to be sealed.
  std::string digest;  ///< Empty: the id of the secret is not known yet.
};

std::vector<Prepared> prepared(const DocumentsBody& body) {
  std::vector<Prepared> out;
  for (const NewDocument& one : body.documents()) {
    out.push_back({.document = &one,
                   .metadata = encoded(one.metadata),
                   .data = encoded(one.data),
                   .digest = one.is_encrypted ? std::string() : digest_of(one.metadata, one.data, std::nullopt)});
  }
  return out;
}

/// Refuses two documents of one name in the body.
void check_body(const std::vector<Prepared>& documents, const std::string& bucket) {
  std::set<std::string> seen;
  for (const Prepared& one : documents) {
    const NewDocument& document = *one.document;
    if (std::max({document.schema.size(), document.name.size(), document.layer.value_or("").size()}) > kLongestName) {
      throw refused(400, "HTTPBadRequest", fmt::format("The schema, layer and name of a document have at most {} bytes each.", kLongestName));
    }
    if (seen.insert(triple_of(document)).second) continue;
    throw refused(409, "DuplicateDocumentExists",
                  fmt::format("Document {} already exists in bucket: {}", title_of(document.schema, document.layer, document.name), bucket));
  }
}

/// Refuses documents that other buckets have, and a second LayeringPolicy.
void check_conflicts(const std::vector<Prepared>& documents, const std::map<std::string, const store::DocumentHead*>& there,
                     const std::string& bucket, std::span<const store::DocumentHead> heads) {
  for (const Prepared& one : documents) {
    const NewDocument& document = *one.document;
    const auto found = there.find(triple_of(document));
    if (found != there.end() && found->second->bucket != bucket) {
      throw refused(
          409, "DuplicateDocumentExists",
          fmt::format("Document {} already exists in bucket: {}", title_of(document.schema, document.layer, document.name), found->second->bucket));
    }
    if (!document.schema.starts_with(kPolicy)) continue;
    const auto other = std::ranges::find_if(heads, [&document](const store::DocumentHead& head) {
      return !head.is_deletion && head.schema.starts_with(kPolicy) && head.name != document.name;
    });
    if (other != heads.end()) {
      throw refused(
          409, "SingletonDocumentConflict",
          fmt::format("A singleton document {} already exists in the system. The new document(s) {} cannot be created. To create a document "
                      "with a new name, delete the current one first",
                      title_of(other->schema, other->layer, other->name), title_of(document.schema, document.layer, document.name)));
    }
  }
}

/// The next revision of a project, while it is written.
class RevisionWriter {
 public:
  RevisionWriter(const Call& call, Writing& writing, std::string kind)
      : call_(call), writing_(writing), revision_{.kind = std::move(kind), .author = call.request.principal.name, .request = call.request.id} {}

  void touch(const std::string& bucket) { buckets_.insert(bucket); }
  void end(const store::DocumentHead& head) { ended_.push_back(head.number); }
  void remove(const store::DocumentHead& head) {
    // What is gone keeps its name: a later document of that name is another one.
    added_.push_back({.bucket = head.bucket,
                      .schema = head.schema,
                      .layer = head.layer,
                      .name = head.name,
                      .metadata = kNothing,
                      .data = {},
                      .sealed = {},
                      .digest = head.digest,
                      .is_deletion = true,
                      .line = {}});
  }
  void add(store::NewDocument document) { added_.push_back(std::move(document)); }

  /// Returns the numbers of what was added, in that order.
  std::vector<std::int64_t> finish() {
    revision_.buckets.assign(buckets_.begin(), buckets_.end());
    store::add_revision(writing_.transaction, writing_.project, revision_);
    store::end_documents(writing_.transaction, writing_.project, revision_.number, ended_);
    writing_.note("revision", std::to_string(revision_.number), revision_.number);
    return store::add_documents(writing_.transaction, writing_.project, revision_.number, added_);
  }
  [[nodiscard]] const store::Revision& revision() const noexcept { return revision_; }

 private:
  static constexpr std::string_view kNothing = "J{}";

  const Call& call_;
  Writing& writing_;
  store::Revision revision_;
  std::set<std::string> buckets_;
  std::vector<std::int64_t> ended_;
  std::vector<store::NewDocument> added_;
};

/// Seals data, or finds that they are what is sealed already.
std::string sealed_id(const Call& call, Writing& writing, const Prepared& one, const store::DocumentHead* before) {
  const auto keys = call.core.store().keys(true);
  if (before != nullptr && before->sealed) {
    const store::SecretBytes old =
        store::open_sealed(writing.transaction, *keys, {.project = writing.project.name, .table = kTable, .id = *before->sealed});
    if (old.view() == one.data) return *before->sealed;
  }
  return store::add_sealed(writing.transaction, *keys, writing.project.name, kTable, one.data);
}

void check_expected(const Call& call, const store::Project& project) {
  const std::string* expected = call.request.headers.find("If-Match");
  if (expected == nullptr || *expected == "*" || *expected == fmt::format("\"{}\"", project.last_revision)) return;
  throw refused(412, "PreconditionFailed", fmt::format("The newest revision is {}, not {}", project.last_revision, *expected));
}

Value status_of(Arena& arena, const std::string& bucket, std::int64_t revision) {
  MappingBuilder status(arena);
  status.insert("bucket", arena.text(bucket));
  status.insert("revision", Value::integer(revision));
  MappingBuilder out(arena);
  out.insert("status", status.finish());
  return out.finish();
}

Response put_in(const Call& call, const std::string& bucket, const DocumentsBody& body, const std::vector<Prepared>& documents, Writing& writing) {
  check_expected(call, writing.project);
  const std::vector<store::DocumentHead> heads = store::newest_documents(writing.transaction, writing.project);
  std::map<std::string, const store::DocumentHead*> there;
  bool had_any = false;
  for (const store::DocumentHead& head : heads) {
    had_any = had_any || head.bucket == bucket;
    if (!head.is_deletion) there.emplace(triple_of(head), &head);
  }
  if (documents.empty() && !had_any) return yaml_response(std::span<const Value>());
  check_conflicts(documents, there, bucket, heads);

  RevisionWriter writer(call, writing, "put");
  writer.touch(bucket);
  std::set<std::string> kept;
  for (const Prepared& one : documents) kept.insert(triple_of(*one.document));
  for (const store::DocumentHead& head : heads) {
    if (head.bucket != bucket) continue;
    writer.end(head);
    // As the reference does, what was deleted before is deleted again.
    if (!kept.contains(triple_of(head))) writer.remove(head);
  }
  std::vector<std::optional<std::string>> sealed;
  std::size_t deletions = 0;
  for (const store::DocumentHead& head : heads) deletions += head.bucket == bucket && !kept.contains(triple_of(head)) ? 1 : 0;
  for (const Prepared& one : documents) {
    const NewDocument& document = *one.document;
    const auto found = there.find(triple_of(document));
    const store::DocumentHead* before = found == there.end() ? nullptr : found->second;
    sealed.emplace_back();
    if (document.is_encrypted) sealed.back() = sealed_id(call, writing, one, before);
    std::string digest = document.is_encrypted ? digest_of(document.metadata, document.data, sealed.back()) : one.digest;
    store::NewDocument added{.bucket = bucket,
                             .schema = document.schema,
                             .layer = document.layer,
                             .name = document.name,
                             .metadata = one.metadata,
                             .data = {},
                             .sealed = sealed.back(),
                             .digest = std::move(digest),
                             .line = document.line};
    if (!document.is_encrypted) added.data = one.data;
    if (before != nullptr && before->digest == added.digest) added.since = before->since;
    writer.add(std::move(added));
  }
  const std::vector<std::int64_t> numbers = writer.finish();

  Arena arena;
  const std::int64_t revision = writer.revision().number;
  std::vector<Value> shown;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const NewDocument& document = *documents[i].document;
    if (document.schema.starts_with(kValidationPolicy)) continue;
    KeptDocuments::One one{};
    one.head.number = numbers[deletions + i];
    one.head.bucket = bucket;
    one.head.schema = document.schema;
    shown.push_back(one.shown(arena, sealed[i] ? arena.text(secret_reference(*sealed[i])) : document.data, document.metadata, revision));
  }
  if (shown.empty()) shown.push_back(status_of(arena, bucket, revision));
  (void)body;
  return yaml_response(shown);
}

}  // namespace

Response put_documents(const Call& call) {
  const std::string& bucket = call[0];
  if (bucket.empty() || bucket.size() > kLongestName) throw refused(400, "HTTPBadRequest", "The name of a bucket has 1 to 255 bytes.");
  check_content_type(call.request);
  const DocumentsBody body(call);
  const std::vector<Prepared> documents = prepared(body);
  if (std::ranges::any_of(documents, [](const Prepared& one) { return one.document->is_encrypted; })) {
    call.demand("deckhand:create_encrypted_documents");
  }
  check_body(documents, bucket);
  return call.core.write(call, [&](Writing& writing) { return put_in(call, bucket, body, documents, writing); });
}

Response roll_back(const Call& call) {
  const std::optional<std::int64_t> target = revision_number(call[0]);
  if (!target) throw Refused({.status = 404, .code = "request.route", .message = "", .hint = "", .type = "HTTPRouteNotFound", .headers = {}});
  return call.core.write(call, [&](Writing& writing) {
    check_expected(call, writing.project);
    std::vector<store::Document> wanted;
    if (*target != 0) {
      if (!store::find_revision(writing.transaction, writing.project, *target)) throw no_revision(call[0]);
      wanted = store::documents_at(writing.transaction, writing.project, *target);
    }
    if (std::ranges::any_of(wanted, [](const store::Document& one) { return one.head.sealed.has_value(); })) {
      call.demand("deckhand:create_encrypted_documents");
    }
    const std::vector<store::DocumentHead> heads = store::newest_documents(writing.transaction, writing.project);
    std::map<std::string, const store::DocumentHead*> there;
    for (const store::DocumentHead& head : heads) {
      if (!head.is_deletion) there.emplace(triple_of(head), &head);
    }
    RevisionWriter writer(call, writing, "rollback");
    std::set<std::string> kept;
    std::set<std::string> filled;
    for (const store::Document& one : wanted) {
      kept.insert(triple_of(one.head));
      filled.insert(one.head.bucket);
      writer.touch(one.head.bucket);
    }
    bool empties = false;
    for (const store::DocumentHead& head : heads) {
      writer.end(head);
      if (head.is_deletion || kept.contains(triple_of(head))) continue;
      writer.touch(head.bucket);
      writer.remove(head);
      empties = empties || !filled.contains(head.bucket);
    }
    for (const store::Document& one : wanted) {
      store::NewDocument added{.bucket = one.head.bucket,
                               .schema = one.head.schema,
                               .layer = one.head.layer,
                               .name = one.head.name,
                               .metadata = one.metadata,
                               .data = {},
                               .sealed = one.head.sealed,
                               .digest = one.head.digest,
                               .line = one.head.line};
      if (one.data) added.data = *one.data;
      // What the newest revision has is labelled with the target, as the reference does.
      const auto found = there.find(triple_of(one.head));
      if (found != there.end() && found->second->digest == one.head.digest) added.since = *target;
      writer.add(std::move(added));
    }
    (void)writer.finish();
    Arena arena;
    store::Revision shown = writer.revision();
    // As the reference: the answer does not know the buckets if one was emptied; asking for the revision tells them.
    if (empties) shown.buckets.clear();
    return yaml_response(revision_value(arena, writing.transaction, writing.project, shown), 201);
  });
}

Response delete_revisions(const Call& call) {
  return call.core.write(call, [](Writing& writing) {
    store::remove_all_revisions(writing.transaction, writing.project);
    writing.note("revision", "all");
    return Response{.status = 204};
  });
}

}  // namespace strata::service::buckets
