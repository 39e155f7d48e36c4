// SPDX-License-Identifier: Apache-2.0
// A fleet that stays, and edits of its files: how long the answer to each takes.
//
//     impact_resident INVENTORY [RUNS]     INVENTORY as workloads.py inventory makes it
//
// Prints a line for each edit: its name, the medians of wall and processor time, and how many subjects were asked. Exit
// status 1 where an answer differs from that of a Study that starts anew. impact.py prints the ratios.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "options.hpp"
#include "strata/executor.hpp"
#include "strata/paths.hpp"
#include "strata/process_host.hpp"
#include "strata/resident_fleet.hpp"
#include "strata/text.hpp"
#include "terminal.hpp"
#include "thread_pool.hpp"
#include "verb_question.hpp"

namespace strata {
namespace {

/// The text with the number of its first line like `KEY: NUMBER` raised.
std::string with_other_number(const std::string& text) {
  for (std::size_t line = 0; line < text.size(); line = text.find('\n', line) + 1) {
    const std::size_t end = text.find('\n', line);
    const std::size_t value = text.find(": ", line) + 2;
    const bool is_number = value < end && text.find_first_not_of("0123456789", value) == end;
    if (is_number) return text.substr(0, value) + std::to_string(std::stoul(text.substr(value)) + 1) + text.substr(end);
  }
  return text;
}

double processor_milliseconds() { return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double median(std::vector<double> figures) {
  const auto middle = figures.begin() + static_cast<std::ptrdiff_t>(figures.size() / 2);
  std::ranges::nth_element(figures, middle);
  return *middle;
}

std::string shown(const analysis::ImpactReport& report) {
  Arena arena;
  return text::write_json(analysis::impact_data(arena, report));
}

int run(const std::string& inventory, int runs) {
  using Clock = std::chrono::steady_clock;
  cli::SharedOptions options;
  const auto engine = Engine::make({.executor = std::make_shared<cli::ThreadPool>(0U)});
  const cli::QuestionTools tools{
      .own = options, .engine = engine, .folder = inventory, .tell = {}, .is_whole_process = false};
  const std::vector<std::string> words{
      "lookup", "--all", "--hiera-config", inventory + "/hiera.yaml", "--nodes", inventory + "/nodes.json"};
  const cli::VerbQuestion question({.words = words}, tools);
  const auto host = process_host({}, {});
  const auto inputs = std::make_shared<analysis::Inputs>(*host, inventory);
  const analysis::State state = analysis::kept({.files = host_tree(), .inputs = inputs}, engine,
                                               {.folder = inventory, .limits = question.verb().options().limits});
  analysis::Fleet fleet(question, state, {.folder = inventory, .executor = engine->settings().executor});
  const std::map<std::string, std::string> edits{{"a line of the weakest layer", "/data/common.yaml"},
                                                 {"a line of a role", "/data/role/role0.yaml"},
                                                 {"a line of one node's file", "/data/node/node0.yaml"}};
  bool is_right = true;
  for (const auto& [name, file] : edits) {
    const std::string path = inventory + file;
    const Edits edit{{path, with_other_number(host->read(path))}};
    std::vector<double> took;
    std::vector<double> used;
    for (int i = 0; i < runs; ++i) {
      const auto begin = Clock::now();
      const double used_before = processor_milliseconds();
      const analysis::ImpactReport report = fleet.apply(edit);
      took.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
      used.push_back(processor_milliseconds() - used_before);
      if (i > 0) continue;
      analysis::Study study(question, {.files = host_tree(), .inputs = inputs},
                            analysis::edited({.files = host_tree(), .inputs = inputs}, edit, inventory),
                            {.folder = inventory, .edited = {.paths = {path}, .no_others = true}});
      is_right = is_right && shown(report) == shown(study.impact(analysis::GroupBy::effect));
    }
    fmt::print("{:28} {:8.2f} ms, processor {:8.2f} ms, {} answers\n", name, median(took), median(used), fleet.asked());
  }
  return is_right ? 0 : 1;
}

}  // namespace
}  // namespace strata

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: impact_resident INVENTORY [RUNS]\n");
    return 2;
  }
  return strata::run(strata::absolute_path(strata::cli::working_folder(), argv[1]), argc > 2 ? std::atoi(argv[2]) : 11);
}
