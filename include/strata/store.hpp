// SPDX-License-Identifier: Apache-2.0
// The store of the service, for what is done to it without a server: checks, copies, keys, tokens. Rules:
// docs/service/store.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata::store {

/// The store that is meant where none is named: `sqlite:$XDG_DATA_HOME/strata/strata.db`; without that variable, below
/// `$HOME/.local/share`. The folders of the file are made. Error `store.url` where neither variable has an absolute
/// path.
[[nodiscard]] std::string default_store();

/// Names a store. Each function below opens it, and closes it again.
///
/// Errors of all that open a store: `store.url`, `store.in-use` (another process uses the file), `store.unavailable`,
/// `store.unsupported`, `store.newer`, `store.foreign`, `store.damaged`; `store.key` and `service.key-readable` for
/// keys. `store.missing` where there is no store yet, except for those that say that they make one.
struct StoreAddress {
  std::string address;  ///< `sqlite:PATH` or `postgresql://USER@HOST/DATABASE?passfile=FILE`.
  /// Keys of sealed values, the first of which seals: `file:PATH`, `PATH` or `env:NAME`, which is removed from the
  /// environment. Call while there is one thread. None: a store of SQLite uses the file PATH.key.
  std::vector<std::string> keys = {};
};

/// What is wrong with a store, one sentence each; at most `most`, with a last one that says how many there are more.
/// Changes nothing.
[[nodiscard]] std::vector<std::string> check_store(const StoreAddress& store, std::size_t most = 1000);

/// Writes a store as one file, in pieces to `sink`. Sealed values stay sealed; they are put under the key `reseal` (as
/// StoreAddress::keys) if there is one. Errors: `store.no-key`, `store.sealed-broken`; those of the sink.
void export_store(const StoreAddress& store, const std::optional<std::string>& reseal,
                  const std::function<void(std::string_view)>& sink);
/// Fills an empty store, which is made if there is none, with what `export_store` wrote. `source` fills a buffer, and
/// returns how many bytes it put there, 0 at the end. All or nothing. Errors: `store.not-empty`, `store.export`.
void import_store(const StoreAddress& store, const std::function<std::size_t(char* buffer, std::size_t size)>& source);

/// The versions of a store's tables. 0: it had none.
struct MigratedStore {
  std::int64_t before = 0;
  std::int64_t after = 0;
};
/// Makes a store, or brings its tables to the version of this program.
MigratedStore migrate_store(const StoreAddress& store);

/// Puts all sealed values under the key `to`. The keys of `store` open them. Returns how many it changed. Others can
/// use a store in PostgreSQL meanwhile, if they have both keys. Errors: `store.no-key`, `store.sealed-broken`.
std::size_t rekey_store(const StoreAddress& store, const std::string& to);

struct PrunedStore {
  std::int64_t revisions = 0;
  std::int64_t documents = 0;
  std::int64_t texts = 0;
};
/// Removes all but the last `keep` (at least 1) revisions of each project, and what only they need.
PrunedStore prune_store(const StoreAddress& store, std::int64_t keep);

/// A new random key: the text of a key file, base64 and a line break. Errors: `crypto.unavailable`.
[[nodiscard]] std::string new_key_text();

/// What a new token is for.
struct NewToken {
  std::string id = {};  ///< The part that may be shown. Empty: a random one.
  std::string project = "default";
  std::vector<std::string> roles = {};
  std::string node = {};   ///< The only node that it opens. Empty: none.
  std::int64_t days = 90;  ///< How long it is valid. 0: always.
};
/// Adds a token to a store, which is made if there is none. Returns the token itself, `strata_ID_SECRET`: the store has
/// only a hash of it. Errors: `token.value` for members that cannot be used; `token.exists`.
[[nodiscard]] std::string create_token(const StoreAddress& store, const NewToken& wanted);

/// A token for a file of tokens (`--auth tokens:FILE`).
struct FileToken {
  std::string token;  ///< `strata_ID_SECRET`
  std::string entry;  ///< The line of the file, without a line break.
};
/// Makes a token without a store. It ends with a day. Errors: `token.value`.
[[nodiscard]] FileToken create_file_token(const NewToken& wanted);

/// A token, without its secret. Times are microseconds since 1970, UTC.
struct ListedToken {
  std::string id;
  std::string project;
  std::vector<std::string> roles;
  std::string node;
  std::int64_t created_at = 0;
  std::optional<std::int64_t> expires_at;
  std::optional<std::int64_t> last_used_day;  ///< Days since 1970.
  bool is_expired = false;
};
/// The tokens of a project, or of all, by id.
[[nodiscard]] std::vector<ListedToken> list_tokens(const StoreAddress& store,
                                                   const std::optional<std::string>& project);
/// Removes a token: no service accepts it a second later. Error `token.unknown`.
void revoke_token(const StoreAddress& store, const std::string& id);

}  // namespace strata::store
