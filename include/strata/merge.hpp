// The one merge kernel, and the history that it can keep.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/path.hpp"
#include "strata/stop.hpp"
#include "strata/strategy.hpp"
#include "strata/value.hpp"

namespace strata::merge {

/// What became of a layer's contribution to a leaf.
enum class Fate : std::uint8_t {
  won,       ///< Its value is the leaf.
  merged,    ///< The leaf was computed from it and others.
  shadowed,  ///< Replaced or not taken, also when that happened to a container above it.
  removed,   ///< Deleted, knocked out, dropped.
};
[[nodiscard]] std::string_view to_string(Fate fate) noexcept;

/// A layer of a History, numbered in the order in which they came.
using LayerId = std::uint32_t;
/// Of values that no layer gave, such as the empty mapping that a fold starts from; not shown in histories.
inline constexpr LayerId kNoLayer = UINT32_MAX;

namespace detail {
struct Node;
}

/// The history of one slot of a value: nothing (the default), "all of it came from this layer", or a node of a History. Eight bytes.
class Slot {
 public:
  constexpr Slot() noexcept = default;
  constexpr explicit Slot(LayerId layer) noexcept : bits_((std::uintptr_t{layer} << 1U) | 1U) {}
  explicit Slot(const detail::Node* node) noexcept : bits_(reinterpret_cast<std::uintptr_t>(node)) {}

  [[nodiscard]] const detail::Node* node() const noexcept { return (bits_ & 1U) != 0 ? nullptr : reinterpret_cast<const detail::Node*>(bits_); }
  /// Of a slot without a node: its layer; kNoLayer for an empty slot.
  [[nodiscard]] LayerId layer() const noexcept { return bits_ == 0 ? kNoLayer : static_cast<LayerId>(bits_ >> 1U); }
  friend bool operator==(Slot, Slot) = default;

 private:
  std::uintptr_t bits_ = 0;
};

/// A value with the history of its slots.
struct Traced {
  Value value;
  Slot slot;
};

/// One contribution to a path.
struct Contribution {
  LayerId layer = 0;
  Fate fate = Fate::won;
  Value value;  ///< Carries its origin.
  Origin via;   ///< Of a container above it that was reached through an alias; nowhere otherwise.
};

/// The history of one path.
struct PathHistory {
  Path path;
  Value value;                              ///< Absent where the path is gone from the result.
  std::vector<Contribution> contributions;  ///< In the order in which they met.
};

class History;

/// What the kernel and the dialects tell of where values come from: a History keeps it, a NullRecorder forgets it. It also knows the texts behind
/// all origins, so that errors of the kernel have places. Not thread-safe: one a request.
class Recorder {
 public:
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// The texts that the origins of the values point into.
  [[nodiscard]] const Sources& sources() const noexcept { return sources_; }
  /// Whether it keeps what it is told. Ask only where building the inputs of a call costs something.
  [[nodiscard]] bool keeps() const noexcept { return history_ != nullptr; }
  /// The history that is kept; null where none is.
  [[nodiscard]] History* history() const noexcept { return history_; }

  /// The next layer, as the slot of the values that it gives. `note` says how it was merged, for people (a strategy); may be empty.
  Slot add_layer(std::string name, std::string note = {});
  /// How many layers there are.
  [[nodiscard]] LayerId layers() const noexcept;
  /// The layers from `first` up to `last` meet the others only now, although they were added before: histories show them after those that met
  /// already. For folds of folds, whose parts are read in another order than they are joined in.
  void meet_now(LayerId first, LayerId last);

  /// For code that makes values itself: `value` was computed from `inputs` (interpolation, substitution, …), all of which become `merged`.
  [[nodiscard]] Traced derive(const Value& value, std::span<const Traced> inputs) { return keeps() ? derived(value, inputs) : Traced{value, {}}; }
  /// For code that chooses by itself: `taken` stays as it is, and `other` is shadowed by it.
  [[nodiscard]] Traced choose(const Traced& taken, const Traced& other) { return keeps() ? chosen(taken, other) : Traced{taken.value, {}}; }
  /// For code that makes containers itself: `container` was put together from `members`, one a slot of it.
  [[nodiscard]] Traced compose(const Value& container, std::span<const Traced> members) {
    return keeps() ? composed(container, members) : Traced{container, {}};
  }
  /// A member of a container, with its history. The members of what is secret are secret.
  [[nodiscard]] static Traced member(const Traced& container, std::size_t index);

