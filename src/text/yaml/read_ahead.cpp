// SPDX-License-Identifier: Apache-2.0
#include "text/yaml/read_ahead.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "value/lent_threads.hpp"

namespace strata::text {
namespace {

enum class Stage : std::uint8_t { waiting, reading, read, gone };

struct QueuedText {
  SourceId source{};
  std::size_t bytes = 0;
  Stage stage = Stage::waiting;
  Document document = {};
  std::exception_ptr error = nullptr;
};

/// Serves one reader at a time.
struct Pool {
  explicit Pool(const std::shared_ptr<Arena>& nodes) : documents(nodes, keys) {}
  std::shared_ptr<Arena> keys = std::make_shared<Arena>();
  DocumentPool documents;
};

/// They live on, without the request.
struct Pools {
  std::deque<Pool> all;
  std::vector<Pool*> unused;
};

}  // namespace

/// What the caller and the readers share.
struct ReadAhead::State {
  static constexpr std::size_t kNone = SIZE_MAX;

  State(ReadAhead& ahead, Pools& its_pools)
      : sources(ahead.sources_),
        profile(ahead.profile_),
        limits(ahead.limits_),
        nodes(ahead.nodes_),
        pools(its_pools),
        threads(ahead.executor_, ahead.limits_.depth, [this] { read(); }) {}

  Sources& sources;
  const Profile& profile;
  const Limits& limits;
  Nodes nodes;

  std::mutex mutex;  ///< Of all below.
  std::condition_variable changed;
  Pools& pools;
  std::deque<QueuedText> texts;
  std::unordered_map<SourceId, std::size_t> places;
  std::size_t first = 0;        ///< Texts before it were taken, or are not wanted.
  std::size_t next = 0;         ///< Texts before it are not waiting.
  std::size_t awaited = kNone;  ///< The place of the text that the caller waits for.
  std::size_t held = 0;         ///< Bytes of the texts that are being read, or were read and not taken.
  detail::LentThreads threads;  ///< Ends before all others.

  /// Drops the texts that no thread has begun.
  ~State() {
    const std::lock_guard lock(mutex);
    next = texts.size();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// Whether a text may be begun; `next` is its place then.
  [[nodiscard]] bool has_work() {
    while (next < texts.size() && texts[next].stage != Stage::waiting) ++next;
    return next < texts.size() && (held == 0 || held + texts[next].bytes <= kWindow);
  }

  /// Calls as many threads as there is work for.
  void call(std::unique_lock<std::mutex> lock) {
    if (!has_work()) return;
    const std::size_t wanted = std::min(threads.width(), texts.size() - next);
    lock.unlock();
    for (std::size_t i = 0; i < wanted; ++i) threads.call();
  }

  [[nodiscard]] Pool* take_pool() {
    if (pools.unused.empty()) {
      pools.unused.reserve(pools.all.size() + 1);
      pools.unused.push_back(&pools.all.emplace_back(nodes == Nodes::together ? std::make_shared<Arena>() : nullptr));
    }
    Pool* const pool = pools.unused.back();
    pools.unused.pop_back();
    pool->keys->meter(limits.stop);
    return pool;
  }
  void give_back(Pool* pool) {
    pool->keys->meter(nullptr);
    pools.unused.push_back(pool);
  }

  /// What a thread does.
  void read() noexcept try {
    std::unique_lock lock(mutex);
    if (!has_work()) return;
    Pool* const pool = take_pool();
    while (has_work()) read_next(lock, pool->documents);
    give_back(pool);
  } catch (...) {
    // No memory for a pool: the caller's thread reads.
  }

  /// Reads a text. There must be work.
  void read_next(std::unique_lock<std::mutex>& lock, DocumentPool& pool) {
    const std::size_t place = next++;
    QueuedText& text = texts[place];
    text.stage = Stage::reading;
    held += text.bytes;
    lock.unlock();
    try {
      // Measured on real user-data: about two and a half bytes of nodes for each byte of text.
      if (nodes == Nodes::apart) pool.use(std::make_shared<Arena>(text.bytes * 5 / 2));
      text.document = read_yaml(sources, text.source, profile, limits, pool);
    } catch (...) {
      text.error = std::current_exception();
    }
    if (nodes == Nodes::apart) pool.use(nullptr);
    lock.lock();
    text.stage = Stage::read;
    if (place < first) forget(text);
    if (place == awaited) changed.notify_one();
  }

  /// Reads other texts until another thread has read the one at `place`.
  void await(std::unique_lock<std::mutex>& lock, std::size_t place) {
    awaited = place;
    const QueuedText& text = texts[place];
    while (text.stage == Stage::reading && has_work()) {
      Pool* const pool = take_pool();
      read_next(lock, pool->documents);
      give_back(pool);
    }
    changed.wait(lock, [&text] { return text.stage != Stage::reading; });
    awaited = kNone;
  }

  /// The caller goes on to the text at `place`.
  void leave_out_before(std::size_t place) {
    for (; first < place; ++first) {
      QueuedText& text = texts[first];
      if (text.stage == Stage::waiting) text.stage = Stage::gone;
      if (text.stage == Stage::read) forget(text);
    }
  }

  void forget(QueuedText& text) {
    text.stage = Stage::gone;
    text.document = {};
    text.error = nullptr;
    held -= text.bytes;
  }
};

ReadAhead::ReadAhead(std::shared_ptr<Executor> executor, Sources& sources, const Profile& profile, const Limits& limits,
                     Nodes nodes)
    : executor_(std::move(executor)), sources_(sources), profile_(profile), limits_(limits), nodes_(nodes) {}

ReadAhead::~ReadAhead() = default;

void ReadAhead::expect(std::span<const SourceId> texts) {
  if (executor_ == nullptr || executor_->width() == 0 || texts.size() < 2) return;
  std::size_t bytes = 0;
  for (const SourceId source : texts) bytes += sources_.text(source).size();
  if (bytes < kLeast) return;
  if (state_ == nullptr) {
    const auto pools = std::make_shared<Pools>();
    memory_ = pools;
    state_ = std::make_unique<State>(*this, *pools);
  }
  std::unique_lock lock(state_->mutex);
  for (const SourceId source : texts) {
    if (!state_->places.try_emplace(source, state_->texts.size()).second) continue;
    state_->texts.push_back({.source = source, .bytes = sources_.text(source).size()});
  }
  state_->call(std::move(lock));
}

Document ReadAhead::take(SourceId source, DocumentPool& pool) {
  if (state_ == nullptr) return read_yaml(sources_, source, profile_, limits_, pool);
  std::unique_lock lock(state_->mutex);
  const auto known = state_->places.find(source);
  if (known == state_->places.end()) {
    lock.unlock();
    return read_yaml(sources_, source, profile_, limits_, pool);
  }
  QueuedText& text = state_->texts[known->second];
  state_->leave_out_before(known->second);
  if (text.stage == Stage::waiting) text.stage = Stage::gone;
  state_->await(lock, known->second);
  if (text.stage == Stage::gone) {
    state_->call(std::move(lock));
    return read_yaml(sources_, source, profile_, limits_, pool);
  }
  const std::exception_ptr error = std::exchange(text.error, nullptr);
  Document document = std::move(text.document);
  state_->forget(text);
  state_->call(std::move(lock));
  if (error) std::rethrow_exception(error);
  return document;
}

}  // namespace strata::text
