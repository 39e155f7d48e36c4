// SPDX-License-Identifier: Apache-2.0
#include "transfer.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <new>
#include <utility>

#include "store/encoding.hpp"
#include "store/records.hpp"
#include "store/schema.hpp"
#include "store/sealed.hpp"
#include "strata/error.hpp"
#include "strata/text.hpp"
#include "tree/crypto_library.hpp"

namespace strata::store {
namespace {

constexpr std::string_view kImport = "store import";        ///< Its action in the audit.
constexpr std::size_t kTransferPage = 200;                  ///< Rows that are read at once.
constexpr std::size_t kLongestLine = std::size_t{3} << 29;  ///< Bytes: a text of 1 GiB as base64.
/// The first line of a file with the tables of a version.
std::string header(std::int64_t version) {
  return fmt::format("{{\"format\":\"strata-store/1\",\"version\":{}}}\n", version);
}
/// The last line.
std::string trailer(std::string_view digest) { return fmt::format("{{\"sha256\":\"{}\"}}\n", digest); }

Error bad_file(const std::string& why) {
  return Error("store.export", fmt::format("this is not the whole of an exported store: {}", why));
}

/// SHA-256 of lines.
class Digest {
 public:
  Digest() : context_(crypto_.EVP_MD_CTX_new(), crypto_.EVP_MD_CTX_free) {
    if (context_ == nullptr || crypto_.EVP_DigestInit_ex(context_.get(), crypto_.EVP_sha256(), nullptr) != 1)
      throw std::bad_alloc();
  }
  void add(std::string_view line) {
    if (crypto_.EVP_DigestUpdate(context_.get(), line.data(), line.size()) != 1) throw std::bad_alloc();
  }
  /// As hexadecimal digits. The last call.
  std::string finish() {
    std::array<unsigned char, 32> digest{};
    if (crypto_.EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr) != 1) throw std::bad_alloc();
    return hex({reinterpret_cast<const char*>(digest.data()), digest.size()});
  }

 private:
  const Crypto& crypto_ = Crypto::loaded();
  std::unique_ptr<EVP_MD_CTX, decltype(Crypto::EVP_MD_CTX_free)> context_;
};

std::vector<std::string> names_of(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const auto end = list.find(", ");
    names.emplace_back(list.substr(0, end));
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 2);
  }
  return names;
}

std::vector<Parameter> parameters_of(const std::vector<Cell>& cells) {
  std::vector<Parameter> parameters;
  for (const Cell& cell : cells) {
    if (const auto* number = std::get_if<std::int64_t>(&cell)) parameters.emplace_back(*number);
    if (const auto* text = std::get_if<std::string>(&cell)) parameters.emplace_back(*text);
    if (const auto* bytes = std::get_if<OwnBytes>(&cell)) parameters.emplace_back(Bytes{bytes->content});
    if (std::holds_alternative<std::monostate>(cell)) parameters.emplace_back(std::nullopt);
  }
  return parameters;
}

class Compressor {
 public:
  explicit Compressor(const std::function<void(std::string_view)>& sink)
      : sink_(sink), context_(ZSTD_createCCtx(), &ZSTD_freeCCtx) {
    if (context_ == nullptr) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }
  void add(std::string_view text) { feed(text, ZSTD_e_continue); }
  void finish() { feed({}, ZSTD_e_end); }

 private:
  void feed(std::string_view text, ZSTD_EndDirective how) {
    ZSTD_inBuffer in{.src = text.data(), .size = text.size(), .pos = 0};
    for (;;) {
      ZSTD_outBuffer out{.dst = buffer_.data(), .size = buffer_.size(), .pos = 0};
      const std::size_t left = ZSTD_compressStream2(context_.get(), &out, &in, how);
      if (ZSTD_isError(left) != 0U) throw std::bad_alloc();
      if (out.pos > 0) sink_({buffer_.data(), out.pos});
      if (how == ZSTD_e_end ? left == 0 : in.pos == in.size) return;
    }
  }

  const std::function<void(std::string_view)>& sink_;
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context_;
  std::array<char, 1 << 16> buffer_{};
};

class Decompressor {
 public:
  explicit Decompressor(const std::function<std::size_t(char*, std::size_t)>& source)
      : source_(source), context_(ZSTD_createDCtx(), &ZSTD_freeDCtx) {
    if (context_ == nullptr) throw std::bad_alloc();
  }

  /// The next line with its line feed. Empty at the end.
  std::string line() {
    for (;;) {
      if (const auto end = text_.find('\n', at_); end != std::string::npos) {
        std::string found = text_.substr(at_, end + 1 - at_);
        at_ = end + 1;
        return found;
      }
      text_.erase(0, at_);
      at_ = 0;
      if (text_.size() > kLongestLine) throw bad_file("it has a line that is too long");
      if (!more()) {
        if (!text_.empty()) throw bad_file("it ends within a line");
        return {};
      }
    }
  }

