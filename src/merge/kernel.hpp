// The merge itself, as one template over the recorder. Only merge.cpp builds it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "probe.hpp"
#include "recording.hpp"
#include "strata/error.hpp"
#include "strata/merge.hpp"

namespace strata::merge {

/// The texts of an accumulator that have room to grow, by their address, with their capacity.
using Rooms = std::vector<std::pair<const void*, std::size_t>>;

/// One run of the kernel.
///
/// Containers that carry `owner` were made by the same accumulator and are reached by it alone: they are changed in place, all others are copied
/// first, once.
template <class Recorder>
class Kernel {
 public:
  Kernel(Arena& arena, const Limits& limits, Recorder recorder, const Strategy& strategy, std::span<const Call> calls, const void* owner, Rooms* rooms,
         std::vector<Notice>* notices)
      : arena_(arena), limits_(limits), recorder_(recorder), strategy_(strategy), calls_(calls), owner_(owner), rooms_(rooms), notices_(notices) {}

  Traced run(const Traced& old, const Traced& incoming) { return meet(strategy_.root, old, incoming, 0); }

 private:
  using Meeting = detail::Meeting;

  /// A container that is being changed, with its history where one is kept.
  struct Open {
    Traced now;
    detail::Node* node = nullptr;
  };

  /// Gives a member a value at the end of a scope, however that is left.
  template <class T>
  struct Restore {
    Restore(T& place, T value) : place_(place), value_(value) {}
    ~Restore() { place_ = value_; }
    Restore(const Restore&) = delete;
    Restore& operator=(const Restore&) = delete;
    T& place_;
    T value_;
  };

  // NOLINTNEXTLINE(misc-no-recursion): bounded by Limits::depth.
  Traced meet(const Strategy::Table& table, const Traced& old, const Traced& incoming, std::size_t depth) {
    const Action action = strategy_.at(table, shape_of(old.value), shape_of(incoming.value));
    switch (action) {
      case Action::keep_old:
        return kept(old, incoming);
      case Action::take_new:
        return took(old, incoming);
      case Action::take_new_noted:
        notice(action, old, incoming);
        return took(old, incoming);
      case Action::recurse:
        check_depth(depth);
        return members(old, incoming, depth);
      case Action::append:
        return add_items(old, incoming, true);
      case Action::prepend:
        return add_items(old, incoming, false);
      case Action::union_:
        return unite(old, incoming);
      case Action::by_index:
        check_depth(depth);
        return items(old, incoming, depth, false);
      case Action::by_index_extend:
        check_depth(depth);
        return items(old, incoming, depth, true);
      case Action::join:
        return joined(old, incoming);
      case Action::keys_as_items:
        notice(action, old, incoming);
        return meet(strategy_.root, old, {keys_of(incoming.value), recorder_.supplier(incoming.slot)}, depth);
      case Action::characters_as_items:
        notice(action, old, incoming);
        return meet(strategy_.root, old, {characters_of(incoming.value), recorder_.supplier(incoming.slot)}, depth);
      case Action::remove:
        return removed(old, incoming);
      case Action::self_merge:
        check_depth(depth);
        return meet(strategy_.root, incoming, incoming, depth + 1);
      case Action::check_indexes:
        if (!has_indexes(old.value, incoming.value)) throw KindMismatch(old.value, incoming.value);
        return kept(old, incoming);
      case Action::fail:
        throw KindMismatch(old.value, incoming.value);
      default:
        return called(static_cast<std::size_t>(action) - kActions, old, incoming);
    }
  }

  void notice(Action action, const Traced& old, const Traced& incoming) {
    if (notices_ != nullptr) notices_->push_back({.action = action, .old = old.value, .incoming = incoming.value});
  }

  void check_depth(std::size_t depth) const {
    if (depth < limits_.depth) return;
    throw Error("limit.depth", fmt::format("values that are merged are nested deeper than {} levels", limits_.depth))
        .hint("raise the limit with --limit depth=LEVELS");
  }

  Traced kept(const Traced& old, const Traced& incoming) {
    if constexpr (Recorder::kKeeps) {
      if (!incoming.value) return old;
      return {old.value, recorder_.meet(Meeting::kept, old, incoming)};
    } else {
      return old;
    }
  }

