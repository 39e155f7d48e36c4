// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "console.hpp"
#include "strata/error.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

[[noreturn]] void fail_to_print() {
  throw Error("output.failed", fmt::format("the output cannot be written: {}",
                                           std::strerror(errno)));  // NOLINT(concurrency-mt-unsafe): one thread
}

}  // namespace

void print(std::string_view text) {
  if (const Console* console = OnConsole::current()) return console->print(text);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail_to_print();
}

void print_for_people(const std::string& text) { print(shows_on_terminal() ? escaped(text) : text); }

void flush_output() {
  if (OnConsole::current() == nullptr && std::fflush(stdout) != 0) fail_to_print();
}

}  // namespace strata::cli
