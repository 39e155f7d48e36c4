// SPDX-License-Identifier: Apache-2.0
#include "console.hpp"

#include <utility>

namespace strata::cli {
namespace {

const Console*& console_of_thread() noexcept {
  static thread_local const Console* console = nullptr;
  return console;
}

}  // namespace

OnConsole::OnConsole(const Console& console) noexcept : before_(std::exchange(console_of_thread(), &console)) {}
OnConsole::~OnConsole() { console_of_thread() = before_; }
const Console* OnConsole::current() noexcept { return console_of_thread(); }
const Stop* OnConsole::stop() noexcept { return current() == nullptr ? nullptr : current()->stop; }

}  // namespace strata::cli
