// SPDX-License-Identifier: Apache-2.0
// The merge kernel, and the history that it can record.
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

/// What happened to a layer's contribution to a leaf.
enum class Fate : std::uint8_t {
  won,       ///< Its value is the leaf.
  merged,    ///< The leaf was computed from it and others.
  shadowed,  ///< Replaced or not taken; also if that happened to a container above it.
  removed,   ///< Deleted, knocked out or dropped.
};
[[nodiscard]] std::string_view to_string(Fate fate) noexcept;

/// Why a contribution is not in the result.
enum class Loss : std::uint8_t {
  none,         ///< It is.
  equal,        ///< A union has the same item already.
  knocked_out,  ///< By a knockout prefix; also the item that has the prefix.
  replaced,     ///< Another value took its place, or that of a container above it.
  removed,      ///< Deleted or dropped.
};
[[nodiscard]] std::string_view to_string(Loss loss) noexcept;

/// How the layers of a list met.
enum class ListAction : std::uint8_t {
  single,       ///< Only one layer has something there.
  replaced,     ///< One layer alone counts.
  joined,       ///< Old items, then new ones.
  prepended,    ///< New items, then old ones.
  united,       ///< Each distinct item once.
  by_index,     ///< Item by item.
  by_function,  ///< As a function of the strategy says.
  mixed,        ///< Not all layers in the same way.
};
/// `union` and `by-index`, with hyphens.
[[nodiscard]] std::string_view to_string(ListAction action) noexcept;

/// How values are merged, as the user says it.
struct Rule {
  std::string text;  ///< In the spelling of the dialect: `unique`, `list(append)+dict()`.
  Origin option;     ///< Where it is chosen, by its key. Nowhere: it is the default.
};
/// The number of a rule of a History. 0: none.
using RuleId = std::uint32_t;

/// The number of a layer of a History, in the order in which layers were added.
using LayerId = std::uint32_t;
/// Marks values that no layer gave, such as the empty mapping at the start of a fold. Histories do not show it.
inline constexpr LayerId kNoLayer = UINT32_MAX;

namespace detail {
struct Node;
}

/// The history of one slot of a value: nothing (the default), "all of it came from this layer", or a node of a History.
/// Eight bytes.
class Slot {
 public:
  constexpr Slot() noexcept = default;
  constexpr explicit Slot(LayerId layer) noexcept : bits_((std::uintptr_t{layer} << 1U) | 1U) {}
  explicit Slot(const detail::Node* node) noexcept : bits_(reinterpret_cast<std::uintptr_t>(node)) {}

  [[nodiscard]] const detail::Node* node() const noexcept {
    return (bits_ & 1U) != 0 ? nullptr : reinterpret_cast<const detail::Node*>(bits_);
  }
  /// For a slot without a node: its layer, or kNoLayer if the slot is empty.
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
  Value value;  ///< With its origin.
  Origin via;   ///< A container above it that was reached through an alias; nowhere otherwise.
  Loss loss = Loss::none;
};

/// The history of one path.
struct PathHistory {
  Path path;
  Value value;                              ///< Absent if the path is not in the result.
  std::vector<Contribution> contributions;  ///< In the order in which they were merged.
};

class History;

/// Receives from the kernel and the dialects where values come from. A History records it; a NullRecorder ignores it. A
/// Recorder also knows the texts behind all origins, so that errors of the kernel have places. Not thread-safe: one per
/// request.
class Recorder {
 public:
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// The texts that the origins of the values point into.
  [[nodiscard]] const Sources& sources() const noexcept { return sources_; }
  /// Whether a history is recorded. Ask only if it is expensive to build the inputs of a call.
  [[nodiscard]] bool keeps() const noexcept { return history_ != nullptr; }
  /// The recorded history. Null if there is none.
  [[nodiscard]] History* history() const noexcept { return history_; }

