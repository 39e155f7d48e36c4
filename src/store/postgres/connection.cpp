// SPDX-License-Identifier: Apache-2.0
#include "connection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "store/dialect.hpp"

namespace strata::store {
namespace {

// Types of columns, from the server's catalogue: they never change.
constexpr Oid kBool = 16;
constexpr Oid kBytes = 17;
constexpr Oid kInt8 = 20;
constexpr Oid kInt4 = 23;

constexpr int kOldestServer = 130000;
constexpr std::size_t kMostUnanswered = 500;           ///< Statements sent ahead.
constexpr std::size_t kMostUnansweredBytes = 1 << 20;  ///< The same in bytes: the server's answers are kept meanwhile.

std::string trimmed(const char* message) {
  std::string text = message == nullptr ? "" : message;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  for (char& byte : text) {
    if (byte == '\n') byte = ' ';
  }
  return text;
}

std::int64_t number_of(const char* bytes, int size) {
  std::uint64_t number = (static_cast<unsigned char>(bytes[0]) & 0x80U) != 0 ? ~std::uint64_t{0} : 0;
  for (int i = 0; i < size; ++i) number = (number << 8U) | static_cast<unsigned char>(bytes[i]);
  return static_cast<std::int64_t>(number);
}

/// The parameters of a statement in the form of the protocol: binary, numbers with their first byte first.
struct Encoded {
  explicit Encoded(Parameters parameters) : numbers(parameters.size()) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      std::string_view content;
      const char* absent = "";
      if (const auto* number = std::get_if<std::int64_t>(&parameters[i].content())) {
        auto rest = static_cast<std::uint64_t>(*number);
        for (std::size_t byte = 8; byte-- > 0; rest >>= 8U) numbers[i][byte] = static_cast<char>(rest & 0xFFU);
        content = std::string_view(numbers[i].data(), numbers[i].size());
      } else if (const auto* text = std::get_if<std::string_view>(&parameters[i].content())) {
        check_text(*text);
        content = *text;
      } else if (const auto* bytes = std::get_if<Bytes>(&parameters[i].content())) {
        content = bytes->content;
      } else {
        absent = nullptr;
      }
      if (content.size() > 0x3FFFFFFF) throw Error("store.failed", "a value is too large for the store");
      values.push_back(content.empty() ? absent : content.data());
      lengths.push_back(static_cast<int>(content.size()));
      formats.push_back(1);
      size += content.size();
    }
  }

  std::vector<std::array<char, 8>> numbers;
  std::vector<const char*> values;
  std::vector<int> lengths;
  std::vector<int> formats;
  std::size_t size = 0;
};

/// The types of parameters, so that the server has no need to guess, and a number is one of 64 bits wherever it stands.
std::vector<Oid> types_of(Parameters parameters) {
  std::vector<Oid> types;
  for (const Parameter& parameter : parameters) {
    const bool is_number = std::holds_alternative<std::int64_t>(parameter.content());
    types.push_back(is_number ? kInt8 : 0);
  }
  return types;
}

}  // namespace

PostgresSettings read_postgres_url(const std::string& url) {
  const Pq& pq = Pq::loaded();
  char* message = nullptr;
  PQconninfoOption* options = pq.conninfoParse(url.c_str(), &message);
  const auto free_message = [&](char* text) { pq.freemem(text); };
  const std::unique_ptr<char, decltype(free_message)> owned_message(message, free_message);
  if (options == nullptr) {
    // Messages quote what they speak of, which may be a password or hold one: only names of members are shown.
    std::string why = trimmed(message);
    if (!why.starts_with("invalid URI query parameter")) why.resize(std::min(why.size(), why.find(": \"")));
    throw Error("store.url", fmt::format("the address of the store cannot be read: {}", why));
  }
  const auto free_options = [&](PQconninfoOption* list) { pq.conninfoFree(list); };
  const std::unique_ptr<PQconninfoOption, decltype(free_options)> owned(options, free_options);

  PostgresSettings settings;
  const auto add = [&](std::string keyword, std::string value) {
    settings.keywords.push_back(std::move(keyword));
    settings.values.push_back(std::move(value));
  };
  const auto has = [&](std::string_view keyword) {
    return std::ranges::find(settings.keywords, keyword) != settings.keywords.end();
  };
  for (const PQconninfoOption* option = options; option->keyword != nullptr; ++option) {
    if (option->val == nullptr) continue;
    if (std::string_view(option->keyword) == "password" || std::string_view(option->keyword) == "sslpassword") {
      // Not even without it: the word may be written in other ways.
      throw Error("store.url", "the address of the store has a password")
          .hint("put it into a file that only you can read: postgresql://USER@HOST/DATABASE?passfile=FILE");
    }
    add(option->keyword, option->val);
  }
  if (!has("target_session_attrs")) add("target_session_attrs", "read-write");
  if (!has("connect_timeout")) add("connect_timeout", "5");
  if (!has("application_name")) add("application_name", "strata");
  // A server that vanishes without a word is noticed.
  if (!has("tcp_user_timeout")) add("tcp_user_timeout", "30000");
  add("client_encoding", "UTF8");
  return settings;
}

