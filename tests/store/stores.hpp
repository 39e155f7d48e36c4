// SPDX-License-Identifier: Apache-2.0
// Tests that run on both back ends.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "postgres_server.hpp"
#include "store/postgres/database.hpp"
#include "store/sqlite/database.hpp"
#include "support/temporary_folder.hpp"

namespace strata::store {

/// A test with an empty database, once a back end: `INSTANTIATE_STORES(Suite)`.
class OnBothDatabases : public ::testing::TestWithParam<Dialect> {
 protected:
  [[nodiscard]] bool is_postgres() const { return GetParam() == Dialect::postgres; }
  /// What names the database of this test: a path, or a URL.
  const std::string& place() {
    if (place_.empty()) place_ = new_place();
    return place_;
  }
  /// Another empty database of the same kind.
  [[nodiscard]] std::string new_place() {
    return is_postgres() ? testing::PostgresServer::shared().make_database()
                         : folder_ / ("store" + std::to_string(++made_) + ".db");
  }
  [[nodiscard]] std::unique_ptr<Database> open(const std::string& place) const {
    if (is_postgres()) return std::make_unique<PostgresDatabase>(place, PostgresDatabase::Options{});
    return std::make_unique<SqliteDatabase>(place);
  }
  [[nodiscard]] std::unique_ptr<Database> open() { return open(place()); }

  testing::TemporaryFolder folder_;

 private:
  std::string place_;
  int made_ = 0;
};

}  // namespace strata::store

#define INSTANTIATE_STORES(Suite)                                                                          \
  INSTANTIATE_TEST_SUITE_P(                                                                                \
      All, Suite, ::testing::Values(::strata::store::Dialect::sqlite, ::strata::store::Dialect::postgres), \
      [](const auto& one) { return one.param == ::strata::store::Dialect::sqlite ? "sqlite" : "postgres"; })
