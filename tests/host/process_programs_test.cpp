// Programs that are run: what they may do to the one that runs them.
#include "host/process_programs.hpp"

#include <gtest/gtest.h>

#include <chrono>

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
  EXPECT_EQ(shown_errors("a\n\x1b[31mb\xff\n\n"), "a; ?[31mb?");
  EXPECT_EQ(shown_errors(""), "");
  EXPECT_EQ(shown_errors(std::string(5000, 'x')).size(), 2004U);
}

TEST(Programs, ThatDoNotExist) {
  EXPECT_EQ(code_of({.words = {"/nonexistent/enc"}, .input = {}}),
            "program.start: the program '/nonexistent/enc' cannot be run: No such file or directory");
}

}  // namespace
}  // namespace strata
