// SPDX-License-Identifier: Apache-2.0
#include "connection.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <iterator>
#include <new>

#include "store/dialect.hpp"
#include "store/failures.hpp"
#include "tree/descriptor.hpp"

namespace strata::store {
namespace {

constexpr int kStepsBetweenLooks = 2000;  ///< Instructions of SQLite between two looks at the deadline.

/// Whether the last failure of the database's files was that there was no more room: where a quota or a limit on the
/// size of files ends a write, SQLite sees an error like any other.
bool lacks_space(sqlite3* connection) {
  for (const int which : {SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER}) {
    sqlite3_file* file = nullptr;
    int error = 0;
    if (sqlite3_file_control(connection, "main", which, static_cast<void*>(&file)) != SQLITE_OK || file == nullptr ||
        file->pMethods == nullptr)
      continue;
    if (file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error) != SQLITE_OK) continue;
    if (error == ENOSPC || error == EDQUOT || error == EFBIG) return true;
  }
  return false;
}

Cell column_cell(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_column_int64(statement, column)};
    case SQLITE_NULL:
      return std::monostate{};
    case SQLITE_BLOB: {
      // The pointer before the size: the order that SQLite asks for. It is null for an empty value.
      const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement, column));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
      return OwnBytes{size == 0 ? std::string() : std::string(bytes, size)};
    }
    default: {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
      if (text == nullptr) throw std::bad_alloc();
      return std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
    }
  }
}

/// A file as SQLite's URIs name it.
std::string uri_of(const std::string& path) {
  std::string out = "file:";
  for (const char one : path) {
    if (one == '%' || one == '?' || one == '#') {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned>(one));
    } else {
      out += one;
    }
  }
  return out;
}

/// Opening a pipe or a device could block.
void check_regular(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode)) return;
  throw Error("store.unavailable", "the store cannot be opened: it is not a regular file").in(path);
}

}  // namespace

void create_private(const std::string& path) {
  const detail::Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file)
    throw Error("store.unavailable", fmt::format("the store cannot be opened: {}", detail::system_message(errno)))
        .in(path);
}

void SqliteConnection::Close::operator()(sqlite3* connection) const noexcept { sqlite3_close_v2(connection); }
void SqliteConnection::Finalize::operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }

