// SPDX-License-Identifier: Apache-2.0
#include "schema.hpp"

#include <fmt/format.h>

#include <array>

#include "strata/error.hpp"
#include "strata/version.hpp"

namespace strata::store {
namespace {

// Times are microseconds since 1970, UTC. Hashes are SHA-256 of the content of blobs. A blob is referred to without a
// foreign key: each write would lock the rows of common texts for others. `store check` looks for what is missing, and
// pruning locks the table.
constexpr std::array<std::string_view, 24> kVersion1{
    R"(CREATE TABLE strata_schema (only_row {integer} PRIMARY KEY CHECK (only_row = 1), version {integer} NOT NULL, minimum_reader {integer} NOT NULL,
       written_by {text} NOT NULL) {strict})",
    R"(CREATE TABLE project (id {identity}, name {text} NOT NULL UNIQUE, last_revision {integer} NOT NULL DEFAULT 0,
       last_document {integer} NOT NULL DEFAULT 0, last_change {integer} NOT NULL DEFAULT 0) {strict})",
    // The bytes are compressed where they are fewer than `size`.
    R"(CREATE TABLE blob (hash {bytes} PRIMARY KEY, bytes {bytes} NOT NULL, size {integer} NOT NULL) {strict})",
    R"(CREATE TABLE sealed (id {text} PRIMARY KEY, key_id {bytes} NOT NULL, wrapped {bytes} NOT NULL, nonce {bytes} NOT NULL,
       ciphertext {bytes} NOT NULL, created_at {integer} NOT NULL) {strict})",
    R"(CREATE INDEX sealed_key ON sealed (key_id, id))",
    R"(CREATE TABLE revision (project {integer} NOT NULL REFERENCES project, number {integer} NOT NULL, kind {text} NOT NULL, author {text} NOT NULL,
       created_at {integer} NOT NULL, request {text}, PRIMARY KEY (project, number)) {strict})",
    R"(CREATE TABLE revision_bucket (project {integer} NOT NULL, revision {integer} NOT NULL, bucket {text} NOT NULL,
       PRIMARY KEY (project, revision, bucket), FOREIGN KEY (project, revision) REFERENCES revision) {strict})",
    // A document is part of the revisions from `revision` up to, but without, `until`. NULL: it still is. It outlives
    // its revision, if that is pruned. `since` is the revision in which its content appeared.
    R"(CREATE TABLE document (project {integer} NOT NULL REFERENCES project, number {integer} NOT NULL, revision {integer} NOT NULL, until {integer},
       since {integer} NOT NULL, bucket {text} NOT NULL, schema {text} NOT NULL, layer {text}, name {text} NOT NULL, metadata {bytes} NOT NULL, data {bytes}, sealed {text},
       digest {bytes} NOT NULL, deleted {integer} NOT NULL, origin {integer}, PRIMARY KEY (project, number), CHECK (data IS NULL OR sealed IS NULL)) {strict})",
    R"(CREATE INDEX document_bucket ON document (project, bucket, revision))",
    R"(CREATE INDEX document_newest ON document (project, bucket) WHERE until IS NULL)",
    R"(CREATE INDEX document_schema ON document (project, schema, number))",
    R"(CREATE TABLE tag (project {integer} NOT NULL, revision {integer} NOT NULL, name {text} NOT NULL, data {bytes}, created_at {integer} NOT NULL,
       PRIMARY KEY (project, revision, name), FOREIGN KEY (project, revision) REFERENCES revision) {strict})",
    R"(CREATE TABLE validation (project {integer} NOT NULL, revision {integer} NOT NULL, number {integer} NOT NULL, name {text} NOT NULL,
       status {text} NOT NULL, body {bytes} NOT NULL, created_at {integer} NOT NULL, PRIMARY KEY (project, revision, number),
       FOREIGN KEY (project, revision) REFERENCES revision) {strict})",
    // `ordinal` is the number of the change that made it: the order of creation, whatever the clock says.
    R"(CREATE TABLE stack (project {integer} NOT NULL REFERENCES project, id {text} NOT NULL, name {text} NOT NULL, ordinal {integer} NOT NULL,
       generation {integer} NOT NULL, state {bytes} NOT NULL, sealed {text}, settings {bytes} NOT NULL, action {text} NOT NULL, status {text} NOT NULL,
       created_at {integer} NOT NULL, updated_at {integer}, deleted_at {integer}, PRIMARY KEY (project, id)) {strict})",
    R"(CREATE UNIQUE INDEX stack_name ON stack (project, name) WHERE deleted_at IS NULL)",
    R"(CREATE TABLE stack_event (project {integer} NOT NULL, stack {text} NOT NULL, number {integer} NOT NULL, id {text} NOT NULL, action {text} NOT NULL,
       status {text} NOT NULL, reason {text} NOT NULL, created_at {integer} NOT NULL, PRIMARY KEY (project, stack, number),
       FOREIGN KEY (project, stack) REFERENCES stack) {strict})",
    R"(CREATE TABLE site (project {integer} NOT NULL REFERENCES project, name {text} NOT NULL, dialect {text} NOT NULL, kind {text} NOT NULL,
       source {text}, ref {text}, options {bytes} NOT NULL, generation {integer} NOT NULL, PRIMARY KEY (project, name)) {strict})",
    R"(CREATE TABLE site_tree (project {integer} NOT NULL, site {text} NOT NULL, generation {integer} NOT NULL, manifest {bytes} NOT NULL,
       author {text} NOT NULL, message {text} NOT NULL, created_at {integer} NOT NULL, PRIMARY KEY (project, site, generation),
       FOREIGN KEY (project, site) REFERENCES site) {strict})",
    R"(CREATE TABLE node (project {integer} NOT NULL, site {text} NOT NULL, name {text} NOT NULL, facts {bytes} NOT NULL, generation {integer} NOT NULL,
       seen_at {integer} NOT NULL, PRIMARY KEY (project, site, name), FOREIGN KEY (project, site) REFERENCES site) {strict})",
    R"(CREATE TABLE token (id {text} PRIMARY KEY, hash {bytes} NOT NULL, project {text} NOT NULL, roles {text} NOT NULL, node {text},
       created_at {integer} NOT NULL, expires_at {integer}, last_used_day {integer}) {strict})",
    R"(CREATE TABLE request (id {text} PRIMARY KEY, project {integer} NOT NULL REFERENCES project, key_hash {bytes}, digest {bytes} NOT NULL,
       status {integer} NOT NULL, headers {text} NOT NULL, body {bytes}, created_at {integer} NOT NULL, UNIQUE (project, key_hash)) {strict})",
    R"(CREATE INDEX request_age ON request (created_at))",
    R"(CREATE TABLE change (project {integer} NOT NULL REFERENCES project, number {integer} NOT NULL, kind {text} NOT NULL, target {text} NOT NULL,
       generation {integer} NOT NULL, at {integer} NOT NULL, PRIMARY KEY (project, number)) {strict})",
    R"(CREATE TABLE audit (id {identity}, at {integer} NOT NULL, who {text} NOT NULL, project {text}, action {text} NOT NULL, target {text} NOT NULL,
       outcome {text} NOT NULL, request {text}, address {text}) {strict})",
};

