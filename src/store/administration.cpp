// SPDX-License-Identifier: Apache-2.0
// The public face: opens a store, does one thing to it, and closes it.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "store/check.hpp"
#include "store/encoding.hpp"
#include "store/maintenance.hpp"
#include "store/records.hpp"
#include "store/schema.hpp"
#include "store/store.hpp"
#include "store/tokens.hpp"
#include "store/transfer.hpp"
#include "strata/error.hpp"
#include "strata/store.hpp"

namespace strata::store {
namespace {

enum class Opening : bool { existing, made_if_missing };

Store open_store(const StoreAddress& store, Opening opening) {
  StoreOptions options{.address = store.address, .must_exist = opening == Opening::existing};
  for (const std::string& key : store.keys) options.keys.push_back(read_key(key));
  return Store(std::move(options));
}

/// A row of the audit for what a command does, in its transaction. Who may use the store is nobody that the store
/// knows.
void note(Transaction& transaction, std::string action, std::string target, std::optional<std::string> project = {}) {
  AuditEntry entry{.who = "command line",
                   .project = std::move(project),
                   .action = std::move(action),
                   .target = std::move(target),
                   .outcome = "done"};
  add_audit(transaction, entry);
}
void note(Store& store, const std::string& action, const std::string& target) {
  store.database().write([&](Transaction& transaction) { note(transaction, action, target); });
}

std::string absolute_path_of(const char* variable) {
  const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody sets variables
  return value != nullptr && *value == '/' ? value : std::string();
}

}  // namespace

std::string default_store() {
  std::filesystem::path folder = absolute_path_of("XDG_DATA_HOME");
  if (folder.empty()) {
    folder = absolute_path_of("HOME");
    if (folder.empty())
      throw Error("store.url", "no store is named, and neither XDG_DATA_HOME nor HOME says where one is")
          .hint("--store sqlite:PATH");
    folder /= ".local/share";
  }
  folder /= "strata";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw Error("store.unavailable", fmt::format("the folder of the store cannot be made: {}", error.message()))
        .in(folder.string());
  return fmt::format("sqlite:{}", (folder / "strata.db").string());
}

std::vector<std::string> check_store(const StoreAddress& store, std::size_t most) {
  Store opened = open_store(store, Opening::existing);
  return check(opened, most);
}

void export_store(const StoreAddress& store, const std::optional<std::string>& reseal,
                  const std::function<void(std::string_view)>& sink) {
  std::optional<Key> key;
  if (reseal) key = read_key(*reseal);
  Store opened = open_store(store, Opening::existing);
  export_store(opened, key ? &*key : nullptr, sink);
}

void import_store(const StoreAddress& store, const std::function<std::size_t(char* buffer, std::size_t size)>& source) {
  Store opened = open_store(store, Opening::made_if_missing);
  import_store(opened, source);
}

MigratedStore migrate_store(const StoreAddress& store) {
  MigratedStore out;
  {
    const auto database = open_database(store.address, 1);
    out.before = schema_version(*database).version;
  }
  Store opened = open_store(store, Opening::made_if_missing);
  out.after = schema_version(opened.database()).version;
  return out;
}

std::size_t rekey_store(const StoreAddress& store, const std::string& to) {
  const Key key = read_key(to);
  Store opened = open_store(store, Opening::existing);
  const std::size_t out = rekey(opened, key);
  note(opened, "store rekey", fmt::format("{} sealed values", out));
  return out;
}

PrunedStore prune_store(const StoreAddress& store, std::int64_t keep) {
  Store opened = open_store(store, Opening::existing);
  const Pruned pruned = prune(opened, keep);
  note(opened, "store prune", fmt::format("{} revisions", pruned.revisions));
  return {.revisions = pruned.revisions, .documents = pruned.documents, .texts = pruned.blobs};
}

std::string new_key_text() { return std::string(key_text(new_key()).view()); }

std::string create_token(const StoreAddress& store, const NewToken& wanted) {
  Store opened = open_store(store, Opening::made_if_missing);
  std::string out;
  opened.database().write([&](Transaction& transaction) {
    out = add_new_token(transaction, wanted);
    // `strata_ID_SECRET`: the id has no `_`, but the secret may.
    constexpr std::string_view kPrefix = "strata_";
    note(transaction, "token create", out.substr(0, out.find('_', kPrefix.size())), wanted.project);
  });
  return out;
}

std::vector<ListedToken> list_tokens(const StoreAddress& store, const std::optional<std::string>& project) {
  Store opened = open_store(store, Opening::existing);
  std::vector<Token> found;
  opened.read([&](Transaction& transaction) { found = project ? tokens(transaction, *project) : tokens(transaction); });
  std::vector<ListedToken> out;
  out.reserve(found.size());
  const std::int64_t time = now();
  for (const Token& token : found) {
    out.push_back({.id = token.id,
                   .project = token.project,
                   .roles = roles_of(token),
                   .node = token.node.value_or(""),
                   .created_at = token.created_at,
                   .expires_at = token.expires_at,
                   .last_used_day = token.last_used_day,
                   .is_expired = is_expired(token, time)});
  }
  return out;
}

void revoke_token(const StoreAddress& store, const std::string& id) {
  Store opened = open_store(store, Opening::existing);
  bool is_removed = false;
  opened.database().write([&](Transaction& transaction) {
    is_removed = remove_token(transaction, id);
    if (is_removed) note(transaction, "token revoke", "strata_" + id);
  });
  if (!is_removed)
    throw Error("token.unknown", fmt::format("there is no token '{}'", id)).hint("strata token list shows all");
}

}  // namespace strata::store
