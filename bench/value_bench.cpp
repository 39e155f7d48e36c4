// SPDX-License-Identifier: Apache-2.0
// Why a Value is a handle into an arena: the same document built, and the same layers merged, over three
// representations.
//
//   value_bench YAML LAYER...     prints medians in milliseconds, alternating the candidates in one process
//
//   arena     strata::Value: 16-byte handles to nodes in an arena
//   counted   nodes with an atomic reference count, entries in a vector with a hash index from 12 on
//   shared    std::variant over std::shared_ptr<const vector> and std::shared_ptr<const map>: what is quickest to write
//
// All scalars are texts: only the representation differs. bench/run makes the inputs.
#include <yaml.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "strata/builder.hpp"
#include "strata/merge.hpp"
#include "strata/value.hpp"

namespace {

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Feeds libyaml's events to a builder with begin_sequence, begin_mapping, end and scalar.
template <class Builder>
auto parse(const std::string& text, Builder builder) {
  yaml_parser_t parser;
  yaml_parser_initialize(&parser);
  yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  for (bool done = false; !done;) {
    yaml_event_t event;
    if (yaml_parser_parse(&parser, &event) == 0) break;
    switch (event.type) {
      case YAML_SCALAR_EVENT:
        builder.scalar({reinterpret_cast<const char*>(event.data.scalar.value), event.data.scalar.length});
        break;
      case YAML_SEQUENCE_START_EVENT:
        builder.begin(false);
        break;
      case YAML_MAPPING_START_EVENT:
        builder.begin(true);
        break;
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        builder.end();
        break;
      default:
        break;
    }
    done = event.type == YAML_STREAM_END_EVENT;
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  return builder.result();
}

/// Arena: children are collected on one stack, then get a node of the right size.
struct ArenaBuilder {
  explicit ArenaBuilder(strata::Arena& owner) : arena(owner) {}
  void scalar(std::string_view text) { add(is_key() ? arena.key(text) : arena.text(text)); }
  void begin(bool is_mapping) { open.push_back({stack.size(), is_mapping}); }
  void end() {
    const auto [first, is_mapping] = open.back();
    open.pop_back();
    strata::Value value;
    if (is_mapping) {
      strata::MappingBuilder mapping(arena, strata::KeyEquality::exact, (stack.size() - first) / 2);
      for (std::size_t i = first; i + 1 < stack.size(); i += 2) mapping.insert(stack[i], stack[i + 1]);
      value = mapping.finish();
    } else {
      value = arena.sequence(std::span(stack).subspan(first));
    }
    stack.resize(first);
    add(value);
  }
  [[nodiscard]] bool is_key() const {
    return !open.empty() && open.back().second && (stack.size() - open.back().first) % 2 == 0;
  }
  void add(strata::Value value) { stack.push_back(value); }
  strata::Value result() { return stack.back(); }

  strata::Arena& arena;
  std::vector<strata::Value> stack;
  std::vector<std::pair<std::size_t, bool>> open;
};

/// Nodes with a reference count, copied on write.
class Counted {
 public:
  struct Node {
    std::atomic<unsigned> references{1};
    int kind = 0;  // 0 text, 1 sequence, 2 mapping
    std::string text;
    std::vector<Counted> items;
    std::vector<std::pair<std::string, Counted>> entries;
    std::unordered_map<std::string_view, std::size_t> index;
    Counted* find(std::string_view key);
  };
  Counted() = default;
  explicit Counted(int kind) : node_(new Node) { node_->kind = kind; }
  Counted(const Counted& other) : node_(other.node_) {
    if (node_ != nullptr) node_->references.fetch_add(1, std::memory_order_relaxed);
  }
  Counted(Counted&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  Counted& operator=(Counted other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~Counted() {
    if (node_ != nullptr && node_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete node_;
  }
  Node* operator->() const { return node_; }
  /// The node alone in these hands.
  Node& own() {
    if (node_->references.load(std::memory_order_acquire) != 1) {
      Counted copy(node_->kind);
      copy->text = node_->text;
      copy->items = node_->items;
      copy->entries.reserve(node_->entries.size());
      for (const auto& [key, value] : node_->entries) add(copy, key, value);
      std::swap(node_, copy.node_);
    }
    return *node_;
  }
  static void add(Counted& mapping, std::string key, Counted value) {
    mapping->entries.emplace_back(std::move(key), std::move(value));
    if (mapping->entries.size() >= 12) {
      if (mapping->index.empty() || mapping->entries.size() == mapping->entries.capacity()) {
        mapping->index.clear();
        for (std::size_t i = 0; i < mapping->entries.size(); ++i) mapping->index.emplace(mapping->entries[i].first, i);
      } else {
        mapping->index.emplace(mapping->entries.back().first, mapping->entries.size() - 1);
      }
    }
  }

 private:
  Node* node_ = nullptr;
};

Counted* Counted::Node::find(std::string_view key) {
  if (!index.empty()) {
    // Small strings move with the vector; a key is looked up by its text alone.
    const auto found = index.find(key);
    return found == index.end() ? nullptr : &entries[found->second].second;
  }
  for (auto& [name, value] : entries) {
    if (name == key) return &value;
  }
  return nullptr;
}

struct CountedBuilder {
  void scalar(std::string_view text) {
    if (!open.empty() && open.back()->kind == 2 && !has_key.back()) {
      keys.emplace_back(text);
      has_key.back() = true;
      return;
    }
    Counted value(0);
    value->text = text;
    add(std::move(value));
  }
  void begin(bool is_mapping) {
    open.emplace_back(is_mapping ? 2 : 1);
    if (is_mapping) open.back()->entries.reserve(128);
    has_key.push_back(false);
  }
  void end() {
    Counted value = std::move(open.back());
    open.pop_back();
    has_key.pop_back();
    add(std::move(value));
  }
  void add(Counted value) {
    if (open.empty()) {
      root = std::move(value);
    } else if (open.back()->kind == 1) {
      open.back()->items.push_back(std::move(value));
    } else {
      Counted::add(open.back(), std::move(keys.back()), std::move(value));
      keys.pop_back();
      has_key.back() = false;
    }
  }
  Counted result() { return root; }

  std::vector<Counted> open;
  std::vector<std::string> keys;
  std::vector<bool> has_key;
  Counted root;
};

// Recursion: as deep as the input of the bench.
void merge(Counted& old, const Counted& incoming) {
  auto& target = old.own();
  for (const auto& [key, value] : incoming->entries) {
    Counted* present = target.find(key);
    if (present == nullptr) {
      Counted::add(old, key, value);
    } else if ((*present)->kind == 2 && value->kind == 2) {
      merge(*present, value);
    } else {
      *present = value;
    }
  }
}

struct Shared;
using SharedItems = std::shared_ptr<const std::vector<Shared>>;
using SharedEntries = std::shared_ptr<const std::map<std::string, Shared, std::less<>>>;
struct Shared {
  std::variant<std::string, SharedItems, SharedEntries> value;
};

struct SharedBuilder {
  struct Open {
    bool is_mapping;
    std::vector<Shared> items;
    std::map<std::string, Shared, std::less<>> entries;
    std::string key;
    bool has_key = false;
  };
  void scalar(std::string_view text) {
    if (!open.empty() && open.back().is_mapping && !open.back().has_key) {
      open.back().key = text;
      open.back().has_key = true;
    } else {
      add({std::string(text)});
    }
  }
  void begin(bool is_mapping) { open.push_back({is_mapping, {}, {}, {}}); }
  void end() {
    Open top = std::move(open.back());
    open.pop_back();
    if (top.is_mapping) {
      add({std::make_shared<const std::map<std::string, Shared, std::less<>>>(std::move(top.entries))});
    } else {
      add({std::make_shared<const std::vector<Shared>>(std::move(top.items))});
    }
  }
  void add(Shared value) {
    if (open.empty()) {
      root = std::move(value);
    } else if (open.back().is_mapping) {
      open.back().entries.insert_or_assign(std::move(open.back().key), std::move(value));
      open.back().has_key = false;
    } else {
      open.back().items.push_back(std::move(value));
    }
  }
  Shared result() { return root; }

  std::vector<Open> open;
  Shared root;
};

// Recursion: as deep as the input of the bench.
Shared merged(const Shared& old, const Shared& incoming) {
  const auto* left = std::get_if<SharedEntries>(&old.value);
  const auto* right = std::get_if<SharedEntries>(&incoming.value);
  if (left == nullptr || right == nullptr) return incoming;
  auto entries = **left;
  for (const auto& [key, value] : **right) {
    const auto present = entries.find(key);
    if (present == entries.end()) {
      entries.emplace(key, value);
    } else {
      present->second = merged(present->second, value);
    }
  }
  return {std::make_shared<const std::map<std::string, Shared, std::less<>>>(std::move(entries))};
}

template <class Work>
double milliseconds(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

struct ScanOnly {
  void scalar(std::string_view) {}
  void begin(bool) {}
  void end() {}
  int result() { return 0; }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: value_bench YAML LAYER...\n", stderr);
    return 2;
  }
  const std::string text = read_file(argv[1]);
  std::vector<std::string> layers;
  for (int i = 2; i < argc; ++i) layers.push_back(read_file(argv[i]));

  strata::Arena layer_arena;
  std::vector<strata::Value> arena_layers;
  std::vector<Counted> counted_layers;
  std::vector<Shared> shared_layers;
  for (const std::string& layer : layers) {
    arena_layers.push_back(parse(layer, ArenaBuilder(layer_arena)));
    counted_layers.push_back(parse(layer, CountedBuilder()));
    shared_layers.push_back(parse(layer, SharedBuilder()));
  }

  constexpr int kRounds = 15;
  std::vector<double> scan;
  std::vector<double> build[3];
  std::vector<double> fold[3];
  const strata::Limits limits;
  const strata::Sources sources;
  strata::merge::NullRecorder unrecorded(sources);
  for (int round = 0; round < kRounds; ++round) {
    scan.push_back(milliseconds([&] { parse(text, ScanOnly()); }));
    build[0].push_back(milliseconds([&] {
      strata::Arena arena(text.size() * 2);
      parse(text, ArenaBuilder(arena));
    }));
    build[1].push_back(milliseconds([&] { parse(text, CountedBuilder()); }));
    build[2].push_back(milliseconds([&] { parse(text, SharedBuilder()); }));
    fold[0].push_back(milliseconds([&] {
      strata::Arena arena;
      strata::merge::Accumulator accumulator(arena, limits, unrecorded);
      accumulator.start({arena.mapping(), {}});
      for (const strata::Value& layer : arena_layers) accumulator.merge({layer, {}}, strata::merge::deep_replace());
    }));
    fold[1].push_back(milliseconds([&] {
      Counted result = counted_layers.front();
      for (std::size_t i = 1; i < counted_layers.size(); ++i) merge(result, counted_layers[i]);
    }));
    fold[2].push_back(milliseconds([&] {
      Shared result = shared_layers.front();
      for (std::size_t i = 1; i < shared_layers.size(); ++i) result = merged(result, shared_layers[i]);
    }));
  }
  std::printf("%-10s %12s %14s %12s\n", "", "parse ms", "x event scan", "merge ms");
  std::printf("%-10s %12.1f %14s %12s\n", "scan only", median(scan), "1.00", "");
  const char* names[] = {"arena", "counted", "shared"};
  for (int i = 0; i < 3; ++i)
    std::printf("%-10s %12.1f %14.2f %12.2f\n", names[i], median(build[i]), median(build[i]) / median(scan),
                median(fold[i]));
  return 0;
}
