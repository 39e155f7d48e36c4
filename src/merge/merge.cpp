// SPDX-License-Identifier: Apache-2.0
#include "strata/merge.hpp"

#include <utility>

#include "access.hpp"
#include "dry_run.hpp"
#include "kernel.hpp"
#include "strata/builder.hpp"
#include "value/growable.hpp"

namespace strata::merge {
namespace {

/// `capacities`: of an accumulator's texts; null where there is none.
Traced run(const MergeInputs& inputs, Recorder& recorder, const void* owner, TextCapacities* capacities,
           const Traced& old, const Traced& incoming) {
  if (!recorder.keeps()) return Kernel<NoRecording>(inputs, {}, owner, capacities).run(old, incoming);
  return Kernel<Recording>(inputs, Recording(*recorder.history()), owner, capacities).run(old, incoming);
}

// Recursion: bounded by Limits::depth, which every maker of values keeps.
template <class Policy>
void flatten(const Traced& value, StopCheck& stop, Policy& policy, SequenceBuilder& to, detail::ContainerNode* node) {
  stop.tick();
  if (!value.value.is_sequence()) {
    to.append(value.value);
    if constexpr (Policy::kKeeps) policy.append(*node, value.slot);
    return;
  }
  for (std::size_t i = 0; i < value.value.size(); ++i) {
    flatten(Traced{member_at(value.value, i), Policy::child(value, i)}, stop, policy, to, node);
  }
}

}  // namespace

std::string_view to_string(Fate fate) noexcept {
  switch (fate) {
    case Fate::won:
      return "won";
    case Fate::merged:
      return "merged";
    case Fate::shadowed:
      return "shadowed";
    case Fate::removed:
      return "removed";
  }
  return "won";
}

std::string_view to_string(Loss loss) noexcept {
  switch (loss) {
    case Loss::none:
      return "none";
    case Loss::equal:
      return "equal";
    case Loss::knocked_out:
      return "knocked-out";
    case Loss::replaced:
      return "replaced";
    case Loss::removed:
      break;
  }
  return "removed";
}

std::string_view to_string(ListAction action) noexcept {
  switch (action) {
    case ListAction::single:
      return "single";
    case ListAction::replaced:
      return "replaced";
    case ListAction::joined:
      return "joined";
    case ListAction::prepended:
      return "prepended";
    case ListAction::united:
      return "union";
    case ListAction::by_index:
      return "by-index";
    case ListAction::by_function:
      return "by-function";
    case ListAction::mixed:
      break;
  }
  return "mixed";
}

KindMismatch::KindMismatch(const Value& old, const Value& incoming, const Sources& sources)
    : Error(Error("merge.kind-mismatch",
                  fmt::format("cannot merge {} into {}", describe(incoming.kind()), describe(old.kind())))
                .at(sources, incoming.origin())
                .note(sources, old.origin(), fmt::format("the existing value is {}", describe(old.kind())))
                .hint("keep one shape, or choose another strategy for these values")),
      old_(old.origin()),
      incoming_(incoming.origin()),
      old_kind_(old.kind()),
      incoming_kind_(incoming.kind()) {}

Unsortable::Unsortable(const Value& left, const Value& right, const Sources& sources)
    : Error(Error("merge.unsortable", fmt::format("cannot sort: comparison of {} with {} failed", describe(left.kind()),
                                                  describe(right.kind())))
                .at(sources, left.origin())
                .note(sources, right.origin(), "the other item")
                .hint("sort lists of numbers, of texts, or of lists of these")) {}

Traced merge(const Traced& old, const Traced& incoming, const Strategy& strategy, Arena& arena, const Limits& limits,
             Recorder& recorder, std::span<const Call> calls, std::vector<Notice>* notices, const StripPrefix* strip) {
  StopCheck stop(limits.stop);
  const MergeInputs inputs{arena, limits, recorder, strategy, calls, notices, strip, stop};
  return run(inputs, recorder, Growable::new_owner(arena), nullptr, old, incoming);
}

Traced flattened(const Traced& value, Arena& arena, const Limits& limits, Recorder& recorder) {
  if (value.value.is_sequence() && std::ranges::none_of(value.value.items(), &Value::is_sequence)) return value;
  // A secret scalar becomes an item of a list, which itself tells nothing.
  const bool hides_all = value.value.is_sequence() && value.value.is_secret();
  SequenceBuilder items(arena, value.value.size());
  const auto made = [&](Slot slot) {
    return Traced{items.finish().with_origin(value.value.origin()).with_secret(hides_all), slot};
  };
  StopCheck stop(limits.stop);
  if (!recorder.keeps()) {
    NoRecording nothing;
    flatten(value, stop, nothing, items, nullptr);
    return made({});
  }
  Recording recording(*recorder.history());
  detail::ContainerNode* node = recording.succeed(Slot(Recording::supplier(value.slot)), nullptr);
  flatten(value, stop, recording, items, node);
  return made(Slot(node));
}

namespace {

/// Copies containers with a mark, each once.
class Detacher {
 public:
  Detacher(const void* mark, Arena& arena, Recorder& recorder) : mark_(mark), arena_(arena), recorder_(recorder) {}

