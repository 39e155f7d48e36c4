// A Session over files in memory.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "strata/session.hpp"

namespace strata::testing {

/// A request over `files` alone, which nothing is kept of.
inline Session test_session(std::map<std::string, std::string> files = {}, const SessionSettings& settings = {}) {
  return Session(Snapshot::make(Engine::make({.file_cache = 0}), memory_tree(std::move(files))), settings);
}

}  // namespace strata::testing
