// Memory for files whose values mostly lose to later ones.
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

/// As copying garbage collectors have it: documents are read into an eden, which is used again once what survived of them was copied, so that a
/// thousand files need little more memory than a few. Survivors, and what is made of them, live in one of two spaces and move to the other one then.
/// Copies are taken once what is in the way is a multiple of what survives: all copying together costs a fraction of the reading.
class YoungGeneration {
 public:
  /// `keys`: where all keys go; they stay.
  explicit YoungGeneration(std::shared_ptr<Arena> keys) : documents_(eden_, std::move(keys)) {}

  /// Own what was not cleared yet.
  [[nodiscard]] std::array<std::shared_ptr<Arena>, 3> arenas() const { return {eden_, from_, to_}; }
  /// Where survivors are, and what is made of them.
  [[nodiscard]] Arena& home() const noexcept { return *from_; }
  /// Where they go, from `begin` to `clear`.
  [[nodiscard]] Arena& next() const noexcept { return *to_; }
  /// Where documents are read.
  [[nodiscard]] text::DocumentPool& documents() noexcept { return documents_; }
  /// Whether it is time to copy what survived: `nodes` is the number that was read since the beginning.
  [[nodiscard]] bool is_full(std::size_t nodes) const noexcept;
  /// To be called before what survived is kept.
  void begin(std::size_t nodes) noexcept;
  /// A copy of a survivor. What many survivors share stays shared.
  [[nodiscard]] Value keep(const Value& survivor);
  /// Whatever was not kept is gone, and the next arena is home.
  void clear(std::size_t nodes) noexcept;

 private:
  [[nodiscard]] Value copy_of_items(const Value& sequence);
  [[nodiscard]] Value copy_of_entries(const Value& mapping);

  std::shared_ptr<Arena> eden_ = std::make_shared<Arena>();
  std::shared_ptr<Arena> from_ = std::make_shared<Arena>();
  std::shared_ptr<Arena> to_ = std::make_shared<Arena>();
  text::DocumentPool documents_;
  std::unordered_map<const void*, Value> copied_;  ///< By the address of a container's members.
  std::vector<Entry> entries_;                     ///< Of the mappings that are being copied.
  std::size_t survivors_ = 0;                      ///< Nodes that were copied the last time.
  std::size_t copying_ = 0;
  std::size_t unshared_ = 0;  ///< As many nodes as there can be to copy where nothing is shared.
  std::size_t cleared_at_ = 0;
};

}  // namespace strata::heat
