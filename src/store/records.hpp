// SPDX-License-Identifier: Apache-2.0
// What is kept about requests: tokens, answers that may be repeated, changes, the audit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/projects.hpp"

namespace strata::store {

struct Token {
  std::string id = {};       ///< The part that may be shown.
  std::string hash = {};     ///< SHA-256 of the secret part.
  std::string project = {};  ///< The name.
  std::string roles = {};    ///< Separated by commas.
  std::optional<std::string> node = {};
  std::int64_t created_at = 0;
  std::optional<std::int64_t> expires_at = {};
  std::optional<std::int64_t> last_used_day = {};  ///< Days since 1970.
  friend bool operator==(const Token&, const Token&) = default;
};
/// Adds a token; its time is set.
void add_token(Transaction& transaction, Token& token);
[[nodiscard]] std::optional<Token> find_token(Transaction& transaction, std::string_view id);
/// The tokens, by id. Of all projects without a name.
[[nodiscard]] std::vector<Token> tokens(Transaction& transaction, std::optional<std::string_view> project = {});
/// False if there is none.
[[nodiscard]] bool remove_token(Transaction& transaction, std::string_view id);
void note_use(Transaction& transaction, std::string_view id, std::int64_t day);

/// A write that was done, and its answer.
struct Request {
  std::string id = {};  ///< A UUID. Unique: a write that is repeated by mistake fails with `store.conflict`.
  std::optional<std::string> key_hash = {};  ///< SHA-256 of principal and `Idempotency-Key`. Unique in the project.
  std::string digest = {};                   ///< SHA-256 of what was asked for.
  std::int64_t status = 0;
  std::string headers = {};
  std::optional<std::string> body = {};
  std::int64_t created_at = 0;
  friend bool operator==(const Request&, const Request&) = default;
};
/// Adds a request, in the transaction of the write; its time is set.
void add_request(Transaction& transaction, const Project& project, Request& request);
[[nodiscard]] std::optional<Request> find_request(Transaction& transaction, std::string_view id);
[[nodiscard]] std::optional<Request> find_request_by_key(Transaction& transaction, const Project& project,
                                                         std::string_view key_hash);
/// Removes what was stored before a time. Returns how many.
std::int64_t remove_requests(Transaction& transaction, std::int64_t before);

struct Change {
  std::int64_t number = 0;
  std::string kind = {};        ///< `revision`, `stack`, `site`, `node`, …
  std::string target = {};      ///< Its name.
  std::int64_t generation = 0;  ///< Or without_files of it.
  std::int64_t at = 0;
  friend bool operator==(const Change&, const Change&) = default;
};
/// How a change of a site tells the generation that the site keeps, because no file changed: no generation of files is
/// this number.
[[nodiscard]] constexpr std::int64_t without_files(std::int64_t generation) noexcept { return -1 - generation; }
/// The generation of what was changed, whichever way it is told.
[[nodiscard]] constexpr std::int64_t shown_generation(const Change& change) noexcept {
  return change.generation < 0 ? -1 - change.generation : change.generation;
}
/// Adds the next change of a locked project; number and time are set.
void add_change(Transaction& transaction, Project& project, Change& change);
/// Changes with higher numbers, in their order, up to `most`.
[[nodiscard]] std::vector<Change> changes_after(Transaction& transaction, const Project& project, std::int64_t number,
                                                std::int64_t most);
/// Removes what was stored before a time, but for the last change of each project.
std::int64_t remove_changes(Transaction& transaction, std::int64_t before);

/// Who did what. Never values.
struct AuditEntry {
  std::int64_t id = 0;
  std::int64_t at = 0;
  std::string who = {};
  std::optional<std::string> project = {};
  std::string action = {};
  std::string target = {};
  std::string outcome = {};
  std::optional<std::string> request = {};
  std::optional<std::string> address = {};
  friend bool operator==(const AuditEntry&, const AuditEntry&) = default;
};
/// Adds an entry; its time is set.
void add_audit(Transaction& transaction, AuditEntry& entry);
/// Entries with higher ids, in their order, up to `most`. Of all projects without a name.
[[nodiscard]] std::vector<AuditEntry> audit_after(Transaction& transaction, std::optional<std::string_view> project,
                                                  std::int64_t id, std::int64_t most);
std::int64_t remove_audit(Transaction& transaction, std::int64_t before);

}  // namespace strata::store
