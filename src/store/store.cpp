// SPDX-License-Identifier: Apache-2.0
#include "store.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "store/encoding.hpp"
#include "store/postgres/database.hpp"
#include "store/schema.hpp"
#include "store/seal.hpp"
#include "store/sqlite/database.hpp"
#include "strata/error.hpp"
#include "value/shown_url.hpp"

namespace strata::store {
namespace {

constexpr std::string_view kSqlite = "sqlite:";

bool is_postgres(std::string_view address) {
  return address.starts_with("postgresql://") || address.starts_with("postgres://");
}

std::string sqlite_path(const std::string& address) {
  std::string path = address.substr(kSqlite.size());
  if (path.empty()) throw Error("store.url", "the address of the store names no file").hint("sqlite:PATH");
  return path;
}

Error no_store(const std::string& address) {
  return Error("store.missing", fmt::format("there is no store at '{}'", shown_url(address)))
      .hint("strata store migrate makes one");
}

/// The database of options. A file is not made by looking whether it is there.
std::unique_ptr<Database> opened(const StoreOptions& options) {
  const bool is_missing = options.must_exist && options.address.starts_with(kSqlite) &&
                          ::access(sqlite_path(options.address).c_str(), F_OK) != 0;
  if (is_missing) throw no_store(options.address);
  auto database = open_database(options.address, options.connections);
  if (options.must_exist && schema_version(*database).version == 0) throw no_store(options.address);
  return database;
}

}  // namespace

std::unique_ptr<Database> open_database(const std::string& address, std::size_t connections) {
  if (is_postgres(address))
    return std::make_unique<PostgresDatabase>(address, PostgresDatabase::Options{.connections = connections});
  if (address.starts_with(kSqlite)) return std::make_unique<SqliteDatabase>(sqlite_path(address));
  throw Error("store.url", fmt::format("'{}' is not the address of a store", shown_url(address)))
      .hint("sqlite:PATH or postgresql://USER@HOST/DATABASE");
}

Store::Store(StoreOptions options) : options_(std::move(options)) {
  std::unique_ptr<Database> database = options_.only_looks ? looked_at() : opened(options_);
  if (!options_.keys.empty()) {
    keys_ = std::make_shared<const Keyring>(std::move(options_.keys));
  } else if (database->dialect() == Dialect::sqlite) {
    key_file_ = sqlite_path(options_.address) + ".key";
  }
  if (options_.only_looks) {
    database_ = std::make_unique<CountedDatabase>(std::move(database), options_.on_full);
    return;
  }
  migrate(*database, migrations(), [&](const SchemaVersion& before) {
    auto* file = dynamic_cast<SqliteDatabase*>(database.get());
    if (file != nullptr) file->copy_to(fmt::format("{}.v{}.bak", file->name(), before.version));
  });
  database_ = std::make_unique<CountedDatabase>(std::move(database), options_.on_full);
}

std::unique_ptr<Database> Store::looked_at() {
  const std::int64_t known = migrations().back().version;
  std::unique_ptr<Database> out;
  std::string copy;
  if (options_.address.starts_with(kSqlite)) {
    const std::string path = sqlite_path(options_.address);
    out = std::make_unique<SqliteDatabase>(path, SqliteDatabase::Looking());
    if (::access(path.c_str(), F_OK) != 0) {
      const std::string folder = std::filesystem::path(path).parent_path().string();
      if (::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) {
        throw Error("store.unavailable",
                    fmt::format("the store cannot be made: {}", std::generic_category().message(errno)))
            .in(path);
      }
      plan_ = "would be made";
      has_tables_ = false;
      return out;
    }
    if (SqliteDatabase::is_in_use(path)) plan_ = "another process uses it now";
    copy = path;
  } else {
    out = opened(options_);
  }
  const std::int64_t version = look_at_schema(*out, migrations()).version;
  if (version == 0) {
    plan_ = "would be made";
    has_tables_ = false;
  } else if (version < known) {
    plan_ += fmt::format("{}would be migrated from version {} to {}{}", plan_.empty() ? "" : "; ", version, known,
                         copy.empty() ? "" : fmt::format(", after a copy to {}.v{}.bak", copy, version));
  }
  return out;
}

void Store::write(std::string_view project, const ProjectWork& work, const WriteOptions& options) {
  database_->write(
      [&](Transaction& transaction) {
        const Project before = locked_project(transaction, project);
        Project locked = before;
        work(transaction, locked);
        if (locked != before) save_numbers(transaction, locked);
      },
      options);
}

SecretBytes Store::signing_secret() {
  constexpr std::size_t kSize = 32;
  if (const auto present = keys(false); !present->empty()) return present->current().bytes.copy();
  if (options_.only_looks) return random_bytes(kSize);
  std::optional<std::string> found;
  const auto look = [&found](Transaction& transaction) {
    found = transaction.run("SELECT signing FROM strata_schema").front().maybe_bytes(0);
  };
  read(look);
  if (!found) {
    const auto make = [&look](Transaction& transaction) {
      // Another process may have been faster.
      transaction.run("UPDATE strata_schema SET signing = $1 WHERE signing IS NULL",
                      {Bytes{random_bytes(kSize).view()}});
      look(transaction);
    };
    database_->write(make, {});
  }
  return SecretBytes(std::string_view(found.value()));
}

std::shared_ptr<const Keyring> Store::keys(bool for_sealing) {
  const std::lock_guard lock(mutex_);
  const bool is_there = !key_file_.empty() && (keys_ != nullptr || ::access(key_file_.c_str(), F_OK) == 0);
  if (for_sealing && !key_file_.empty() && !is_there) check_key_file();
  if (keys_ == nullptr && (is_there || (for_sealing && !key_file_.empty()))) {
    bool is_new = false;
    std::vector<Key> keys;
    keys.push_back(read_or_make_key(key_file_, is_new));
    keys_ = std::make_shared<const Keyring>(std::move(keys));
    if (is_new && options_.on_new_key) options_.on_new_key(key_file_);
  }
  if (for_sealing && is_there) check_key_file();
  if (keys_ != nullptr) return keys_;
  auto none = std::make_shared<const Keyring>();
  if (for_sealing) (void)none->current();
  return none;
}

void Store::check_key_file() {
  if (is_key_file_checked_) return;
  bool has_some = false;
  bool has_own = false;
  read([&](Transaction& transaction) {
    has_some = !transaction.run("SELECT key_id FROM sealed LIMIT 1").empty();
    has_own =
        keys_ != nullptr &&
        !transaction.run("SELECT key_id FROM sealed WHERE key_id = $1 LIMIT 1", {Bytes{keys_->current().id}}).empty();
  });
  if (has_some && !has_own) {
    throw Error("store.no-key",
                keys_ == nullptr
                    ? "the store has sealed values, and the file of their key is gone"
                    : "the key of this file seals no value of the store, and others are sealed under another key")
        .in(key_file_)
        .hint("put the file back that they were sealed under, or name it: --key file:PATH");
  }
  is_key_file_checked_ = true;
}

std::map<std::string, std::int64_t> Store::missing_keys() {
  const auto known = keys(false);
  std::map<std::string, std::int64_t> out;
  read([&](Transaction& transaction) {
    out.clear();
    for (const Row row : transaction.run("SELECT key_id, count(*) FROM sealed GROUP BY key_id")) {
      if (known->find(row.bytes(0)) == nullptr) out.emplace(hex(row.bytes(0)), row.integer(1));
    }
  });
  return out;
}

}  // namespace strata::store
