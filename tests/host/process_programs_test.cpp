// SPDX-License-Identifier: Apache-2.0
// Programs that are run: what they may do to the one that runs them.
#include "host/process_programs.hpp"

#include <gtest/gtest.h>

#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <thread>
#include <vector>

#include "stop_world.hpp"
#include "strata/error.hpp"
#include "support/temporary_folder.hpp"

namespace strata {
namespace {

/// `seconds`: more than any machine takes, unless a program is meant to be ended.
Program shell(const std::string& script, unsigned seconds = 1000) {
  return {.words = {"sh", "-c", script, "sh", "one; two"}, .input = {}, .seconds = seconds};
}

std::string error_of_program(const Program& program) {
  try {
    (void)process_programs()->run(program);
  } catch (const Error& error) {
    return error.code() + ": " + error.diagnostic().message;
  }
  return "none";
}

TEST(Programs, GiveOutputErrorsAndStatus) {
  const ProgramResult result = process_programs()->run(shell("printf '%s' \"$1\"; echo bad >&2; exit 3"));
  EXPECT_EQ(result.output, "one; two");
  EXPECT_EQ(result.errors, "bad\n");
  EXPECT_EQ(result.status, 3);
}

TEST(Programs, TakeInput) {
  Program program = shell("wc -c");
  program.input.assign(1'000'000, 'x');
  EXPECT_EQ(process_programs()->run(program).output, "1000000\n");
}

TEST(Programs, NeedNotReadTheirInput) {
  Program program = shell("exec 0<&-; echo done");
  program.input.assign(1'000'000, 'x');
  EXPECT_EQ(process_programs()->run(program).output, "done\n");
}

TEST(Programs, InputIsEmptyWhereNoneIsGiven) {
  EXPECT_EQ(process_programs()->run(shell("cat; echo end")).output, "end\n");
}

TEST(Programs, ASignalIsAStatus) { EXPECT_EQ(process_programs()->run(shell("kill -9 $$")).status, 137); }

TEST(Programs, SayHowTheyEnded) {
  EXPECT_EQ(process_programs()->run(shell("exit 3")).ended, "ended with status 3");
  EXPECT_EQ(process_programs()->run(shell("kill -9 $$")).ended, "was ended by signal 9 (Killed)");
}

TEST(Programs, AStatusIsKeptWhereChildrenAreIgnored) {
  struct sigaction ignored {};
  ignored.sa_handler = SIG_IGN;
  struct sigaction before {};
  ASSERT_EQ(sigaction(SIGCHLD, &ignored, &before), 0);
  EXPECT_EQ(process_programs()->run(shell("exit 3")).status, 3);
  // The program itself finds the world as it should be.
  EXPECT_EQ(process_programs()->run(shell("grep -c '^SigIgn:.*0000$' /proc/self/status")).output, "1\n");
  struct sigaction after {};
  ASSERT_EQ(sigaction(SIGCHLD, &before, &after), 0);
  EXPECT_EQ(after.sa_handler, SIG_IGN);
}

TEST(Programs, EndWithThisOne) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGKILL}) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    const pid_t parent = fork();
    ASSERT_GE(parent, 0);
    if (parent == 0) {
      close(ends[0]);
      constexpr int kKept = 9;
      if (dup2(ends[1], kKept) != kKept) std::_Exit(1);
      // The program and what it starts hold the pipe: its end tells that both are gone.
      (void)process_programs()->run(shell("sleep 1000 & printf x >&9; sleep 1000"));
      std::_Exit(0);
    }
    close(ends[1]);
    char byte = 0;
    ASSERT_EQ(read(ends[0], &byte, 1), 1);
    ASSERT_EQ(kill(parent, signal), 0);
    int status = 0;
    ASSERT_EQ(waitpid(parent, &status, 0), parent);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal);
    const testing::Watchdog watchdog;
    EXPECT_EQ(read(ends[0], &byte, 1), 0);
    close(ends[0]);
  }
}

/// An action for a signal while it lives.
class SignalHandler {
 public:
  SignalHandler(int signal, void (*handler)(int)) : signal_(signal) {
    struct sigaction wanted {};
    wanted.sa_handler = handler;
    EXPECT_EQ(sigaction(signal, &wanted, &before_), 0);
  }
  ~SignalHandler() { sigaction(signal_, &before_, nullptr); }
  SignalHandler(const SignalHandler&) = delete;
  SignalHandler& operator=(const SignalHandler&) = delete;

 private:
  int signal_;
  struct sigaction before_ {};
};

void reap_all(int /*signal*/) {
  const int error = errno;
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  errno = error;
}

