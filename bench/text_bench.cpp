// SPDX-License-Identifier: Apache-2.0
// Throughput of the writers and of the JSON reader, in bytes of text, beside the event scans of the same YAML by
// libyaml and by YamlScanner.
#include <benchmark/benchmark.h>
#include <yaml.h>

#include <random>

#include "strata/builder.hpp"
#include "strata/text.hpp"
#include "text/yaml/scanner.hpp"

namespace strata {
namespace {

/// A fleet's configuration: mappings of a few short keys, lists of addresses, numbers, a script now and then. About 10
/// MB as JSON.
Value make_fleet(Arena& arena) {
  std::mt19937_64 random(1);
  MappingBuilder hosts(arena);
  for (int i = 0; i < 20'000; ++i) {
    MappingBuilder host(arena);
    const std::string name = "host" + std::to_string(i) + ".example.org";
    host.insert("address",
                arena.text("10." + std::to_string(random() % 256) + "." + std::to_string(random() % 256) + ".1"));
    host.insert("enabled", Value::boolean(random() % 2 == 0));
    host.insert("weight", Value::integer(static_cast<std::int64_t>(random() % 10000)));
    host.insert("ratio", Value::floating(static_cast<double>(random() % 1000) / 8));
    SequenceBuilder packages(arena);
    for (int k = 0; k < 6; ++k) packages.append(arena.text("package-" + std::to_string(random() % 1000)));
    host.insert("packages", packages.finish());
    MappingBuilder file(arena);
    file.insert("path", arena.text("/etc/app/" + name + ".conf"));
    file.insert("owner", arena.text("root:root"));
    file.insert("content", arena.text("[main]\nname = " + name + "\nmode: \"strict\"\n# a comment\nlevel = 3\n"));
    host.insert("write_files", arena.sequence(std::array{file.finish()}));
    hosts.insert(name, host.finish());
  }
  return hosts.finish();
}

const Value& fleet() {
  static Arena arena;
  static const Value value = make_fleet(arena);
  return value;
}

void count_bytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * static_cast<std::int64_t>(state.iterations()));
}

void write_json(benchmark::State& state) {
  std::size_t bytes = 0;
  for (auto _ : state) bytes = text::write_json(fleet(), {.indent = static_cast<int>(state.range(0))}).size();
  count_bytes(state, bytes);
}
BENCHMARK(write_json)->Arg(2)->Arg(-1)->Unit(benchmark::kMillisecond);

void write_yaml(benchmark::State& state) {
  std::size_t bytes = 0;
  for (auto _ : state) bytes = text::write_yaml(fleet()).size();
  count_bytes(state, bytes);
}
BENCHMARK(write_yaml)->Unit(benchmark::kMillisecond);

void scan_with_libyaml(benchmark::State& state) {
  const std::string text = text::write_yaml(fleet());
  for (auto _ : state) {
    yaml_parser_t parser;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    yaml_event_t event;
    for (bool more = true; more; yaml_event_delete(&event)) {
      if (yaml_parser_parse(&parser, &event) == 0) return state.SkipWithError("libyaml refuses the text");
      more = event.type != YAML_STREAM_END_EVENT;
    }
    yaml_parser_delete(&parser);
  }
  count_bytes(state, text.size());
}
BENCHMARK(scan_with_libyaml)->Unit(benchmark::kMillisecond);

void scan_with_scanner(benchmark::State& state) {
  const std::string text = text::write_yaml(fleet());
  text::YamlTape tape;
  text::YamlEvent event;
  for (auto _ : state) {
    text::YamlScanner scanner(text, tape);
    do {
      if (!scanner.next_document()) return state.SkipWithError("the scanner leaves the text");
      while (!tape.is_at_end()) tape.take(event);
    } while (event.kind != text::YamlEvent::Kind::stream_end);
  }
  count_bytes(state, text.size());
}
BENCHMARK(scan_with_scanner)->Unit(benchmark::kMillisecond);

/// 0: as usual; 1: with libyaml alone; 2: with a last line that the scanner leaves to libyaml.
void read_yaml(benchmark::State& state) {
  const std::string text = text::write_yaml(fleet()) + (state.range(0) == 2 ? "? a\n: b\n" : "");
  Limits limits;
  limits.libyaml_alone = state.range(0) == 1;
  for (auto _ : state) {
    Sources sources;
    benchmark::DoNotOptimize(text::read_yaml(sources, sources.add("f", text), text::pyyaml(), limits));
  }
  count_bytes(state, text.size());
}
BENCHMARK(read_yaml)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void read_json(benchmark::State& state) {
  const std::string text = text::write_json(fleet());
  for (auto _ : state) {
    Sources sources;
    benchmark::DoNotOptimize(text::read_json(sources, sources.add("f", text), {}));
  }
  count_bytes(state, text.size());
}
BENCHMARK(read_json)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace strata

BENCHMARK_MAIN();
