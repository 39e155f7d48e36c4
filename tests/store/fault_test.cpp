// SPDX-License-Identifier: Apache-2.0
// What goes wrong around the store: servers that restart, connections that are cut while they commit, disks that are
// full, rows that are damaged.
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <thread>

#include "store/blobs.hpp"
#include "store/check.hpp"
#include "store/encoding.hpp"
#include "store/records.hpp"
#include "store/revisions.hpp"
#include "store/seal.hpp"
#include "store/store.hpp"
#include "stores.hpp"
#include "support/expect_error.hpp"

namespace strata::store {
namespace {

void write_revision(Store& store) {
  store.write("default", [](Transaction& transaction, Project& project) {
    Revision revision{.kind = "put", .author = "me"};
    add_revision(transaction, project, revision);
  });
}

std::int64_t last_revision(Store& store) {
  std::int64_t last = 0;
  store.read(
      [&](Transaction& transaction) { last = find_project(transaction, "default").value_or(Project{}).last_revision; });
  return last;
}

class ServerTest : public ::testing::Test {
 protected:
  testing::PostgresServer server_;
};

TEST_F(ServerTest, ARestartIsSurvived) {
  Store store({.address = server_.make_database()});
  for (const bool at_once : {false, true}) {
    const std::int64_t before = last_revision(store);
    std::atomic<bool> is_over = false;
    std::atomic<std::int64_t> acknowledged = 0;
    std::vector<std::thread> writers;
    for (int i = 0; i < 4; ++i) {
      writers.emplace_back([&] {
        while (!is_over) {
          try {
            write_revision(store);
            ++acknowledged;
          } catch (const Error& error) {
            EXPECT_TRUE(error.code() == "store.unavailable" || error.code() == "store.unknown")
                << format(error.diagnostic(), "error");
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
          }
        }
      });
    }
    while (acknowledged < 20) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    server_.stop(at_once);
    STRATA_EXPECT_ERROR(write_revision(store), "store.unavailable");
    STRATA_EXPECT_ERROR(last_revision(store), "store.unavailable");
    server_.start();
    const std::int64_t during = acknowledged;
    while (acknowledged < during + 20) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    is_over = true;
    for (std::thread& writer : writers) writer.join();
    // Those whose end nobody knew may be there too.
    EXPECT_GE(last_revision(store), before + acknowledged);
    EXPECT_EQ(check(store), std::vector<std::string>{});
  }
}

/// Stands between the store and the server, and closes a connection before or after the server got its next COMMIT.
class Proxy {
 public:
  explicit Proxy(const std::string& server_folder) : server_(server_folder + "/.s.PGSQL.5432") {
    listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_un address = address_of(folder_ / ".s.PGSQL.5432");
    EXPECT_EQ(bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(listen(listener_, 16), 0);
    thread_ = std::thread([this] { serve(); });
  }
  ~Proxy() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
    for (std::thread& one : connections_) one.join();
  }
  [[nodiscard]] std::string folder() const { return folder_.path().string(); }

  enum class Cut { no, before, after };
  std::atomic<Cut> cut = Cut::no;

 private:
  static sockaddr_un address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    return address;
  }
  void serve() {
    for (int client = accept(listener_, nullptr, nullptr); client >= 0; client = accept(listener_, nullptr, nullptr)) {
      connections_.emplace_back([this, client] { carry(client); });
    }
  }
  void carry(int client) {
    const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_un address = address_of(server_);
    if (connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) exchange(client, server);
    close(server);
    close(client);
  }
  void exchange(int client, int server) {
    std::array<char, 65536> buffer{};
    std::string commit;  // The name of the statement that commits.
    for (;;) {
      std::array<pollfd, 2> ends{pollfd{client, POLLIN, 0}, pollfd{server, POLLIN, 0}};
      poll(ends.data(), ends.size(), -1);
      for (std::size_t i = 0; i < ends.size(); ++i) {
        if ((ends[i].revents & (POLLIN | POLLHUP)) == 0) continue;
        const ssize_t size = recv(ends[i].fd, buffer.data(), buffer.size(), 0);
        if (size <= 0) return;
        const std::string_view bytes(buffer.data(), static_cast<std::size_t>(size));
        const bool is_commit = i == 0 && is_committing(bytes, commit);
        const Cut how = is_commit ? cut.exchange(Cut::no) : Cut::no;
        if (how == Cut::before) return;
        if (send(ends[1 - i].fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) != size) return;
        if (how == Cut::after) {
          // The server has done it when it answers; the client never hears of it.
          (void)recv(server, buffer.data(), buffer.size(), 0);
          return;
        }
      }
    }
  }
  /// Whether a message binds the statement that was prepared as COMMIT: `P name\0COMMIT\0`, later `B portal\0name\0`.
  static bool is_committing(std::string_view bytes, std::string& name) {
    constexpr std::string_view kCommit("\0COMMIT\0", 8);
    if (const auto at = bytes.find(kCommit); at != std::string_view::npos) {
      const auto begin = bytes.substr(0, at).rfind('s');
      name = std::string(1, '\0') + std::string(bytes.substr(begin, at - begin)) + std::string(1, '\0');
      return true;
    }
    return !name.empty() && bytes.find(name) != std::string_view::npos;
  }

