// SPDX-License-Identifier: Apache-2.0
#include "secret_blobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "store/seal.hpp"
#include "store/sealed.hpp"
#include "strata/error.hpp"
#include "tree/sha256.hpp"

namespace strata::store {
namespace {

constexpr std::string_view kTable = "blob";

std::string digest_of(std::string_view text) {
  const auto digest = sha256(text);
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

/// Gives the ids of texts of a project under a key.
class Naming {
 public:
  Naming(const Key& key, std::string_view project)
      : key_(hmac(key.bytes.view(), fmt::format("strata:1|blob|{}", project))) {}
  [[nodiscard]] BlobId id(std::string_view digest) const { return std::string(hmac(key_.view(), digest).view()); }

 private:
  SecretBytes key_;
};

}  // namespace

std::string secret_text(const Row& row, std::size_t first, const Keyring& keys, const Project& project) {
  if (row.is_null(first + 7)) return unpacked(row.bytes(first), row.integer(first + 1));
  if (row.is_null(first + 2)) throw lost_sealed(row.text(first + 7));
  const SecretBytes opened =
      open(keys, {.project = project.name, .table = kTable, .id = row.text(first + 2)}, sealed_value(row, first + 3));
  return unpacked(opened.view(), row.integer(first + 1));
}

std::vector<BlobId> put_secret_blobs(Transaction& transaction, const Keyring& keys, const Project& project,
                                     std::span<const std::string_view> texts) {
  if (keys.empty()) return put_blobs(transaction, texts);
  lock_blobs(transaction, true);
  std::vector<Naming> namings;
  for (const Key& key : keys.all()) namings.emplace_back(key, project.name);
  std::vector<std::string> digests;
  std::vector<BlobId> asked;
  for (const std::string_view text : texts) {
    digests.push_back(digest_of(text));
    for (const Naming& naming : namings) asked.push_back(naming.id(digests.back()));
  }
  std::set<BlobId> there;
  for_each_blob(transaction, "SELECT b.hash FROM blob b", asked, [&](const Row& row) { there.insert(row.bytes(0)); });
  std::vector<BlobId> ids;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::span<const BlobId> own(asked.data() + i * namings.size(), namings.size());
    const auto known = std::ranges::find_if(own, [&there](const BlobId& id) { return there.contains(id); });
    ids.push_back(known != own.end() ? *known : own.front());
    if (known != own.end()) continue;
    std::string bytes = packed(texts[i]);
    const std::string sealed = add_sealed(transaction, keys, project.name, kTable, bytes);
    wipe(bytes);
    transaction.send("INSERT INTO blob (hash, bytes, size, sealed, project) VALUES ($1, $2, $3, $4, $5)",
                     {Bytes{ids.back()}, Bytes{""}, texts[i].size(), sealed, project.id});
    there.insert(ids.back());
  }
  return ids;
}

BlobId put_secret_blob(Transaction& transaction, const Keyring& keys, const Project& project, std::string_view text) {
  return put_secret_blobs(transaction, keys, project, std::array{text}).front();
}

std::unordered_map<BlobId, std::string> get_secret_blobs(Transaction& transaction, const Keyring& keys,
                                                         const Project& project, std::span<const BlobId> ids) {
  static const std::string select = fmt::format("SELECT b.hash, {} FROM blob b {}", kSecretColumns, kSecretTables);
  std::unordered_map<BlobId, std::string> found;
  for_each_blob(transaction, select, ids, [&](const Row& row) {
    if (!found.contains(row.bytes(0))) found.emplace(row.bytes(0), secret_text(row, 1, keys, project));
  });
  for (const BlobId& id : ids) {
    if (!found.contains(id)) throw missing_blob(id);
  }
  return found;
}

}  // namespace strata::store