  /// Adds a layer and returns the slot for its values. `note` says for people how it was merged (a strategy); may be
  /// empty.
  Slot add_layer(std::string name, std::string note = {});
  /// The number of layers.
  [[nodiscard]] LayerId layers() const noexcept;
  /// Moves the layers [first, last) behind those that have been merged so far: histories show them later. For folds of
  /// folds, whose parts are not joined in the order in which they are read.
  void meet_now(LayerId first, LayerId last);
  /// From now on, what meets follows this rule, and so do layers that are added or that `meet_now` names for the first
  /// time. Returns the rule before it. See Following.
  RuleId follow(Rule rule);
  void follow(RuleId rule) noexcept;
  /// A container and what is in it follow the present rule, even if nothing met in it. `action`: how its lists were
  /// made, if that is not known from what met.
  [[nodiscard]] Traced ruled(const Traced& value, ListAction action = ListAction::single) {
    return keeps() && value.value.is_container() ? with_rule(value, action) : value;
  }

  /// For code that computes values: `value` was computed from `inputs` (interpolation, substitution, …). All inputs
  /// become `merged`.
  [[nodiscard]] Traced derive(const Value& value, std::span<const Traced> inputs) {
    return keeps() ? derived(value, inputs) : Traced{value, {}};
  }
  /// For code that chooses between values: `taken` stays unchanged and shadows `other`.
  [[nodiscard]] Traced choose(const Traced& taken, const Traced& other) {
    return keeps() ? chosen(taken, other) : Traced{taken.value, {}};
  }
  /// For code that makes a new value of what is in `before`: `made` keeps its own history, and shadows what `before`
  /// has shadowed.
  [[nodiscard]] Traced succeed(const Traced& made, const Traced& before) {
    return keeps() ? succeeding(made, before) : Traced{made.value, {}};
  }
  /// For code that builds containers: `container` consists of `members`, one for each of its slots.
  [[nodiscard]] Traced compose(const Value& container, std::span<const Traced> members) {
    return keeps() ? composed(container, members) : Traced{container, {}};
  }
  /// A member of a container, with its history. Members of a secret container are secret.
  [[nodiscard]] static Traced member(const Traced& container, std::size_t index);

 protected:
  Recorder(const Sources& sources, History* history) noexcept : sources_(sources), history_(history) {}
  ~Recorder() = default;

 private:
  [[nodiscard]] Traced derived(const Value& value, std::span<const Traced> inputs);
  [[nodiscard]] Traced chosen(const Traced& taken, const Traced& other);
  [[nodiscard]] Traced succeeding(const Traced& made, const Traced& before);
  [[nodiscard]] Traced composed(const Value& container, std::span<const Traced> members);
  [[nodiscard]] Traced with_rule(const Traced& value, ListAction action);

  const Sources& sources_;
  History* history_;
};

/// While it exists, what meets follows a rule. Without a history, the rule is not made.
class Following {
 public:
  /// `make` returns the Rule. The recorder must outlive the object.
  template <class Make>
  Following(Recorder& recorder, const Make& make) : recorder_(recorder.keeps() ? &recorder : nullptr) {
    if (recorder_ != nullptr) before_ = recorder_->follow(make());
  }
  ~Following() {
    if (recorder_ != nullptr) recorder_->follow(before_);
  }
  Following(const Following&) = delete;
  Following& operator=(const Following&) = delete;

 private:
  Recorder* recorder_;
  RuleId before_ = 0;
};

/// Records nothing: it returns empty slots, and the kernel is compiled without recording.
class NullRecorder final : public Recorder {
 public:
  explicit NullRecorder(const Sources& sources) noexcept : Recorder(sources, nullptr) {}
};

/// Records the history as a tree that has the shape of the result, so that an item keeps its history when it moves.
/// Paths are computed on demand.
class History final : public Recorder {
 public:
  explicit History(const Sources& sources);
  ~History();

  [[nodiscard]] const std::string& layer_name(LayerId layer) const { return layers_[layer].name; }
  [[nodiscard]] const std::string& layer_note(LayerId layer) const { return layers_[layer].note; }
  /// The rule that values of a layer follow where nothing else says so.
  [[nodiscard]] RuleId layer_rule(LayerId layer) const { return layers_[layer].rule; }
  [[nodiscard]] const Rule& rule(RuleId rule) const { return rules_[rule]; }

