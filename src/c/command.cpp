// SPDX-License-Identifier: Apache-2.0
// A command of the program in a call.
#include <array>
#include <mutex>
#include <string>
#include <string_view>

#include "cli/console.hpp"
#include "cli/program.hpp"
#include "guarded.hpp"
#include "options.hpp"
#include "project.hpp"

namespace strata::c {
namespace {

/// The streams of the caller. Threads of the command tell, too.
class CallerStreams {
 public:
  explicit CallerStreams(const strata_console& console) : console_(console) {
    if (console.size < sizeof(strata_console))
      misuse("call.console", "'size' of the console is too small", "set it to sizeof(strata_console)");
    if (console.write == nullptr) misuse("call.console", "the console needs the function write");
  }

  void print(std::string_view text) const {
    if (write(1, text) != 0) throw Error("output.failed", "the output cannot be written: the caller does not take it");
  }
  void tell(std::string_view text) const { (void)write(2, text); }
  [[nodiscard]] std::string read() const {
    if (console_.read == nullptr)
      misuse("call.console", "'-' is standard input, which this call does not have", "name a file");
    strata_text text{nullptr, 0};
    const std::lock_guard lock(mutex_);
    if (console_.read(console_.self, &text) != 0)
      throw Error("tree.unreadable", "standard input cannot be read").in("<stdin>");
    return std::string(view(text));
  }

 private:
  [[nodiscard]] int32_t write(int32_t stream, std::string_view text) const {
    const std::lock_guard lock(mutex_);
    return console_.write(console_.self, stream, text_of(text));
  }

  const strata_console console_;
  mutable std::mutex mutex_;
};

}  // namespace
}  // namespace strata::c

strata_status strata_command(strata_text options, const strata_console* console, strata_cancel* cancel,
                             int32_t* exit_status, strata_error** error) {
  if (exit_status != nullptr) *exit_status = 0;
  return strata::c::guarded(error, [&] {
    using strata::c::misuse;
    if (console == nullptr) misuse("call.null", "'console' is NULL");
    if (exit_status == nullptr) misuse("call.null", "'exit_status' is NULL");
    if (options.data == nullptr && options.size != 0) misuse("call.null", "'options' has NULL data and a size");
    strata::c::on_deepest_stack([&] {
      const strata::c::JsonObject object("the options", "call.options", strata::c::view(options));
      constexpr std::array<std::string_view, 2> kKnown{"words", "plugin-host"};
      object.fields().only(kKnown);
      const strata::Value* plugin_host = object.fields().word("plugin-host");
      const strata::c::CallerStreams streams(*console);
      const strata::cli::Console own{
          .print = [&](std::string_view text) { streams.print(text); },
          .tell = [&](std::string_view text) { streams.tell(text); },
          .read = [&] { return streams.read(); },
          .plugin_host = plugin_host == nullptr ? std::string() : std::string(plugin_host->text()),
          .stop = cancel == nullptr ? nullptr : &cancel->stop};
      const strata::cli::OnConsole on_console(own);
      *exit_status = strata::cli::run_program(object.words("words"));
    });
    if (cancel != nullptr) cancel->stop.check();
  });
}