  Traced took(const Traced& old, const Traced& incoming) {
    if constexpr (Recorder::kKeeps) {
      if (!old.value) return incoming;
      return {incoming.value, recorder_.meet(Meeting::took, old, incoming)};
    } else {
      return incoming;
    }
  }

  Traced removed(const Traced& old, const Traced& incoming) {
    if constexpr (Recorder::kKeeps) return {Value(), recorder_.meet(Meeting::removed, old, incoming)};
    return {};
  }

  /// The container with a copy of its own that may be changed.
  Open open(const Traced& container, std::size_t more) {
    Open result{.now = container};
    if (Arena::owner(container.value) != owner_) {
      result.now.value = arena_.copy(container.value, more);
      Arena::set_owner(result.now.value, owner_);
    }
    if constexpr (Recorder::kKeeps) {
      result.node = recorder_.own(container, owner_);
      result.now.slot = Slot(result.node);
    }
    return result;
  }

  // NOLINTNEXTLINE(misc-no-recursion): bounded by Limits::depth.
  Traced members(const Traced& old, const Traced& incoming, std::size_t depth) {
    if (incoming.value.size() == 0 && old.value.size() == 0) return kept(old, incoming);
    Open target{.now = old};
    bool is_open = false;
    const auto ensure_open = [&] {
      if (!is_open) target = open(old, incoming.value.size());
      is_open = true;
    };
    std::vector<std::size_t> erased;
    const auto entries = incoming.value.entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Entry& entry = entries[i];
      const Traced arriving{entry.value, recorder_.child(incoming, i)};
      const std::size_t position = Arena::index_of(target.now.value, entry.key);
      if (position == Arena::npos) {
        const Traced made = meet(strategy_.member, Traced{}, arriving, depth + 1);
        if (!made.value) continue;
        ensure_open();
        arena_.insert(target.now.value, entry.key, made.value);
        if constexpr (Recorder::kKeeps) {
          const detail::Gone* gone = Recorder::find_gone(*target.node, entry.key);
          recorder_.append(*target.node, gone == nullptr ? made.slot : recorder_.meet(Meeting::took, gone->what, made));
        }
        continue;
      }
      const Traced present{target.now.value.entries()[position].value, recorder_.child(target.now, position)};
      const Traced made = meet(strategy_.member, present, arriving, depth + 1);
      if (!made.value) {
        ensure_open();
        erased.push_back(position);
        if constexpr (Recorder::kKeeps)
          recorder_.add_gone(*target.node, {.key = entry.key, .index = 0, .is_tail = false, .what = made, .earlier = nullptr});
        continue;
      }
      if constexpr (!Recorder::kKeeps) {
        if (same_node(made.value, present.value)) continue;
      }
      ensure_open();
      arena_.replace_entry(target.now.value, position, made.value);
      if constexpr (Recorder::kKeeps) target.node->children[position] = made.slot;
    }
    if (!erased.empty()) erase_entries(target, erased);
    return target.now;
  }

  /// Removes entries in one pass over the mapping.
  void erase_entries(Open& target, const std::vector<std::size_t>& erased) {
    const auto keep = std::make_unique<bool[]>(target.now.value.size());  // NOLINT(modernize-avoid-c-arrays): vector<bool> has no span
    std::fill_n(keep.get(), target.now.value.size(), true);
    for (const std::size_t position : erased) keep[position] = false;
    if constexpr (Recorder::kKeeps) {
      std::uint32_t kept = 0;
      for (std::uint32_t i = 0; i < target.node->size; ++i) {
        if (keep[i]) target.node->children[kept++] = target.node->children[i];
      }
      target.node->back += target.node->size - kept;
      target.node->size = kept;
    }
    arena_.keep_entries(target.now.value, {keep.get(), target.now.value.size()});
  }

  static bool same_node(const Value& left, const Value& right) { return __builtin_memcmp(&left, &right, sizeof(Value)) == 0; }

