// SPDX-License-Identifier: Apache-2.0
// Memory for files whose values are mostly overridden by later ones.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "strata/text.hpp"
#include "strata/value.hpp"

namespace strata::heat {

/// Works like a copying garbage collector. Documents are parsed in an eden, which is reused after its survivors have
/// been copied, so a thousand files need little more memory than a few. Survivors, and values made from them, live in
/// one of two spaces and then move to the other. Copying starts when the eden is a multiple of the survivors: all
/// copying together costs a fraction of the parsing.
class YoungGeneration {
 public:
  /// `keys`: all keys are made there and stay.
  explicit YoungGeneration(std::shared_ptr<Arena> keys) : documents_(eden_, std::move(keys)) {}

  /// Counts nodes that are not cleared yet.
  [[nodiscard]] std::array<std::shared_ptr<Arena>, 3> arenas() const { return {eden_, from_, to_}; }
  /// The arena of survivors and values made from them.
  [[nodiscard]] Arena& home() const noexcept { return *from_; }
  /// The arena to which they move, from `begin` to `clear`.
  [[nodiscard]] Arena& next() const noexcept { return *to_; }
  /// The arena for parsing.
  [[nodiscard]] text::DocumentPool& documents() noexcept { return documents_; }
  /// Takes over an arena whose document was parsed elsewhere: it is dropped with the eden.
  void adopt(std::shared_ptr<Arena> nodes) { adopted_->push_back(std::move(nodes)); }
  /// Owns the arenas that are taken over and not dropped yet.
  [[nodiscard]] std::shared_ptr<const void> adopted() const noexcept { return adopted_; }
  /// Whether survivors should be copied now. `nodes` is the number parsed since the beginning.
  [[nodiscard]] bool is_full(std::size_t nodes) const noexcept;
  /// Call it before survivors are kept.
  void begin(std::size_t nodes) noexcept;
  /// Copies a survivor. Values that several survivors share stay shared.
  [[nodiscard]] Value keep(const Value& survivor);
  /// Drops everything that was not kept. The next arena becomes the home.
  void clear(std::size_t nodes) noexcept;

 private:
  [[nodiscard]] Value copy_of_items(const Value& sequence);
  [[nodiscard]] Value copy_of_entries(const Value& mapping);

  std::shared_ptr<Arena> eden_ = std::make_shared<Arena>();
  std::shared_ptr<Arena> from_ = std::make_shared<Arena>();
  std::shared_ptr<Arena> to_ = std::make_shared<Arena>();
  std::shared_ptr<std::vector<std::shared_ptr<Arena>>> adopted_ =
      std::make_shared<std::vector<std::shared_ptr<Arena>>>();
  text::DocumentPool documents_;
  std::unordered_map<const void*, Value> copied_;  ///< By the address of a container's members.
  std::vector<Entry> entries_;                     ///< Of the mappings that are being copied.
  std::size_t survivors_ = 0;                      ///< Nodes copied the last time.
  std::size_t copying_ = 0;
  std::size_t unshared_ = 0;  ///< The maximal number of nodes to copy if nothing is shared.
  std::size_t cleared_at_ = 0;
};

}  // namespace strata::heat
