// SPDX-License-Identifier: Apache-2.0
#include "references.hpp"

#include <fmt/format.h>

#include <array>

#include "store/sites.hpp"

namespace strata::store {
namespace {

constexpr std::array kColumns{
    BlobColumn{"document", "metadata"}, BlobColumn{"document", "data"},      BlobColumn{"tag", "data"},
    BlobColumn{"validation", "body"},   BlobColumn{"stack", "state"},        BlobColumn{"stack", "settings"},
    BlobColumn{"site", "options"},      BlobColumn{"site_tree", "manifest"}, BlobColumn{"node", "facts"},
    BlobColumn{"request", "body"},
};

}  // namespace

std::span<const BlobColumn> blob_columns() noexcept { return kColumns; }

std::string unreferenced_blob() {
  std::string out;
  for (const BlobColumn& one : kColumns) {
    out += fmt::format("{}b.hash NOT IN (SELECT {} FROM {} WHERE {} IS NOT NULL)", out.empty() ? "" : " AND ",
                       one.column, one.table, one.column);
  }
  return out;
}

std::unordered_set<BlobId> blobs_of_manifests(Transaction& transaction) {
  std::unordered_set<BlobId> found;
  for (const Row row : transaction.run("SELECT DISTINCT manifest FROM site_tree")) {
    for (TreeFile& file : read_manifest(get_blob(transaction, row.bytes(0)))) found.insert(std::move(file.text));
  }
  return found;
}

}  // namespace strata::store