// A text that may hold secrets stands in `sealed`: its `bytes` are empty, and its hash is one under the key, and of the
// project. Programs before do not read these.
constexpr std::array<std::string_view, 4> kVersion2{
    "ALTER TABLE blob ADD COLUMN sealed {text}",
    "ALTER TABLE blob ADD COLUMN project {integer} REFERENCES project",
    // What services sign with that have no key. It is of this store alone: exports do not have it.
    "ALTER TABLE strata_schema ADD COLUMN signing {bytes}",
    "CREATE INDEX blob_sealed ON blob (sealed) WHERE sealed IS NOT NULL",
};

// A document of a rollback was written in the body of an earlier PUT: its revision. NULL: in that of its own revision,
// if it has one.
constexpr std::array<std::string_view, 1> kVersion3{"ALTER TABLE document ADD COLUMN body {integer}"};

constexpr std::array kMigrations{
    Migration{.version = 1, .minimum_reader = 1, .statements = kVersion1},
    Migration{.version = 2, .minimum_reader = 2, .statements = kVersion2},
    Migration{.version = 3, .minimum_reader = 2, .statements = kVersion3},
};

constexpr std::array kTables{
    Table{.name = "project", .key = "id", .has_identity = true},
    Table{.name = "blob", .key = "hash"},
    Table{.name = "sealed", .key = "id"},
    Table{.name = "revision", .key = "project, number"},
    Table{.name = "revision_bucket", .key = "project, revision, bucket"},
    Table{.name = "document", .key = "project, number"},
    Table{.name = "tag", .key = "project, revision, name"},
    Table{.name = "validation", .key = "project, revision, number"},
    Table{.name = "stack", .key = "project, id"},
    Table{.name = "stack_event", .key = "project, stack, number"},
    Table{.name = "site", .key = "project, name"},
    Table{.name = "site_tree", .key = "project, site, generation"},
    Table{.name = "node", .key = "project, site, name"},
    Table{.name = "token", .key = "id"},
    Table{.name = "request", .key = "id"},
    Table{.name = "change", .key = "project, number"},
    Table{.name = "audit", .key = "id", .has_identity = true},
};

