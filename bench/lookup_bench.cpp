// SPDX-License-Identifier: Apache-2.0
// Warm lookups in the library, one thread: rates to hold against Puppet's own in-process rates (lookup_reference.rb,
// run beside it).
//   lookup_bench FOLDER    a code directory made by workloads.py hierarchy
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>

#include "strata/hiera.hpp"

namespace {

using namespace strata;

/// One state of a code directory and the node that the workload's facts describe.
struct World {
  explicit World(const std::string& folder) : settings{.codedir = folder + "/code", .environment = "production"} {
    std::ifstream file(folder + "/facts.yaml");
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    facts = hiera::read_facts(sources, sources.add("facts.yaml", text), "facts.yaml", {});
  }

  std::shared_ptr<Snapshot> snapshot = Snapshot::make(Engine::make({.file_cache = 0}), host_tree());
  Sources sources{snapshot->engine().locations()};
  hiera::Settings settings;
  hiera::Facts facts;
};

std::unique_ptr<World>& world() {
  static std::unique_ptr<World> one;
  return one;
}

/// `again`: whether what was found before may answer. The reference merges anew each time.
void look_up(benchmark::State& state, const char* key, const char* merge, bool again = false) {
  Session session(world()->snapshot);
  hiera::NodeView view(world()->settings, world()->facts, session);
  Arena arena;
  hiera::Query query;
  query.names = {key};
  if (merge != nullptr) query.merge = arena.text(merge);
  for (auto _ : state) {
    benchmark::DoNotOptimize(view.lookup(query));
    if (!again) view.forget();
  }
  state.SetItemsProcessed(state.iterations());
}

void first_found(benchmark::State& state) { look_up(state, "key_0005", nullptr); }
void unique(benchmark::State& state) { look_up(state, "list_0005", "unique"); }
void hash_of_500(benchmark::State& state) { look_up(state, "hash_0005", "hash"); }
void deep_of_500(benchmark::State& state) { look_up(state, "hash_0005", "deep"); }
void deep_of_500_again(benchmark::State& state) { look_up(state, "hash_0005", "deep", true); }
void interpolated(benchmark::State& state) { look_up(state, "tpl_0005", nullptr); }

BENCHMARK(first_found);
BENCHMARK(unique);
BENCHMARK(hash_of_500);
BENCHMARK(deep_of_500);
BENCHMARK(deep_of_500_again);
BENCHMARK(interpolated);
// Lookups never lock: n threads do n times the work.
BENCHMARK(first_found)->Threads(2)->UseRealTime();
BENCHMARK(deep_of_500)->Threads(2)->UseRealTime();

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc < 2) {
    std::fputs("usage: lookup_bench FOLDER [--benchmark_…]\n", stderr);
    return 2;
  }
  world() = std::make_unique<World>(argv[1]);
  benchmark::RunSpecifiedBenchmarks();
  world().reset();
  return 0;
}