 private:
  bool more() {
    for (;;) {
      if (in_.pos == in_.size) in_ = {.src = read_.data(), .size = source_(read_.data(), read_.size()), .pos = 0};
      ZSTD_outBuffer out{.dst = buffer_.data(), .size = buffer_.size(), .pos = 0};
      const bool is_end = in_.size == 0;
      const std::size_t left = ZSTD_decompressStream(context_.get(), &out, &in_);
      if (ZSTD_isError(left) != 0U) throw bad_file("it cannot be unpacked");
      if (!is_end) is_whole_ = left == 0;
      text_.append(buffer_.data(), out.pos);
      if (out.pos > 0) return true;
      if (is_end && !is_whole_) throw bad_file("its end is missing");
      if (is_end) return false;
    }
  }

  const std::function<std::size_t(char*, std::size_t)>& source_;
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context_;
  std::array<char, 1 << 16> read_{};
  std::array<char, 1 << 16> buffer_{};
  ZSTD_inBuffer in_{.src = nullptr, .size = 0, .pos = 0};
  std::string text_;
  std::size_t at_ = 0;
  bool is_whole_ = false;  ///< What was read so far could be all: the checksum of the compressed bytes was right.
};

/// A row as a line: `["table",{"column":value}]`. Bytes are `{"base64":…}`, to tell them from texts.
std::string line_of(std::string_view table, const std::vector<std::string>& names, const Row& row) {
  std::string line = fmt::format("[\"{}\",{{", table);
  for (std::size_t i = 0; i < names.size(); ++i) {
    line += fmt::format("{}\"{}\":", i == 0 ? "" : ",", names[i]);
    const Cell& cell = row.cell(i);
    if (const auto* number = std::get_if<std::int64_t>(&cell)) {
      line += std::to_string(*number);
    } else if (const auto* text = std::get_if<std::string>(&cell)) {
      text::append_json_text(line, *text);
    } else if (const auto* bytes = std::get_if<OwnBytes>(&cell)) {
      line += fmt::format(R"({{"base64":"{}"}})", base64(bytes->content));
    } else {
      line += "null";
    }
  }
  return line + "}]\n";
}

/// A statement for a page of rows, after the key in `$1` …, or from the first one.
std::string page_sql(const Table& table, bool is_first) {
  std::string after;
  if (!is_first) {
    std::string marks;
    for (std::size_t i = 1; i <= names_of(table.key).size(); ++i) marks += fmt::format("{}${}", i == 1 ? "" : ", ", i);
    after = fmt::format("WHERE ({}) > ({}) ", table.key, marks);
  }
  return fmt::format("SELECT * FROM {} {}ORDER BY {} LIMIT {}", table.name, after, table.key, kTransferPage);
}

/// Calls `use` with each row of a table, in the order of its key.
void for_each_row(Transaction& transaction, const Table& table,
                  const std::function<void(const std::vector<std::string>&, const Row&)>& use) {
  std::vector<Cell> after;
  for (;;) {
    const Rows rows = transaction.run(page_sql(table, after.empty()), parameters_of(after));
    for (const Row row : rows) use(rows.names(), row);
    if (rows.size() < kTransferPage) return;
    after.clear();
    for (const std::string& name : names_of(table.key)) {
      const auto at = std::ranges::find(rows.names(), name) - rows.names().begin();
      after.push_back(rows[rows.size() - 1].cell(static_cast<std::size_t>(at)));
    }
  }
}

/// All sealed values under another key, by id. A value without a reference cannot be opened, is of no use, and is left
/// out.
std::map<std::string, SealedValue> resealed(Transaction& transaction, const Keyring& keys, const Key& to) {
  std::map<std::string, SealedValue> values;
  for (std::string after;;) {
    const std::vector<SealedRow> rows = sealed_rows(transaction, after, kTransferPage);
    if (rows.empty()) return values;
    for (const SealedRow& row : rows) {
      if (row.is_used() && !values.contains(row.id)) values.emplace(row.id, rewrap(keys, to, row.place(), row.value));
    }
    after = rows.back().id;
  }
}

/// A value of a line. Error `store.export`.
Cell cell_from(const Value& value) {
  switch (value.kind()) {
    case Kind::null:
      return std::monostate{};
    case Kind::integer:
      return value.as_integer();
    case Kind::text:
      return std::string(value.text());
    default:
      break;
  }
  const Value* encoded = value.is_mapping() ? value.find("base64") : nullptr;
  auto bytes = encoded != nullptr && encoded->is_text() ? from_base64(encoded->text()) : std::nullopt;
  if (!bytes) throw bad_file("a value is of no type that a store has");
  return OwnBytes{std::move(*bytes)};
}

/// What the audit says of an import is about the store itself, and not part of what it holds: else a copy would differ
/// from its original.
bool is_about_import(const Table& table, const std::vector<std::string>& names, const Row& row) {
  if (table.name != "audit") return false;
  return row.text(static_cast<std::size_t>(std::ranges::find(names, "action") - names.begin())) == kImport;
}

/// Puts lines into an empty store.
class Import {
 public:
  explicit Import(Transaction& transaction) : transaction_(transaction) {
    for (const Table& table : tables()) {
      // The columns are the store's own: the names in a file never become SQL.
      const Rows rows = transaction.run(fmt::format("SELECT * FROM {} LIMIT 1", table.name));
      if (!rows.empty())
        throw Error("store.not-empty", fmt::format("the store is not empty: it has rows of {}", table.name))
            .hint("import into a new one");
      columns_.push_back(rows.names());
    }
  }

