// SPDX-License-Identifier: Apache-2.0
#include "documents.hpp"

#include <array>

namespace strata::store {
namespace {

#define STRATA_HEAD                                                                                               \
  "d.number, d.revision, d.bucket, d.schema, d.layer, d.name, d.sealed, d.digest, d.deleted, d.origin, d.since, " \
  "coalesce(d.body, d.revision)"
constexpr std::size_t kHeadColumns = 12;

DocumentHead head_of(const Row& row) {
  return {.number = row.integer(0),
          .revision = row.integer(1),
          .since = row.integer(10),
          .bucket = row.text(2),
          .schema = row.text(3),
          .layer = row.maybe_text(4),
          .name = row.text(5),
          .sealed = row.maybe_text(6),
          .digest = row.bytes(7),
          .is_deletion = row.flag(8),
          .line = row.maybe_integer(9),
          .body = row.integer(11)};
}

}  // namespace

std::vector<std::int64_t> add_documents(Transaction& transaction, Project& project, std::int64_t revision,
                                        std::span<const NewDocument> documents) {
  std::vector<std::string_view> texts;
  for (const NewDocument& document : documents) {
    texts.push_back(document.metadata);
    if (document.data) texts.push_back(*document.data);
  }
  const std::vector<BlobId> ids = put_blobs(transaction, texts);
  std::vector<std::int64_t> numbers;
  std::size_t at = 0;
  for (const NewDocument& document : documents) {
    const Bytes metadata{ids[at++]};
    const Parameter data = document.data ? Parameter(Bytes{ids[at++]}) : Parameter(std::nullopt);
    numbers.push_back(++project.last_document);
    transaction.send(
        R"(INSERT INTO document (project, number, revision, bucket, schema, layer, name, metadata, data, sealed, digest, deleted, origin, since, body)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15))",
        {project.id, numbers.back(), revision, document.bucket, document.schema, document.layer, document.name,
         metadata, data, document.sealed, Bytes{document.digest}, document.is_deletion ? 1 : 0, document.line,
         document.since.value_or(revision), document.body});
  }
  return numbers;
}

void end_documents(Transaction& transaction, const Project& project, std::int64_t revision,
                   std::span<const std::int64_t> numbers) {
  for (const std::int64_t number : numbers) {
    transaction.send("UPDATE document SET until = $3 WHERE project = $1 AND number = $2 AND until IS NULL",
                     {project.id, number, revision});
  }
}

void end_bucket(Transaction& transaction, const Project& project, std::int64_t revision, std::string_view bucket) {
  transaction.send("UPDATE document SET until = $3 WHERE project = $1 AND bucket = $2 AND until IS NULL",
                   {project.id, bucket, revision});
}

std::vector<DocumentHead> newest_documents(Transaction& transaction, const Project& project,
                                           std::optional<std::string_view> bucket) {
  const Rows rows =
      bucket ? transaction.run(
                   "SELECT " STRATA_HEAD
                   " FROM document d WHERE d.project = $1 AND d.bucket = $2 AND d.until IS NULL ORDER BY d.number",
                   {project.id, *bucket})
             : transaction.run("SELECT " STRATA_HEAD
                               " FROM document d WHERE d.project = $1 AND d.until IS NULL ORDER BY d.number",
                               {project.id});
  std::vector<DocumentHead> found;
  for (const Row row : rows) found.push_back(head_of(row));
  return found;
}

namespace {

constexpr std::string_view kWhole = "SELECT " STRATA_HEAD
                                    ", d.data, m.bytes, m.size, b.bytes, b.size FROM document d LEFT JOIN blob m ON "
                                    "m.hash = d.metadata LEFT JOIN blob b ON b.hash = d.data ";

Document document_of(const Row& row) {
  // A blob that is missing is damage: its columns are NULL.
  Document out{.head = head_of(row),
               .metadata = unpacked(row.bytes(kHeadColumns + 1), row.integer(kHeadColumns + 2)),
               .data = {}};
  if (!row.is_null(kHeadColumns)) out.data = unpacked(row.bytes(kHeadColumns + 3), row.integer(kHeadColumns + 4));
  return out;
}

}  // namespace

namespace {

std::vector<Document> documents_of(const Rows& rows) {
  std::vector<Document> found;
  found.reserve(rows.size());
  for (const Row row : rows) found.push_back(document_of(row));
  return found;
}

/// The first text after all that begin with this one. A schema is ASCII.
std::string behind(std::string_view prefix) {
  std::string out(prefix);
  if (!out.empty()) ++out.back();
  return out;
}

}  // namespace

std::vector<Document> documents_at(Transaction& transaction, const Project& project, std::int64_t revision) {
  return documents_of(transaction.run(std::string(kWhole) + "WHERE d.project = $1 AND d.revision <= $2 AND (d.until IS "
                                                            "NULL OR d.until > $2) AND d.deleted = 0 ORDER BY d.number",
                                      {project.id, revision}));
}

std::vector<Document> documents_at(Transaction& transaction, const Project& project, std::int64_t revision,
                                   std::string_view schema) {
  return documents_of(transaction.run(
      std::string(kWhole) +
          "WHERE d.project = $1 AND d.revision <= $2 AND (d.until IS NULL OR d.until > $2) AND d.deleted = 0"
          " AND d.schema >= $3 AND d.schema < $4 ORDER BY d.number",
      {project.id, revision, schema, behind(schema)}));
}

std::optional<Document> last_document(Transaction& transaction, const Project& project, std::string_view schema) {
  const Rows rows = transaction.run(
      std::string(kWhole) +
          "WHERE d.project = $1 AND d.schema >= $2 AND d.schema < $3 AND d.deleted = 0 ORDER BY d.number DESC LIMIT 1",
      {project.id, schema, behind(schema)});
  if (rows.empty()) return std::nullopt;
  return document_of(rows.front());
}

#undef STRATA_HEAD

}  // namespace strata::store
