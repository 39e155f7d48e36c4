// SPDX-License-Identifier: Apache-2.0
// A fleet's lookup: threads that take batches of nodes, and results in the order of the nodes.
#include "strata/fleet.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "fleet_worker.hpp"
#include "strata/stop.hpp"
#include "value/in_order.hpp"
#include "view.hpp"

namespace strata::hiera {
namespace {

/// Some neighbouring nodes, and what ended the list behind them.
struct Nodes {
  std::vector<FleetNode> nodes;
  std::exception_ptr error = nullptr;
};

/// Their results, up to what ended the run.
struct Batch {
  std::vector<FleetResult> results;
  std::exception_ptr error = nullptr;
};

/// Looks up batches of nodes on several threads.
class Batches {
 public:
  Batches(detail::DirectoryState& directory, Session& session, NodeSource& nodes, const FleetQuery& query,
          std::shared_ptr<Executor> executor)
      : directory_(directory),
        session_(session),
        nodes_(nodes),
        query_(query),
        work_(
            std::move(executor), session.limits().depth, [this] { return next_nodes(); },
            [this](const Nodes& some) { return look_up(some); }) {}

  /// The next results in order; none at the end.
  std::optional<Batch> next() { return work_.next(); }

 private:
  // Small results are worth the trouble of handing them over in large batches only; large ones are kept in small
  // numbers.
  static constexpr std::size_t kSmallest = 8;
  static constexpr std::size_t kLargest = 128;
  static constexpr std::size_t kBytes = std::size_t{1} << 18U;

  std::optional<Nodes> next_nodes() {
    Nodes some;
    if (has_ended_) return std::nullopt;
    try {
      while (some.nodes.size() < size_.load(std::memory_order_relaxed)) {
        auto node = nodes_.next();
        has_ended_ = !node;
        if (has_ended_) break;
        some.nodes.push_back(std::move(*node));
      }
    } catch (...) {
      some.error = std::current_exception();
      has_ended_ = true;
    }
    return some.nodes.empty() && !some.error ? std::nullopt : std::optional(std::move(some));
  }

  Batch look_up(const Nodes& some) {
    std::unique_ptr<FleetWorker> worker = spare_worker();
    Batch batch;
    std::size_t bytes = 1;
    try {
      for (const FleetNode& node : some.nodes) {
        if (work_.is_abandoned()) break;
        // Small nodes end before anything in them looks.
        session_.stop().check();
        batch.results.push_back(worker->look_up(node));
        bytes += batch.results.back().text.size();
      }
      batch.error = some.error;
    } catch (...) {
      batch.error = std::current_exception();
    }
    size_.store(std::clamp(kBytes * batch.results.size() / bytes, kSmallest, kLargest), std::memory_order_relaxed);
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(worker));
    return batch;
  }

  /// Workers remember results: what one has is used again.
  std::unique_ptr<FleetWorker> spare_worker() {
    {
      const std::lock_guard lock(mutex_);
      if (!spare_.empty()) {
        std::unique_ptr<FleetWorker> worker = std::move(spare_.back());
        spare_.pop_back();
        return worker;
      }
    }
    return std::make_unique<FleetWorker>(directory_, session_, query_);
  }

  detail::DirectoryState& directory_;
  Session& session_;
  NodeSource& nodes_;
  const FleetQuery& query_;
  bool has_ended_ = false;                     ///< Of the nodes.
  std::atomic<std::size_t> size_ = kSmallest;  ///< Of the batches that are begun now.
  std::mutex mutex_;                           ///< Of the spare workers.
  std::vector<std::unique_ptr<FleetWorker>> spare_;
  strata::detail::InOrder<Nodes, Batch> work_;  ///< Ends before all others.
};

}  // namespace

void fleet(const Settings& settings, NodeSource& nodes, const FleetQuery& query, Session& session,
           const FleetSink& sink) {
  detail::DirectoryState& directory = detail::DirectoryState::of(settings, session.snapshot());
  const std::shared_ptr<Executor>& executor = session.snapshot().engine().settings().executor;
  if (executor == nullptr || executor->width() == 0 || nodes.size() == 1U) {
    FleetWorker worker(directory, session, query);
    while (const auto node = nodes.next()) {
      session.stop().check();
      sink(worker.look_up(*node));
    }
    return;
  }
  Batches batches(directory, session, nodes, query, executor);
  while (auto batch = batches.next()) {
    for (FleetResult& result : batch->results) sink(std::move(result));
    if (batch->error) std::rethrow_exception(batch->error);
  }
}

}  // namespace strata::hiera
