// A fleet's lookup: threads that take nodes, and results in the order of the nodes.
#include "strata/fleet.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "fleet_worker.hpp"
#include "strata/stop.hpp"
#include "view.hpp"

namespace strata::hiera {
namespace {

/// Some neighbouring nodes' results, up to what ended the run.
struct Batch {
  std::vector<FleetResult> results;
  std::exception_ptr error;
};

/// Worker threads and what they share. Workers wait where they are too far ahead of the results that were taken, so that few are held at a time.
class WorkerPool {
 public:
  WorkerPool(detail::DirectoryState& directory, Session& session, NodeSource& nodes, const FleetQuery& query, unsigned threads)
      : directory_(directory), session_(session), nodes_(nodes), query_(query), window_(std::size_t{2} * threads + 2) {
    threads_.reserve(threads);
    try {
      for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      // There can be no more threads: those that there are do the work.
    } catch (...) {
      stop();
      throw;
    }
  }
  ~WorkerPool() { stop(); }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Whether no thread could be made.
  [[nodiscard]] bool is_empty() const noexcept { return threads_.empty(); }

  /// The next results in order; none at the end.
  std::optional<Batch> take() {
    std::unique_lock lock(mutex_);
    produced_.wait(lock, [this] { return done_.contains(taken_) || failure_ || (ended_ && taken_ == begun_); });
    const auto next = done_.find(taken_);
    if (next == done_.end() && failure_) std::rethrow_exception(failure_);
    if (next == done_.end()) return std::nullopt;
    Batch batch = std::move(next->second);
    done_.erase(next);
    ++taken_;
    lock.unlock();
    room_.notify_one();
    return batch;
  }

 private:
  // Small results are worth the trouble of handing them over in large batches only; large ones are kept in small numbers.
  static constexpr std::size_t kSmallestBatch = 8;
  static constexpr std::size_t kLargestBatch = 128;
  static constexpr std::size_t kBatchBytes = std::size_t{1} << 18U;

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
      stopped_ = true;
    }
    room_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  /// The nodes of the next batch, in `nodes`, and its number; none at the end.
  std::optional<std::size_t> begin(std::vector<FleetNode>& nodes, std::exception_ptr& error) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [this] { return ended_ || begun_ < taken_ + window_; });
    if (ended_) return std::nullopt;
    nodes.clear();
    try {
      while (nodes.size() < batch_) {
        auto node = nodes_.next();
        if (!node) {
          ended_ = true;
          break;
        }
        nodes.push_back(std::move(*node));
      }
    } catch (...) {
      error = std::current_exception();
      ended_ = true;
    }
    if (ended_) {
      room_.notify_all();
      produced_.notify_one();
    }
    if (nodes.empty() && !error) return std::nullopt;
    return begun_++;
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

  /// What a thread does. Nothing is thrown out of it.
  void work() noexcept {
    try {
      work_on_batches();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      ended_ = true;
      room_.notify_all();
      produced_.notify_one();
    }
  }

  void work_on_batches() {
    FleetWorker worker(directory_, session_, query_);
    std::vector<FleetNode> nodes;
    Batch batch;
    while (const auto number = begin(nodes, batch.error)) {
      const std::exception_ptr end_of_list = std::exchange(batch.error, nullptr);
      try {
        for (const FleetNode& node : nodes) {
          if (stopped()) break;
          check_end();
          batch.results.push_back(worker.look_up(node));
        }
        batch.error = end_of_list;
      } catch (...) {
        batch.error = std::current_exception();
      }
      finish(*number, std::exchange(batch, {}));
    }
  }

  /// Small nodes end before anything in them looks.
  void check_end() const { session_.stop().check(); }

  bool stopped() {
    const std::lock_guard lock(mutex_);
    return stopped_;
  }

  detail::DirectoryState& directory_;
  Session& session_;
  NodeSource& nodes_;
  const FleetQuery& query_;
  std::size_t window_;

  std::mutex mutex_;                  ///< Of all below, and of `nodes_`.
  std::condition_variable produced_;  ///< The batch that is taken next is done, or there will be none.
  std::condition_variable room_;      ///< A batch may be begun, or none will be.
  std::size_t batch_ = kSmallestBatch;
  std::map<std::size_t, Batch> done_;  ///< Not taken yet.
  std::size_t begun_ = 0;
  std::size_t taken_ = 0;
  bool ended_ = false;          ///< No batch is begun any more.
  bool stopped_ = false;        ///< Nobody takes results any more.
  std::exception_ptr failure_;  ///< Of a worker, whose batch will never be done.
  std::vector<std::thread> threads_;
};

/// As many as there are cores and nodes for.
unsigned thread_count(const NodeSource& nodes, unsigned wanted) {
  unsigned out = wanted != 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
  if (const auto size = nodes.size()) out = static_cast<unsigned>(std::min<std::size_t>(out, std::max<std::size_t>(*size, 1)));
  return std::min(out, 1024U);
}

}  // namespace

void fleet(const Settings& settings, NodeSource& nodes, const FleetQuery& query, Session& session, const FleetSink& sink) {
  detail::DirectoryState& directory = detail::DirectoryState::of(settings, session.snapshot());
  const unsigned threads = thread_count(nodes, query.threads);
  std::optional<WorkerPool> pool;
  if (threads > 1) pool.emplace(directory, session, nodes, query, threads);
  if (!pool || pool->is_empty()) {
    FleetWorker worker(directory, session, query);
    while (const auto node = nodes.next()) {
      session.stop().check();
      sink(worker.look_up(*node));
    }
    return;
  }
  while (auto batch = pool->take()) {
    for (FleetResult& result : batch->results) sink(std::move(result));
    if (batch->error) std::rethrow_exception(batch->error);
  }
}

}  // namespace strata::hiera
