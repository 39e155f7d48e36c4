// SPDX-License-Identifier: Apache-2.0
#include "contributions.hpp"

#include <algorithm>

#include "access.hpp"
#include "recording.hpp"

namespace strata::merge {

using detail::ContainerNode;
using detail::Gone;
using detail::Meeting;
using detail::Node;

namespace {

/// `loss`: why those that count until now are lost.
std::vector<Contribution> with_fate(std::vector<Contribution> contributions, Fate fate, Loss loss = Loss::none) {
  for (Contribution& one : contributions) {
    if (one.fate != Fate::removed && (fate != Fate::merged || one.fate == Fate::won)) {
      if (counts(one)) one.loss = loss;
      if (fate != Fate::removed || one.fate != Fate::shadowed) one.fate = fate;
    }
  }
  return contributions;
}

/// What one untouched value has at a path.
std::vector<Contribution> descend(LayerId layer, Value value, Steps path) {
  Origin via;
  for (const Path::Step& step : path) {
    const std::size_t position = position_of(value, step);
    if (position == Arena::npos) return {};
    if (value.origin().through_alias()) via = value.origin();
    value = member_at(value, position);
  }
  if (!value) return {};
  return {{.layer = layer, .fate = Fate::won, .value = value, .via = via}};
}

/// Whether a value without members, or with members of another kind, stands on the way, where others have a container.
bool is_made_of_parts(Value value, Steps path) {
  for (const Path::Step& step : path) {
    if (!value) return false;
    if (!value.is_container() || (std::holds_alternative<std::size_t>(step) ? value.is_mapping() : value.is_sequence()))
      return true;
    const std::size_t position = position_of(value, step);
    if (position == Arena::npos) return false;
    value = member_at(value, position);
  }
  return false;
}

bool is_at(const Gone& gone, const Path::Step& step) {
  if (const auto* key = std::get_if<Value>(&step)) return gone.key && equal(gone.key, *key);
  const std::size_t index = std::get<std::size_t>(step);
  return !gone.key && (gone.is_tail ? index >= gone.index : index == gone.index);
}

/// What was at a path of a container before it was removed or dropped.
// Recursion: as deep as the path.
std::vector<Contribution> contributions_of_gone(const ContainerNode& node, Steps path, bool keys_too) {
  // What was removed before a member came back is part of the member's history.
  if (!keys_too && std::holds_alternative<Value>(path.front())) return {};
  std::vector<const Gone*> found;
  for (const Gone* gone = node.gone; gone != nullptr; gone = gone->earlier) {
    if (!is_at(*gone, path.front())) continue;
    found.push_back(gone);
    if (gone->key) break;  // It knows what was there before it.
  }
  std::vector<Contribution> out;
  for (auto gone = found.rbegin(); gone != found.rend(); ++gone) {
    const auto more = with_fate(contributions_of((*gone)->what, (*gone)->is_tail ? path : path.subspan(1)),
                                Fate::removed, Loss::removed);
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

void add_all(std::vector<Contribution>& to, std::vector<Contribution> more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// The losers of a container whose members tell the rest. `is_told`: the container has a member on this path.
/// Newest first; the order is mended at the end.
// Recursion: as deep as the path.
std::vector<Contribution> contributions_of_past(Slot past, const Value& container, Steps path, bool is_told) {
  std::vector<Contribution> out;
  for (const Node* node = past.node(); node != nullptr; node = past.node()) {
    if (node->is_container) {
      past = container_of(*node).past;
      continue;
    }
    const detail::MeetingNode& met = meeting_of(*node);
    if (met.meeting == Meeting::kept) {
      add_all(out, with_fate(contributions_of(met.incoming, path), Fate::shadowed, met.how.loss));
      past = met.old.slot;
    } else if (is_computed(met)) {
      if (is_told) break;
      const bool is_part = path.empty() || (met.meeting == Meeting::derived && is_made_of_parts(container, path));
      const Fate fate = is_part ? Fate::merged : Fate::removed;
      const Loss loss = is_part ? Loss::none : met.how.loss;
      add_all(out, with_fate(contributions_of(met.old, path), fate, loss));
      add_all(out, with_fate(contributions_of(met.incoming, path), fate, loss));
      break;
    } else if (met.meeting == Meeting::told) {
      if (!is_told) {
        add_all(out, with_fate(contributions_of(met.old, path), path.empty() ? Fate::merged : Fate::removed,
                               path.empty() ? Loss::none : met.how.loss));
        break;
      }
      past = met.incoming.slot;
    } else {
      add_all(out, with_fate(contributions_of(met.old, path),
                             met.meeting == Meeting::removed ? Fate::removed : Fate::shadowed, met.how.loss));
      past = met.incoming.slot;
    }
  }
  return out;
}

/// Whether a list has dropped an item of another one together with all that this one had lost there.
bool is_dropped_with(const ContainerNode& node, const Traced& list, Steps path) {
  if (path.empty()) return false;
  for (const Gone* gone = node.gone; gone != nullptr; gone = gone->earlier) {
    if (gone->is_tail && gone->what.slot == list.slot && is_at(*gone, path.front())) return true;
  }
  return false;
}

/// What the containers that met in one had lost before they met it. What they still had is in it, and tells of itself.
// Recursion: as deep as the path. Containers that were merged into each other form long chains.
std::vector<Contribution> contributions_of_merged(const ContainerNode& container, Steps path) {
  std::vector<Contribution> out;
  std::vector<const ContainerNode*> open{&container};
  while (!open.empty()) {
    const ContainerNode& node = *open.back();
    open.pop_back();
    for (const detail::ContainerMerge* merge = telling_merges_of(node); merge != nullptr;
         merge = next_telling(*merge)) {
      const Traced& met = merge->incoming;
      if (is_dropped_with(node, met, path)) continue;
      const bool is_told = !path.empty() && position_of(met.value, path.front()) != Arena::npos;
      add_all(out, contributions_of_past(met.slot, met.value, path, is_told));
      const Node* made = Recording::winner(met.slot);
      if (made == nullptr || !made->is_container) continue;
      if (!path.empty()) add_all(out, contributions_of_gone(container_of(*made), path, !is_told));
      open.push_back(&container_of(*made));
    }
  }
  return out;
}

// Recursion: as deep as the path.
std::vector<Contribution> contributions_of_container(const Traced& traced, const ContainerNode& node, Steps path) {
  if (path.empty()) {
    auto out = contributions_of_past(node.past, traced.value, path, false);
    add_all(out, contributions_of_merged(node, path));
    const LayerId layer = Recording::supplier(traced.slot).layer();
    if (traced.value && layer != kNoLayer && std::ranges::none_of(out, counts)) {
      out.push_back({.layer = layer, .fate = Fate::won, .value = traced.value, .via = {}});
    }
    return out;
  }
  const std::size_t position = position_of(traced.value, path.front());
  auto out = contributions_of_past(node.past, traced.value, path, position != Arena::npos);
  add_all(out, contributions_of_gone(node, path, position == Arena::npos));
  add_all(out, contributions_of_merged(node, path));
  if (position == Arena::npos) return out;
  auto more = contributions_of(child_at(traced, position), path.subspan(1));
  // Members that came with the container came through its alias, if it has one; members of others did not.
  if (traced.value.origin().through_alias()) {
    const LayerId layer = Recording::supplier(traced.slot).layer();
    for (Contribution& one : more) {
      if (!one.via && one.layer == layer) one.via = traced.value.origin();
    }
  }
  if (traced.value.is_secret()) {
    for (Contribution& one : more) one.value = one.value.with_secret();
  }
  add_all(out, std::move(more));
  return out;
}

/// Walks the meetings at one place, in a loop, since they form long chains. What counts so far (won or merged) is kept
/// on two stacks: a meeting settles the fate of one of its sides without looking again at what was settled before it.
class MeetingWalk {
 public:
  explicit MeetingWalk(Steps path) : path_(path) {}

  // Recursion: as deep as the path.
  std::vector<Contribution> walk(const Traced& traced) {
    tasks_.push_back({.what = Task::visit, .traced = traced});
    while (!tasks_.empty()) {
      const Todo todo = tasks_.back();
      tasks_.pop_back();
      switch (todo.what) {
        case Task::visit:
          visit(todo.traced);
          break;
        case Task::lose:
          later({.what = Task::settle, .fate = Fate::shadowed, .loss = todo.loss, .from = here(), .traced = {}});
          later({.what = Task::visit, .traced = todo.traced});
          break;
        case Task::settle:
          settle(todo.from, todo.fate, todo.loss);
          break;
        case Task::merge:
          for (std::size_t i = todo.from.won; i < won_.size(); ++i) all_[won_[i]].fate = Fate::merged;
          merged_.insert(merged_.end(), won_.begin() + static_cast<std::ptrdiff_t>(todo.from.won), won_.end());
          won_.resize(todo.from.won);
          break;
      }
    }
    return std::move(all_);
  }

 private:
  enum class Task : std::uint8_t {
    visit,   ///< Add the contributions of `traced`.
    lose,    ///< Add them as shadowed.
    settle,  ///< What has come to count since `from` gets `fate` and counts no more.
    merge,   ///< What has won since `from` is merged.
  };
  struct Mark {
    std::size_t won = 0;
    std::size_t merged = 0;
  };
  struct Todo {
    Task what;
    Fate fate = Fate::won;
    Loss loss = Loss::none;
    Mark from = {};
    Traced traced = {};
  };

  [[nodiscard]] Mark here() const { return {.won = won_.size(), .merged = merged_.size()}; }
  void later(const Todo& todo) { tasks_.push_back(todo); }

  // Recursion: as deep as the path.
  void visit(const Traced& traced) {
    const Node* node = traced.slot.node();
    if (node == nullptr) {
      add(descend(traced.slot.layer(), traced.value, path_));
      return;
    }
    if (node->is_container) {
      add(contributions_of_container(traced, container_of(*node), path_));
      return;
    }
    // In reverse: the last one is done first.
    const detail::MeetingNode& met = meeting_of(*node);
    const Todo old{.what = Task::visit, .traced = met.old};
    const Todo incoming{.what = Task::visit, .traced = met.incoming};
    switch (met.meeting) {
      case Meeting::took:
        later(incoming);
        later({.what = Task::settle, .fate = Fate::shadowed, .loss = met.how.loss, .from = here()});
        break;
      case Meeting::kept:
        later({.what = Task::lose, .loss = met.how.loss, .traced = met.incoming});
        break;
      case Meeting::merged:
      case Meeting::derived:
        // What was computed may have nothing there. What waits still has everything, and what a container became is
        // made of all that is in it.
        if (!leads(traced.value, path_) &&
            !(met.meeting == Meeting::derived && is_made_of_parts(traced.value, path_))) {
          later({.what = Task::settle, .fate = Fate::removed, .loss = met.how.loss, .from = here()});
          later(incoming);
          break;
        }
        later({.what = Task::merge, .from = here()});
        later(incoming);
        break;
      case Meeting::removed:
        later({.what = Task::settle, .fate = Fate::removed, .loss = met.how.loss, .from = here()});
        later(incoming);
        break;
      case Meeting::told:
        // Only one of the two: what is there was mostly made of the other one, and tells of it.
        if (leads(met.incoming.value, path_)) {
          later(incoming);
          return;
        }
        later({.what = Task::settle, .fate = Fate::removed, .loss = met.how.loss, .from = here()});
        break;
    }
    later(old);
  }

  void add(const std::vector<Contribution>& more) {
    for (const Contribution& one : more) {
      if (one.fate == Fate::won) won_.push_back(all_.size());
      if (one.fate == Fate::merged) merged_.push_back(all_.size());
      all_.push_back(one);
    }
  }

  void settle(Mark from, Fate fate, Loss loss) {
    const auto lose = [&](std::size_t one) {
      all_[one].fate = fate;
      all_[one].loss = loss;
    };
    for (std::size_t i = from.won; i < won_.size(); ++i) lose(won_[i]);
    for (std::size_t i = from.merged; i < merged_.size(); ++i) lose(merged_[i]);
    won_.resize(from.won);
    merged_.resize(from.merged);
  }

  Steps path_;
  std::vector<Todo> tasks_;
  std::vector<Contribution> all_;
  std::vector<std::size_t> won_;
  std::vector<std::size_t> merged_;
};

}  // namespace

bool leads(Value value, Steps path) {
  for (const Path::Step& step : path) {
    const std::size_t position = position_of(value, step);
    if (position == Arena::npos) return false;
    value = member_at(value, position);
  }
  return static_cast<bool>(value);
}

// Recursion: as deep as the path.
std::vector<Contribution> contributions_of(const Traced& traced, Steps path) { return MeetingWalk(path).walk(traced); }

}  // namespace strata::merge