  Traced add_items(const Traced& old, const Traced& incoming, bool at_end) {
    if (incoming.value.size() == 0) return old.value.size() == 0 ? kept(old, incoming) : old;
    Open target = open(old, 0);
    if (at_end) {
      arena_.append(target.now.value, incoming.value.items());
    } else {
      arena_.prepend(target.now.value, incoming.value.items());
    }
    if constexpr (Recorder::kKeeps) {
      if (at_end) {
        recorder_.append(*target.node, incoming);
      } else {
        recorder_.prepend(*target.node, incoming);
      }
    }
    return target.now;
  }

  /// Old items, then new ones, the first of equal items only. Scalars and texts are found by hash.
  Traced unite(const Traced& old, const Traced& incoming) {
    Traced result{arena_.sequence(old.value.size() + incoming.value.size()), {}};
    Arena::set_owner(result.value, owner_);
    detail::Node* node = nullptr;
    if constexpr (Recorder::kKeeps) {
      node = recorder_.own(result, owner_);
      node->past = old.slot;
      result.slot = Slot(node);
    }
    Arena scratch;
    const Value seen = scratch.mapping(KeyEquality::exact);
    for (const Traced* side : {&old, &incoming}) {
      const auto values = side->value.items();
      for (std::size_t i = 0; i < values.size(); ++i) {
        const Slot slot = recorder_.child(*side, i);
        const std::size_t position = Arena::index_of(seen, values[i]);
        if (position == Arena::npos) {
          scratch.insert(seen, values[i], Value::null());
          arena_.append(result.value, values[i]);
          if constexpr (Recorder::kKeeps) recorder_.append(*node, slot);
        } else if constexpr (Recorder::kKeeps) {
          node->children[position] = recorder_.meet(Meeting::kept, {result.value.items()[position], node->children[position]}, {values[i], slot});
        }
      }
    }
    result.value = result.value.with_origin(old.value.origin());
    return result;
  }

  // NOLINTNEXTLINE(misc-no-recursion): bounded by Limits::depth.
  Traced items(const Traced& old, const Traced& incoming, std::size_t depth, bool extend) {
    const std::size_t common = std::min(old.value.size(), incoming.value.size());
    if (incoming.value.size() == 0) return old.value.size() == 0 ? kept(old, incoming) : old;
    Open target = open(old, 0);
    bool has_holes = false;
    for (std::size_t i = 0; i < common; ++i) {
      const Traced present{target.now.value.items()[i], recorder_.child(target.now, i)};
      const Traced arriving{incoming.value.items()[i], recorder_.child(incoming, i)};
      const Traced made = meet(strategy_.item, present, arriving, depth + 1);
      arena_.replace(target.now.value, i, made.value);
      if (!made.value) has_holes = true;
      if constexpr (Recorder::kKeeps) target.node->children[i] = made.slot;
    }
    if (has_holes) close_holes(target);
    if (incoming.value.size() == common) return target.now;
    if (!extend) notice(Action::by_index, old, incoming);
    if (extend) {
      for (std::size_t i = common; i < incoming.value.size(); ++i) {
        arena_.append(target.now.value, incoming.value.items()[i]);
        if constexpr (Recorder::kKeeps) recorder_.append(*target.node, recorder_.child(incoming, i));
      }
    } else if constexpr (Recorder::kKeeps) {
      recorder_.add_gone(*target.node, {.key = {}, .index = common, .is_tail = true, .what = incoming, .earlier = nullptr});
    }
    return target.now;
  }

