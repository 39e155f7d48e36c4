// SPDX-License-Identifier: Apache-2.0
// Transactions, statements and rows, on both back ends.
#include <fmt/format.h>

#include <atomic>
#include <thread>

#include "stores.hpp"
#include "support/expect_error.hpp"

namespace strata::store {
namespace {

using Clock = std::chrono::steady_clock;

class DatabaseTest : public OnBothDatabases {
 protected:
  static void make_table(Database& database) {
    database.write([](Transaction& transaction) {
      transaction.run(
          "CREATE TABLE item (id {identity}, number {integer}, label {text} UNIQUE, content {bytes}) {strict}");
    });
  }
  static std::int64_t count(Database& database) {
    std::int64_t found = 0;
    database.read(
        [&](Transaction& transaction) { found = transaction.run("SELECT count(*) FROM item").front().integer(0); });
    return found;
  }
  static void add(Transaction& transaction, std::string_view label) {
    transaction.send("INSERT INTO item (label) VALUES ($1)", {label});
  }
};

TEST_P(DatabaseTest, ReturnsWhatWasWritten) {
  const auto database = open();
  make_table(*database);
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  database->write([&](Transaction& transaction) {
    transaction.send("INSERT INTO item (number, label, content) VALUES ($1, $2, $3)",
                     {kLowest, "größer", Bytes{bytes}});
    transaction.send("INSERT INTO item (number, label, content) VALUES ($1, $2, $3)", {-1, "", Bytes{""}});
    transaction.send("INSERT INTO item (number, label, content) VALUES ($1, $2, $3)",
                     {std::nullopt, std::nullopt, std::nullopt});
  });
  database->read([&](Transaction& transaction) {
    const Rows rows = transaction.run("SELECT number, label, content FROM item ORDER BY id");
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].integer(0), kLowest);
    EXPECT_EQ(rows[0].text(1), "größer");
    EXPECT_EQ(rows[0].bytes(2), bytes);
    EXPECT_EQ(rows[1].integer(0), -1);
    EXPECT_EQ(rows[1].text(1), "");
    EXPECT_EQ(rows[1].bytes(2), "");
    EXPECT_TRUE(rows[2].is_null(0) && rows[2].is_null(1) && rows[2].is_null(2));
    EXPECT_EQ(rows.names(), (std::vector<std::string>{"number", "label", "content"}));
    STRATA_EXPECT_ERROR(rows[0].text(0), "store.damaged");
  });
}

TEST_P(DatabaseTest, OrdersTextsByTheirBytes) {
  const auto database = open();
  make_table(*database);
  database->write([](Transaction& transaction) {
    for (const char* label : {"b", "a", "Z", "ä", "-", "a b", "ab"}) add(transaction, label);
  });
  database->read([](Transaction& transaction) {
    std::vector<std::string> labels;
    for (const Row row : transaction.run("SELECT label FROM item ORDER BY label")) labels.push_back(row.text(0));
    EXPECT_EQ(labels, (std::vector<std::string>{"-", "Z", "a", "a b", "ab", "b", "ä"}));
  });
}

TEST_P(DatabaseTest, TellsHowManyRowsChanged) {
  const auto database = open();
  make_table(*database);
  database->write([](Transaction& transaction) {
    add(transaction, "a");
    add(transaction, "b");
    EXPECT_EQ(transaction.run("UPDATE item SET number = 1").changed(), 2);
    EXPECT_EQ(transaction.run("DELETE FROM item WHERE label = $1", {"c"}).changed(), 0);
    EXPECT_EQ(transaction.run("INSERT INTO item (label) VALUES ($1) RETURNING id", {"c"}).front().integer(0), 3);
  });
}

TEST_P(DatabaseTest, KeepsNothingOfAWriteThatFails) {
  const auto database = open();
  make_table(*database);
  EXPECT_THROW(database->write([](Transaction& transaction) {
    add(transaction, "a");
    throw std::runtime_error("no");
  }),
               std::runtime_error);
  STRATA_EXPECT_ERROR(database->write([](Transaction& transaction) {
    add(transaction, "a");
    add(transaction, "a");
  }),
                      "store.conflict");
  EXPECT_EQ(count(*database), 0);
  database->write([](Transaction& transaction) { add(transaction, "a"); });
  EXPECT_EQ(count(*database), 1);
}

