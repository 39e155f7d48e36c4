// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "console.hpp"
#include "strata/error.hpp"
#include "strata/shown_text.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

[[noreturn]] void fail_to_print() {
  throw Error("output.failed", fmt::format("the output cannot be written: {}",
                                           std::strerror(errno)));  // NOLINT(concurrency-mt-unsafe): one thread
}

void put(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail_to_print();
}

/// Holds the beginning of a character between two pieces of the output.
Escaper& escaper() {
  static Escaper escaper;
  return escaper;
}

}  // namespace

void print(std::string_view text) {
  if (const Console* console = OnConsole::current()) return console->print(text);
  if (shows_on_terminal()) return put(escaper().add(text));
  put(text);
}

void flush_output() {
  if (OnConsole::current() != nullptr) return;
  put(escaper().finish());
  if (std::fflush(stdout) != 0) fail_to_print();
}

}  // namespace strata::cli
