// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <fmt/format.h>

#include <array>
#include <unordered_set>

#include "store/blobs.hpp"
#include "store/encoding.hpp"
#include "store/references.hpp"
#include "store/sealed.hpp"
#include "strata/error.hpp"

namespace strata::store {
namespace {

constexpr std::int64_t kCheckPage = 100;  ///< Rows that are read at once.

/// A question about rows that should not be there, and what they would be. Each row says where it is.
struct ConsistencyRule {
  std::string_view sql;
  std::string_view problem;  ///< `{}` stands for the place.
};

constexpr std::array kRules{
    ConsistencyRule{
        "SELECT p.name FROM project p WHERE p.last_revision <> coalesce((SELECT max(r.number) FROM revision r WHERE "
        "r.project = p.id), 0)",
        "the last revision of the project {} is not the one that it counts"},
    ConsistencyRule{
        "SELECT p.name FROM project p JOIN revision r ON r.project = p.id GROUP BY p.id, p.name HAVING count(*) <> "
        "max(r.number) - min(r.number) + 1",
        "the revisions of the project {} have gaps"},
    ConsistencyRule{
        "SELECT p.name FROM project p WHERE p.last_document < coalesce((SELECT max(d.number) FROM document d WHERE "
        "d.project = p.id), 0)",
        "the project {} has documents with numbers that it has not given"},
    ConsistencyRule{
        "SELECT p.name FROM project p WHERE p.last_change <> coalesce((SELECT max(c.number) FROM change c WHERE "
        "c.project = p.id), 0)",
        "the last change of the project {} is not the one that it counts"},
    ConsistencyRule{
        "SELECT p.name FROM project p JOIN change c ON c.project = p.id GROUP BY p.id, p.name HAVING count(*) <> "
        "max(c.number) - min(c.number) + 1",
        "the changes of the project {} have gaps"},
    ConsistencyRule{"SELECT p.name || ' ' || CAST(d.number AS TEXT) FROM document d JOIN project p ON p.id = d.project "
                    "WHERE d.revision > p.last_revision OR d.until > p.last_revision OR d.until <= d.revision",
                    "the document {} belongs to a revision that cannot be"},
    ConsistencyRule{"SELECT p.name || ' ' || CAST(d.number AS TEXT) FROM document d JOIN project p ON p.id = d.project "
                    "WHERE d.sealed IS NOT NULL AND d.sealed NOT IN (SELECT id FROM sealed)",
                    "the document {} lost its sealed value"},
    ConsistencyRule{
        "SELECT p.name || ' ' || s.name FROM stack s JOIN project p ON p.id = s.project WHERE s.sealed IS NOT NULL "
        "AND s.sealed NOT IN (SELECT id "
        "FROM sealed)",
        "the stack {} lost its sealed value"},
    ConsistencyRule{
        "SELECT 'of ' || p.name FROM blob b JOIN project p ON p.id = b.project WHERE b.sealed IS NOT NULL AND "
        "b.sealed NOT IN (SELECT id FROM "
        "sealed)",
        "a text {} lost its sealed value"},
    ConsistencyRule{
        "SELECT p.name || ' ' || s.name FROM site s JOIN project p ON p.id = s.project WHERE s.generation < coalesce("
        "(SELECT max(t.generation) FROM site_tree t WHERE t.project = s.project AND t.site = s.name), 0)",
        "the site {} has trees of generations that it has not counted"},
};

class Check {
 public:
  Check(Transaction& transaction, const Keyring& keys, std::size_t most)
      : transaction_(transaction), keys_(keys), most_(most) {}

  std::vector<std::string> run() {
    look_at_database();
    look_at_blobs();
    for (const ConsistencyRule& rule : kRules) {
      for (const Row row : transaction_.run(rule.sql)) add(fmt::format(fmt::runtime(rule.problem), row.text(0)));
    }
    look_at_references();
    look_at_sealed();
    if (more_ > 0) problems_.push_back(fmt::format("and {} more", more_));
    return std::move(problems_);
  }

 private:
  void add(std::string problem) {
    if (problems_.size() < most_) {
      problems_.push_back(std::move(problem));
    } else {
      ++more_;
    }
  }

  /// What the database finds wrong itself. PostgreSQL checks its pages when it reads them, and references when it
  /// writes them.
  void look_at_database() {
    if (transaction_.dialect() != Dialect::sqlite) return;
    for (const Row row : transaction_.run("PRAGMA integrity_check")) {
      if (row.text(0) != "ok") add(fmt::format("the database is damaged: {}", row.text(0)));
    }
    for (const Row row : transaction_.run("PRAGMA foreign_key_check"))
      add(fmt::format("a row of the table {} refers to one that is missing", row.text(0)));
  }

  void look_at_blobs() {
    std::string after;
    for (;;) {
      const Rows rows =
          transaction_.run("SELECT hash, bytes, size, sealed FROM blob WHERE hash > $1 ORDER BY hash LIMIT $2",
                           {Bytes{after}, kCheckPage});
      for (const Row row : rows) {
        after = row.bytes(0);
        blobs_.insert(after);
        if (!row.is_null(3)) continue;  // Its seal tells.
        try {
          if (blob_id(unpacked(row.bytes(1), row.integer(2))) != after)
            add(fmt::format("the text {} is not the one that was stored", hex(after)));
        } catch (const Error&) {
          add(fmt::format("the text {} cannot be unpacked", hex(after)));
        }
      }
      if (static_cast<std::int64_t>(rows.size()) < kCheckPage) return;
    }
  }

  void look_at_references() {
    for (const BlobColumn& one : blob_columns()) {
      for (const Row row :
           transaction_.run(fmt::format("SELECT DISTINCT {0} FROM {1} WHERE {0} IS NOT NULL", one.column, one.table))) {
        if (!blobs_.contains(row.bytes(0)))
          add(fmt::format("the table {} lost the text {}", one.table, hex(row.bytes(0))));
      }
    }
    try {
      for (const BlobId& id : blobs_of_manifests(transaction_)) {
        if (!blobs_.contains(id)) add(fmt::format("a tree of files lost the text {}", hex(id)));
      }
    } catch (const Error& error) {
      add(error.what());
    }
  }

  void look_at_sealed() {
    std::string after;
    for (;;) {
      const std::vector<SealedRow> rows = sealed_rows(transaction_, after, kCheckPage);
      if (rows.empty()) return;
      for (const SealedRow& row : rows) {
        try {
          if (row.is_used()) {
            (void)open(keys_, row.place(), row.value);
          } else {
            add(fmt::format("nobody refers to the sealed value {}", row.id));
          }
        } catch (const Error& error) {
          add(error.what());
        }
      }
      after = rows.back().id;
    }
  }

  Transaction& transaction_;
  const Keyring& keys_;
  const std::size_t most_;
  std::size_t more_ = 0;
  std::vector<std::string> problems_;
  std::unordered_set<BlobId> blobs_;
};

}  // namespace

std::vector<std::string> check(Store& store, std::size_t most) {
  const auto keys = store.keys(false);
  std::vector<std::string> problems;
  store.read([&](Transaction& transaction) { problems = Check(transaction, *keys, most).run(); });
  return problems;
}

}  // namespace strata::store
