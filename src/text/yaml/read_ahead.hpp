// SPDX-License-Identifier: Apache-2.0
// Reads YAML texts on other threads before they are asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "strata/executor.hpp"
#include "strata/limits.hpp"
#include "strata/text.hpp"

namespace strata::text {

/// The documents of texts that are read one after the other. Each is what read_yaml gives, with the same errors,
/// whichever thread reads it; only the memory differs. Used by one thread.
class ReadAhead {
 public:
  /// Where the nodes of documents live that other threads read: in arenas of a few (as long as `memory()`), or each in
  /// an arena of its own.
  enum class Nodes : std::uint8_t { together, apart };

  /// `executor`: null for none. The others must outlive this object.
  ReadAhead(std::shared_ptr<Executor> executor, Sources& sources, const Profile& profile, const Limits& limits,
            Nodes nodes);
  /// Waits for the readings that are under way.
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// Texts that will be asked for in this order; some of them may not. At most kWindow bytes of text are read and not
  /// yet taken.
  void expect(std::span<const SourceId> texts);
  /// The document of a text, as `read_yaml(sources, source, profile, limits, pool)` reads it. If another thread read
  /// it, its nodes are in another arena than that of `pool`, and its keys live as long as `memory()`.
  [[nodiscard]] Document take(SourceId source, DocumentPool& pool);
  /// Owns the keys of all documents that other threads read, and nodes that live together. Null: no other thread reads.
  [[nodiscard]] const std::shared_ptr<const void>& memory() const noexcept { return memory_; }

  static constexpr std::size_t kLeast = std::size_t{1} << 18U;   ///< Bytes. Fewer are not worth a thread.
  static constexpr std::size_t kWindow = std::size_t{1} << 23U;  ///< Bytes.

 private:
  struct State;
  std::shared_ptr<Executor> executor_;
  Sources& sources_;
  const Profile& profile_;
  const Limits& limits_;
  Nodes nodes_;
  std::shared_ptr<const void> memory_;
  std::unique_ptr<State> state_;  ///< Null: everything is read when it is taken.
};

}  // namespace strata::text
