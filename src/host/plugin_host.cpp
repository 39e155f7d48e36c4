// SPDX-License-Identifier: Apache-2.0
// The process of a plugin: it is made, the library is loaded and registers, and then strata is served.
#include <dlfcn.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <csignal>
#include <string_view>
#include <thread>
#include <vector>

#include "child.hpp"
#include "descendants.hpp"
#include "plugin/wire.hpp"
#include "plugin_functions.hpp"
#include "plugin_server.hpp"
#include "strata/builder.hpp"
#include "strata/plugin.h"
#include "strata/process_host.hpp"
#include "value/sanitized.hpp"

namespace strata {
namespace {

/// Ends the process when strata closes its end of the socket, or is gone, whatever the plugin does at that time. (The
/// signal that the kernel sends at a parent's death goes by the parent's thread, which may well end before.)
void watch_strata() {
  std::thread([] {
    pollfd waiting{.fd = plugin::kSocket, .events = 0, .revents = 0};
    while (poll(&waiting, 1, -1) <= 0) {
    }
    plugin::leave();
  }).detach();
}

/// No more than so much memory.
void bound_process(std::size_t memory) {
  const rlimit data{.rlim_cur = memory, .rlim_max = memory};
  // A sanitizer's shadow counts as data: with a bound there would be nothing left.
  if (!kIsSanitized) (void)setrlimit(RLIMIT_DATA, &data);
}

[[noreturn]] void end_as(int status) {
  if (WIFSIGNALED(status)) {
    (void)std::signal(WTERMSIG(status), SIG_DFL);
    (void)raise(WTERMSIG(status));
  }
  _exit(WEXITSTATUS(status));
}

/// Goes on in a child. This process waits until strata closes its end of the socket or is gone, or the child has ended;
/// kills all that the plugin has started, in whatever session; and ends as the child did.
void split() {
  adopt_descendants();
  const pid_t plugin = fork();
  if (plugin < 0) return;  // One process that ends by itself is better than none.
  if (plugin == 0) {
    (void)setsid();  // Nothing that the plugin does to its group meets who watches it.
    return;
  }
  constexpr int kPause = 10;  // Milliseconds, where the end of a process cannot be polled for.
  const int ended = open_pidfd(plugin);
  siginfo_t info{};
  while (true) {
    std::array<pollfd, 2> waits{
        {{.fd = plugin::kSocket, .events = 0, .revents = 0}, {.fd = ended, .events = POLLIN, .revents = 0}}};
    (void)poll(waits.data(), waits.size(), ended >= 0 ? -1 : kPause);
    info = {};
    // Not reaped yet: kill_descendants() does that.
    if (waitid(P_PID, static_cast<id_t>(plugin), &info, WEXITED | WNOWAIT | WNOHANG) == 0 && info.si_pid == plugin)
      break;
    if (waits[0].revents != 0) break;
  }
  kill_descendants();
  if (info.si_pid != plugin) _exit(0);
  end_as(info.si_code == CLD_EXITED ? W_EXITCODE(info.si_status, 0) : W_EXITCODE(0, info.si_status));
}

void send_refusal(Arena& arena, const std::string& why) {
  plugin::send(std::vector<Value>{arena.text("refuse"), arena.text(why)});
}

}  // namespace

int run_plugin_host(const char* file, const char* memory) {
  (void)close_range(plugin::kSocket + 1, ~0U, 0);
  const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  (void)setrlimit(RLIMIT_CORE, &no_core);
  split();
  watch_strata();
  const std::string_view digits = memory;
  std::size_t bytes = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
  bound_process(bytes);
  Arena arena;
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    send_refusal(arena, dlerror());  // NOLINT(concurrency-mt-unsafe): one thread
    return 1;
  }
  const auto enter = reinterpret_cast<strata_plugin_v1_function>(dlsym(library, "strata_plugin_v1"));
  if (enter == nullptr) {
    send_refusal(arena, "it has no function strata_plugin_v1");
    return 1;
  }
  strata_registrar registrar;
  plugin::Server server(registrar);
  const strata_host_v1 host = plugin::host_functions(registrar, server);
  if (enter(&host) != STRATA_OK) {
    send_refusal(arena, registrar.refusal.empty() ? "its strata_plugin_v1 fails" : registrar.refusal);
    return 1;
  }
  registrar.is_open = false;
  SequenceBuilder all(arena);
  for (const auto& [name, registered] : registrar.all) {
    MappingBuilder one(arena);
    one.insert("kind", arena.text(registered.kind));
    one.insert("name", arena.text(registered.name));
    one.insert("type", arena.text(registered.type));
    one.insert("parent", arena.text(registered.parent));
    one.insert("singleton", Value::boolean(registered.extension.is_singleton != 0));
    all.append(one.finish());
  }
  const std::vector<Value> greeting{arena.text("hello"), Value::integer(plugin::kVersion), all.finish()};
  plugin::send(greeting);
  server.serve();
  plugin::leave();
}

}  // namespace strata
