// SPDX-License-Identifier: Apache-2.0
// Processes of plugins that do not do what they should.
#include "host/plugin_process.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <filesystem>

#include "stop_world.hpp"
#include "support/temporary_folder.hpp"

namespace strata {
namespace {

/// A program that never looks at its socket, cannot be asked to end, and has a child.
struct Deaf {
  testing::TemporaryFolder folder;
  std::unique_ptr<PluginStarter> starter;

  Deaf() {
    folder.write(
        "host",
        "#!/bin/sh\ncd '" + folder.path().string() +
            "'\ntrap '' TERM INT HUP\nsleep 1000 &\necho $! >child.new\necho $$ >own\nmv child.new child\nwait\n");
    std::filesystem::permissions(folder / "host", std::filesystem::perms::owner_all);
    starter = plugin_starter({.program = folder / "host"});
  }
  [[nodiscard]] bool is_up() const { return testing::number_in(folder / "child") > 0; }
  [[nodiscard]] bool is_gone() const {
    return !testing::is_running(testing::number_in(folder / "child")) &&
           !testing::is_running(testing::number_in(folder / "own"));
  }
};

PluginConnection::Clock::time_point late() { return PluginConnection::Clock::now() + std::chrono::hours(1); }

TEST(PluginProcess, WaitsEndWithTheRequest) {
  for (const bool is_sending : {true, false}) {
    for (const bool is_cancelled : {true, false}) {
      const Deaf deaf;
      auto connection = deaf.starter->start("x.so");
      const std::string much(std::size_t{8} << 20U, 'x');
      const auto work = [&](const Stop* stop) {
        if (is_sending) {
          (void)connection->send(much, late(), stop);
        } else {
          (void)connection->receive(4, late(), stop);
        }
      };
      const auto is_waiting = [&] { return deaf.is_up(); };
      if (is_cancelled) {
        EXPECT_EQ(testing::code_when_cancelled(work, is_waiting), "session.cancelled");
      } else {
        EXPECT_EQ(testing::code_at_deadline(work, is_waiting), "limit.time");
      }
      connection.reset();
      EXPECT_TRUE(testing::until([&] { return deaf.is_gone(); }));
      EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
      EXPECT_EQ(errno, ECHILD);
    }
  }
}

TEST(PluginProcess, SaysHowItEnded) {
  const testing::Watchdog watchdog;
  testing::TemporaryFolder folder;
  folder.write("host", "#!/bin/sh\nexit 3\n");
  std::filesystem::permissions(folder / "host", std::filesystem::perms::owner_all);
  const auto starter = plugin_starter({.program = folder / "host"});
  auto connection = starter->start("x.so");
  EXPECT_EQ(connection->receive(4, late(), nullptr), std::nullopt);
  EXPECT_EQ(connection->end(), "it ended with status 3");
  EXPECT_EQ(connection->end(), "it ended with status 3");
}

TEST(PluginProcess, AnIgnoredOrHandledSigchldIsNoTrouble) {
  const auto reap_all = [](int /*signal*/) {
    const int error = errno;
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    errno = error;
  };
  for (void (*const handler)(int) : {SIG_IGN, static_cast<void (*)(int)>(reap_all)}) {
    const testing::Watchdog watchdog;
    struct sigaction wanted {};
    struct sigaction before {};
    wanted.sa_handler = handler;
    ASSERT_EQ(sigaction(SIGCHLD, &wanted, &before), 0);
    {
      testing::TemporaryFolder folder;
      folder.write("host", "#!/bin/sh\nexit 3\n");
      std::filesystem::permissions(folder / "host", std::filesystem::perms::owner_all);
      const auto starter = plugin_starter({.program = folder / "host"});
      auto connection = starter->start("x.so");
      EXPECT_EQ(connection->receive(4, late(), nullptr), std::nullopt);
      EXPECT_TRUE(testing::until([&] { return waitpid(-1, nullptr, WNOHANG) < 0; }));
      EXPECT_EQ(connection->end(), "it ended, and how is not known");
      const Deaf deaf;
      connection = deaf.starter->start("x.so");
      EXPECT_TRUE(testing::until([&] { return deaf.is_up(); }));
      EXPECT_EQ(connection->end(), "running");
      EXPECT_TRUE(testing::until([&] { return deaf.is_gone(); }));
    }
    ASSERT_EQ(sigaction(SIGCHLD, &before, nullptr), 0);
  }
}

}  // namespace
}  // namespace strata
