// SPDX-License-Identifier: Apache-2.0
// The tables of the store, and how older ones become newer.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "store/database.hpp"

namespace strata::store {

/// A step from one version of the tables to the next.
struct Migration {
  std::int64_t version;  ///< What it leads to. The first is 1.
  std::int64_t
      minimum_reader;  ///< The oldest program that can use the tables afterwards, as the version that it knows.
  std::span<const std::string_view> statements;
};

/// The migrations of this program, in order.
[[nodiscard]] std::span<const Migration> migrations() noexcept;

/// What a store says about its tables. Version 0: it has none.
struct SchemaVersion {
  std::int64_t version = 0;
  std::int64_t minimum_reader = 0;
};
[[nodiscard]] SchemaVersion schema_version(Database& database);

/// Brings the tables to the version of the last step, in one transaction that only one process does at a time. A store
/// of a newer program is left as it is, if this one may still use it. `before` is called once before a store with
/// tables is changed. Returns the version before. Errors: `store.newer`, if only newer programs may use it;
/// `store.foreign`, if the database has tables of others.
SchemaVersion migrate(Database& database, std::span<const Migration> steps,
                      const std::function<void(SchemaVersion)>& before);

/// The version of the tables as `migrate` would find it, with its errors. Changes nothing.
[[nodiscard]] SchemaVersion look_at_schema(Database& database, std::span<const Migration> steps);

/// A table, for what treats all of them alike.
struct Table {
  std::string_view name;
  std::string_view key;  ///< The columns of the primary key, separated by commas.
  bool has_identity = false;
};
/// All tables but `strata_schema`, each after those that it refers to.
[[nodiscard]] std::span<const Table> tables() noexcept;

}  // namespace strata::store
