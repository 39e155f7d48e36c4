// SPDX-License-Identifier: Apache-2.0
#include "strata/session.hpp"
#include "strata/stack.hpp"

#include <algorithm>
#include <chrono>

namespace strata {

Session::Memory::Memory(const Snapshot& snapshot, bool keeps_history)
    : sources(snapshot.engine().locations(), snapshot.settings().folder),
      nothing(sources),
      history(keeps_history ? std::make_unique<merge::History>(sources) : nullptr),
      recorder(keeps_history ? static_cast<merge::Recorder*>(history.get()) : &nothing) {}

Session::Session(std::shared_ptr<Snapshot> snapshot, const SessionSettings& settings)
    : snapshot_(std::move(snapshot)),
      settings_(settings),
      stop_(std::make_shared<Stop>(settings.limits.stop)),
      memory_(std::make_shared<Memory>(*snapshot_, settings.keeps_history)) {
  require_stack(settings_.limits);
  require_stack(snapshot_->settings().limits);
  begin(settings_.is_whole_process);
}

Session::Session(const Session& parent, bool keeps_history)
    : Session(parent, std::make_shared<Memory>(*parent.snapshot_, keeps_history)) {
  require_stack(settings_.limits);
  settings_.keeps_history = keeps_history;
  stop_ = std::make_shared<Stop>(parent.stop_.get());
  begin(false);
}

void Session::begin(bool is_whole_process) {
  // Far more than any request takes, and less than overflows.
  constexpr std::size_t kMostSeconds = 1'000'000'000;
  settings_.limits.stop = stop_.get();
  stop_->spend({.processor_time = std::chrono::seconds(std::min(settings_.limits.processor_seconds, kMostSeconds)),
                .memory = settings_.limits.memory,
                .is_whole_process = is_whole_process,
                .input = &snapshot_->input_bytes(),
                .sources = &memory_->sources});
  memory_->arena.meter(stop_.get());
  has_begun_ = true;
}

Session::Session(const Session& parent, std::shared_ptr<Memory> memory)
    : snapshot_(parent.snapshot_), settings_(parent.settings_), stop_(parent.stop_), memory_(std::move(memory)) {}

Session::~Session() {
  if (!has_begun_) return;
  // Results may live longer than the larger piece of work that this was a part of.
  memory_->arena.meter(nullptr);
  for (const auto& arena : memory_->arenas) arena->meter(nullptr);
}

const std::shared_ptr<Arena>& Session::new_arena() {
  const auto& made = memory_->arenas.emplace_back(std::make_shared<Arena>());
  made->meter(stop_.get());
  return made;
}

void Session::keep(const std::shared_ptr<const void>& owner) { memory_->owners.try_emplace(owner.get(), owner); }

}  // namespace strata
