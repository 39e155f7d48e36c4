// SPDX-License-Identifier: Apache-2.0
#include "service/sites/usage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "service/operation/metrics.hpp"
#include "service/sites/state.hpp"

namespace strata::service::sites {

void Usage::count_evaluation(std::string_view verb, bool is_answered) {
  const std::scoped_lock lock(mutex_);
  auto found = evaluations_.find(verb);
  if (found == evaluations_.end())
    found = evaluations_.emplace(std::string(verb), std::array<std::uint64_t, 2>{}).first;
  ++found->second[is_answered ? 0 : 1];
}

void Usage::count_snapshot(std::chrono::nanoseconds time) {
  const std::scoped_lock lock(mutex_);
  ++snapshots_;
  snapshot_time_ += time;
}

bool Usage::trim(std::size_t documents) {
  const std::size_t states_take = documents + static_cast<std::size_t>(snapshot_bytes);
  const std::size_t room = states_take < budget ? budget - states_take : 0;
  const std::size_t of_fleets = fleets.bytes();
  answers.shrink(of_fleets < room ? room - of_fleets : 0);
  fleets.shrink(room - std::min(room, answers.bytes()));
  return states_take > budget;
}

void Usage::append_to(std::string& out, std::size_t documents) const {
  {
    const std::scoped_lock lock(mutex_);
    append_metric_head(out, "strata_evaluations_total", "counter", "Evaluations of nodes.");
    for (const auto& [verb, counts] : evaluations_) {
      const dialects::Entry* dialect = dialects::find_verb(verb);
      for (std::size_t i = 0; i < counts.size(); ++i) {
        out += fmt::format("strata_evaluations_total{{dialect={},outcome=\"{}\"}} {}\n",
                           metric_label(dialect == nullptr ? std::string_view(verb) : dialect->name),
                           i == 0 ? "success" : "failure", counts[i]);
      }
    }
    append_metric_head(out, "strata_snapshot_seconds", "summary", "Time to make a generation of a site.");
    out += fmt::format("strata_snapshot_seconds_sum {}\nstrata_snapshot_seconds_count {}\n",
                       static_cast<double>(snapshot_time_.count()) / 1e9, snapshots_);
  }
  append_metric(out, "strata_cache_hits", "counter", "Answers that were in memory.", static_cast<double>(hits));
  append_metric(out, "strata_cache_misses", "counter", "Answers that were not.", static_cast<double>(misses));
  append_metric_head(out, "strata_cache_bytes", "gauge",
                     "Bytes in memory of answers, of fleets, of files of states of sites, of documents.");
  out += fmt::format(
      "strata_cache_bytes{{kind=\"answers\"}} {}\nstrata_cache_bytes{{kind=\"fleets\"}} "
      "{}\nstrata_cache_bytes{{kind=\"snapshots\"}} {}\n"
      "strata_cache_bytes{{kind=\"documents\"}} {}\n",
      answers.bytes(), fleets.bytes(), snapshot_bytes.load(), documents);
  append_metric(out, "strata_cache_budget_bytes", "gauge", "What all that may take.", static_cast<double>(budget));
  append_metric(out, "strata_site_states", "gauge", "States of sites in memory.", static_cast<double>(states));
}

}  // namespace strata::service::sites