 protected:
  Recorder(const Sources& sources, History* history) noexcept : sources_(sources), history_(history) {}
  ~Recorder() = default;

 private:
  [[nodiscard]] Traced derived(const Value& value, std::span<const Traced> inputs);
  [[nodiscard]] Traced chosen(const Traced& taken, const Traced& other);
  [[nodiscard]] Traced composed(const Value& container, std::span<const Traced> members);

  const Sources& sources_;
  History* history_;
};

/// Keeps nothing: the slots that it gives are empty, and the kernel is compiled without any of it.
class NullRecorder final : public Recorder {
 public:
  explicit NullRecorder(const Sources& sources) noexcept : Recorder(sources, nullptr) {}
};

/// The trace that is kept: a tree shaped like the result, so that items that move take their history along. Paths are made when somebody asks.
class History final : public Recorder {
 public:
  explicit History(const Sources& sources);
  ~History();

  [[nodiscard]] const std::string& layer_name(LayerId layer) const { return layers_[layer].name; }
  [[nodiscard]] const std::string& layer_note(LayerId layer) const { return layers_[layer].note; }

  /// The history of every leaf at or below `prefix` (JSON Pointer tokens), in the order of the result; paths that are gone follow their neighbours.
  [[nodiscard]] std::vector<PathHistory> explain(const Traced& result, const std::vector<std::string>& prefix = {}) const;

 private:
  friend class Recorder;
  friend class Recording;
  struct Layer {
    std::string name;
    std::string note;
    std::size_t order;  ///< Of meeting.
  };
  struct Pool;
  std::vector<Layer> layers_;
  std::size_t next_order_ = 0;
  std::unique_ptr<Pool> pool_;
};

/// What a `fail` action throws (`merge.kind-mismatch`), with both places.
class KindMismatch : public Error {
 public:
  KindMismatch(const Value& old, const Value& incoming, const Sources& sources);
  // For messages of one's own.
  [[nodiscard]] Origin old() const noexcept { return old_; }
  [[nodiscard]] Origin incoming() const noexcept { return incoming_; }
  [[nodiscard]] Kind old_kind() const noexcept { return old_kind_; }
  [[nodiscard]] Kind incoming_kind() const noexcept { return incoming_kind_; }

 private:
  Origin old_;
  Origin incoming_;
  Kind old_kind_;
  Kind incoming_kind_;
};

/// Two items of a list that is sorted have no order (`merge.unsortable`), with both places.
class Unsortable : public Error {
 public:
  Unsortable(const Value& left, const Value& right, const Sources& sources);
};

/// Merges two values anywhere below a function that was called: the same strategy, from its root table.
using Recurse = std::function<Value(const Value& old, const Value& incoming)>;
/// A function given beside a strategy. May throw Error. What it returns lives in `arena` or in its inputs.
using Call = std::function<Value(Arena& arena, const Value& old, const Value& incoming, const Recurse& recurse)>;

/// Where a knockout prefix that is a pattern matches: at line starts, by the rules of the dialect. Gives the text without all that it matched, none
/// where it matches nowhere. May throw Error.
using StripPrefix = std::function<std::optional<std::string>(std::string_view text)>;

/// Something that a strategy does and people do not expect: the kernel tells it, a dialect may warn of it.
struct Notice {
  /// take_new_noted, keys_as_items, characters_as_items; by_index where items were dropped; self_merge where a shared list (`old`) lost items, which
  /// left `incoming`; recurse where the key `incoming` begins with the knockout prefix, which does nothing.
  Action action;
  Value old;
  Value incoming;
};

/// How `old` and `incoming` meet under `strategy`. Absent values are `Value()`, never null. Untouched subtrees are shared with the inputs.
/// Cost: O(entries of mappings and items of sequences that both sides have). A NullRecorder costs nothing.
/// `strip`: needed where the strategy's knockout prefix is a pattern.
/// Errors: `merge.kind-mismatch` (a `fail` action), `merge.unsortable`, `limit.depth`, `limit.result`, what a Call throws, and those of
/// Stop::check. Rule: docs/internals/merge.md.
[[nodiscard]] Traced merge(const Traced& old, const Traced& incoming, const Strategy& strategy, Arena& arena, const Limits& limits,
                           Recorder& recorder, std::span<const Call> calls = {}, std::vector<Notice>* notices = nullptr,
                           const StripPrefix* strip = nullptr);

/// All items of a sequence and of the sequences in it, at all depths, as one sequence; anything else as the one item of a sequence. With their
/// histories. Errors: those of Stop::check.
[[nodiscard]] Traced flattened(const Traced& value, Arena& arena, const Limits& limits, Recorder& recorder);

/// A value whose containers with the mark of shared ones (Accumulator::share) are new ones with that mark; where one was held twice, its copy is.
/// What carries no mark is shared with `value`. Cost: the containers with the mark and their members. The value must be within Limits::depth.
[[nodiscard]] Traced detached(const Traced& value, const void* mark, Arena& arena, Recorder& recorder);

/// The capacities of the texts of an accumulator that have room to grow, by their characters.
using TextCapacities = std::unordered_map<const void*, std::size_t>;

/// A value that layers are merged into, one after the other. It extends what it made itself in place, so that folding n layers costs what
/// they hold and not n times the result.
///
/// `current()` and what `at` gives are valid until the next change; `checkpoint` first to keep them.
class Accumulator {
 public:
  /// All of them must outlive it.
  Accumulator(Arena& arena, const Limits& limits, Recorder& recorder);

