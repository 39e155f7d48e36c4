// SPDX-License-Identifier: Apache-2.0
// Containers that several places of the rendered data hold, like the objects of the reference: a write to one place is
// visible at all of them.
#pragma once

#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "strata/path.hpp"
#include "strata/value.hpp"
#include "value/growable.hpp"

namespace strata::deckhand {

/// A destination that changed containers of other documents.
struct SharedWrite {
  Value path;                           ///< Of the destination, as written.
  std::vector<const void*> containers;  ///< Sharing::identity of each.
};

/// The shared containers of one rendering. A shared container carries a mark (merge::Accumulator::share), and only
/// containers with the mark hold it. All other containers are held once. Rule: docs/deckhand/render.md, "Shared
/// containers".
class Sharing {
 public:
  /// `arena`: all data are made in it. `matters`: something may write into a substituted value or a container that is
  /// held twice. If false, shared containers cannot be distinguished from copies, and substitutions make copies.
  explicit Sharing(Arena& arena, bool matters = true) : mark_(Growable::new_owner(arena)), matters_(matters) {}

  [[nodiscard]] bool matters() const noexcept { return matters_; }

  /// Equal containers have different ones.
  [[nodiscard]] static const void* identity(const Value& container) noexcept { return Growable::node(container); }
  [[nodiscard]] const void* mark() const noexcept { return mark_; }
  [[nodiscard]] bool is_shared(const Value& value) const noexcept {
    return value.is_container() && Growable::owner(value) == mark_;
  }

  /// The next document is written from now on. It holds nothing of other documents yet.
  void begin_document() {
    if (!foreign_.empty()) foreign_ = {};  // clear() would cost as much as the set ever held.
    changed_.clear();
    writes_.clear();
  }
  /// The members of a container become members of the document and remain members of others.
  void receive(const Value& container);
  /// Called before a value is written to a place of the document with these data. Absent: a value that cannot hold a
  /// container. The existing steps of the path say which containers change. Error `deckhand.shared-cycle`: the value
  /// contains a container that would contain the value. Cost: the steps, and the shared containers of the value.
  void before_write(const Value& data, std::span<const Path::Step> steps, const Value& value, std::string_view path);
  /// The whole destination has been written.
  void end_destination(const Value& path) {
    if (!changed_.empty()) writes_.push_back({.path = path, .containers = std::exchange(changed_, {})});
  }
  /// Those since the last call, in order.
  [[nodiscard]] std::vector<SharedWrite> take_writes() { return std::exchange(writes_, {}); }

 private:
  [[nodiscard]] bool reaches(const Value& value, const Value& container) const;

  const void* mark_;
  bool matters_;
  std::unordered_set<const void*>
      foreign_;                       ///< Containers of other documents in this document, and everything in them.
  std::vector<const void*> changed_;  ///< Containers of others that the current destination changed.
  std::vector<SharedWrite> writes_;
};

}  // namespace strata::deckhand
