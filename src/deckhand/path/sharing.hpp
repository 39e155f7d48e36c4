// Containers that several places of the rendered data hold, as the objects of the reference: what one place writes into them, all others show.
#pragma once

#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "strata/path.hpp"
#include "strata/value.hpp"

namespace strata::deckhand {

/// A destination whose write changed containers that other documents hold.
struct SharedWrite {
  Value path;                           ///< Of the destination, as written.
  std::vector<const void*> containers;  ///< Arena::node of each.
};

/// What one rendering knows of shared containers. Such a container carries a mark (merge::Accumulator::share) and is held only by containers with
/// the mark; all others are held once. Rule: docs/deckhand/render.md, "Shared containers".
class Sharing {
 public:
  /// `arena`: in which all data are made. `matters`: something may be written into what a substitution took, or where it is held twice; else nobody
  /// could tell shared containers from copies, and substitutions make none.
  explicit Sharing(Arena& arena, bool matters = true) : mark_(arena.new_owner()), matters_(matters) {}

  [[nodiscard]] bool matters() const noexcept { return matters_; }

  [[nodiscard]] const void* mark() const noexcept { return mark_; }
  [[nodiscard]] bool is_shared(const Value& value) const noexcept { return value.is_container() && Arena::owner(value) == mark_; }

  /// The next document is written from now on: it holds nothing of others yet.
  void begin_document() {
    if (!foreign_.empty()) foreign_ = {};  // Clearing it would cost as much as it ever held.
    changed_.clear();
    writes_.clear();
  }
  /// The members of a container become members of the document, and stay those of others.
  void receive(const Value& container);
  /// A value is about to be written to a place of the document with this data; absent: nothing that could hold a container. The steps up to where
  /// they lead nowhere say which containers change. Error `deckhand.shared-cycle`: the value holds a container that would hold the value.
  /// Cost: the steps, and the shared containers of the value.
  void before_write(const Value& data, std::span<const Path::Step> steps, const Value& value, std::string_view path);
  /// All of a destination has been written.
  void end_destination(const Value& path) {
    if (!changed_.empty()) writes_.push_back({.path = path, .containers = std::exchange(changed_, {})});
  }
  /// Those since the last call, in order.
  [[nodiscard]] std::vector<SharedWrite> take_writes() { return std::exchange(writes_, {}); }

 private:
  [[nodiscard]] bool reaches(const Value& value, const Value& container) const;

  const void* mark_;
  bool matters_;
  std::unordered_set<const void*> foreign_;  ///< Containers of others that the document holds; what they hold is of others, too.
  std::vector<const void*> changed_;         ///< Containers of others that were written to for the present destination.
  std::vector<SharedWrite> writes_;
};

}  // namespace strata::deckhand