  /// Whether the rows are of a program that did not know all columns.
  void lets_columns_be_missing(bool may) noexcept { may_be_missing_ = may; }

  void add(const std::string& line) {
    Sources sources;
    text::Document document;
    try {
      document = text::read_json(sources, sources.add("export", line), {.depth = 5, .input = kLongestLine});
    } catch (const Error& error) {
      throw bad_file(error.what());
    }
    const Value& root = document.root;
    if (!root.is_sequence() || root.size() != 2 || !root.items()[0].is_text() || !root.items()[1].is_mapping())
      throw bad_file("a line is not a row");
    insert(table_of(root.items()[0].text()), root.items()[1]);
  }

  /// New rows get numbers after those that were imported.
  void finish() {
    if (transaction_.dialect() == Dialect::sqlite) return;  // It looks at the rows.
    for (const Table& table : tables()) {
      if (!table.has_identity) continue;
      transaction_.run(fmt::format(
          "SELECT setval(pg_get_serial_sequence('{0}', 'id'), (SELECT coalesce(max(id), 0) FROM {0}) + 1, false)",
          table.name));
    }
  }

 private:
  static std::size_t table_of(std::string_view name) {
    const auto found = std::ranges::find(tables(), name, &Table::name);
    if (found == tables().end()) throw bad_file("it has rows of an unknown table");
    return static_cast<std::size_t>(found - tables().begin());
  }

  void insert(std::size_t table, const Value& row) {
    const std::vector<std::string>& columns = columns_[table];
    std::vector<Cell> cells;
    std::string names;
    std::string marks;
    std::size_t missing = 0;
    for (const std::string& column : columns) {
      const Value* value = row.find(column);
      if (value == nullptr) {
        ++missing;
        continue;
      }
      cells.push_back(cell_from(*value));
      names += (names.empty() ? "" : ", ") + column;
      marks += fmt::format("{}${}", marks.empty() ? "" : ", ", cells.size());
    }
    if (row.size() + missing != columns.size() || (missing != 0 && !may_be_missing_))
      throw bad_file("a row has other columns");
    transaction_.send(fmt::format("INSERT INTO {} ({}) VALUES ({})", tables()[table].name, names, marks),
                      parameters_of(cells));
  }

  Transaction& transaction_;
  bool may_be_missing_ = false;
  std::vector<std::vector<std::string>> columns_;
};

}  // namespace

void export_store(Store& store, const Key* reseal, const std::function<void(std::string_view)>& sink) {
  const auto keys = store.keys(false);
  store.database().read([&](Transaction& transaction) {
    Compressor out(sink);
    Digest digest;
    const auto write = [&](std::string_view line) {
      digest.add(line);
      out.add(line);
    };
    write(header(migrations().back().version));
    for (const Table& table : tables()) {
      const bool is_resealed = table.name == "sealed" && reseal != nullptr;
      std::map<std::string, SealedValue> values;
      if (is_resealed) values = resealed(transaction, *keys, *reseal);
      for_each_row(transaction, table, [&](const std::vector<std::string>& names, const Row& row) {
        if (is_about_import(table, names, row)) return;
        if (!is_resealed) return write(line_of(table.name, names, row));
        const auto found = values.find(row.text(0));
        if (found == values.end()) return;
        const SealedValue& value = found->second;
        const std::vector<Cell> cells{row.cell(0),           OwnBytes{value.key_id},     OwnBytes{value.wrapped},
                                      OwnBytes{value.nonce}, OwnBytes{value.ciphertext}, row.integer(5)};
        write(line_of(table.name, names, Row(cells.data())));
      });
    }
    out.add(trailer(digest.finish()));
    out.finish();
  });
}

void import_store(Store& store, const std::function<std::size_t(char* buffer, std::size_t size)>& source) {
  Decompressor in(source);
  bool is_started = false;
  store.database().write([&](Transaction& transaction) {
    // A source can be read once.
    if (std::exchange(is_started, true))
      throw Error("store.contended", "others use the store that is imported into").hint("try again");
    Import import(transaction);
    Digest digest;
    std::string line = in.line();
    // Older tables have fewer columns.
    const auto version =
        std::ranges::find_if(migrations(), [&line](const Migration& one) { return line == header(one.version); });
    if (version == migrations().end()) throw bad_file("its first line is another");
    import.lets_columns_be_missing(version + 1 != migrations().end());
    digest.add(line);
    for (line = in.line(); line.starts_with('['); line = in.line()) {
      digest.add(line);
      import.add(line);
    }
    if (line != trailer(digest.finish())) throw bad_file("its checksum is another");
    if (!in.line().empty()) throw bad_file("it goes on after its end");
    import.finish();
    AuditEntry entry{
        .who = "command line", .action = std::string(kImport), .target = "the whole store", .outcome = "done"};
    add_audit(transaction, entry);
  });
}

}  // namespace strata::store