TEST(Programs, AStatusIsKnownWhereAHandlerReapsAllChildren) {
  const testing::Watchdog watchdog;
  const SignalHandler action(SIGCHLD, reap_all);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(process_programs()->run(shell("exit 3")).status, 3);
  EXPECT_EQ(error_of_program(shell("sleep 100", 1)), "program.timeout: the program 'sh' took longer than 1 seconds");
}

TEST(Programs, ChangeNoActionOfSignals) {
  const auto all = [] {
    std::vector<void (*)(int)> handlers;
    for (int signal = 1; signal < 32; ++signal) {
      struct sigaction action {};
      sigaction(signal, nullptr, &action);
      handlers.push_back(action.sa_handler);
    }
    return handlers;
  };
  const auto before = all();
  std::vector<void (*)(int)> meanwhile;
  testing::TemporaryFolder folder;
  std::thread runs([&] {
    (void)process_programs()->run(
        shell("echo 1 >" + (folder / "started") + "; until [ -e " + (folder / "seen") + " ]; do sleep 0.01; done"));
  });
  EXPECT_TRUE(testing::until([&] { return testing::number_in(folder / "started") == 1; }));
  EXPECT_EQ(all(), before);
  folder.write("seen", "");
  runs.join();
  EXPECT_EQ(all(), before);
}

TEST(Programs, NoSignalIsRaisedWhereInputIsNotRead) {
  // The whole program would end of it.
  const SignalHandler action(SIGPIPE, SIG_DFL);
  Program program = shell("exec 0<&-; echo done");
  program.input.assign(1'000'000, 'x');
  EXPECT_EQ(process_programs()->run(program).output, "done\n");
  sigset_t pending;
  ASSERT_EQ(sigpending(&pending), 0);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
}

