// SPDX-License-Identifier: Apache-2.0
// The merge kernel against nlohmann::json's merge_patch, with and without a history, and the traps in which merges grow
// faster than their input.
//
// Folds: first the results are compared, then the candidates take turns, and the medians are printed as ratios. Inside
// the timer is the fold alone: neither reading nor freeing.
#include <benchmark/benchmark.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "hiera/strategies/strategies.hpp"
#include "merge_layers.hpp"
#include "strata/builder.hpp"
#include "strata/merge.hpp"
#include "strata/text.hpp"
#include "value/growable.hpp"

namespace strata {
namespace {

using merge::Accumulator;
using merge::History;
using merge::NullRecorder;
using merge::Recorder;
using merge::Slot;
using merge::Traced;

const Limits kLimits;

/// The same layers for both engines.
struct Input {
  std::vector<nlohmann::json> theirs;
  Sources sources;
  std::vector<text::Document> ours;

  Input(std::size_t layers, std::size_t leaves) : theirs(bench::Layers(1).make(layers, leaves)) {
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      ours.push_back(text::read_json(sources, sources.add("layer" + std::to_string(i), theirs[i].dump()), kLimits));
    }
  }
};

nlohmann::json fold_theirs(const Input& input) {
  nlohmann::json total = input.theirs.front();
  for (std::size_t i = 1; i < input.theirs.size(); ++i) total.merge_patch(input.theirs[i]);
  return total;
}

Value fold_ours(const Input& input, Arena& arena, Recorder& recorder) {
  Accumulator total(arena, kLimits, recorder);
  for (std::size_t i = 0; i < input.ours.size(); ++i) {
    const Traced layer{input.ours[i].root, recorder.add_layer("layer")};
    if (i == 0) {
      total.start(layer);
    } else {
      total.merge(layer, merge::deep_replace());
    }
  }
  return total.current().value;
}

/// The same merge in place with the same tables, written out for deep_replace: no recorder, no limits, no other
/// actions.
// Recursion: a bench.
Value plain_merge(Arena& arena, const void* owner, const Value& old, const Value& incoming) {
  const merge::Strategy& strategy = merge::deep_replace();
  if (strategy.at(strategy.member, old, incoming) != merge::Action::recurse) return incoming;
  Value target = old;
  if (Growable::owner(old) != owner) {
    target = Growable::copy(arena, old, incoming.size());
    Growable::set_owner(target, owner);
  }
  for (const Entry& entry : incoming.entries()) {
    const std::size_t position = Arena::index_of(target, entry.key);
    if (position == Arena::npos) {
      Growable::insert(arena, target, entry.key, plain_merge(arena, owner, {}, entry.value));
    } else {
      Growable::replace_entry(target, position,
                              plain_merge(arena, owner, target.entries()[position].value, entry.value));
    }
  }
  return target;
}

Value fold_plain(const Input& input, Arena& arena) {
  const void* owner = Growable::new_owner(arena);
  Value total = input.ours.front().root;
  for (std::size_t i = 1; i < input.ours.size(); ++i) total = plain_merge(arena, owner, total, input.ours[i].root);
  return total;
}

template <class Work>
double milliseconds(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> samples) {
  std::ranges::sort(samples);
  return samples[samples.size() / 2];
}

void compare_folds() {
  const Input input(5, 10'000);
  {
    Arena arena;
    History history(input.sources);
    NullRecorder nothing(input.sources);
    const nlohmann::json expected = fold_theirs(input);
    const bool same = nlohmann::json::parse(text::write_json(fold_ours(input, arena, nothing))) == expected &&
                      nlohmann::json::parse(text::write_json(fold_ours(input, arena, history))) == expected &&
                      nlohmann::json::parse(text::write_json(fold_plain(input, arena))) == expected;
    if (!same) {
      std::fprintf(stderr, "the folds differ\n");
      std::exit(1);
    }
  }
  // Whoever runs after nlohmann finds its caches cold: the candidates run in a new order each time.
  std::array<std::vector<double>, 4> samples;
  std::array<std::size_t, 4> order{0, 1, 2, 3};
  std::mt19937 random(1);
  for (std::size_t round = 0; round < 100; ++round) {
    std::ranges::shuffle(order, random);
    for (const std::size_t which : order) {
      nlohmann::json total;
      Arena arena;
      History history(input.sources);
      NullRecorder nothing(input.sources);
      samples.at(which).push_back(milliseconds([&] {
        if (which == 0) total = fold_theirs(input);
        if (which == 1) benchmark::DoNotOptimize(fold_ours(input, arena, nothing));
        if (which == 2) benchmark::DoNotOptimize(fold_ours(input, arena, history));
        if (which == 3) benchmark::DoNotOptimize(fold_plain(input, arena));
      }));
    }
  }
  const auto& [theirs, ours, traced, plain] = samples;
  const double ours_median = median(ours);
  std::printf("fold of 5 layers of 10,000 leaves, medians of 100 rounds\n");
  std::printf("  nlohmann merge_patch  %8.3f ms\n", median(theirs));
  std::printf("  strata                %8.3f ms  %.2f x nlohmann    (at most 0.5)\n", ours_median,
              ours_median / median(theirs));
  std::printf("  strata with history   %8.3f ms  %.2f x without     (at most 2)\n", median(traced),
              median(traced) / ours_median);
  std::printf(
      "  written out           %8.3f ms  strata is %.2f x it (at most 1.2: the null recorder costs nothing)\n\n",
      median(plain), ours_median / median(plain));
}

/// Five levels of a mapping of 400 members each, most of them on several levels.
std::vector<Value> hiera_levels(Arena& arena) {
  std::vector<Value> levels;
  const auto text = [&arena](const char* letter, int number) { return arena.text(letter + std::to_string(number)); };
  for (int level = 0; level < 5; ++level) {
    MappingBuilder members(arena);
    for (int i = 0; i < 500; ++i) {
      if (i % 5 == level) continue;
      SequenceBuilder list(arena);
      for (const Value& item : {text("t", i), text("l", level), arena.text("c")}) list.append(item);
      MappingBuilder inner(arena);
      inner.insert("x" + std::to_string(level), arena.text("y"));
      MappingBuilder member(arena);
      member.insert("a", Value::integer(i));
      member.insert("l", list.finish());
      member.insert("s", inner.finish());
      members.insert("m" + std::to_string(i), member.finish());
    }
    levels.push_back(members.finish());
  }
  return levels;
}

/// Hiera's deep merge of five levels, from the strongest on, beside copying the five levels.
void compare_hiera() {
  const Sources sources;
  Arena inputs;
  const std::vector<Value> levels = hiera_levels(inputs);
  const merge::Strategy deep = hiera::build_strategy({.kind = hiera::MergeKind::deep, .knockout_prefix = {}});
  const auto fold = [&](Arena& arena, Recorder& recorder) {
    Traced total;
    for (const Value& level : levels) {
      const Traced layer{level, recorder.add_layer("level")};
      total = total.value ? merge::merge(layer, total, deep, arena, kLimits, recorder) : layer;
    }
    return total.value;
  };
  std::array<std::vector<double>, 3> samples;
  for (std::size_t round = 0; round < 600; ++round) {
    const std::size_t which = round % 3;
    Arena arena;
    History history(sources);
    NullRecorder nothing(sources);
    samples.at(which).push_back(milliseconds([&] {
      if (which == 0) benchmark::DoNotOptimize(fold(arena, nothing));
      if (which == 1) benchmark::DoNotOptimize(fold(arena, history));
      if (which == 2) {
        for (const Value& level : levels) benchmark::DoNotOptimize(arena.deep_copy(level));
      }
    }));
  }
  const double ours = median(samples[0]);
  const double copies = median(samples[2]);
  std::printf("Hiera's deep merge of 5 levels of 400 members, medians of 200 rounds\n");
  std::printf("  copying the levels    %8.3f ms\n", copies);
  std::printf("  strata                %8.3f ms  %.2f x copying     (at most 1.5)\n", ours, ours / copies);
  std::printf("  strata with history   %8.3f ms  %.2f x without     (at most 4)\n\n", median(samples[1]),
              median(samples[1]) / ours);
}

// The traps. Each runs at two sizes, the second four times the first; time per item must not grow with the size.

const merge::Strategy& strategy(std::string_view root, std::string_view member) {
  static std::vector<std::pair<std::string, merge::Strategy>> made;
  const std::string text = "root:\n * <- *: take_new\n " + std::string(root) + "\nmember:\n * <- *: take_new\n " +
                           std::string(member) + "\n";
  for (const auto& [name, one] : made) {
    if (name == text) return one;
  }
  made.reserve(16);
  return made.emplace_back(text, merge::parse_strategy(text)).second;
}

Value single(Arena& arena, std::string_view key, const Value& value) {
  MappingBuilder mapping(arena, KeyEquality::python, 1);
  mapping.insert(key, value);
  return mapping.finish();
}

/// One that keeps a history and one that does not.
class Recorders {
 public:
  Recorder& with(bool history) {
    if (history) return history_;
    return nothing_;
  }

 private:
  Sources sources_;
  History history_{sources_};
  NullRecorder nothing_{sources_};
};

/// Merges `state.range(0)` layers, one after the other.
template <class Layer>
void fold(benchmark::State& state, const merge::Strategy& strategy, bool with_history, const Layer& layer) {
  Arena inputs;
  std::vector<Value> layers;
  for (std::int64_t i = 0; i < state.range(0); ++i) layers.push_back(layer(inputs, i));
  for (auto _ : state) {
    Arena arena;
    Recorders recorders;
    Recorder& recorder = recorders.with(with_history);
    Accumulator total(arena, kLimits, recorder);
    total.start({arena.mapping(), Slot(merge::kNoLayer)});
    for (const Value& one : layers) total.merge({one, recorder.add_layer("layer")}, strategy);
    benchmark::DoNotOptimize(total.current());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

Value some_item(Arena& arena, std::int64_t i) { return single(arena, "name", arena.text("user" + std::to_string(i))); }

void lists(benchmark::State& state, std::string_view member) {
  fold(state, strategy("mapping <- mapping: recurse", member), state.range(1) != 0, [](Arena& arena, std::int64_t i) {
    const Value item = some_item(arena, i);
    return single(arena, "list", arena.sequence(std::span(&item, 1)));
  });
}
void append(benchmark::State& state) { lists(state, "sequence <- sequence: append"); }
void prepend(benchmark::State& state) { lists(state, "sequence <- sequence: prepend"); }
void join(benchmark::State& state) {
  fold(state, strategy("mapping <- mapping: recurse", "text <- text: join"), state.range(1) != 0,
       [](Arena& arena, std::int64_t i) { return single(arena, "text", arena.text(std::to_string(i))); });
}
void join_of_many(benchmark::State& state) {
  const std::int64_t n = state.range(0) / 4;
  fold(state, strategy("mapping <- mapping: recurse", "text <- text: join"), state.range(1) != 0,
       [n](Arena& arena, std::int64_t i) {
         return single(arena, "text" + std::to_string(i % n), arena.text(std::to_string(i)));
       });
}
void new_members(benchmark::State& state) {
  fold(state, merge::deep_replace(), state.range(1) != 0,
       [](Arena& arena, std::int64_t i) { return single(arena, "key" + std::to_string(i), Value::integer(i)); });
}
void one_member(benchmark::State& state) {
  fold(state, merge::deep_replace(), state.range(1) != 0,
       [](Arena& arena, std::int64_t i) { return single(arena, "key", Value::integer(i)); });
}
void checked_members(benchmark::State& state) {
  fold(state, strategy("mapping <- mapping: recurse", "mapping <- text: fail"), state.range(1) != 0,
       [](Arena& arena, std::int64_t i) { return single(arena, "key" + std::to_string(i), Value::integer(i)); });
}
void removed_and_back(benchmark::State& state) {
  const std::int64_t n = state.range(0) / 3;
  const auto& remove = strategy("mapping <- mapping: recurse", "* <- null: remove");
  Arena inputs;
  MappingBuilder present(inputs, KeyEquality::python);
  MappingBuilder absent(inputs, KeyEquality::python);
  for (std::int64_t i = 0; i < n; ++i) {
    present.insert("key" + std::to_string(i), Value::integer(i));
    absent.insert("key" + std::to_string(i), Value::null());
  }
  const Value all = present.finish();
  const Value none = absent.finish();
  for (auto _ : state) {
    Arena arena;
    Recorders recorders;
    Recorder& recorder = recorders.with(state.range(1) != 0);
    Accumulator total(arena, kLimits, recorder);
    total.start({arena.mapping(), Slot(merge::kNoLayer)});
    for (const Value& one : {all, none, all}) total.merge({one, recorder.add_layer("layer")}, remove);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
/// Mappings of one size, which a poor hash of containers takes for one another.
void union_of_mappings(benchmark::State& state) {
  Arena inputs;
  SequenceBuilder some(inputs);
  SequenceBuilder others(inputs);
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    some.append(some_item(inputs, i));
    others.append(some_item(inputs, 2 * i));
  }
  const Value left = some.finish();
  const Value right = others.finish();
  for (auto _ : state) {
    Arena arena;
    Recorders recorders;
    const auto& united = strategy("sequence <- sequence: union", "");
    benchmark::DoNotOptimize(
        merge::merge({left, {}}, {right, {}}, united, arena, kLimits, recorders.with(state.range(1) != 0)));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
/// Telling the history of one path with as many contributions.
void explain_chain(benchmark::State& state) {
  Arena arena;
  const Sources sources;
  History history(sources);
  Accumulator total(arena, kLimits, history);
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    const Traced layer{single(arena, "key", Value::integer(i)), history.add_layer("layer")};
    if (i == 0) {
      total.start(layer);
    } else {
      total.merge(layer, merge::deep_replace());
    }
  }
  for (auto _ : state) benchmark::DoNotOptimize(history.explain(total.current()));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"n", "history"})->ArgsProduct({{10'000, 40'000}, {0, 1}})->Unit(benchmark::kMillisecond);
}
BENCHMARK(append)->Apply(sizes);
BENCHMARK(prepend)->Apply(sizes);
BENCHMARK(join)->Apply(sizes);
BENCHMARK(join_of_many)->Apply(sizes);
BENCHMARK(new_members)->Apply(sizes);
BENCHMARK(one_member)->Apply(sizes);
BENCHMARK(checked_members)->Apply(sizes);
BENCHMARK(removed_and_back)->Apply(sizes);
BENCHMARK(union_of_mappings)->Apply(sizes);
BENCHMARK(explain_chain)->ArgNames({"n"})->Arg(10'000)->Arg(40'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace strata

int main(int argc, char** argv) {
  strata::compare_folds();
  strata::compare_hiera();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
