// SPDX-License-Identifier: Apache-2.0
#include "sealed.hpp"

#include <fmt/format.h>

#include "store/encoding.hpp"
#include "strata/error.hpp"

namespace strata::store {

SealedValue sealed_value(const Row& row, std::size_t first) {
  return {.key_id = row.bytes(first),
          .wrapped = row.bytes(first + 1),
          .nonce = row.bytes(first + 2),
          .ciphertext = row.bytes(first + 3)};
}

Error lost_sealed(std::string_view id) {
  return Error("store.sealed-broken", fmt::format("the store lost the sealed value {}", id)).hint("strata store check");
}

std::string add_sealed(Transaction& transaction, const Keyring& keys, std::string_view project, std::string_view table,
                       std::string_view secret) {
  std::string id = new_uuid();
  const SealedValue value = seal(keys.current(), {.project = project, .table = table, .id = id}, secret);
  transaction.send(
      "INSERT INTO sealed (id, key_id, wrapped, nonce, ciphertext, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
      {id, Bytes{value.key_id}, Bytes{value.wrapped}, Bytes{value.nonce}, Bytes{value.ciphertext}, now()});
  return id;
}

SecretBytes open_sealed(Transaction& transaction, const Keyring& keys, const SealPlace& place) {
  const Rows rows = transaction.run("SELECT key_id, wrapped, nonce, ciphertext FROM sealed WHERE id = $1", {place.id});
  if (rows.empty()) throw lost_sealed(place.id);
  return open(keys, place, sealed_value(rows.front(), 0));
}

bool is_unreadable(const Error& error) noexcept {
  return error.code() == "store.sealed-broken" || error.code() == "store.no-key";
}

void remove_sealed(Transaction& transaction, std::span<const std::string> ids) {
  for (const std::string& id : ids) transaction.send("DELETE FROM sealed WHERE id = $1", {id});
}

std::vector<SealedRow> sealed_rows(Transaction& transaction, std::string_view after, std::int64_t most) {
  // Several rows of one project may refer to a value: what did not change in a later revision.
  const Rows rows = transaction.run(
      R"(WITH s AS (SELECT * FROM sealed WHERE id > $1 ORDER BY id LIMIT $2)
         SELECT s.id, s.key_id, s.wrapped, s.nonce, s.ciphertext, p.name, u.place FROM s
         LEFT JOIN (SELECT sealed, project, 'document' AS place FROM document WHERE sealed IN (SELECT id FROM s)
                    UNION SELECT sealed, project, 'stack' FROM stack WHERE sealed IN (SELECT id FROM s)
                    UNION SELECT sealed, project, 'blob' FROM blob WHERE sealed IN (SELECT id FROM s)) u ON u.sealed = s.id
         LEFT JOIN project p ON p.id = u.project ORDER BY s.id, p.name, u.place)",
      {after, most});
  std::vector<SealedRow> found;
  for (const Row row : rows) {
    found.push_back({.id = row.text(0),
                     .project = row.maybe_text(5).value_or(""),
                     .table = row.maybe_text(6).value_or(""),
                     .value = sealed_value(row, 1)});
  }
  return found;
}

void update_sealed(Transaction& transaction, const std::string& id, const SealedValue& value) {
  transaction.send("UPDATE sealed SET key_id = $2, wrapped = $3, nonce = $4, ciphertext = $5 WHERE id = $1",
                   {id, Bytes{value.key_id}, Bytes{value.wrapped}, Bytes{value.nonce}, Bytes{value.ciphertext}});
}

}  // namespace strata::store
