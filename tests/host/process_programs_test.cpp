// Programs that are run: what they may do to the one that runs them.
#include "host/process_programs.hpp"

#include <gtest/gtest.h>

#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>

#include "strata/error.hpp"

namespace strata {
namespace {

Program shell(const std::string& script, unsigned seconds = 20) {
  return {.words = {"sh", "-c", script, "sh", "one; two"}, .input = {}, .seconds = seconds};
}

std::string code_of(const Program& program) {
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

TEST(Programs, InputIsEmptyWhereNoneIsGiven) { EXPECT_EQ(process_programs()->run(shell("cat; echo end")).output, "end\n"); }

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
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    const pid_t parent = fork();
    ASSERT_GE(parent, 0);
    if (parent == 0) {
      close(ends[0]);
      constexpr int kKept = 9;
      if (dup2(ends[1], kKept) != kKept) std::_Exit(1);
      // The program and what it starts hold the pipe: its end tells that both are gone.
      (void)process_programs()->run(shell("sleep 60 & printf x >&9; sleep 60"));
      std::_Exit(0);
    }
    close(ends[1]);
    char byte = 0;
    ASSERT_EQ(read(ends[0], &byte, 1), 1);
    ASSERT_EQ(kill(parent, signal), 0);
    int status = 0;
    ASSERT_EQ(waitpid(parent, &status, 0), parent);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(read(ends[0], &byte, 1), 0);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
    close(ends[0]);
  }
}

TEST(Programs, ThatHangAreEnded) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(code_of(shell("echo slow >&2; sleep 100 & sleep 100", 1)), "program.timeout: the program 'sh' took longer than 1 seconds; it said: slow");
  EXPECT_EQ(code_of(shell("exec 1>&- 2>&-; sleep 100", 1)), "program.timeout: the program 'sh' took longer than 1 seconds");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(Programs, MayNotWriteWithoutEnd) {
  Program program = shell("cat /dev/zero");
  program.max_output = 1'000'000;
  EXPECT_EQ(code_of(program), "limit.program-output: the program 'sh' wrote more than 1000000 bytes");
  program.words[2] = "cat /dev/zero >&2";
  EXPECT_EQ(code_of(program), "limit.program-output: the program 'sh' wrote more than 1000000 bytes");
}

TEST(Programs, ErrorsDoNotSteerTerminals) {
  const auto said = [](const char* script) { return process_programs()->run(shell(script)).said; };
  EXPECT_EQ(said(R"(printf 'a\n\033[31mb\377\n\n' >&2)"), "a; ?[31mb?");
  EXPECT_EQ(said("true"), "");
  EXPECT_EQ(said("head -c 5000 /dev/zero >&2").size(), 2004U);
}

TEST(Programs, ThatDoNotExist) {
  EXPECT_EQ(code_of({.words = {"/nonexistent/enc"}, .input = {}}),
            "program.start: the program '/nonexistent/enc' cannot be run: No such file or directory");
}

}  // namespace
}  // namespace strata