  // Recursion: bounded by Limits::depth.
  Traced detach(const Traced& value) {
    if (!value.value.is_container() || Growable::owner(value.value) != mark_) return value;
    const auto [known, is_new] = copies_.try_emplace(Growable::node(value.value));
    if (!is_new) return as(value, known->second);
    Traced copy{Growable::copy(arena_, value.value), {}};
    Growable::set_owner(copy.value, mark_);
    detail::ContainerNode* node = recorder_.keeps() ? Recording(*recorder_.history()).copy(value, mark_) : nullptr;
    if (node != nullptr) copy.slot = Slot(node);
    known->second = copy;
    for (std::size_t i = 0; i < copy.value.size(); ++i) {
      const Value& old = copy.value.is_sequence() ? copy.value.items()[i] : copy.value.entries()[i].value;
      const Traced member = detach({old, node != nullptr ? node->children[i] : Slot()});
      if (copy.value.is_sequence()) {
        Growable::replace(copy.value, i, member.value);
      } else {
        Growable::replace_entry(copy.value, i, member.value);
      }
      if (node != nullptr) node->children[i] = member.slot;
    }
    return copy;
  }

 private:
  /// The origin and the marks are those of the place that holds a container, not of the container.
  static Traced as(const Traced& place, const Traced& copy) {
    return {copy.value.with_origin(place.value.origin()).with_secret(place.value.is_secret()), copy.slot};
  }

