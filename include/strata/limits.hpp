// SPDX-License-Identifier: Apache-2.0
// Limits on untrusted input.
#pragma once

#include <cstddef>
#include <memory>

namespace strata {

class SecretKeys;
class Stop;

/// Limits on the work that input can cause. Exceeding one is an Error `limit.*` that names the option which raises it.
struct Limits {
  std::size_t depth = 1000;                  ///< Nesting of containers in a document or a result (`limit.depth`).
  std::size_t input = std::size_t{1} << 30;  ///< Bytes of one decoded text (`limit.input`).
  /// Nodes that aliases and merge keys add to a document, counted as if written out (`limit.aliases`).
  std::size_t aliases = 10'000'000;
  std::size_t result = 50'000'000;  ///< Nodes of a merge result, counted as if written out (`limit.result`).
  std::size_t include_depth = 50;   ///< Nested includes (`limit.include-depth`).
  std::size_t includes = 10'000;    ///< Total number of includes (`limit.includes`).
  std::size_t steps = 10'000'000;   ///< Steps of a template or script (`limit.steps`).
  /// Processor time of a request, plus an allowance for its input (Budget; `limit.processor-time`).
  std::size_t processor_seconds = 8;
  /// Memory of a request in bytes, plus an allowance for its input (Budget; `limit.memory`).
  std::size_t memory = std::size_t{768} << 20U;
  /// Read YAML with libyaml alone, several times slower. The results are the same.
  bool libyaml_alone = false;
  /// Names whose values are secret, wherever a text that is read has them (strata/secret_keys.hpp). Null: none.
  std::shared_ptr<const SecretKeys> secret_keys = {};
  /// Ends the work (strata/stop.hpp). Null: never. Must outlive every copy of these limits.
  const Stop* stop = nullptr;
};

}  // namespace strata
