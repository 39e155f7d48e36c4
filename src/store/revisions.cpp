// SPDX-License-Identifier: Apache-2.0
#include "revisions.hpp"

#include "store/blobs.hpp"
#include "store/encoding.hpp"

namespace strata::store {
namespace {

Revision revision_of(const Row& row) {
  return {.number = row.integer(0),
          .kind = row.text(1),
          .author = row.text(2),
          .created_at = row.integer(3),
          .request = row.maybe_text(4)};
}

std::vector<Tag> tags_of(const Rows& rows) {
  std::vector<Tag> found;
  for (const Row row : rows) {
    Tag tag{.revision = row.integer(0), .name = row.text(1), .data = {}};
    if (!row.is_null(2)) tag.data = unpacked(row.bytes(3), row.integer(4));
    found.push_back(std::move(tag));
  }
  return found;
}

}  // namespace

void add_revision(Transaction& transaction, Project& project, Revision& revision) {
  revision.number = ++project.last_revision;
  revision.created_at = now();
  transaction.send(
      "INSERT INTO revision (project, number, kind, author, created_at, request) VALUES ($1, $2, $3, $4, $5, $6)",
      {project.id, revision.number, revision.kind, revision.author, revision.created_at, revision.request});
  for (const std::string& bucket : revision.buckets) {
    transaction.send("INSERT INTO revision_bucket (project, revision, bucket) VALUES ($1, $2, $3)",
                     {project.id, revision.number, bucket});
  }
}

std::optional<Revision> find_revision(Transaction& transaction, const Project& project, std::int64_t number) {
  const Rows rows = transaction.run(
      "SELECT number, kind, author, created_at, request FROM revision WHERE project = $1 AND number = $2",
      {project.id, number});
  if (rows.empty()) return std::nullopt;
  Revision found = revision_of(rows.front());
  for (const Row row :
       transaction.run("SELECT bucket FROM revision_bucket WHERE project = $1 AND revision = $2 ORDER BY bucket",
                       {project.id, number})) {
    found.buckets.push_back(row.text(0));
  }
  return found;
}

std::vector<Revision> revisions(Transaction& transaction, const Project& project) {
  std::vector<Revision> found;
  for (const Row row : transaction.run(
           "SELECT number, kind, author, created_at, request FROM revision WHERE project = $1 ORDER BY number",
           {project.id})) {
    found.push_back(revision_of(row));
  }
  auto at = found.begin();
  for (const Row row : transaction.run(
           "SELECT revision, bucket FROM revision_bucket WHERE project = $1 ORDER BY revision, bucket", {project.id})) {
    while (at != found.end() && at->number < row.integer(0)) ++at;
    if (at != found.end() && at->number == row.integer(0)) at->buckets.push_back(row.text(1));
  }
  return found;
}

void remove_all_revisions(Transaction& transaction, Project& project) {
  transaction.send(
      "DELETE FROM sealed WHERE id IN (SELECT sealed FROM document WHERE project = $1 AND sealed IS NOT NULL)",
      {project.id});
  transaction.send("DELETE FROM validation WHERE project = $1", {project.id});
  transaction.send("DELETE FROM tag WHERE project = $1", {project.id});
  transaction.send("DELETE FROM document WHERE project = $1", {project.id});
  transaction.send("DELETE FROM revision_bucket WHERE project = $1", {project.id});
  transaction.send("DELETE FROM revision WHERE project = $1", {project.id});
  project.last_revision = 0;
  project.last_document = 0;
}

void put_tag(Transaction& transaction, const Project& project, const Tag& tag) {
  std::optional<BlobId> data;
  if (tag.data) data = put_blob(transaction, *tag.data);
  const Parameter stored = data ? Parameter(Bytes{*data}) : Parameter(std::nullopt);
  transaction.send(
      R"(INSERT INTO tag (project, revision, name, data, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (project, revision, name) DO UPDATE SET data = $4, created_at = $5)",
      {project.id, tag.revision, tag.name, stored, now()});
}

std::optional<Tag> find_tag(Transaction& transaction, const Project& project, std::int64_t revision,
                            std::string_view name) {
  std::vector<Tag> found = tags_of(transaction.run(
      R"(SELECT t.revision, t.name, t.data, b.bytes, b.size FROM tag t LEFT JOIN blob b ON b.hash = t.data
         WHERE t.project = $1 AND t.revision = $2 AND t.name = $3)",
      {project.id, revision, name}));
  return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

std::vector<Tag> tags(Transaction& transaction, const Project& project, std::int64_t revision) {
  return tags_of(transaction.run(
      R"(SELECT t.revision, t.name, t.data, b.bytes, b.size FROM tag t LEFT JOIN blob b ON b.hash = t.data
         WHERE t.project = $1 AND t.revision = $2 ORDER BY t.name)",
      {project.id, revision}));
}

std::vector<Tag> tag_names(Transaction& transaction, const Project& project) {
  std::vector<Tag> found;
  for (const Row row :
       transaction.run("SELECT revision, name FROM tag WHERE project = $1 ORDER BY revision, name", {project.id})) {
    found.push_back({.revision = row.integer(0), .name = row.text(1), .data = {}});
  }
  return found;
}

bool remove_tag(Transaction& transaction, const Project& project, std::int64_t revision, std::string_view name) {
  return transaction
             .run("DELETE FROM tag WHERE project = $1 AND revision = $2 AND name = $3", {project.id, revision, name})
             .changed() != 0;
}

void remove_tags(Transaction& transaction, const Project& project, std::int64_t revision) {
  transaction.send("DELETE FROM tag WHERE project = $1 AND revision = $2", {project.id, revision});
}

void add_validation(Transaction& transaction, const Project& project, Validation& validation) {
  const Rows last = transaction.run("SELECT count(*) FROM validation WHERE project = $1 AND revision = $2",
                                    {project.id, validation.revision});
  validation.number = last.front().integer(0);
  validation.created_at = now();
  const BlobId body = put_blob(transaction, validation.body);
  transaction.send(
      "INSERT INTO validation (project, revision, number, name, status, body, created_at) VALUES ($1, $2, $3, $4, $5, "
      "$6, $7)",
      {project.id, validation.revision, validation.number, validation.name, validation.status, Bytes{body},
       validation.created_at});
}

std::vector<Validation> validations(Transaction& transaction, const Project& project, std::int64_t revision) {
  std::vector<Validation> found;
  const Rows rows = transaction.run(
      R"(SELECT v.number, v.name, v.status, b.bytes, b.size, v.created_at FROM validation v LEFT JOIN blob b ON b.hash = v.body
         WHERE v.project = $1 AND v.revision = $2 ORDER BY v.number)",
      {project.id, revision});
  for (const Row row : rows) {
    found.push_back({.revision = revision,
                     .number = row.integer(0),
                     .name = row.text(1),
                     .status = row.text(2),
                     .body = unpacked(row.bytes(3), row.integer(4)),
                     .created_at = row.integer(5)});
  }
  return found;
}

}  // namespace strata::store