  /// Items that were removed go, in one pass.
  void close_holes(Open& target) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < target.now.value.size(); ++i) {
      const Value item = target.now.value.items()[i];
      if (item) {
        if (kept != i) arena_.replace(target.now.value, kept, item);
        if constexpr (Recorder::kKeeps) target.node->children[kept] = target.node->children[i];
        ++kept;
      } else if constexpr (Recorder::kKeeps) {
        const Traced what{item, target.node->children[i]};
        recorder_.add_gone(*target.node, {.key = {}, .index = i, .is_tail = false, .what = what, .earlier = nullptr});
      }
    }
    if constexpr (Recorder::kKeeps) {
      const auto gone = static_cast<std::uint32_t>(target.now.value.size() - kept);
      target.node->back += gone;
      target.node->size -= gone;
    }
    while (target.now.value.size() > kept) arena_.erase_at(target.now.value, target.now.value.size() - 1);
  }

  Traced joined(const Traced& old, const Traced& incoming) {
    const std::string_view front = old.value.text();
    const std::string_view back = incoming.value.text();
    const std::size_t size = front.size() + strategy_.separator.size() + back.size();
    if (size > limits_.input) {
      throw Error("limit.result", fmt::format("a joined text has more than {} bytes", limits_.input))
          .hint("raise the limit with --limit input=BYTES");
    }
    Value text;
    const auto room =
        rooms_ == nullptr ? Rooms::iterator{} : std::ranges::find(*rooms_, static_cast<const void*>(front.data()), &Rooms::value_type::first);
    if (rooms_ != nullptr && room != rooms_->end() && room->second >= size) {
      text = old.value;
    } else {
      // Twice the size, so that joining n texts costs what they hold together.
      text = arena_.text_with_room(front, rooms_ == nullptr ? size : size * 2);
      if (rooms_ != nullptr && room != rooms_->end()) rooms_->erase(room);
      if (rooms_ != nullptr) rooms_->emplace_back(text.text().data(), size * 2);
    }
    Arena::append_text(text, strategy_.separator);
    Arena::append_text(text, back);
    text = text.with_origin(incoming.value.origin()).with_secret(old.value.is_secret() || incoming.value.is_secret());
    if constexpr (Recorder::kKeeps) return {text, recorder_.meet(Meeting::merged, old, incoming)};
    return {text, {}};
  }

  Value keys_of(const Value& mapping) {
    const Value keys = arena_.sequence(mapping.size());
    for (const Entry& entry : mapping.entries()) arena_.append(keys, entry.key);
    return keys.with_origin(mapping.origin()).with_secret(mapping.is_secret());
  }

  Value characters_of(const Value& text) {
    const std::string_view bytes = text.text();
    const auto is_start = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
    const auto count = static_cast<std::size_t>(std::ranges::count_if(bytes, is_start));
    if (count > limits_.result) {
      throw Error("limit.result", fmt::format("a text of {} characters would become as many items", count))
          .hint("raise the limit with --limit result=NODES");
    }
    const Value items = arena_.sequence(count);
    for (std::size_t begin = 0; begin < bytes.size();) {
      std::size_t end = begin + 1;
      while (end < bytes.size() && !is_start(bytes[end])) ++end;
      arena_.append(items, arena_.text(bytes.substr(begin, end - begin)).with_origin(text.origin()).with_secret(text.is_secret()));
      begin = end;
    }
    return items.with_origin(text.origin()).with_secret(text.is_secret());
  }

  Traced called(std::size_t n, const Traced& old, const Traced& incoming) {
    assert(n < calls_.size() && "a strategy comes with its functions");
    if (call_depth_ >= kCallDepth) {
      throw Error("limit.depth", fmt::format("merge functions call each other deeper than {} levels", kCallDepth));
    }
    // A function may catch an error of what it calls, and go on.
    const Restore<std::size_t> depth(call_depth_, call_depth_);
    ++call_depth_;
    // What a function merges by itself is not owned by the accumulator: it may keep both sides.
    const Recurse recurse = [this](const Value& left, const Value& right) {
      const Restore<const void*> owner(owner_, owner_);
      const Restore<Rooms*> rooms(rooms_, rooms_);
      owner_ = arena_.new_owner();
      rooms_ = nullptr;
      return meet(strategy_.root, {left, {}}, {right, {}}, 0).value;
    };
    Value made = calls_[n](arena_, old.value, incoming.value, recurse);
    if (!made) return removed(old, incoming);
    if (same_node(made, old.value)) return kept(old, incoming);
    if (same_node(made, incoming.value)) return took(old, incoming);
    if (!made.origin()) made = made.with_origin(incoming.value.origin());
    if constexpr (Recorder::kKeeps) return {made, recorder_.meet(Meeting::merged, old, incoming)};
    return {made, {}};
  }

  static constexpr std::size_t kCallDepth = 100;

  Arena& arena_;
  const Limits& limits_;
  [[no_unique_address]] Recorder recorder_;
  const Strategy& strategy_;
  std::span<const Call> calls_;
  const void* owner_;
  Rooms* rooms_;
  std::vector<Notice>* notices_;
  std::size_t call_depth_ = 0;
};

}  // namespace strata::merge
