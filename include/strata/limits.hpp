// How much untrusted input may ask for.
#pragma once

#include <cstddef>

namespace strata {

class Stop;

/// Bounds on work that input can cause. Each one exceeded is an Error `limit.*` that names the option to raise it.
struct Limits {
  std::size_t depth = 1000;                  ///< Nesting of containers in a document or a result (`limit.depth`).
  std::size_t input = std::size_t{1} << 30;  ///< Bytes of one text, decoded (`limit.input`).
  std::size_t aliases = 10'000'000;          ///< Nodes that aliases and merge keys add to a document, counted as if written out (`limit.aliases`).
  std::size_t result = 50'000'000;           ///< Nodes of a merge result, counted as if written out (`limit.result`).
  std::size_t include_depth = 50;            ///< Includes inside includes (`limit.include-depth`).
  std::size_t includes = 10'000;             ///< Includes in all (`limit.includes`).
  std::size_t steps = 10'000'000;            ///< Steps of a template or script (`limit.steps`).
  std::size_t processor_seconds = 8;         ///< Of a request, beside what its input adds (Budget; `limit.processor-time`).
  std::size_t memory = std::size_t{768} << 20U;  ///< Bytes that a request may take, beside what its input adds (Budget; `limit.memory`).
  const Stop* stop = nullptr;  ///< When all of it must end (strata/stop.hpp); null: never. Outlives everything that has these limits.
};

}  // namespace strata
