#include "strata/session.hpp"

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
  settings_.limits.stop = stop_.get();
}

Session::Session(const Session& parent, bool keeps_history) : Session(parent, std::make_shared<Memory>(*parent.snapshot_, keeps_history)) {
  settings_.keeps_history = keeps_history;
}

Session::Session(const Session& parent, std::shared_ptr<Memory> memory)
    : snapshot_(parent.snapshot_), settings_(parent.settings_), stop_(parent.stop_), memory_(std::move(memory)) {}

Session::~Session() = default;

const std::shared_ptr<Arena>& Session::new_arena() { return memory_->arenas.emplace_back(std::make_shared<Arena>()); }

void Session::keep(const std::shared_ptr<const void>& owner) { memory_->owners.try_emplace(owner.get(), owner); }

}  // namespace strata