SqliteConnection::SqliteConnection(const std::string& path, Use use) : path_(path) {
  check_regular(path);
  if (use == Use::write) create_private(path);
  sqlite3* opened = nullptr;
  int mode = use == Use::write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
  std::string name = path;
  // Without a log of writes beside it, no process has the file open: it is complete, and a log need not be made for
  // reading.
  if (use == Use::look && ::access((path + "-wal").c_str(), F_OK) != 0) {
    name = uri_of(path) + "?immutable=1";
    mode |= SQLITE_OPEN_URI;
  }
  const int code = sqlite3_open_v2(name.c_str(), &opened, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  connection_.reset(opened);
  if (code != SQLITE_OK) fail(code);
  sqlite3_busy_timeout(opened, 5000);
  sqlite3_progress_handler(opened, kStepsBetweenLooks, &SqliteConnection::is_over, this);
  // A file from another writer must not make SQLite do more than read and write tables.
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
  if (use == Use::write) {
    run("PRAGMA journal_mode=WAL");
    run("PRAGMA synchronous=FULL");
    run("PRAGMA foreign_keys=ON");
    run("PRAGMA secure_delete=ON");
  } else {
    run("PRAGMA query_only=ON");
  }
  run("PRAGMA cell_size_check=ON");
}

SqliteConnection::~SqliteConnection() = default;

sqlite3_stmt* SqliteConnection::prepared(std::string_view sql) {
  const auto found = statements_.find(sql);
  if (found != statements_.end()) return found->second.get();
  const std::string text = translated(sql, Dialect::sqlite);
  sqlite3_stmt* statement = nullptr;
  const char* rest = nullptr;
  const int code = sqlite3_prepare_v3(connection_.get(), text.data(), static_cast<int>(text.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, &rest);
  if (code != SQLITE_OK) fail(code);
  assert(rest == text.data() + text.size() && "one statement at a time");
  return statements_.emplace(sql, Statement(statement)).first->second.get();
}

void SqliteConnection::bind(sqlite3_stmt* statement, Parameters parameters) {
  assert(sqlite3_bind_parameter_count(statement) == static_cast<int>(parameters.size()));
  int at = 0;
  for (const Parameter& parameter : parameters) {
    ++at;
    int code = SQLITE_OK;
    if (const auto* number = std::get_if<std::int64_t>(&parameter.content())) {
      code = sqlite3_bind_int64(statement, at, *number);
    } else if (const auto* text = std::get_if<std::string_view>(&parameter.content())) {
      check_text(*text);
      // A null pointer would be NULL.
      code = sqlite3_bind_text64(statement, at, text->empty() ? "" : text->data(), text->size(), SQLITE_STATIC,
                                 SQLITE_UTF8);
    } else if (const auto* bytes = std::get_if<Bytes>(&parameter.content())) {
      const std::string_view content = bytes->content;
      code = sqlite3_bind_blob64(statement, at, content.empty() ? "" : content.data(), content.size(), SQLITE_STATIC);
    } else {
      code = sqlite3_bind_null(statement, at);
    }
    if (code != SQLITE_OK) fail(code);
  }
}

Rows SqliteConnection::run(std::string_view sql, Parameters parameters) {
  sqlite3_stmt* statement = prepared(sql);
  // Whatever happens, the statement is free for the next one, and holds nothing of the caller's.
  const auto release = [](sqlite3_stmt* used) {
    sqlite3_reset(used);
    sqlite3_clear_bindings(used);
  };
  const std::unique_ptr<sqlite3_stmt, decltype(release)> in_use(statement, release);
  bind(statement, parameters);
  std::vector<std::string> names;
  const int columns = sqlite3_column_count(statement);
  names.reserve(static_cast<std::size_t>(columns));
  for (int i = 0; i < columns; ++i) names.emplace_back(sqlite3_column_name(statement, i));
  Rows rows(std::move(names));
  for (;;) {
    const int code = sqlite3_step(statement);
    if (code == SQLITE_DONE) break;
    if (code != SQLITE_ROW) fail(code);
    for (int i = 0; i < columns; ++i) rows.append(column_cell(statement, i));
  }
  rows.set_changed(sqlite3_changes64(connection_.get()));
  return rows;
}

void SqliteConnection::fail(int code) const {
  const std::string message = connection_ != nullptr ? sqlite3_errmsg(connection_.get()) : sqlite3_errstr(code);
  switch (code & 0xFF) {
    case SQLITE_NOMEM:
      throw std::bad_alloc();
    case SQLITE_INTERRUPT:
      throw deadline_passed();
    case SQLITE_FULL:
      throw store_full(message);
    case SQLITE_TOOBIG:
      throw Error("store.failed", "a value is too large for the store").in(path_);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw Contended(fmt::format("another program uses the database: {}", message));
    case SQLITE_CONSTRAINT:
      throw Error("store.conflict", fmt::format("the store refuses a row: {}", message)).in(path_);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      throw Error("store.damaged", fmt::format("the store is damaged, or not a database: {}", message)).in(path_);
    case SQLITE_IOERR:
      if (lacks_space(connection_.get())) throw store_full(message);
      [[fallthrough]];
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_READONLY:
      throw Error("store.unavailable", fmt::format("the store cannot be used: {}", message)).in(path_);
    default:
      throw Error("store.failed", fmt::format("SQLite: {}", message)).in(path_);
  }
}

int SqliteConnection::is_over(void* self) {
  const auto& connection = *static_cast<const SqliteConnection*>(self);
  return connection.deadline_ && std::chrono::steady_clock::now() >= *connection.deadline_ ? 1 : 0;
}

bool SqliteConnection::is_in_transaction() const noexcept { return sqlite3_get_autocommit(connection_.get()) == 0; }

void SqliteConnection::roll_back() noexcept {
  if (!is_in_transaction()) return;
  deadline_.reset();
  try {
    run("ROLLBACK");
  } catch (const std::exception&) {
    // The transaction is over after an error too.
  }
}

Rows SqliteTransaction::run(std::string_view sql, Parameters parameters) {
  check();
  try {
    return connection_.run(sql, parameters);
  } catch (...) {
    has_failed_ = true;
    throw;
  }
}

void SqliteTransaction::check() const {
  if (has_failed_) throw transaction_over();
}

}  // namespace strata::store