PostgresHandle connect(const PostgresSettings& settings) {
  const Pq& pq = Pq::loaded();
  std::vector<const char*> keywords;
  std::vector<const char*> values;
  for (const std::string& keyword : settings.keywords) keywords.push_back(keyword.c_str());
  for (const std::string& value : settings.values) values.push_back(value.c_str());
  keywords.push_back(nullptr);
  values.push_back(nullptr);
  PostgresHandle connection(pq.connectdbParams(keywords.data(), values.data(), 0));
  if (connection == nullptr) throw std::bad_alloc();
  if (pq.status(connection.get()) != CONNECTION_OK) throw ConnectionLost(trimmed(pq.errorMessage(connection.get())));
  // Notices are for people at a terminal.
  pq.setNoticeReceiver(
      connection.get(), [](void*, const PGresult*) {}, nullptr);
  return connection;
}

PostgresConnection::PostgresConnection(const PostgresSettings& settings)
    : pq_(Pq::loaded()), connection_(connect(settings)) {
  if (const int version = pq_.serverVersion(connection_.get()); version < kOldestServer) {
    throw Error("store.unsupported",
                fmt::format("the server is PostgreSQL {}: strata needs 13 or newer", version / 10000));
  }
  const char* encoding = pq_.parameterStatus(connection_.get(), "server_encoding");
  if (encoding == nullptr || std::string_view(encoding) != "UTF8") {
    throw Error("store.unsupported", fmt::format("the database has the encoding {}: strata needs UTF8",
                                                 encoding == nullptr ? "?" : encoding))
        .hint("createdb --encoding=UTF8 --template=template0 NAME");
  }
  if (pq_.enterPipelineMode(connection_.get()) != 1) lose();
  send("SET synchronous_commit = on");
  send("SET bytea_output = 'hex'");
  finish();
}

const std::string& PostgresConnection::prepared(std::string_view sql) {
  const std::string text(sql);
  if (const auto found = statements_.find(text); found != statements_.end()) return found->second;
  if (const auto found = sent_.find(text); found != sent_.end()) return found->second;
  return sent_.emplace(text, fmt::format("s{}", made_++)).first->second;
}

void PostgresConnection::start(std::string_view sql, Parameters parameters) {
  const Encoded encoded(parameters);
  const bool is_new = !statements_.contains(std::string(sql)) && !sent_.contains(std::string(sql));
  const std::string name = prepared(sql);
  const int count = static_cast<int>(parameters.size());
  if (is_new) {
    const std::vector<Oid> types = types_of(parameters);
    const std::string text = translated(sql, Dialect::postgres);
    if (pq_.sendPrepare(connection_.get(), name.c_str(), text.c_str(), count, types.data()) != 1) lose();
    expected_.push_back({.prepares = std::string(sql), .size = text.size()});
  }
  const int sent = pq_.sendQueryPrepared(connection_.get(), name.c_str(), count, encoded.values.data(),
                                         encoded.lengths.data(), encoded.formats.data(), 1);
  if (sent != 1) lose();
  expected_.push_back({.prepares = {}, .size = encoded.size});
  unanswered_ += encoded.size;
}

void PostgresConnection::send(std::string_view sql, Parameters parameters) {
  start(sql, parameters);
  if (expected_.size() >= kMostUnanswered || unanswered_ >= kMostUnansweredBytes) answers();
}

Rows PostgresConnection::run(std::string_view sql, Parameters parameters) {
  start(sql, parameters);
  return rows_of(answers().get());
}

std::string PostgresConnection::finish() {
  const Result last = answers();
  return last == nullptr ? "" : pq_.cmdStatus(last.get());
}

PostgresConnection::Result PostgresConnection::next() { return {pq_.getResult(connection_.get()), Clear{&pq_}}; }

PostgresConnection::Result PostgresConnection::answers() {
  Result last(nullptr, Clear{&pq_});
  if (expected_.empty()) return last;
  if (pq_.pipelineSync(connection_.get()) != 1) lose();
  const std::vector<Expected> expected = std::exchange(expected_, {});
  unanswered_ = 0;
  std::exception_ptr failure;
  for (const Expected& one : expected) {
    Result result = next();
    if (result == nullptr) lose();
    // All after the first failure are only told that they were left out.
    if (const auto problem = failure_of(result.get()); problem && !failure) failure = problem;
    note(one, result.get());
    last = std::move(result);
    while (const Result rest = next()) {
      if (const auto problem = failure_of(rest.get()); problem && !failure) failure = problem;
    }
    if (pq_.status(connection_.get()) != CONNECTION_OK) break;
  }
  if (pq_.status(connection_.get()) == CONNECTION_OK) {
    const Result sync = next();
    if (sync == nullptr || pq_.resultStatus(sync.get()) != PGRES_PIPELINE_SYNC) lose();
  }
  if (failure) std::rethrow_exception(failure);
  if (pq_.status(connection_.get()) != CONNECTION_OK) lose();
  return last;
}

