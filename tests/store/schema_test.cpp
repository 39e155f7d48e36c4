// SPDX-License-Identifier: Apache-2.0
// The versions of the tables.
#include "store/schema.hpp"

#include <array>
#include <filesystem>
#include <thread>

#include "store/store.hpp"
#include "stores.hpp"
#include "support/expect_error.hpp"

namespace strata::store {
namespace {

class SchemaTest : public OnBothDatabases {
 protected:
  [[nodiscard]] std::string address(const std::string& place) const {
    return is_postgres() ? place : "sqlite:" + place;
  }
};

constexpr std::array<std::string_view, 1> kAddColumn{"ALTER TABLE project ADD COLUMN colour {text}"};
constexpr std::array<std::string_view, 2> kBroken{"ALTER TABLE project ADD COLUMN size {integer}",
                                                  "ALTER TABLE nothing ADD COLUMN size {integer}"};

const std::int64_t kNewest = migrations().back().version;

std::vector<Migration> with(const Migration& more) {
  std::vector<Migration> all(migrations().begin(), migrations().end());
  all.push_back(more);
  return all;
}

TEST_P(SchemaTest, MakesTheTables) {
  const auto database = open();
  EXPECT_EQ(schema_version(*database).version, 0);
  EXPECT_EQ(migrate(*database, migrations(), {}).version, 0);
  EXPECT_EQ(schema_version(*database).version, kNewest);
  database->read([](Transaction& transaction) {
    for (const Table& table : tables())
      EXPECT_TRUE(
          transaction.run("SELECT * FROM " + std::string(table.name) + " ORDER BY " + std::string(table.key)).empty());
  });
  EXPECT_EQ(migrate(*database, migrations(), {}).version, kNewest);
}

TEST_P(SchemaTest, MigratesOnceAfterAWarning) {
  const auto database = open();
  migrate(*database, migrations(), {});
  database->write([](Transaction& transaction) { (void)locked_project(transaction, "kept"); });
  int calls = 0;
  const auto before = [&](const SchemaVersion& found) {
    EXPECT_EQ(found.version, kNewest);
    ++calls;
  };
  const auto steps = with({.version = kNewest + 1, .minimum_reader = kNewest, .statements = kAddColumn});
  EXPECT_EQ(migrate(*database, steps, before).version, kNewest);
  EXPECT_EQ(migrate(*database, steps, before).version, kNewest + 1);
  EXPECT_EQ(calls, 1);
  // The program of the version before goes on.
  EXPECT_EQ(migrate(*database, migrations(), before).version, kNewest + 1);
  database->read([](Transaction& transaction) {
    EXPECT_TRUE(find_project(transaction, "kept"));
    EXPECT_TRUE(transaction.run("SELECT colour FROM project").front().is_null(0));
  });
}

TEST_P(SchemaTest, KeepsNothingOfAMigrationThatFails) {
  const auto database = open();
  migrate(*database, migrations(), {});
  STRATA_EXPECT_ERROR(
      migrate(*database, with({.version = kNewest + 1, .minimum_reader = kNewest, .statements = kBroken}), {}),
      "store.failed");
  EXPECT_EQ(schema_version(*database).version, kNewest);
  EXPECT_EQ(
      migrate(*database, with({.version = kNewest + 1, .minimum_reader = kNewest + 1, .statements = kAddColumn}), {})
          .version,
      kNewest);
}

TEST_P(SchemaTest, LeavesNewerStoresAlone) {
  {
    const auto database = open();
    migrate(*database, with({.version = kNewest + 1, .minimum_reader = kNewest + 1, .statements = kAddColumn}), {});
    STRATA_EXPECT_ERROR(migrate(*database, migrations(), {}), "store.newer");
    EXPECT_EQ(schema_version(*database).version, kNewest + 1);
  }
  STRATA_EXPECT_ERROR(Store({.address = address(place())}), "store.newer");
}

TEST_P(SchemaTest, LeavesDatabasesOfOthersAlone) {
  {
    const auto database = open();
    database->write([](Transaction& transaction) { transaction.run("CREATE TABLE customer (id {integer})"); });
  }
  STRATA_EXPECT_ERROR(Store({.address = address(place())}), "store.foreign");
}

TEST_P(SchemaTest, LetsSeveralMakeTheTablesAtOnce) {
  if (!is_postgres()) GTEST_SKIP() << "one process has a file of SQLite";
  std::vector<std::thread> threads;
  const std::string where = place();
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] { EXPECT_NO_THROW(Store({.address = where})); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(schema_version(*open()).version, kNewest);
}

TEST_P(SchemaTest, CopiesAFileBeforeItMigrates) {
  if (is_postgres()) GTEST_SKIP() << "servers have backups";
  SqliteDatabase database(place());
  migrate(database, migrations(), {});
  database.copy_to(folder_ / "copy");
  EXPECT_EQ(std::filesystem::status(folder_ / "copy").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  SqliteDatabase copy(folder_ / "copy");
  EXPECT_EQ(schema_version(copy).version, kNewest);
}

TEST_P(SchemaTest, KeepsAnotherProcessOut) {
  if (is_postgres()) GTEST_SKIP() << "replicas share a server";
  const Store store({.address = address(place())});
  STRATA_EXPECT_ERROR(Store({.address = address(place())}), "store.in-use");
}

INSTANTIATE_STORES(SchemaTest);

TEST(AddressTest, RefusesWhatIsNone) {
  STRATA_EXPECT_ERROR(Store({.address = "mysql://somewhere"}), "store.url");
  STRATA_EXPECT_ERROR(Store({.address = "sqlite:"}), "store.url");
  STRATA_EXPECT_ERROR(Store({.address = "sqlite:/nowhere/at/all"}), "store.unavailable");
  STRATA_EXPECT_ERROR(Store({.address = "postgresql://user:word@host/db"}), "store.url");
  STRATA_EXPECT_ERROR(Store({.address = "postgresql://user@host/db?colour=red"}), "store.url");
  STRATA_EXPECT_ERROR(Store({.address = "postgresql:///db?host=/nowhere"}), "store.unavailable");
}

TEST(AddressTest, RefusesFilesThatAreNoDatabases) {
  const testing::TemporaryFolder folder;
  folder.write("text", std::string(10'000, 'x'));
  STRATA_EXPECT_ERROR(Store({.address = "sqlite:" + (folder / "text")}), "store.damaged");
}

}  // namespace
}  // namespace strata::store
