// Lookups of one node's view, on one thread and on two that share the code directory: they never lock, so that two give nearly twice as much.
#include <benchmark/benchmark.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "strata/hiera.hpp"

namespace {

using strata::hiera::CodeDirectory;

constexpr int kLayers = 5;
constexpr int kKeys = 500;

std::string key_name(int key) { return "key_" + std::to_string(key); }

/// Five layers; each holds every key, every fifth as a mapping.
struct Directory {
  strata::Sources sources;
  strata::Limits limits;
  std::unique_ptr<CodeDirectory> directory;

  Directory() {
    std::map<std::string, std::string> files;
    std::string& config = files["/code/environments/production/hiera.yaml"];
    config = "version: 5\nhierarchy:\n";
    for (int layer = 0; layer < kLayers; ++layer) {
      const std::string name = "layer" + std::to_string(layer);
      config += "  - {name: " + name + ", path: " + name + ".yaml}\n";
      std::string& data = files["/code/environments/production/data/" + name + ".yaml"];
      for (int key = 0; key < kKeys; ++key) {
        data += key_name(key) + (key % 5 == 0 ? ": {a: 1, " + name + ": {b: 2}}\n" : ": text of " + name + "\n");
      }
    }
    strata::hiera::Settings settings;
    settings.codedir = "/code";
    directory = std::make_unique<CodeDirectory>(settings, strata::memory_tree(files), sources, limits);
  }
};

Directory& directory() {
  static Directory out;
  return out;
}

void lookups(benchmark::State& state, const char* merge) {
  strata::Diagnostics diagnostics;
  strata::Arena arena;
  strata::hiera::NodeView view = directory().directory->node({}, diagnostics);
  strata::hiera::Query query;
  query.merge = arena.text(merge);
  std::vector<std::string> names;
  for (int key = 0; key < kKeys; key += *merge == 'f' ? 1 : 5) names.push_back(key_name(key));
  std::size_t at = 0;
  for (auto _ : state) {
    query.names.assign(1, names[at]);
    at = at + 1 == names.size() ? 0 : at + 1;
    benchmark::DoNotOptimize(view.lookup(query));
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK_CAPTURE(lookups, first, "first")->Threads(1)->Threads(2)->UseRealTime();
BENCHMARK_CAPTURE(lookups, deep, "deep")->Threads(1)->Threads(2)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();  // NOLINT: the macro's
