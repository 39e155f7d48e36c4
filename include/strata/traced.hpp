// SPDX-License-Identifier: Apache-2.0
// Makes values together with their histories.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "strata/builder.hpp"
#include "strata/merge.hpp"
#include "strata/value.hpp"

namespace strata::merge {

/// Makes values with histories: an arena and a recorder in one. For dialects, and for the functions of a strategy
/// (Call). A handle of two words.
///
/// With a NullRecorder all slots are empty and only values are made. The arena and the recorder must outlive the
/// builder.
class Builder {
 public:
  Builder(Arena& arena, Recorder& recorder) noexcept : arena_(&arena), recorder_(&recorder) {}

  [[nodiscard]] Arena& arena() const noexcept { return *arena_; }
  [[nodiscard]] Recorder& recorder() const noexcept { return *recorder_; }
  /// As Recorder::keeps.
  [[nodiscard]] bool keeps() const noexcept { return recorder_->keeps(); }

  /// As the functions of Recorder.
  [[nodiscard]] Traced derive(const Value& value, std::span<const Traced> inputs) const {
    return recorder_->derive(value, inputs);
  }
  [[nodiscard]] Traced derive(const Value& value, const Traced& input) const {
    return recorder_->derive(value, std::span(&input, 1));
  }
  [[nodiscard]] Traced choose(const Traced& taken, const Traced& other) const {
    return recorder_->choose(taken, other);
  }
  [[nodiscard]] Traced compose(const Value& container, std::span<const Traced> members) const {
    return recorder_->compose(container, members);
  }
  [[nodiscard]] static Traced member(const Traced& container, std::size_t index) {
    return Recorder::member(container, index);
  }
  /// The member of a mapping with a key. Absent if there is none, or if it is no mapping.
  [[nodiscard]] static Traced member(const Traced& mapping, std::string_view key);

  /// A sequence of one item, with its history.
  [[nodiscard]] Traced sequence_of(const Traced& item) const {
    return compose(arena_->sequence(std::span(&item.value, 1)), std::span(&item, 1));
  }
  /// The container with `change(member)` in place of each item, or of the value of each entry. An absent value removes
  /// the member. Keys, order, origin and marks stay, and so does the history of the container; if nothing changes, the
  /// result is `container` itself. Any other value stays as it is. Goes one level deep: `change` may call it again.
  /// `stays(value)` tells members that stay as they are, which saves looking them up.
  template <typename Change, typename Stays>
  [[nodiscard]] Traced transform(const Traced& container, const Change& change, const Stays& stays) const {
    if (!container.value.is_container()) return container;
    std::vector<Changed> changed;
    for (std::size_t i = 0; i < container.value.size(); ++i) {
      if (stays(container.value.is_sequence() ? container.value.items()[i] : container.value.entries()[i].value))
        continue;
      const Traced before = member(container, i);
      const Traced after = change(before);
      if (!is_same_node(before.value, after.value) || before.slot != after.slot) changed.push_back({i, after});
    }
    return changed.empty() ? container : with(container, changed);
  }
  template <typename Change>
  [[nodiscard]] Traced transform(const Traced& container, const Change& change) const {
    return transform(container, change, [](const Value&) { return false; });
  }

 private:
  struct Changed {
    std::size_t index;
    Traced now;
  };
  [[nodiscard]] Traced with(const Traced& container, std::span<const Changed> changed) const;

  Arena* arena_;
  Recorder* recorder_;
};

/// Makes a sequence item by item, with the histories of its items, as SequenceBuilder makes one without.
class TracedSequence {
 public:
  explicit TracedSequence(const Builder& make, std::size_t capacity = 0)
      : make_(make), items_(make.arena(), capacity) {}

  void append(const Traced& item) {
    items_.append(item.value);
    if (make_.keeps()) members_.push_back(item);
  }
  [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
  /// The sequence. The builder must not be used any more.
  [[nodiscard]] Traced finish(Origin origin = {}, bool is_secret = false) {
    return make_.compose(items_.finish().with_origin(origin).with_secret(is_secret), members_);
  }

 private:
  Builder make_;
  SequenceBuilder items_;
  std::vector<Traced> members_;  ///< Empty without a history.
};

/// Makes a mapping member by member, with the histories of its values, as MappingBuilder makes one without.
class TracedMapping {
 public:
  explicit TracedMapping(const Builder& make, KeyEquality equality = KeyEquality::exact, std::size_t capacity = 0)
      : make_(make), entries_(make.arena(), equality, capacity) {}

  /// Adds an entry, or replaces the value of an existing key, which keeps its place and spelling. True if the key was
  /// added.
  bool insert(const Value& key, const Traced& value) {
    const bool is_new = entries_.insert(key, value.value);
    if (!make_.keeps()) return is_new;
    if (is_new) {
      members_.push_back(value);
    } else {
      members_[entries_.index_of(key)] = value;
    }
    return is_new;
  }
  bool insert(std::string_view key, const Traced& value) { return insert(make_.arena().key(key), value); }
  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
  /// The mapping. The builder must not be used any more.
  [[nodiscard]] Traced finish(Origin origin = {}, bool is_secret = false) {
    return make_.compose(entries_.finish().with_origin(origin).with_secret(is_secret), members_);
  }

 private:
  Builder make_;
  MappingBuilder entries_;
  std::vector<Traced> members_;  ///< Empty without a history.
};

}  // namespace strata::merge
