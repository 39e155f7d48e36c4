// SPDX-License-Identifier: Apache-2.0
#include "blobs.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <map>
#include <new>
#include <unordered_set>

#include "store/encoding.hpp"
#include "strata/error.hpp"
#include "tree/sha256.hpp"

namespace strata::store {
namespace {

constexpr int kLevel = 3;  ///< Of compression: half the size of YAML at a tenth of the time of the highest.
constexpr std::size_t kLeastToPack =
    512;  ///< Bytes. Of shorter texts little goes away, and unpacking many of them takes long.
constexpr std::int64_t kLargest = std::int64_t{1} << 30;  ///< Bytes of a text.
constexpr std::size_t kAtOnce = 64;                       ///< Ids in one question.

}  // namespace

Error missing_blob(const BlobId& id) {
  return Error("store.damaged", fmt::format("the store lost the text {}", hex(id))).hint("strata store check");
}

void for_each_blob(Transaction& transaction, std::string_view select, std::span<const BlobId> ids,
                   const std::function<void(const Row& row)>& use) {
  std::string sql = fmt::format("{} WHERE b.hash IN ($1", select);
  for (std::size_t i = 2; i <= kAtOnce; ++i) sql += fmt::format(", ${}", i);
  sql += ")";
  std::vector<Parameter> parameters;
  for (std::size_t at = 0; at < ids.size(); at += kAtOnce) {
    parameters.clear();
    // The last question repeats its last id.
    for (std::size_t i = 0; i < kAtOnce; ++i) parameters.emplace_back(Bytes{ids[std::min(at + i, ids.size() - 1)]});
    for (const Row row : transaction.run(sql, parameters)) use(row);
  }
}

BlobId blob_id(std::string_view text) {
  const auto digest = sha256(text);
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

namespace {

/// The working memory of zstd. It costs more to make than a small text costs to pack or unpack.
template <class Context, Context* (*Make)(), std::size_t (*Free)(Context*)>
Context& context() {
  struct Release {
    void operator()(Context* one) const noexcept { Free(one); }
  };
  thread_local const std::unique_ptr<Context, Release> own(Make());
  if (own == nullptr) throw std::bad_alloc();
  return *own;
}

}  // namespace

std::string packed(std::string_view text) {
  if (text.size() < kLeastToPack) return std::string(text);
  std::string out(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compressCCtx(&context<ZSTD_CCtx, ZSTD_createCCtx, ZSTD_freeCCtx>(), out.data(),
                                             out.size(), text.data(), text.size(), kLevel);
  if (ZSTD_isError(size) != 0U) throw std::bad_alloc();
  if (size >= text.size()) return std::string(text);
  out.resize(size);
  out.shrink_to_fit();
  return out;
}

std::string unpacked(std::string_view bytes, std::int64_t size) {
  if (size < 0 || size > kLargest) throw Error("store.damaged", "a text of the store has an impossible size");
  const auto wanted = static_cast<std::size_t>(size);
  if (bytes.size() == wanted) return std::string(bytes);
  std::string out(wanted, '\0');
  const std::size_t found = ZSTD_decompressDCtx(&context<ZSTD_DCtx, ZSTD_createDCtx, ZSTD_freeDCtx>(), out.data(),
                                                out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(found) != 0U || found != wanted)
    throw Error("store.damaged", "a text of the store cannot be unpacked").hint("strata store check");
  return out;
}

void lock_blobs(Transaction& transaction, bool is_shared) {
  if (transaction.dialect() == Dialect::sqlite) return;  // It has one writer at a time.
  transaction.send(is_shared ? "LOCK TABLE blob IN ROW EXCLUSIVE MODE" : "LOCK TABLE blob IN SHARE ROW EXCLUSIVE MODE");
}

std::vector<BlobId> put_blobs(Transaction& transaction, std::span<const std::string_view> texts) {
  lock_blobs(transaction, true);
  std::vector<BlobId> ids;
  // In the order of their ids: two transactions that store the same texts in two orders would wait for each other.
  std::map<BlobId, std::string_view> wanted;
  for (const std::string_view text : texts) {
    if (text.size() > static_cast<std::size_t>(kLargest))
      throw Error("store.failed", "a text is too large for the store");
    ids.push_back(blob_id(text));
    wanted.emplace(ids.back(), text);
  }
  std::vector<BlobId> asked;
  asked.reserve(wanted.size());
  for (const auto& [id, text] : wanted) asked.push_back(id);
  for_each_blob(transaction, "SELECT b.hash FROM blob b", asked, [&](const Row& row) { wanted.erase(row.bytes(0)); });
  for (const auto& [id, text] : wanted) {
    transaction.send("INSERT INTO blob (hash, bytes, size) VALUES ($1, $2, $3) ON CONFLICT (hash) DO NOTHING",
                     {Bytes{id}, Bytes{packed(text)}, text.size()});
  }
  return ids;
}

BlobId put_blob(Transaction& transaction, std::string_view text) {
  return put_blobs(transaction, std::array{text}).front();
}

std::string get_blob(Transaction& transaction, const BlobId& id) {
  const Rows rows = transaction.run("SELECT bytes, size FROM blob WHERE hash = $1", {Bytes{id}});
  if (rows.empty()) throw missing_blob(id);
  return unpacked(rows.front().bytes(0), rows.front().integer(1));
}

std::unordered_map<BlobId, std::string> get_blobs(Transaction& transaction, std::span<const BlobId> ids) {
  std::unordered_map<BlobId, std::string> found;
  for_each_blob(transaction, "SELECT b.hash, b.bytes, b.size FROM blob b", ids,
                [&](const Row& row) { found.emplace(row.bytes(0), unpacked(row.bytes(1), row.integer(2))); });
  for (const BlobId& id : ids) {
    if (!found.contains(id)) throw missing_blob(id);
  }
  return found;
}

}  // namespace strata::store
