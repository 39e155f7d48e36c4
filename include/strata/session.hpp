// SPDX-License-Identifier: Apache-2.0
// One request: its memory, its warnings, its limits, and when it must end.
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

/// Settings of a request.
struct SessionSettings {
  Limits limits = {};          ///< If `stop` is set, it ends this request and all others that have it.
  bool keeps_history = false;  ///< Record where every leaf came from, for explanations. Costs time and memory.
  /// Programs, environment variables and the network for this request. Null: it has none. Must outlive the Session.
  Host* host = nullptr;
  /// The process does nothing besides this request: everything that the process uses counts for the request (Budget).
  bool is_whole_process = false;
};

/// One request over one Snapshot. Every entry point of a dialect is `Result f(const Request&, Session&)`.
///
/// It owns what the request makes and the texts that describe it; `memory()` keeps all of that alive for a Result, when
/// the Session is gone. One thread's, but for `stop()`, which anybody may cancel. Errors of its making: `limit.stack`,
/// where Limits::depth is more than deepest_on_stack().
class Session {
 public:
  explicit Session(std::shared_ptr<Snapshot> snapshot, const SessionSettings& settings = {});
  /// A part of the work of `parent`, with its own memory, diagnostics and budget: one node of a fleet. It ends when
  /// `parent` must end. Construct it in the thread that does the work.
  explicit Session(const Session& parent, bool keeps_history);
  /// A part of the work of `parent` with its own diagnostics. Everything else is shared.
  [[nodiscard]] static Session beside(const Session& parent) { return Session(parent, parent.memory_); }
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] Snapshot& snapshot() const noexcept { return *snapshot_; }
  [[nodiscard]] const std::shared_ptr<Snapshot>& shared_snapshot() const noexcept { return snapshot_; }
  /// The source of configuration.
  [[nodiscard]] const FileTree& tree() const noexcept { return snapshot_->tree(); }
  [[nodiscard]] Host* host() const noexcept { return settings_.host; }

  [[nodiscard]] Sources& sources() noexcept { return memory_->sources; }
  /// Records provenance.
  [[nodiscard]] merge::Recorder& recorder() noexcept { return *memory_->recorder; }
  [[nodiscard]] Diagnostics& diagnostics() noexcept { return diagnostics_; }
  [[nodiscard]] const Diagnostics& diagnostics() const noexcept { return diagnostics_; }
  /// Those of the settings. `stop` is never null.
  [[nodiscard]] const Limits& limits() const noexcept { return settings_.limits; }
  [[nodiscard]] Stop& stop() noexcept { return *stop_; }
  /// Whether only the budget of this part is exhausted, so that other parts of the work may continue.
  [[nodiscard]] bool is_spent_alone(const Session& whole) const noexcept {
    return stop_->is_spent() && !whole.stop_->is_due();
  }
  /// For values that live as long as the results.
  [[nodiscard]] Arena& arena() noexcept { return memory_->arena; }
  /// Another arena with the same lifetime, for values that are made in bulk.
  [[nodiscard]] const std::shared_ptr<Arena>& new_arena();
  /// Keeps `owner` alive as long as the results. Keeps each owner once.
  void keep(const std::shared_ptr<const void>& owner);
  /// Everything that the request made and kept. A Result holds it.
  [[nodiscard]] std::shared_ptr<const void> memory() const noexcept { return memory_; }

  /// Reads a file of the Snapshot to a form (Snapshot::read) and keeps it as long as the results.
  template <class Parsed>
  [[nodiscard]] std::shared_ptr<const Parsed> read(std::string_view path, std::string_view form,
                                                   const FileReader<Parsed>& reader) {
    auto parsed = snapshot_->read<Parsed>(path, form, stop_.get(), reader);
    if (parsed) keep(parsed);
    return parsed;
  }

 private:
  struct Memory;
  Session(const Session& parent, std::shared_ptr<Memory> memory);
  /// Starts the budget and its accounting.
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
  bool has_begun_ = false;  ///< The budget belongs to this Session.
};

}  // namespace strata
