// SPDX-License-Identifier: Apache-2.0
#include "maintenance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "store/blobs.hpp"
#include "store/references.hpp"
#include "store/sealed.hpp"

namespace strata::store {
namespace {

constexpr std::int64_t kBatch = 200;  ///< Sealed values in one transaction.

void prune_project(Transaction& transaction, const Project& project, std::int64_t keep, Pruned& pruned) {
  const std::int64_t last = project.last_revision - std::max<std::int64_t>(keep, 1);  // The last revision that goes.
  if (last < 1) return;
  for (const std::string_view table : {"validation", "tag", "revision_bucket"}) {
    transaction.send(fmt::format("DELETE FROM {} WHERE project = $1 AND revision <= $2", table), {project.id, last});
  }
  // A document that is still part of the next revision stays, with the number of its own one.
  transaction.send(
      R"(DELETE FROM sealed WHERE id IN (SELECT sealed FROM document WHERE project = $1 AND sealed IS NOT NULL AND until <= $2)
         AND id NOT IN (SELECT sealed FROM document WHERE project = $1 AND sealed IS NOT NULL AND (until IS NULL OR until > $2)))",
      {project.id, last + 1});
  pruned.documents +=
      transaction.run("DELETE FROM document WHERE project = $1 AND until <= $2", {project.id, last + 1}).changed();
  pruned.revisions +=
      transaction.run("DELETE FROM revision WHERE project = $1 AND number <= $2", {project.id, last}).changed();
}

/// Removes texts that nobody refers to. Returns how many.
std::int64_t prune_blobs(Transaction& transaction) {
  lock_blobs(transaction, false);
  const auto kept = blobs_of_manifests(transaction);
  std::int64_t count = 0;
  for (const Row row : transaction.run("SELECT b.hash, b.sealed FROM blob b WHERE " + unreferenced_blob())) {
    if (kept.contains(row.bytes(0))) continue;
    transaction.send("DELETE FROM blob WHERE hash = $1", {Bytes{row.bytes(0)}});
    if (const auto sealed = row.maybe_text(1)) remove_sealed(transaction, std::array{*sealed});
    ++count;
  }
  return count;
}

}  // namespace

std::size_t rekey(Store& store, const Key& to) {
  const auto keys = store.keys(false);
  std::string after;
  std::size_t count = 0;
  for (bool is_over = false; !is_over;) {
    std::string last;
    std::size_t changed = 0;
    store.database().write([&](Transaction& transaction) {
      changed = 0;
      const std::vector<SealedRow> rows = sealed_rows(transaction, after, kBatch);
      is_over = rows.empty();
      if (is_over) return;
      last = rows.back().id;
      std::string done;
      for (const SealedRow& row : rows) {
        if (row.id == done || !row.is_used() || row.value.key_id == to.id) continue;
        update_sealed(transaction, row.id, rewrap(*keys, to, row.place(), row.value));
        done = row.id;
        ++changed;
      }
    });
    after = last;
    count += changed;
  }
  return count;
}

Pruned prune(Store& store, std::int64_t keep) {
  std::vector<Project> all;
  store.read([&](Transaction& transaction) { all = projects(transaction); });
  Pruned total;
  for (const Project& one : all) {
    Pruned pruned;
    store.write(one.name, [&](Transaction& transaction, Project& project) {
      pruned = {};
      prune_project(transaction, project, keep, pruned);
    });
    total.revisions += pruned.revisions;
    total.documents += pruned.documents;
  }
  store.database().write([&](Transaction& transaction) { total.blobs = prune_blobs(transaction); });
  return total;
}

}  // namespace strata::store
