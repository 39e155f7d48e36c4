// SPDX-License-Identifier: Apache-2.0
#include "strata/engine.hpp"

#include "engine_cache.hpp"

namespace strata {

Engine::Engine(const EngineSettings& settings)
    : settings_(settings),
      locations_(std::make_shared<Locations>()),
      cache_(std::make_unique<Cache>(settings.file_cache)) {}
Engine::~Engine() = default;

std::shared_ptr<Engine> Engine::make(const EngineSettings& settings) {
  return std::shared_ptr<Engine>(new Engine(settings));
}

Engine::Usage Engine::usage() const {
  Usage usage = cache_->files.usage();
  usage.locations = locations_->leased();
  return usage;
}

}  // namespace strata
