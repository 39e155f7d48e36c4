// SPDX-License-Identifier: Apache-2.0
// A warm lookup through the C interface beside the same call in C++, one thread, in rounds that alternate.
//   c_bench FOLDER [ROUNDS]    a code directory made by workloads.py hierarchy; prints a JSON object: nanoseconds of a
//   lookup, medians
// What is warm: the files are read, the node is known. `again`: the same keys of the same node were asked before.
// `first`: nothing that was found before may answer (C++: NodeView::forget; C: no results are kept).
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "strata/hiera.hpp"
#include "strata/strata.h"

namespace {

using namespace strata;

constexpr int kKeys = 64;
constexpr int kCalls = 5000;
using Clock = std::chrono::steady_clock;

std::string key_of(int number) {
  std::array<char, 16> name{};
  std::snprintf(name.data(), name.size(), "key_%04d", number % kKeys);
  return name.data();
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "c_bench: %s\n", what);
  std::exit(1);
}

/// The same question through C.
class Project {
 public:
  Project(const std::string& folder, const char* more) {
    const std::string options = R"({"words": ["lookup", "--all", "--codedir", ")" + folder + R"(/code", "--facts", ")" +
                                folder + R"(/facts.yaml"])" + more + "}";
    strata_error* error = nullptr;
    const strata_status status = strata_project_open(strata_text_of(options.c_str()), nullptr, &project_, &error);
    require(status == STRATA_OK, error == nullptr ? "the project does not open" : strata_error_format(error).data);
    for (int i = 0; i < kKeys; ++i) queries_.push_back(R"({"keys": [")" + key_of(i) + "\"]}");
  }
  ~Project() { strata_project_free(project_); }
  Project(const Project&) = delete;
  Project& operator=(const Project&) = delete;

  [[nodiscard]] std::size_t get(int number) const {
    const std::string& query = queries_[static_cast<std::size_t>(number % kKeys)];
    strata_result* result = nullptr;
    require(strata_project_get(project_, strata_text{}, {query.data(), query.size()}, nullptr, &result, nullptr) ==
                STRATA_OK,
            "no result");
    const std::size_t size = strata_value_text(strata_result_value(result)).size;
    strata_result_free(result);
    return size;
  }

 private:
  strata_project* project_ = nullptr;
  std::vector<std::string> queries_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: c_bench FOLDER [ROUNDS]\n", stderr);
    return 2;
  }
  const std::string folder = argv[1];
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 15;

  const auto snapshot = Snapshot::make(Engine::make({.file_cache = 0}), host_tree());
  SessionSettings settings;
  settings.limits.processor_seconds = 1'000'000;  // One request that never ends.
  Session session(snapshot, settings);
  std::ifstream file(folder + "/facts.yaml");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const hiera::Facts facts =
      hiera::read_facts(session.sources(), session.sources().add("facts.yaml", text), "facts.yaml", {});
  hiera::NodeView view({.codedir = folder + "/code", .environment = "production"}, facts, session);
  std::vector<hiera::Query> queries(kKeys);
  for (int i = 0; i < kKeys; ++i) queries[static_cast<std::size_t>(i)].names = {key_of(i)};
  const auto look_up = [&](int number, bool again) {
    const hiera::Result result = view.lookup(queries[static_cast<std::size_t>(number % kKeys)]);
    const std::size_t size = result.value.value.is_text() ? result.value.value.text().size() : 0;
    if (!again) view.forget();
    return size;
  };
  const Project kept(folder, "");
  const Project unkept(folder, R"(, "cache": 0)");
  for (int i = 0; i < kKeys; ++i) {
    const std::size_t size = look_up(i, true);
    require(kept.get(i) == size && unkept.get(i) == size, "the answers differ");
  }

  struct Way {
    const char* name;
    std::function<std::size_t(int)> call;
    std::vector<double> times = {};
  };
  std::array<Way, 4> ways{{{"cpp_again", [&](int i) { return look_up(i, true); }},
                           {"c_again", [&](int i) { return kept.get(i); }},
                           {"cpp_first", [&](int i) { return look_up(i, false); }},
                           {"c_first", [&](int i) { return unkept.get(i); }}}};
  std::size_t sum = 0;
  for (int round = 0; round < rounds; ++round) {
    for (Way& way : ways) {
      const auto begin = Clock::now();
      for (int i = 0; i < kCalls; ++i) sum += way.call(i);
      way.times.push_back(std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / kCalls);
    }
  }
  require(sum != 0, "the values are empty");
  std::printf("{");
  for (Way& way : ways) {
    std::ranges::sort(way.times);
    std::printf("%s\"%s\": %.1f", &way == ways.data() ? "" : ", ", way.name, way.times[way.times.size() / 2]);
  }
  std::printf("}\n");
}
