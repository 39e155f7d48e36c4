// SPDX-License-Identifier: Apache-2.0
// Writers that are killed: nothing that was acknowledged is lost, and nothing is there in half.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <map>
#include <random>
#include <sstream>
#include <thread>

#include "store/check.hpp"
#include "store/revisions.hpp"
#include "store/store.hpp"
#include "stores.hpp"

namespace strata::store {
namespace {

constexpr int kRounds = 8;

class KillTest : public OnBothDatabases {
 protected:
  std::string address() { return is_postgres() ? place() : "sqlite:" + place(); }

  Store reopened() {
    StoreOptions options{.address = address()};
    if (is_postgres()) options.keys.push_back(key_of(SecretBytes(std::string(32, 'k'))));
    return Store(std::move(options));
  }

  /// Runs the writer until it has acknowledged something and `pause` has passed, and kills it. Returns what it printed.
  std::string run_writer(std::chrono::milliseconds pause) {
    std::array<int, 2> pipe{};
    const std::string where = address();
    // No other program that this one starts keeps the pipe open.
    EXPECT_EQ(::pipe2(pipe.data(), O_CLOEXEC), 0);
    const pid_t child = fork();
    if (child == 0) {
      dup2(pipe[1], STDOUT_FILENO);
      execl(STRATA_STORE_WRITER, "store_writer", where.c_str(), "8", nullptr);
      _exit(127);
    }
    close(pipe[1]);
    std::string printed;
    std::array<char, 4096> buffer{};
    // The killer counts from the first answer on, so that a slow machine has answers too.
    ssize_t size = read(pipe[0], buffer.data(), buffer.size());
    EXPECT_GT(size, 0) << "the writer ended by itself";
    std::thread killer([&] {
      std::this_thread::sleep_for(pause);
      kill(child, SIGKILL);
    });
    for (; size > 0; size = read(pipe[0], buffer.data(), buffer.size()))
      printed.append(buffer.data(), static_cast<std::size_t>(size));
    killer.join();
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself";
    close(pipe[0]);
    return printed;
  }
};

/// How many rows of a table each revision of a project has.
std::map<std::int64_t, std::int64_t> counts(Transaction& transaction, const std::string& table,
                                            const std::string& column, const Project& project) {
  std::map<std::int64_t, std::int64_t> found;
  const Rows rows = transaction.run(
      fmt::format("SELECT {0}, count(*) FROM {1} WHERE project = $1 GROUP BY {0}", column, table), {project.id});
  for (const Row row : rows) found[row.integer(0)] = row.integer(1);
  return found;
}

/// Each revision has all that was written with it.
void expect_whole(Transaction& transaction, const Project& project) {
  std::map<std::int64_t, std::int64_t> once;
  std::map<std::int64_t, std::int64_t> thrice;
  for (std::int64_t number = 1; number <= project.last_revision; ++number) {
    once[number] = 1;
    thrice[number] = 3;
  }
  EXPECT_EQ(counts(transaction, "revision", "number", project), once);
  EXPECT_EQ(counts(transaction, "revision_bucket", "revision", project), once);
  EXPECT_EQ(counts(transaction, "tag", "revision", project), once);
  EXPECT_EQ(counts(transaction, "change", "generation", project), once);
  EXPECT_EQ(counts(transaction, "document", "revision", project), thrice);
  const Rows requests = transaction.run(
      "SELECT count(*) FROM request q JOIN revision r ON r.request = q.id WHERE q.project = $1", {project.id});
  EXPECT_EQ(requests.front().integer(0), project.last_revision);
}

TEST_P(KillTest, LosesNothingThatWasAcknowledged) {
  std::minstd_rand random(20);  // NOLINT(cert-msc51-cpp): the same pauses each time
  std::map<std::string, std::vector<std::int64_t>> acknowledged;
  for (int round = 0; round < kRounds; ++round) {
    const std::string printed =
        run_writer(std::chrono::milliseconds(std::uniform_int_distribution<int>(0, 200)(random)));
    std::istringstream lines(printed);
    std::string name;
    std::int64_t number = 0;
    while (lines >> name >> number) acknowledged[name].push_back(number);

    Store store = reopened();
    EXPECT_EQ(check(store), std::vector<std::string>{});
    store.read([&](Transaction& transaction) {
      for (auto& [project_name, numbers] : acknowledged) {
        const Project project = find_project(transaction, project_name).value();
        std::sort(numbers.begin(), numbers.end());
        EXPECT_EQ(std::adjacent_find(numbers.begin(), numbers.end()), numbers.end()) << "a number was given twice";
        EXPECT_GE(project.last_revision, numbers.back());
        expect_whole(transaction, project);
      }
    });
  }
  EXPECT_GE(acknowledged.size(), 1U);
}

INSTANTIATE_STORES(KillTest);

}  // namespace
}  // namespace strata::store