TEST(Programs, RunOnManyThreadsAtOnce) {
  const auto programs = process_programs();
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 5; ++k)
        EXPECT_EQ(programs->run(shell("echo " + std::to_string(i) + "; exit " + std::to_string(i))).status, i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

/// A program that cannot be asked to end, with a child that holds its pipes.
struct HangingProgram {
  testing::TemporaryFolder folder;
  Program program =
      shell("trap '' TERM INT HUP; sleep 1000 & echo $! >child.new; echo $$ >own; mv child.new child; wait; sleep 1000",
            1000);

  HangingProgram() { program.words[2] = "cd '" + folder.path().string() + "'; " + program.words[2]; }
  [[nodiscard]] bool is_up() const { return child() > 0; }
  [[nodiscard]] pid_t child() const { return testing::number_in(folder / "child"); }
  [[nodiscard]] pid_t own() const { return testing::number_in(folder / "own"); }
  void run(const Stop* stop) {
    program.stop = stop;
    (void)process_programs()->run(program);
  }
};

TEST(Programs, EndWhenTheRequestIsCancelled) {
  HangingProgram hanging;
  EXPECT_EQ(testing::code_when_cancelled([&](const Stop* stop) { hanging.run(stop); }, [&] { return hanging.is_up(); }),
            "session.cancelled");
  EXPECT_TRUE(
      testing::until([&] { return !testing::is_running(hanging.child()) && !testing::is_running(hanging.own()); }));
}

TEST(Programs, EndAtTheDeadlineOfTheRequest) {
  HangingProgram hanging;
  EXPECT_EQ(testing::code_at_deadline([&](const Stop* stop) { hanging.run(stop); }, [&] { return hanging.is_up(); }),
            "limit.time");
  EXPECT_TRUE(
      testing::until([&] { return !testing::is_running(hanging.child()) && !testing::is_running(hanging.own()); }));
  // Nothing is started any more.
  const testing::Watchdog watchdog;
  const Stop over(Stop::Clock::now());
  Program program = shell("echo 1 >" + (hanging.folder / "late"));
  program.stop = &over;
  EXPECT_EQ(error_of_program(program).substr(0, 11), "limit.time:");
  EXPECT_EQ(testing::number_in(hanging.folder / "late"), 0);
}

TEST(Programs, AChildThatHoldsThePipesIsWaitedForUntilTheDeadline) {
  testing::TemporaryFolder folder;
  Program program = shell("sleep 1000 & echo $! >" + (folder / "child"), 1000);
  const auto run = [&](const Stop* stop) {
    program.stop = stop;
    (void)process_programs()->run(program);
  };
  EXPECT_EQ(testing::code_at_deadline(run, [&] { return testing::number_in(folder / "child") > 0; }), "limit.time");
  EXPECT_TRUE(testing::until([&] { return !testing::is_running(testing::number_in(folder / "child")); }));
}

TEST(Programs, LeaveNoChildrenBehind) {
  HangingProgram hanging;
  (void)testing::code_when_cancelled([&](const Stop* stop) { hanging.run(stop); }, [&] { return hanging.is_up(); });
  (void)process_programs()->run(shell("exit 0"));
  // Neither running ones nor zombies.
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Programs, ThatHangAreEnded) {
  // A busy machine may take longer than a second to come to the first word.
  std::string told;
  std::string wanted;
  for (unsigned seconds = 1; seconds <= 64; seconds *= 4) {
    told = error_of_program(shell("echo slow >&2; sleep 1000 & sleep 1000", seconds));
    wanted = "program.timeout: the program 'sh' took longer than " + std::to_string(seconds) + " seconds";
    if (told != wanted) break;
  }
  EXPECT_EQ(told, wanted + "; it said: slow");
  EXPECT_EQ(error_of_program(shell("exec 1>&- 2>&-; sleep 1000", 1)),
            "program.timeout: the program 'sh' took longer than 1 seconds");
}

/// A program with a grandchild in a session of its own, whose parents are gone, and which holds none of its files. Then
/// it goes on with `then`.
Program with_daemon(const testing::TemporaryFolder& folder, const std::string& then) {
  return shell("cd '" + folder.path().string() +
               "'; (setsid sh -c 'trap \"\" TERM INT HUP; echo $$ >new; mv new daemon; while :; do sleep 1000; done' "
               "<&- >/dev/null 2>&1 9>&- &); until [ -e daemon ]; do sleep 0.01; done; " +
               then);
}

TEST(Programs, LeaveNoDaemonsBehind) {
  const testing::TemporaryFolder folder;
  EXPECT_EQ(process_programs()->run(with_daemon(folder, "exit 3")).status, 3);
  const pid_t daemon = testing::number_in(folder / "daemon");
  ASSERT_GT(daemon, 0);
  EXPECT_TRUE(testing::until([&] { return !testing::is_running(daemon); }));
}

TEST(Programs, LeaveNoDaemonsBehindAtTheDeadline) {
  const testing::TemporaryFolder folder;
  Program program = with_daemon(folder, "sleep 1000");
  const auto daemon = [&] { return testing::number_in(folder / "daemon"); };
  const auto run = [&](const Stop* stop) {
    program.stop = stop;
    (void)process_programs()->run(program);
  };
  EXPECT_EQ(testing::code_at_deadline(run, [&] { return daemon() > 0; }), "limit.time");
  EXPECT_TRUE(testing::until([&] { return !testing::is_running(daemon()); }));
}

TEST(Programs, LeaveNoDaemonsBehindWhereThisOneIsKilled) {
  const testing::TemporaryFolder folder;
  const pid_t parent = fork();
  ASSERT_GE(parent, 0);
  if (parent == 0) {
    (void)process_programs()->run(with_daemon(folder, "sleep 1000"));
    std::_Exit(0);
  }
  const auto daemon = [&] { return testing::number_in(folder / "daemon"); };
  EXPECT_TRUE(testing::until([&] { return daemon() > 0; }));
  ASSERT_EQ(kill(parent, SIGKILL), 0);
  ASSERT_EQ(waitpid(parent, nullptr, 0), parent);
  EXPECT_TRUE(testing::until([&] { return !testing::is_running(daemon()); }));
}

TEST(Programs, HaveACleanEnvironment) {
  ::setenv("STRATA_TEST_SECRET", "x", 1);
  ::setenv("LC_TEST", "y", 1);
  const std::string variables = process_programs()->run(shell("env")).output;
  ::unsetenv("STRATA_TEST_SECRET");
  ::unsetenv("LC_TEST");
  EXPECT_EQ(variables.find("STRATA_TEST_SECRET"), std::string::npos);
  EXPECT_NE(variables.find("LC_TEST=y\n"), std::string::npos);
  EXPECT_NE(variables.find("PATH="), std::string::npos);
}

TEST(Programs, MayNotWriteWithoutEnd) {
  Program program = shell("cat /dev/zero");
  program.max_output = 1'000'000;
  EXPECT_EQ(error_of_program(program), "limit.program-output: the program 'sh' wrote more than 1000000 bytes");
  program.words[2] = "cat /dev/zero >&2";
  EXPECT_EQ(error_of_program(program), "limit.program-output: the program 'sh' wrote more than 1000000 bytes");
}

TEST(Programs, ErrorsDoNotSteerTerminals) {
  const auto said = [](const char* script) { return process_programs()->run(shell(script)).said; };
  EXPECT_EQ(said(R"(printf 'a\n\033[31mb\377\n\n' >&2)"), "a; ?[31mb?");
  EXPECT_EQ(said("true"), "");
  EXPECT_EQ(said("head -c 5000 /dev/zero >&2").size(), 2004U);
}

TEST(Programs, ThatDoNotExist) {
  EXPECT_EQ(error_of_program({.words = {"/nonexistent/enc"}, .input = {}}),
            "program.start: the program '/nonexistent/enc' cannot be run: No such file or directory");
}

}  // namespace
}  // namespace strata
