// SPDX-License-Identifier: Apache-2.0
// The injector: warm and cold lookups a second, and what the injector of another node costs beside the first one. 250
// documents of 248 statements.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bindings/request.hpp"
#include "bindings/services.hpp"
#include "bindings/syntax/document.hpp"
#include "strata/bindings.hpp"

namespace strata::bindings {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kModules = 250;
constexpr int kKeys = 200;
constexpr int kRuns = 9;

std::string value(int i) {
  switch (i % 4) {
    case 0:
      return fmt::format("{}", i);
    case 1:
      return fmt::format("'value number {}'", i);
    case 2:
      return fmt::format("[{}, {}, 'x']", i, i + 1);
    default:
      return fmt::format("{{'a' => {}, 'b' => 'text', 'c' => [1, 2, 3]}}", i);
  }
}

std::string name(int module, int key) { return fmt::format("m{:03}::key_{:03}", module, key); }

std::string body(int module) {
  std::string text = fmt::format("bindings m{:03}::default {{\n", module);
  const auto bind = [&text, module](int step, const std::string& what, bool override) {
    for (int k = 0; k < kKeys; k += step)
      text += fmt::format("  bind {}'{}' to {}\n", override ? "override " : "", name(module, k),
                          what.empty() ? value(module * kKeys + k) : what);
  };
  bind(1, "", false);
  text += fmt::format("  multibind Array[String], 'm{0:03}::list' as 'm{0:03}-list'\n", module);
  for (int i = 0; i < 10; ++i) text += fmt::format("  bind to 'item {}' in 'm{:03}-list'\n", i, module);
  text += "  when node 'kermit.example.com' {\n";
  bind(5, "", true);
  text += "  }\n  when node 'other.example.com' {\n";
  bind(7, "'never'", false);
  text += "  }\n  when environment 'production' and virtual true {\n";
  bind(11, "'ev'", false);
  return text + "  }\n}\n";
}

struct Project {
  Session session{Snapshot::make(Engine::make(), memory_tree({}))};
  std::shared_ptr<Request> request = std::make_shared<Request>();
  std::vector<std::string> texts;

  Project() {
    for (int module = 0; module < kModules; ++module) texts.push_back(body(module));
    request->categories = {
        {"node", "kermit.example.com", {}}, {"environment", "production", {}}, {"virtual", "true", {}}};
    request->arena = std::make_shared<Arena>();
    request->scope = std::make_shared<puppet::Scope>(nullptr);
  }
  void parse() {
    Layer layer;
    layer.name = "modules";
    std::vector<std::shared_ptr<const Document>> documents;
    for (int module = 0; module < kModules; ++module) {
      const std::string document = fmt::format("m{:03}::default", module);
      documents.push_back(read_document(session.sources(),
                                        session.sources().add(document, texts[static_cast<std::size_t>(module)]),
                                        document, session.limits()));
    }
    layer.parts = {LayerPart::of(std::move(documents))};
    request->layers = {layer};
  }
  std::unique_ptr<Injector> injector(Preparations& shared, const std::string& node) {
    auto own = std::make_shared<Request>(*request);
    own->categories[0].value = node;
    return make_injector(shared, own, Services{}, session);
  }
};

double seconds(const auto& work) {
  const auto begin = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double median(std::vector<double> all) {
  std::ranges::sort(all);
  return all[all.size() / 2];
}

void run() {
  std::vector<std::string> names;
  for (int module = 0; module < kModules; ++module) {
    for (int key = 0; key < kKeys; ++key) names.push_back(name(module, key));
  }
  std::vector<double> parse;
  std::vector<double> first;
  std::vector<double> other;
  std::vector<double> cold;
  std::vector<double> warm;
  for (int i = 0; i < kRuns; ++i) {
    Project project;
    Preparations shared;
    parse.push_back(seconds([&] { project.parse(); }));
    std::unique_ptr<Injector> injector;
    first.push_back(seconds([&] { injector = project.injector(shared, "kermit.example.com"); }));
    std::unique_ptr<Injector> second;
    other.push_back(seconds([&] { second = project.injector(shared, "other.example.com"); }));
    std::size_t found = 0;
    const auto ask = [&] {
      for (const std::string& each : names) found += injector->find(each).value ? 1 : 0;
    };
    cold.push_back(static_cast<double>(names.size()) / seconds(ask));
    warm.push_back(static_cast<double>(names.size()) / seconds(ask));
    if (found != names.size() * 2) std::puts("some names were not found");
  }
  fmt::print("documents parsed             {:8.1f} ms\n", median(parse) * 1e3);
  fmt::print("first injector               {:8.1f} ms\n", median(first) * 1e3);
  fmt::print("injector of another node     {:8.2f} ms, {:.3f} of the first one (budget 0.2)\n", median(other) * 1e3,
             median(other) / median(first));
  fmt::print("cold lookups                 {:8.0f} thousand a second (budget 300)\n", median(cold) / 1e3);
  fmt::print("warm lookups                 {:8.0f} thousand a second (budget 2000)\n", median(warm) / 1e3);
}

}  // namespace
}  // namespace strata::bindings

int main() {
  strata::bindings::run();
  return 0;
}