  testing::TemporaryFolder folder_;
  std::string server_;
  int listener_;
  std::thread thread_;
  std::vector<std::thread> connections_;
};

TEST_F(ServerTest, AnAnswerThatIsLostIsLookedUp) {
  std::string url = server_.make_database();
  {
    Proxy proxy(server_.socket_folder());
    url.replace(url.find(server_.socket_folder()), std::string::npos, proxy.folder());
    Store store({.address = url});
    write_revision(store);
    std::int64_t expected = 1;
    for (const Proxy::Cut cut : {Proxy::Cut::before, Proxy::Cut::after, Proxy::Cut::before, Proxy::Cut::after}) {
      proxy.cut = cut;
      int calls = 0;
      const std::string id = new_uuid();
      store.write("default",
                  [&](Transaction& transaction, Project& project) {
                    ++calls;
                    Revision revision{.kind = "put", .author = "me"};
                    add_revision(transaction, project, revision);
                    Request request{.id = id, .digest = blob_id(""), .status = 200};
                    add_request(transaction, project, request);
                  },
                  {.deadline = {},
                   .was_done = [&](Transaction& transaction) { return find_request(transaction, id).has_value(); }});
      EXPECT_EQ(proxy.cut, Proxy::Cut::no);
      EXPECT_EQ(calls, cut == Proxy::Cut::before ? 2 : 1);
      EXPECT_EQ(last_revision(store), ++expected);
    }
    // Nobody can look it up.
    proxy.cut = Proxy::Cut::after;
    STRATA_EXPECT_ERROR(write_revision(store), "store.unknown");
    EXPECT_EQ(last_revision(store), ++expected);
    EXPECT_EQ(check(store), std::vector<std::string>{});
  }
}

TEST(FullDiskTest, WritingEndsAndReadingGoesOn) {
  const testing::TemporaryFolder folder;
  Store store({.address = "sqlite:" + (folder / "store.db")});
  write_revision(store);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  auto* const old = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 1 << 19, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const auto fill = [&] {
    for (int i = 0; i < 100; ++i) {
      store.write("default",
                  [&](Transaction& transaction, Project&) { put_blob(transaction, random_bytes(50'000).view()); });
    }
  };
  STRATA_EXPECT_ERROR(fill(), "store.full");
  STRATA_EXPECT_ERROR(fill(), "store.full");
  EXPECT_EQ(last_revision(store), 1);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old);
  write_revision(store);
  EXPECT_EQ(last_revision(store), 2);
  EXPECT_EQ(check(store), std::vector<std::string>{});
}

class DamageTest : public OnBothDatabases {};

TEST_P(DamageTest, IsFoundByTheCheck) {
  StoreOptions options{.address = is_postgres() ? place() : "sqlite:" + place()};
  Store store(std::move(options));
  store.write("default", [](Transaction& transaction, Project& project) {
    for (int i = 0; i < 3; ++i) {
      Revision revision{.kind = "put", .author = "me"};
      add_revision(transaction, project, revision);
      put_tag(transaction, project, {.revision = revision.number, .name = "t", .data = std::string(1000, 'x')});
    }
  });
  EXPECT_EQ(check(store), std::vector<std::string>{});
  const auto damage = [&](std::string_view sql, const std::string& wanted) {
    store.database().write([&](Transaction& transaction) { transaction.run(sql); });
    const auto problems = check(store);
    EXPECT_TRUE(
        std::ranges::any_of(problems, [&](const std::string& one) { return one.find(wanted) != std::string::npos; }))
        << wanted << ": " << fmt::format("{}", fmt::join(problems, "\n"));
  };
  damage("UPDATE blob SET size = size + 1", "cannot be unpacked");
  damage("UPDATE blob SET size = length(bytes)", "is not the one that was stored");
  damage("DELETE FROM blob", "lost the text");
  damage("UPDATE project SET last_change = 5", "last change");
  damage("UPDATE project SET last_revision = 4", "last revision");
  damage("DELETE FROM tag", "last revision");
  damage("DELETE FROM revision WHERE number = 2", "gaps");
  EXPECT_EQ(check(store, 1).size(), 2U);
}

INSTANTIATE_STORES(DamageTest);

}  // namespace
}  // namespace strata::store