TEST_P(DatabaseTest, RefusesToContinueAfterAFailedStatement) {
  const auto database = open();
  make_table(*database);
  STRATA_EXPECT_ERROR(database->write([](Transaction& transaction) {
    STRATA_EXPECT_ERROR(transaction.run("INSERT INTO nothing VALUES (1)"), "store.failed");
    STRATA_EXPECT_ERROR(add(transaction, "a"), "store.failed");
  }),
                      "store.failed");
  EXPECT_EQ(count(*database), 0);
}

TEST_P(DatabaseTest, RefusesTextsThatAreNone) {
  const auto database = open();
  make_table(*database);
  STRATA_EXPECT_ERROR(database->write([](Transaction& transaction) { add(transaction, std::string_view("a\0b", 3)); }),
                      "store.text");
  STRATA_EXPECT_ERROR(database->write([](Transaction& transaction) { add(transaction, "\xff"); }), "store.text");
}

TEST_P(DatabaseTest, RefusesToWriteWhileItReads) {
  const auto database = open();
  make_table(*database);
  EXPECT_THROW(database->read([](Transaction& transaction) { transaction.run("DELETE FROM item"); }), Error);
}

TEST_P(DatabaseTest, ReadsOneState) {
  const auto database = open();
  make_table(*database);
  database->read([&](Transaction& transaction) {
    EXPECT_EQ(transaction.run("SELECT count(*) FROM item").front().integer(0), 0);
    std::thread([&] { database->write([](Transaction& other) { add(other, "a"); }); }).join();
    EXPECT_EQ(transaction.run("SELECT count(*) FROM item").front().integer(0), 0);
  });
  EXPECT_EQ(count(*database), 1);
}

TEST_P(DatabaseTest, SendsMoreThanTheWiresHold) {
  const auto database = open();
  make_table(*database);
  const std::string large(300'000, 'x');
  database->write([&](Transaction& transaction) {
    for (int i = 0; i < 3000; ++i)
      transaction.send("INSERT INTO item (number, content) VALUES ($1, $2)",
                       {i, Bytes{i % 100 == 0 ? large : "small"}});
  });
  EXPECT_EQ(count(*database), 3000);
  // A failure in the middle ends it.
  STRATA_EXPECT_ERROR(database->write([](Transaction& transaction) {
    for (int i = 0; i < 3000; ++i) add(transaction, fmt::format("{}", i % 2000));
  }),
                      "store.conflict");
  EXPECT_EQ(count(*database), 3000);
}

TEST_P(DatabaseTest, LetsManyWriteAtOnce) {
  const auto database = open();
  make_table(*database);
  std::atomic<int> refused = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 16; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 20; ++i) {
        try {
          database->write([&](Transaction& transaction) {
            add(transaction, fmt::format("{}-{}", thread, i));
            // One in five fails, and takes only its own rows with it.
            if (i % 5 == 0) add(transaction, fmt::format("{}-{}", thread, i));
          });
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), "store.conflict");
          ++refused;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(refused, 16 * 4);
  EXPECT_EQ(count(*database), 16 * 16);
}

TEST_P(DatabaseTest, EndsStatementsAtTheDeadline) {
  const auto database = open();
  make_table(*database);
  constexpr std::string_view kEndless =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000000) SELECT count(*) FROM n";
  const auto soon = [] { return Clock::now() + std::chrono::milliseconds(200); };
  STRATA_EXPECT_ERROR(
      database->read([&](Transaction& transaction) { transaction.run(kEndless); }, {.deadline = soon()}),
      "store.deadline");
  STRATA_EXPECT_ERROR(
      database->write([&](Transaction& transaction) { transaction.run(kEndless); }, {.deadline = soon()}),
      "store.deadline");
  STRATA_EXPECT_ERROR(
      database->write([](Transaction& transaction) { add(transaction, "a"); }, {.deadline = Clock::now()}),
      "store.deadline");
  // The connection is as before.
  database->write([](Transaction& transaction) { add(transaction, "a"); },
                  {.deadline = Clock::now() + std::chrono::hours(1)});
  EXPECT_EQ(count(*database), 1);
}

TEST_P(DatabaseTest, KeepsWhatItHasWhenItIsOpenedAgain) {
  {
    const auto database = open();
    make_table(*database);
    database->write([](Transaction& transaction) { add(transaction, "a"); });
  }
  EXPECT_EQ(count(*open()), 1);
}

INSTANTIATE_STORES(DatabaseTest);

}  // namespace
}  // namespace strata::store
