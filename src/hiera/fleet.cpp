// A fleet's lookup: threads that take batches of nodes, and results in the order of the nodes.
#include "strata/fleet.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "fleet_worker.hpp"
#include "strata/stop.hpp"
#include "value/lent_threads.hpp"
#include "view.hpp"

namespace strata::hiera {
namespace {

/// Some neighbouring nodes' results, up to what ended the run.
struct Batch {
  std::vector<FleetResult> results;
  std::exception_ptr error;
};

/// The threads of an executor and the caller's own work on batches of nodes. Nobody begins a batch that is too far ahead of the results that were
/// taken, so that few are held at a time.
class Crowd {
 public:
  Crowd(detail::DirectoryState& directory, Session& session, NodeSource& nodes, const FleetQuery& query, std::shared_ptr<Executor> executor)
      : directory_(directory),
        session_(session),
        nodes_(nodes),
        query_(query),
        own_(directory, session, query),
        threads_(std::move(executor), [this] { work(); }),
        window_(std::size_t{2} * threads_.width() + 2) {}
  ~Crowd() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    stopped_ = true;
  }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

  /// The next results in order; none at the end.
  std::optional<Batch> take() {
    for (;;) {
      for (std::size_t i = 0; i < threads_.width(); ++i) threads_.call();
      std::unique_lock lock(mutex_);
      if (const auto next = done_.find(taken_); next != done_.end()) {
        Batch batch = std::move(next->second);
        done_.erase(next);
        ++taken_;
        return batch;
      }
      if (failure_) std::rethrow_exception(failure_);
      if (auto begun = begin()) {
        lock.unlock();
        finish(begun->number, look_up(own_, std::move(*begun)));
      } else if (ended_ && taken_ == begun_) {
        return std::nullopt;
      } else {
        // What comes next is another thread's.
        produced_.wait(lock, [this] { return done_.contains(taken_) || failure_; });
      }
    }
  }

 private:
  // Small results are worth the trouble of handing them over in large batches only; large ones are kept in small numbers.
  static constexpr std::size_t kSmallestBatch = 8;
  static constexpr std::size_t kLargestBatch = 128;
  static constexpr std::size_t kBatchBytes = std::size_t{1} << 18U;

  struct Begun {
    std::size_t number;
    std::vector<FleetNode> nodes;
    std::exception_ptr error;  ///< What ended the list.
  };

  /// The nodes of the next batch; none where there are no more, or no room. The mutex is held.
  std::optional<Begun> begin() {
    if (ended_ || begun_ >= taken_ + window_) return std::nullopt;
    Begun begun{.number = begun_, .nodes = {}, .error = nullptr};
    try {
      while (begun.nodes.size() < batch_) {
        auto node = nodes_.next();
        if (!node) {
          ended_ = true;
          break;
        }
        begun.nodes.push_back(std::move(*node));
      }
    } catch (...) {
      begun.error = std::current_exception();
      ended_ = true;
    }
    if (begun.nodes.empty() && !begun.error) return std::nullopt;
    ++begun_;
    return begun;
  }

  [[nodiscard]] Batch look_up(FleetWorker& worker, Begun begun) {
    Batch batch;
    try {
      for (const FleetNode& node : begun.nodes) {
        if (stopped()) break;
        // Small nodes end before anything in them looks.
        session_.stop().check();
        batch.results.push_back(worker.look_up(node));
      }
      batch.error = begun.error;
    } catch (...) {
      batch.error = std::current_exception();
    }
    return batch;
  }

  void finish(std::size_t number, Batch batch) {
    std::size_t bytes = 1;
    for (const FleetResult& result : batch.results) bytes += result.text.size();
    const std::size_t wanted = kBatchBytes * batch.results.size() / bytes;
    bool is_awaited = false;
    {
      const std::lock_guard lock(mutex_);
      batch_ = std::clamp(wanted, kSmallestBatch, kLargestBatch);
      if (batch.error) ended_ = true;
      is_awaited = number == taken_;
      done_.emplace(number, std::move(batch));
    }
    if (is_awaited) produced_.notify_one();
  }

  /// What another thread does. Nothing is thrown out of it.
  void work() noexcept {
    try {
      std::unique_ptr<FleetWorker> worker = spare_worker();
      for (;;) {
        std::unique_lock lock(mutex_);
        auto begun = begin();
        if (!begun) {
          spare_.push_back(std::move(worker));
          return;
        }
        lock.unlock();
        const std::size_t number = begun->number;
        finish(number, look_up(*worker, std::move(*begun)));
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      ended_ = true;
      produced_.notify_one();
    }
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

  bool stopped() {
    const std::lock_guard lock(mutex_);
    return stopped_;
  }

  detail::DirectoryState& directory_;
  Session& session_;
  NodeSource& nodes_;
  const FleetQuery& query_;
  FleetWorker own_;

  std::mutex mutex_;                  ///< Of all below, and of `nodes_`.
  std::condition_variable produced_;  ///< The batch that is taken next is done, or will never be.
  std::size_t batch_ = kSmallestBatch;
  std::map<std::size_t, Batch> done_;  ///< Not taken yet.
  std::size_t begun_ = 0;
  std::size_t taken_ = 0;
  bool ended_ = false;          ///< No batch is begun any more.
  bool stopped_ = false;        ///< Nobody takes results any more.
  std::exception_ptr failure_;  ///< Of a worker, whose batch will never be done.
  std::vector<std::unique_ptr<FleetWorker>> spare_;
  strata::detail::LentThreads threads_;  ///< Ends before all others.
  std::size_t window_;
};

}  // namespace

void fleet(const Settings& settings, NodeSource& nodes, const FleetQuery& query, Session& session, const FleetSink& sink) {
  detail::DirectoryState& directory = detail::DirectoryState::of(settings, session.snapshot());
  std::shared_ptr<Executor> executor = session.snapshot().engine().settings().executor;
  if (executor == nullptr || executor->width() == 0 || nodes.size() == 1U) {
    FleetWorker worker(directory, session, query);
    while (const auto node = nodes.next()) {
      session.stop().check();
      sink(worker.look_up(*node));
    }
    return;
  }
  Crowd crowd(directory, session, nodes, query, std::move(executor));
  while (auto batch = crowd.take()) {
    for (FleetResult& result : batch->results) sink(std::move(result));
    if (batch->error) std::rethrow_exception(batch->error);
  }
}

}  // namespace strata::hiera