  /// The history of every leaf at or below `prefix` (JSON Pointer tokens), in the order of the result. Removed paths
  /// follow their neighbours. Errors: those of Stop::check.
  [[nodiscard]] std::vector<PathHistory> explain(const Traced& result, const std::vector<std::string>& prefix = {},
                                                 const Stop* stop = nullptr) const;
  /// The same, one after the other: histories of n leaves may have n contributions each, more than memory holds.
  void each_path(const Traced& result, const std::vector<std::string>& prefix, const Stop* stop,
                 const std::function<void(PathHistory&& path)>& visit) const;

 private:
  friend class Recorder;
  friend class Recording;
  struct Layer {
    std::string name;
    std::string note;
    std::size_t order;  ///< In which layers were merged.
    RuleId rule;
  };
  struct Pool;
  std::vector<Layer> layers_;
  std::vector<Rule> rules_ = std::vector<Rule>(1);
  std::size_t next_order_ = 0;
  std::unique_ptr<Pool> pool_;
};

/// Thrown by a `fail` action (`merge.kind-mismatch`), with both places.
class KindMismatch : public Error {
 public:
  KindMismatch(const Value& old, const Value& incoming, const Sources& sources);
  // For callers that write their own message.
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

/// Two items of a sorted list cannot be compared (`merge.unsortable`). Has both places.
class Unsortable : public Error {
 public:
  Unsortable(const Value& left, const Value& right, const Sources& sources);
};

class Builder;

/// Merges two values below a function call, with the same strategy, starting with its root table. Values without slots
/// get no history.
using Recurse = std::function<Traced(const Traced& old, const Traced& incoming)>;
/// A function that belongs to a strategy. May throw Error. Its result lives in the arena of `make` or in its inputs;
/// absent: the member is removed.
///
/// Its slot tells where the result comes from. An empty slot: from both sides, as far as they have something at the
/// same path; a value without members comes from all that is in them. The slot of a side, with its value: the other
/// side is shadowed. Any other slot, made by `make` or `recurse`, is the history of the result; what both sides have at
/// paths that the result lacks is `removed`.
using Call =
    std::function<Traced(const Builder& make, const Traced& old, const Traced& incoming, const Recurse& recurse)>;

/// Removes all matches of a knockout pattern, by the rules of the dialect: they are at line starts. Returns the
/// remaining text, or no value if nothing matches. May throw Error.
using StripPrefix = std::function<std::optional<std::string>(std::string_view text)>;

/// A result that people may not expect. The kernel reports it; a dialect may warn about it.
struct Notice {
  /// take_new_noted, keep_old_noted, keys_as_items, characters_as_items. by_index: items were dropped. self_merge: a
  /// shared list
  /// (`old`) lost items; `incoming` is the rest. recurse: the key `incoming` begins with the knockout prefix, which has
  /// no effect.
  Action action;
  Value old;
  Value incoming;
};

/// Merges `incoming` into `old` under `strategy`. An absent value is `Value()`, not null. The result shares unchanged
/// subtrees with the inputs. `strip` is required if the strategy's knockout prefix is a pattern. Cost: O(entries of
/// mappings and items of sequences that both sides have). A NullRecorder costs nothing. Errors: `merge.kind-mismatch`
/// (a `fail` action), `merge.unsortable`, `limit.depth`, `limit.result`, those of a Call, and those of Stop::check.
/// Rule: docs/internals/merge.md.
[[nodiscard]] Traced merge(const Traced& old, const Traced& incoming, const Strategy& strategy, Arena& arena,
                           const Limits& limits, Recorder& recorder, std::span<const Call> calls = {},
                           std::vector<Notice>* notices = nullptr, const StripPrefix* strip = nullptr);

/// Flattens a sequence and all sequences nested in it into one sequence. Any other value becomes the only item. Items
/// keep their histories. Errors: those of Stop::check.
[[nodiscard]] Traced flattened(const Traced& value, Arena& arena, const Limits& limits, Recorder& recorder);

/// Copies all containers that carry a mark (Accumulator::share). The copies carry the mark too. A container that is
/// held twice is copied once. Containers without the mark are shared with `value`. Cost: the marked containers and
/// their members. `value` must be within Limits::depth.
[[nodiscard]] Traced detached(const Traced& value, const void* mark, Arena& arena, Recorder& recorder);

/// Capacities of an accumulator's texts that can still grow, by the address of their characters.
using TextCapacities = std::unordered_map<const void*, std::size_t>;

/// A value into which layers are merged one after the other. It extends the containers that it made itself in place: a
/// fold of n layers costs what the layers contain, not n times the result.
///
/// The results of `current()` and `at` are valid until the next change. Call `checkpoint` first to keep them.
class Accumulator {
 public:
  /// All arguments must outlive the accumulator.
  Accumulator(Arena& arena, const Limits& limits, Recorder& recorder);

