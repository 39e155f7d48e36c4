// The process of a plugin: it is made, the library is loaded and registers, and then strata is served.
#include <dlfcn.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <string_view>
#include <thread>
#include <vector>

#include "plugin/wire.hpp"
#include "plugin_functions.hpp"
#include "plugin_server.hpp"
#include "strata/plugin.h"
#include "strata/process_host.hpp"
#include "value/sanitized.hpp"

namespace strata {
namespace {

/// Ends the process when strata closes its end of the socket, or is gone, whatever the plugin does at that time. (The signal that the kernel sends at
/// a parent's death goes by the parent's thread, which may well end before.)
void watch_strata() {
  std::thread([] {
    pollfd waiting{.fd = plugin::kSocket, .events = 0, .revents = 0};
    while (poll(&waiting, 1, -1) <= 0) {
    }
    plugin::leave();
  }).detach();
}

/// No more than so much memory, and no core dumps.
void bound_process(std::size_t memory) {
  const rlimit data{.rlim_cur = memory, .rlim_max = memory};
  const rlimit none{.rlim_cur = 0, .rlim_max = 0};
  // A sanitizer's shadow counts as data: with a bound there would be nothing left.
  if (!kIsSanitized) (void)setrlimit(RLIMIT_DATA, &data);
  (void)setrlimit(RLIMIT_CORE, &none);
  (void)close_range(plugin::kSocket + 1, ~0U, 0);
}

void send_refusal(Arena& arena, const std::string& why) { plugin::send(std::vector<Value>{arena.text("refuse"), arena.text(why)}); }

}  // namespace

int run_plugin_host(const char* file, const char* memory) {
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
  const Value all = arena.sequence();
  for (const auto& [name, registered] : registrar.all) {
    const Value one = arena.mapping();
    arena.insert(one, "kind", arena.text(registered.kind));
    arena.insert(one, "name", arena.text(registered.name));
    arena.insert(one, "type", arena.text(registered.type));
    arena.insert(one, "parent", arena.text(registered.parent));
    arena.insert(one, "singleton", Value::boolean(registered.extension.is_singleton != 0));
    arena.append(all, one);
  }
  const std::vector<Value> greeting{arena.text("hello"), Value::integer(plugin::kVersion), all};
  plugin::send(greeting);
  server.serve();
  plugin::leave();
}

}  // namespace strata