void PostgresConnection::note(const Expected& expected, const PGresult* result) {
  if (expected.prepares.empty()) return;
  auto made = sent_.extract(expected.prepares);
  if (pq_.resultStatus(result) == PGRES_COMMAND_OK) statements_.insert(std::move(made));
}

std::exception_ptr PostgresConnection::failure_of(const PGresult* result) const {
  const ExecStatusType status = pq_.resultStatus(result);
  if (status != PGRES_FATAL_ERROR && status != PGRES_BAD_RESPONSE) return nullptr;
  const char* field = pq_.resultErrorField(result, PG_DIAG_SQLSTATE);
  const std::string_view state = field == nullptr ? "" : field;
  const std::string message = trimmed(pq_.resultErrorMessage(result));
  // https://www.postgresql.org/docs/current/errcodes-appendix.html
  if (state.empty() || state.starts_with("08") || state.starts_with("57P"))
    return std::make_exception_ptr(ConnectionLost(message));
  // This process stood still within a transaction, which the server ended.
  if (state == "25P03") return std::make_exception_ptr(ConnectionLost(message));
  // The server became a standby.
  if (state == "25006") return std::make_exception_ptr(ConnectionLost(message));
  if (state == "57014") return std::make_exception_ptr(deadline_passed());
  if (state == "53100") return std::make_exception_ptr(store_full(message));
  if (state.starts_with("40") || state == "55P03") return std::make_exception_ptr(Contended(message));
  if (state.starts_with("23"))
    return std::make_exception_ptr(Error("store.conflict", fmt::format("the store refuses a row: {}", message)));
  if (state.starts_with("53"))
    return std::make_exception_ptr(
        Error("store.unavailable", fmt::format("the server has no more resources: {}", message)));
  if (state.starts_with("XX"))
    return std::make_exception_ptr(Error("store.damaged", fmt::format("the store is damaged: {}", message)));
  return std::make_exception_ptr(Error("store.failed", fmt::format("PostgreSQL: {}", message)));
}

void PostgresConnection::lose() const { throw ConnectionLost(trimmed(pq_.errorMessage(connection_.get()))); }

bool PostgresConnection::roll_back() noexcept {
  try {
    // What was sent fails like its predecessor, or succeeds in vain.
    try {
      answers();
    } catch (const Error&) {
      if (pq_.status(connection_.get()) != CONNECTION_OK) return false;
    }
    send("ROLLBACK");
    finish();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

Rows PostgresConnection::rows_of(const PGresult* result) const {
  std::vector<std::string> names;
  std::vector<Oid> types;
  const int columns = pq_.nfields(result);
  for (int i = 0; i < columns; ++i) {
    names.emplace_back(pq_.fname(result, i));
    types.push_back(pq_.ftype(result, i));
  }
  Rows rows(std::move(names));
  const int count = pq_.ntuples(result);
  for (int row = 0; row < count; ++row) {
    for (int i = 0; i < columns; ++i) {
      const char* value = pq_.getvalue(result, row, i);
      const int size = pq_.getlength(result, row, i);
      const Oid type = types[static_cast<std::size_t>(i)];
      if (pq_.getisnull(result, row, i) != 0) {
        rows.append(std::monostate{});
      } else if (type == kInt8 || type == kInt4 || type == kBool) {
        rows.append(type == kBool ? static_cast<std::int64_t>(*value) : number_of(value, size));
      } else if (type == kBytes) {
        rows.append(OwnBytes{std::string(value, static_cast<std::size_t>(size))});
      } else {
        rows.append(std::string(value, static_cast<std::size_t>(size)));
      }
    }
  }
  const std::string changed = pq_.cmdTuples(const_cast<PGresult*>(result));
  rows.set_changed(changed.empty() ? 0 : std::stoll(changed));
  return rows;
}

template <class Call>
auto PostgresTransaction::guarded(const Call& call) {
  if (has_failed_) throw transaction_over();
  try {
    return call();
  } catch (...) {
    has_failed_ = true;
    throw;
  }
}

Rows PostgresTransaction::run(std::string_view sql, Parameters parameters) {
  return guarded([&] { return connection_.run(sql, parameters); });
}
void PostgresTransaction::send(std::string_view sql, Parameters parameters) {
  guarded([&] { connection_.send(sql, parameters); });
}
void PostgresTransaction::check() {
  guarded([&] { connection_.finish(); });
}

}  // namespace strata::store
