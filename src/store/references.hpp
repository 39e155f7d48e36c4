// SPDX-License-Identifier: Apache-2.0
// Which columns refer to blobs.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_set>

#include "store/blobs.hpp"

namespace strata::store {

struct BlobColumn {
  std::string_view table;
  std::string_view column;
};
/// All columns that hold ids of blobs. Manifests of trees name further ones.
[[nodiscard]] std::span<const BlobColumn> blob_columns() noexcept;

/// A condition on the table `blob`, called `b`: no column refers to it.
[[nodiscard]] std::string unreferenced_blob();

/// The blobs that manifests of trees name. Error `store.damaged` for one that cannot be read.
[[nodiscard]] std::unordered_set<BlobId> blobs_of_manifests(Transaction& transaction);

}  // namespace strata::store