  /// Starts from a value of others.
  void start(const Traced& value);
  /// Starts from a value of others, and works in another arena from now on: nothing points into the earlier one any more.
  void move(Arena& arena, const Traced& value);
  /// Merges a layer in. After an Error the value is as before, but for `limit.depth`, which only values deeper than the limits of their readers
  /// lead to, and for the end of the request (Error::ends_request): then all that can be done is to start afresh.
  void merge(const Traced& incoming, const Strategy& strategy, std::span<const Call> calls = {}, std::vector<Notice>* notices = nullptr,
             const StripPrefix* strip = nullptr);
  /// As `merge`, with the value at a place that is there.
  void merge_at(std::span<const Path::Step> path, const Traced& incoming, const Strategy& strategy);
  [[nodiscard]] const Traced& current() const noexcept { return current_; }

  // Containers with identity, as the objects of Python have it: whoever holds one sees what anybody changes in it. They carry a mark, an address that
  // all accumulators of one arena are given. What carries no mark is copied before it is changed, so that each holder has it for itself.

  /// From now on containers that carry the mark are changed in place, and what is made or changed carries it: values are taken as they are, never
  /// copied, and `checkpoint` does nothing. The mark must outlive the values.
  void share(const void* mark);
  /// Whether `share` was called.
  [[nodiscard]] bool shares() const noexcept { return shares_; }
  /// After `share`: gives the container at a place, which must be one, and all containers in it the mark; returns it. Cost: its members.
  Traced mark(std::span<const Path::Step> path);
  /// After `share`: a container with the mark and with the very members of another one. Cost: its members.
  [[nodiscard]] Traced copy(const Traced& container);

  // Edits, for patches and paths. Each step of a path must be there but the last one of `put` and `insert`.
  [[nodiscard]] std::optional<Traced> at(std::span<const Path::Step> path) const;
  /// Replaces what is there, or adds a member. The empty path replaces all of it.
  void put(std::span<const Path::Step> path, const Traced& value);
  /// Replaces what is there by a value that was derived from it, whose history tells of it already.
  void revise(std::span<const Path::Step> path, const Traced& value);
  /// Inserts an item before the index that ends the path (which may be the size).
  void insert(std::span<const Path::Step> path, const Traced& item);
  /// Removes what is there; `by` tells who did. Null: it leaves no trace, for what is no part of the data.
  void erase(std::span<const Path::Step> path, const Traced* by);
  /// Everything up to now can be come back to: give `current()` as it is now to `start` later.
  void checkpoint();

 private:
  struct Opened;
  Opened open(const Traced& container);
  void store(Opened& target, std::size_t position, const Traced& value);
  void release(const Traced& shared);
  void prepare(const Value& old, const Value& incoming, const Strategy& strategy);
  template <class Change>
  Traced edit(const Traced& here, std::span<const Path::Step> path, const Change& change);
  Arena* arena_;
  const Limits& limits_;
  Recorder& recorder_;
  Traced current_;
  const void* owner_;
  bool owns_any_ = false;  ///< Something may have been made since the last checkpoint.
  bool shares_ = false;    ///< The owner is a mark that others have, too.
  TextCapacities text_capacities_;
  StopCheck stop_;
};

}  // namespace strata::merge