bool has_rows(Transaction& transaction, std::string_view sqlite, std::string_view postgres) {
  return transaction.run(transaction.dialect() == Dialect::sqlite ? sqlite : postgres).front().integer(0) != 0;
}

SchemaVersion read_version(Transaction& transaction) {
  const bool has_version = has_rows(transaction, "SELECT count(*) FROM sqlite_schema WHERE name = 'strata_schema'",
                                    "SELECT count(*) FROM pg_class WHERE relname = 'strata_schema' AND relnamespace = "
                                    "current_schema()::regnamespace");
  if (!has_version) return {};
  const Rows rows = transaction.run("SELECT version, minimum_reader FROM strata_schema");
  if (rows.empty()) throw Error("store.damaged", "the store does not say which version its tables have");
  return {.version = rows.front().integer(0), .minimum_reader = rows.front().integer(1)};
}

void check_foreign(Transaction& transaction) {
  const bool is_foreign =
      has_rows(transaction, "SELECT count(*) FROM sqlite_schema",
               "SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace");
  if (!is_foreign) return;
  throw Error("store.foreign", "the database has tables that are not strata's")
      .hint("give the store a file, database or schema of its own");
}

/// Checks that a program that knows `known` may use the store.
void check_reader(const SchemaVersion& found, std::int64_t known) {
  if (found.minimum_reader <= known) return;
  throw Error("store.newer",
              fmt::format("the store was written by a newer strata: its tables have version {}, this program knows {}",
                          found.version, known))
      .hint("use the newer strata; it was not changed");
}

}  // namespace

std::span<const Migration> migrations() noexcept { return kMigrations; }
std::span<const Table> tables() noexcept { return kTables; }

SchemaVersion schema_version(Database& database) {
  SchemaVersion found;
  database.read([&](Transaction& transaction) { found = read_version(transaction); });
  return found;
}

SchemaVersion look_at_schema(Database& database, std::span<const Migration> steps) {
  SchemaVersion found;
  database.read([&](Transaction& transaction) {
    found = read_version(transaction);
    check_reader(found, steps.back().version);
    if (found.version == 0) check_foreign(transaction);
  });
  return found;
}

SchemaVersion migrate(Database& database, std::span<const Migration> steps,
                      const std::function<void(SchemaVersion)>& before) {
  const std::int64_t known = steps.back().version;
  const SchemaVersion first = schema_version(database);
  check_reader(first, known);
  if (first.version >= known) return first;
  if (first.version > 0 && before) before(first);
  SchemaVersion found;
  database.write_alone([&](Transaction& transaction) {
    found = read_version(transaction);  // Another process may have been faster.
    check_reader(found, known);
    if (found.version == 0) check_foreign(transaction);
    for (const Migration& step : steps) {
      if (step.version <= found.version) continue;
      for (const std::string_view statement : step.statements) transaction.run(statement);
      transaction.run(
          R"(INSERT INTO strata_schema (only_row, version, minimum_reader, written_by) VALUES (1, $1, $2, $3)
                         ON CONFLICT (only_row) DO UPDATE SET version = $1, minimum_reader = $2, written_by = $3)",
          {step.version, step.minimum_reader, strata::version()});
    }
  });
  return found;
}

}  // namespace strata::store