  const void* mark_;
  Arena& arena_;
  Recorder& recorder_;
  std::unordered_map<const void*, Traced> copies_;
};

}  // namespace

Traced detached(const Traced& value, const void* mark, Arena& arena, Recorder& recorder) {
  return Detacher(mark, arena, recorder).detach(value);
}

Accumulator::Accumulator(Arena& arena, const Limits& limits, Recorder& recorder)
    : arena_(&arena), limits_(limits), recorder_(recorder), owner_(Growable::new_owner(arena)), stop_(limits.stop) {}

void Accumulator::start(const Traced& value) {
  checkpoint();
  current_ = value;
}

void Accumulator::move(Arena& arena, const Traced& value) {
  arena_ = &arena;
  owner_ = Growable::new_owner(arena);
  owns_any_ = false;
  text_capacities_.clear();
  current_ = value;
}

void Accumulator::share(const void* mark) {
  shares_ = true;
  owner_ = mark;
  text_capacities_.clear();
  if (recorder_.keeps()) Recording(*recorder_.history()).share(mark);
}

void Accumulator::checkpoint() {
  if (!std::exchange(owns_any_, false) || shares_) return;
  owner_ = Growable::new_owner(*arena_);
  text_capacities_.clear();
}

/// A merge that may fail half-way must leave what is there alone: either it is known before, or what is there is copied
/// where it changes.
void Accumulator::prepare(const Value& old, const Value& incoming, const Strategy& strategy) {
  switch (strategy.risk(shape_of(old), shape_of(incoming))) {
    case Strategy::Risk::none:
      break;
    case Strategy::Risk::known:
      dry_run(strategy, limits_, recorder_.sources(), stop_, old, incoming);
      break;
    case Strategy::Risk::call:
      checkpoint();
      break;
  }
  owns_any_ = true;
}

void Accumulator::merge(const Traced& incoming, const Strategy& strategy, std::span<const Call> calls,
                        std::vector<Notice>* notices, const StripPrefix* strip) {
  release(incoming);
  prepare(current_.value, incoming.value, strategy);
  const MergeInputs inputs{*arena_, limits_, recorder_, strategy, calls, notices, strip, stop_};
  current_ = run(inputs, recorder_, owner_, &text_capacities_, current_, incoming);
  // With key rules a member may meet two others in one merge: a function may have kept what the first meeting made.
  if (!strategy.keys.empty() && !strategy.calls.empty()) checkpoint();
}

/// A container that may be changed in place, with its history where one is kept.
struct Accumulator::Opened {
  Traced now;
  detail::ContainerNode* node = nullptr;
};

Accumulator::Opened Accumulator::open(const Traced& container) {
  Opened result{.now = container};
  owns_any_ = true;
  if (Growable::owner(container.value) != owner_) {
    result.now.value = Growable::copy(*arena_, container.value, 1);
    Growable::set_owner(result.now.value, owner_);
  }
  if (recorder_.keeps()) {
    result.node = Recording(*recorder_.history()).own(container, owner_);
    result.now.slot = Recording::held(container.slot, result.node);
  }
  return result;
}

/// Puts a value in the place of a member.
void Accumulator::store(Opened& target, std::size_t position, const Traced& value) {
  if (target.now.value.is_sequence()) {
    Growable::replace(target.now.value, position, value.value);
  } else {
    Growable::replace_entry(target.now.value, position, value.value);
  }
  if (target.node != nullptr) target.node->children[position] = value.slot;
}

/// Records how a list got an item.
void Accumulator::tell_list(Opened& list, ListAction action, const Traced& item) {
  if (list.node == nullptr || !list.now.value.is_sequence()) return;
  Recording(*recorder_.history()).merge_list(*list.node, action, {item.value, Recording::supplier(item.slot)});
}

namespace {

Traced member(const Traced& container, std::size_t position, bool with_history) {
  return {member_at(container.value, position), with_history ? Recording::child(container, position) : Slot()};
}

}  // namespace

std::optional<Traced> Accumulator::at(std::span<const Path::Step> path) const {
  Traced here = current_;
  for (const Path::Step& step : path) {
    const std::size_t position = position_of(here.value, step);
    if (position == Arena::npos) return std::nullopt;
    here = member(here, position, recorder_.keeps());
  }
  return here;
}

/// Opens every container on the way and calls `change` on the last one.
// Recursion: as deep as the path, whose steps all exist.
template <class Change>
Traced Accumulator::edit(const Traced& here, std::span<const Path::Step> path, const Change& change) {
  Opened target = open(here);
  if (path.size() == 1) {
    change(target, path.front());
    return target.now;
  }
  const std::size_t position = position_of(target.now.value, path.front());
  assert(position != Arena::npos && "the caller has looked the path up");
  const Traced made = edit(member(target.now, position, recorder_.keeps()), path.subspan(1), change);
  store(target, position, made);
  return target.now;
}

/// What comes from the accumulator's own value is reached twice from now on: it may not be changed in place any more.
/// Only what is owned itself holds anything that is.
// Recursion: bounded by Limits::depth.
void Accumulator::release(const Traced& shared) {
  const Value& value = shared.value;
  if (shares_) return;  // To be reached twice is what the mark is for.
  if (value.is_text()) text_capacities_.erase(value.text().data());
  if (!value.is_container() || Growable::owner(value) != owner_) return;
  Growable::set_owner(value, nullptr);
  if (recorder_.keeps()) Recording::release(shared.slot);
  for (std::size_t i = 0; i < value.size(); ++i) release(member(shared, i, recorder_.keeps()));
}

Traced Accumulator::mark(std::span<const Path::Step> path) {
  Traced marked;
  const auto open_members = [&](const Traced& container) {
    Opened target = open(container);
    for (std::size_t i = 0; i < target.now.value.size(); ++i) {
      stop_.tick();
      const Traced one = member(target.now, i, recorder_.keeps());
      if (one.value.is_container()) store(target, i, open(one).now);
    }
    return marked = target.now;
  };
  if (path.empty()) {
    current_ = open_members(current_);
  } else {
    current_ = edit(current_, path, [&](Opened& target, const Path::Step& step) {
      const std::size_t position = position_of(target.now.value, step);
      assert(position != Arena::npos && "the caller has looked the path up");
      store(target, position, open_members(member(target.now, position, recorder_.keeps())));
    });
  }
  return marked;
}

Traced Accumulator::copy(const Traced& container) {
  Traced result{Growable::copy(*arena_, container.value, 1), {}};
  Growable::set_owner(result.value, owner_);
  if (recorder_.keeps()) result.slot = Slot(Recording(*recorder_.history()).copy(container, owner_));
  return result;
}

void Accumulator::put(std::span<const Path::Step> path, const Traced& value) {
  release(value);
  const auto meet = [this](const Traced& old, const Traced& incoming) {
    return recorder_.keeps() ? Recording(*recorder_.history()).take(old, incoming) : Slot();
  };
  if (path.empty()) {
    current_ = {value.value, meet(current_, value)};
    return;
  }
  current_ = edit(current_, path, [&](Opened& target, const Path::Step& step) {
    const std::size_t position = position_of(target.now.value, step);
    if (position == Arena::npos) {
      Growable::insert(*arena_, target.now.value, std::get<Value>(step), value.value);
      if (target.node == nullptr) return;
      Recording recording(*recorder_.history());
      const detail::Gone* gone = recording.find_gone(*target.node, std::get<Value>(step));
      recording.append(*target.node,
                       gone == nullptr ? value.slot : recording.meet(detail::Meeting::took, gone->what, value));
      return;
    }
    const Traced old = member(target.now, position, recorder_.keeps());
    store(target, position, {value.value, meet(old, value)});
    tell_list(target, ListAction::by_index, value);
  });
}

void Accumulator::merge_at(std::span<const Path::Step> path, const Traced& incoming, const Strategy& strategy) {
  if (path.empty()) return merge(incoming, strategy);
  release(incoming);
  prepare(at(path)->value, incoming.value, strategy);
  current_ = edit(current_, path, [&](Opened& target, const Path::Step& step) {
    const std::size_t position = position_of(target.now.value, step);
    assert(position != Arena::npos && "the caller has looked the path up");
    const Traced old = member(target.now, position, recorder_.keeps());
    const MergeInputs inputs{*arena_, limits_, recorder_, strategy, {}, nullptr, nullptr, stop_};
    const Traced made = run(inputs, recorder_, owner_, &text_capacities_, old, incoming);
    store(target, position, made);
  });
}

void Accumulator::revise(std::span<const Path::Step> path, const Traced& value) {
  release(value);
  if (path.empty()) {
    current_ = value;
    return;
  }
  current_ = edit(current_, path, [&](Opened& target, const Path::Step& step) {
    const std::size_t position = position_of(target.now.value, step);
    assert(position != Arena::npos && "the caller has looked the path up");
    store(target, position, value);
  });
}

void Accumulator::insert(std::span<const Path::Step> path, const Traced& item) {
  release(item);
  current_ = edit(current_, path, [&](Opened& target, const Path::Step& step) {
    const std::size_t index = std::get<std::size_t>(step);
    Growable::insert_at(*arena_, target.now.value, index, item.value);
    if (target.node != nullptr) Recording(*recorder_.history()).insert_at(*target.node, index, item.slot);
    tell_list(target, ListAction::joined, item);
  });
}

void Accumulator::erase(std::span<const Path::Step> path, const Traced* by) {
  current_ = edit(current_, path, [&](Opened& target, const Path::Step& step) {
    const std::size_t position = position_of(target.now.value, step);
    assert(position != Arena::npos && "the caller has looked the path up");
    if (target.node != nullptr) {
      if (by != nullptr) {
        Recording recording(*recorder_.history());
        const auto* key = std::get_if<Value>(&step);
        const Traced gone{Value(), recording.meet(detail::Meeting::removed, member(target.now, position, true), *by)};
        recording.add_gone(*target.node, {.key = key == nullptr ? Value() : *key,
                                          .index = position,
                                          .is_tail = false,
                                          .what = gone,
                                          .earlier = nullptr});
      }
      Recording::erase_at(*target.node, position);
    }
    if (target.now.value.is_sequence()) {
      Growable::erase_at(target.now.value, position);
    } else {
      Growable::erase(*arena_, target.now.value, std::get<Value>(step));
    }
  });
}

}  // namespace strata::merge
