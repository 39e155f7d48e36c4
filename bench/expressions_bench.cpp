// SPDX-License-Identifier: Apache-2.0
// Programs of the Puppet language, parsed once and evaluated again and again, one thread: rates to hold against
// Puppet's own evaluator (expressions_reference.rb, which beside_puppet.py runs beside it).
//   expressions_bench FOLDER    a folder of NAME.pp
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "strata/puppet_program.hpp"
#include "strata/text.hpp"

namespace {

using namespace strata;

constexpr std::string_view kFacts =
    R"({"facts": {"os": {"family": "Debian", "release": {"major": "12"}}, "networking": {"domain": "example.com"}}, "fqdn": "kermit.example.com"})";

void evaluate(benchmark::State& state, const std::string& path) {
  std::ifstream file(path);
  Sources sources;
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const puppet::Program program = puppet::Program::parse(sources, sources.add(path, text));
  const text::Document facts = text::read_json(sources, sources.add("facts", std::string(kFacts)), {});
  Arena arena;
  for (auto _ : state) {
    Diagnostics warnings;
    benchmark::DoNotOptimize(program.evaluate({.arena = arena, .diagnostics = warnings, .variables = facts.root}));
    arena.clear();
  }
  state.SetItemsProcessed(state.iterations());
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    std::fputs("usage: expressions_bench FOLDER\n", stderr);
    return 2;
  }
  std::vector<std::filesystem::path> programs;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    if (entry.path().extension() == ".pp") programs.push_back(entry.path());
  }
  std::sort(programs.begin(), programs.end());
  for (const auto& path : programs) {
    benchmark::RegisterBenchmark(path.stem().c_str(),
                                 [path](benchmark::State& state) { evaluate(state, path.string()); });
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