  /// Starts from a value made elsewhere.
  void start(const Traced& value);
  /// Starts from a value made elsewhere and continues in another arena. Nothing refers to the earlier arena any more.
  void move(Arena& arena, const Traced& value);
  /// Merges a layer. After an Error the value is unchanged. Two exceptions: `limit.depth`, which needs values deeper
  /// than their readers allow, and errors that end the request (Error::ends_request). After these, call `start` again.
  void merge(const Traced& incoming, const Strategy& strategy, std::span<const Call> calls = {},
             std::vector<Notice>* notices = nullptr, const StripPrefix* strip = nullptr);
  /// As `merge`, for the value at `path`, which must exist.
  void merge_at(std::span<const Path::Step> path, const Traced& incoming, const Strategy& strategy);
  [[nodiscard]] const Traced& current() const noexcept { return current_; }

  // Shared containers, as Python objects are: everyone who holds such a container sees every change to it. They carry a
  // mark, an address that all accumulators of one arena use. A container without the mark is copied before it is
  // changed, so that its holders do not see the change.

  /// From now on, containers with the mark are changed in place, and containers that are made or changed get the mark.
  /// Values are taken without copying them, and `checkpoint` does nothing. The mark must outlive the values.
  void share(const void* mark);
  /// Whether `share` was called.
  [[nodiscard]] bool shares() const noexcept { return shares_; }
  /// After `share`: gives the mark to the container at `path` and to all containers in it, and returns it. Cost: its
  /// members.
  Traced mark(std::span<const Path::Step> path);
  /// After `share`: a new container with the mark and the same members. Cost: its members.
  [[nodiscard]] Traced copy(const Traced& container);

  // Edits, for patches and paths. Every step of a path must exist, except the last one for `put` and `insert`.
  [[nodiscard]] std::optional<Traced> at(std::span<const Path::Step> path) const;
  /// Replaces a value or adds a member. The empty path replaces the whole value.
  void put(std::span<const Path::Step> path, const Traced& value);
  /// Replaces a value by one that was derived from it. The history of the new value includes that of the old one.
  void revise(std::span<const Path::Step> path, const Traced& value);
  /// Inserts an item before the index at the end of the path. The index may be the size.
  void insert(std::span<const Path::Step> path, const Traced& item);
  /// Removes a value. `by` says what removed it. Null: leaves no trace, for values that are not data.
  void erase(std::span<const Path::Step> path, const Traced* by);
  /// Keeps everything up to now: pass the present `current()` to `start` later to return to it.
  /// Cost: O(1) now, and later a copy, members and history, of each container that changes. n checkpoints between n
  /// changes of one mapping with n members take O(n²) time and memory: call it only before a value that is returned to,
  /// never once per layer.
  void checkpoint();

 private:
  struct Opened;
  Opened open(const Traced& container);
  void store(Opened& target, std::size_t position, const Traced& value);
  void tell_list(Opened& list, ListAction action, const Traced& item);
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
  bool shares_ = false;    ///< The owner is a mark that others use too.
  TextCapacities text_capacities_;
  StopCheck stop_;
};

}  // namespace strata::merge
