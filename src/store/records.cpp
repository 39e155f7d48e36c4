// SPDX-License-Identifier: Apache-2.0
#include "records.hpp"

#include "store/blobs.hpp"
#include "store/encoding.hpp"

namespace strata::store {
namespace {

Token token_of(const Row& row) {
  return {.id = row.text(0),
          .hash = row.bytes(1),
          .project = row.text(2),
          .roles = row.text(3),
          .node = row.maybe_text(4),
          .created_at = row.integer(5),
          .expires_at = row.maybe_integer(6),
          .last_used_day = row.maybe_integer(7)};
}

std::optional<Request> request_of(const Rows& rows) {
  if (rows.empty()) return std::nullopt;
  const Row row = rows.front();
  Request request{.id = row.text(0),
                  .key_hash = row.maybe_bytes(1),
                  .digest = row.bytes(2),
                  .status = row.integer(3),
                  .headers = row.text(4),
                  .body = {},
                  .created_at = row.integer(5)};
  if (!row.is_null(6)) request.body = unpacked(row.bytes(7), row.integer(8));
  return request;
}

Parameter bytes_or_null(const std::optional<std::string>& bytes) {
  return bytes ? Parameter(Bytes{*bytes}) : Parameter(std::nullopt);
}

}  // namespace

void add_token(Transaction& transaction, Token& token) {
  token.created_at = now();
  transaction.send(
      "INSERT INTO token (id, hash, project, roles, node, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
      {token.id, Bytes{token.hash}, token.project, token.roles, token.node, token.created_at, token.expires_at});
}

std::optional<Token> find_token(Transaction& transaction, std::string_view id) {
  const Rows rows = transaction.run(
      "SELECT id, hash, project, roles, node, created_at, expires_at, last_used_day FROM token WHERE id = $1", {id});
  return rows.empty() ? std::nullopt : std::optional(token_of(rows.front()));
}

std::vector<Token> tokens(Transaction& transaction, std::optional<std::string_view> project) {
  const Rows rows =
      project
          ? transaction.run(
                "SELECT id, hash, project, roles, node, created_at, expires_at, last_used_day FROM token WHERE project "
                "= $1 ORDER BY id",
                {*project})
          : transaction.run(
                "SELECT id, hash, project, roles, node, created_at, expires_at, last_used_day FROM token ORDER BY id");
  std::vector<Token> found;
  for (const Row row : rows) found.push_back(token_of(row));
  return found;
}

bool remove_token(Transaction& transaction, std::string_view id) {
  return transaction.run("DELETE FROM token WHERE id = $1", {id}).changed() != 0;
}

void note_use(Transaction& transaction, std::string_view id, std::int64_t day) {
  transaction.send("UPDATE token SET last_used_day = $2 WHERE id = $1", {id, day});
}

void add_request(Transaction& transaction, const Project& project, Request& request) {
  request.created_at = now();
  std::optional<BlobId> body;
  if (request.body) body = put_blob(transaction, *request.body);
  transaction.send(
      "INSERT INTO request (id, project, key_hash, digest, status, headers, body, created_at) VALUES ($1, $2, $3, $4, "
      "$5, $6, $7, $8)",
      {request.id, project.id, bytes_or_null(request.key_hash), Bytes{request.digest}, request.status, request.headers,
       bytes_or_null(body), request.created_at});
}

std::optional<Request> find_request(Transaction& transaction, std::string_view id) {
  return request_of(transaction.run(
      R"(SELECT r.id, r.key_hash, r.digest, r.status, r.headers, r.created_at, r.body, b.bytes, b.size FROM request r LEFT JOIN blob b ON b.hash = r.body
         WHERE r.id = $1)",
      {id}));
}

std::optional<Request> find_request_by_key(Transaction& transaction, const Project& project,
                                           std::string_view key_hash) {
  return request_of(transaction.run(
      R"(SELECT r.id, r.key_hash, r.digest, r.status, r.headers, r.created_at, r.body, b.bytes, b.size FROM request r LEFT JOIN blob b ON b.hash = r.body
         WHERE r.project = $1 AND r.key_hash = $2)",
      {project.id, Bytes{key_hash}}));
}

std::int64_t remove_requests(Transaction& transaction, std::int64_t before) {
  return transaction.run("DELETE FROM request WHERE created_at < $1", {before}).changed();
}

void add_change(Transaction& transaction, Project& project, Change& change) {
  change.number = ++project.last_change;
  change.at = now();
  transaction.send("INSERT INTO change (project, number, kind, target, generation, at) VALUES ($1, $2, $3, $4, $5, $6)",
                   {project.id, change.number, change.kind, change.target, change.generation, change.at});
}

std::vector<Change> changes_after(Transaction& transaction, const Project& project, std::int64_t number,
                                  std::int64_t most) {
  std::vector<Change> found;
  const Rows rows = transaction.run(
      "SELECT number, kind, target, generation, at FROM change WHERE project = $1 AND number > $2 ORDER BY number "
      "LIMIT $3",
      {project.id, number, most});
  for (const Row row : rows) {
    found.push_back({.number = row.integer(0),
                     .kind = row.text(1),
                     .target = row.text(2),
                     .generation = row.integer(3),
                     .at = row.integer(4)});
  }
  return found;
}

std::int64_t remove_changes(Transaction& transaction, std::int64_t before) {
  return transaction
      .run(
          "DELETE FROM change WHERE at < $1 AND number < (SELECT p.last_change FROM project p WHERE p.id = "
          "change.project)",
          {before})
      .changed();
}

void add_audit(Transaction& transaction, AuditEntry& entry) {
  entry.at = now();
  transaction.send(
      "INSERT INTO audit (at, who, project, action, target, outcome, request, address) VALUES ($1, $2, $3, $4, $5, $6, "
      "$7, $8)",
      {entry.at, entry.who, entry.project, entry.action, entry.target, entry.outcome, entry.request, entry.address});
}

std::vector<AuditEntry> audit_after(Transaction& transaction, std::optional<std::string_view> project, std::int64_t id,
                                    std::int64_t most) {
  const Rows rows =
      project ? transaction.run(R"(SELECT id, at, who, project, action, target, outcome, request, address FROM audit
                                                 WHERE project = $3 AND id > $1 ORDER BY id LIMIT $2)",
                                {id, most, *project})
              : transaction.run(R"(SELECT id, at, who, project, action, target, outcome, request, address FROM audit
                                                 WHERE id > $1 ORDER BY id LIMIT $2)",
                                {id, most});
  std::vector<AuditEntry> found;
  for (const Row row : rows) {
    found.push_back({.id = row.integer(0),
                     .at = row.integer(1),
                     .who = row.text(2),
                     .project = row.maybe_text(3),
                     .action = row.text(4),
                     .target = row.text(5),
                     .outcome = row.text(6),
                     .request = row.maybe_text(7),
                     .address = row.maybe_text(8)});
  }
  return found;
}

std::int64_t remove_audit(Transaction& transaction, std::int64_t before) {
  return transaction.run("DELETE FROM audit WHERE at < $1", {before}).changed();
}

}  // namespace strata::store
