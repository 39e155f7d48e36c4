// One request: what it makes, what it is told, what it may cost, and when it must end.
#pragma once

#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/merge.hpp"
#include "strata/snapshot.hpp"
#include "strata/stop.hpp"
#include "strata/value.hpp"

namespace strata {

/// What somebody who asks may decide.
struct SessionSettings {
  Limits limits = {};             ///< `stop`, where it is set, ends this request as well as others that have it.
  bool keeps_history = false;     ///< Record where every leaf came from, for explanations. Costs time and memory.
  Host* host = nullptr;           ///< Commands, environment variables and the network for this request; null: it has none. Outlives the Session.
  bool is_whole_process = false;  ///< The request is all that the process does: what the process spends is what the request spends (Budget).
};

/// One request over one Snapshot. Every entry of a dialect is `Result f(const Request&, Session&)`.
///
/// It owns what the request makes and the texts that describe it; `memory()` keeps all of that alive for a Result, when the Session is gone.
/// One thread's, but for `stop()`, which anybody may cancel. Errors of its making: `limit.stack`, where Limits::depth is more than
/// deepest_on_stack().
class Session {
 public:
  explicit Session(std::shared_ptr<Snapshot> snapshot, const SessionSettings& settings = {});
  /// A part of the work of `parent` with memory, diagnostics and a budget of its own: one node of a fleet. It ends when `parent` must end. Made by
  /// the thread that does the work.
  explicit Session(const Session& parent, bool keeps_history);
  /// A part of the work of `parent` with diagnostics of its own, and everything else in common.
  [[nodiscard]] static Session beside(const Session& parent) { return Session(parent, parent.memory_); }
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] Snapshot& snapshot() const noexcept { return *snapshot_; }
  [[nodiscard]] const std::shared_ptr<Snapshot>& shared_snapshot() const noexcept { return snapshot_; }
  /// Where configuration is read from.
  [[nodiscard]] const FileTree& tree() const noexcept { return snapshot_->tree(); }
  [[nodiscard]] Host* host() const noexcept { return settings_.host; }

  [[nodiscard]] Sources& sources() noexcept { return memory_->sources; }
  /// Where provenance is told.
  [[nodiscard]] merge::Recorder& recorder() noexcept { return *memory_->recorder; }
  [[nodiscard]] Diagnostics& diagnostics() noexcept { return diagnostics_; }
  [[nodiscard]] const Diagnostics& diagnostics() const noexcept { return diagnostics_; }
  /// Those of the settings; `stop` is always there.
  [[nodiscard]] const Limits& limits() const noexcept { return settings_.limits; }
  [[nodiscard]] Stop& stop() noexcept { return *stop_; }
  /// Whether only the budget of this part of a larger piece of work is spent, so that the other parts may go on.
  [[nodiscard]] bool is_spent_alone(const Session& whole) const noexcept { return stop_->is_spent() && !whole.stop_->is_due(); }
  /// Where values go that live as long as the results.
  [[nodiscard]] Arena& arena() noexcept { return memory_->arena; }
  /// Another arena of the same life, for values that are made in bulk.
  [[nodiscard]] const std::shared_ptr<Arena>& new_arena();
  /// Keeps `owner` as long as the results; the same one once.
  void keep(const std::shared_ptr<const void>& owner);
  /// What a Result holds: everything that the request made, and what it kept.
  [[nodiscard]] std::shared_ptr<const void> memory() const noexcept { return memory_; }

  /// A file of the Snapshot in a form (Snapshot::read), kept as long as the results.
  template <class Parsed>
  [[nodiscard]] std::shared_ptr<const Parsed> read(std::string_view path, std::string_view form, const FileReader<Parsed>& reader) {
    auto parsed = snapshot_->read<Parsed>(path, form, stop_.get(), reader);
    if (parsed) keep(parsed);
    return parsed;
  }

 private:
  struct Memory;
  Session(const Session& parent, std::shared_ptr<Memory> memory);
  /// The budget and what is counted for it.
  void begin(bool is_whole_process);

  struct Memory {
    Memory(const Snapshot& snapshot, bool keeps_history);
    Sources sources;
    merge::NullRecorder nothing;
    std::unique_ptr<merge::History> history;
    merge::Recorder* recorder;
    Arena arena;
    std::unordered_map<const void*, std::shared_ptr<const void>> owners;
    std::vector<std::shared_ptr<Arena>> arenas;
  };

  std::shared_ptr<Snapshot> snapshot_;
  SessionSettings settings_;
  std::shared_ptr<Stop> stop_;
  Diagnostics diagnostics_;
  std::shared_ptr<Memory> memory_;
  bool has_begun_ = false;  ///< The budget is this Session's.
};

}  // namespace strata
