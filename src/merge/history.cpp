// From the nodes of a History to the contributions of a path.
#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "recording.hpp"
#include "strata/merge.hpp"

namespace strata::merge {

using detail::Gone;
using detail::Meeting;
using detail::Node;

namespace {

using Steps = std::span<const Path::Step>;

/// Contributions in the order in which they met, and which of them still count. Each contribution changes its fate at most twice, so that a
/// long chain of meetings costs what it holds.
class Gathered {
 public:
  void add(std::vector<Contribution> more) {
    for (Contribution& one : more) {
      if (one.fate == Fate::won) won_.push_back(all_.size());
      if (one.fate == Fate::merged) merged_.push_back(all_.size());
      all_.push_back(one);
    }
  }
  /// What counted so far has this fate now, and counts no more.
  void settle(Fate fate) {
    for (const std::size_t i : won_) all_[i].fate = fate;
    for (const std::size_t i : merged_) all_[i].fate = fate;
    won_.clear();
    merged_.clear();
  }
  void mark_merged() {
    for (const std::size_t i : won_) all_[i].fate = Fate::merged;
    merged_.insert(merged_.end(), won_.begin(), won_.end());
    won_.clear();
  }
  std::vector<Contribution> take() { return std::move(all_); }

 private:
  std::vector<Contribution> all_;
  std::vector<std::size_t> won_;
  std::vector<std::size_t> merged_;
};

std::vector<Contribution> with_fate(std::vector<Contribution> contributions, Fate fate) {
  for (Contribution& one : contributions) {
    if (one.fate != Fate::removed && (fate != Fate::merged || one.fate == Fate::won)) {
      if (fate != Fate::removed || one.fate != Fate::shadowed) one.fate = fate;
    }
  }
  return contributions;
}

std::size_t position_of(const Value& container, const Path::Step& step) {
  if (container.is_sequence()) {
    const auto* index = std::get_if<std::size_t>(&step);
    return index != nullptr && *index < container.size() ? *index : Arena::npos;
  }
  const auto* key = std::get_if<Value>(&step);
  return container.is_container() && key != nullptr ? Arena::index_of(container, *key) : Arena::npos;
}

Value value_at(const Value& container, std::size_t position) {
  return container.is_sequence() ? container.items()[position] : container.entries()[position].value;
}

Traced child_at(const Traced& container, std::size_t position) {
  return {value_at(container.value, position), Recording::child(container, position)};
}

/// What one untouched value has at a path.
std::vector<Contribution> descend(LayerId layer, Value value, Steps path) {
  Origin via;
  for (const Path::Step& step : path) {
    const std::size_t position = position_of(value, step);
    if (position == Arena::npos) return {};
    if (value.origin().through_alias()) via = value.origin();
    value = value_at(value, position);
  }
  if (!value) return {};
  return {{.layer = layer, .fate = Fate::won, .value = value, .via = via}};
}

std::vector<Contribution> gather(const Traced& traced, Steps path);

bool is_at(const Gone& gone, const Path::Step& step) {
  if (const auto* key = std::get_if<Value>(&step)) return gone.key && equal(gone.key, *key);
  const std::size_t index = std::get<std::size_t>(step);
  return !gone.key && (gone.is_tail ? index >= gone.index : index == gone.index);
}

/// What was at a path of a container before it was removed or dropped.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the path.
std::vector<Contribution> gather_gone(const Node& node, Steps path, bool keys_too) {
  std::vector<const Gone*> found;
  for (const Gone* gone = node.gone; gone != nullptr; gone = gone->earlier) {
    if ((keys_too || !gone->key) && is_at(*gone, path.front())) found.push_back(gone);
  }
  std::vector<Contribution> out;
  for (auto gone = found.rbegin(); gone != found.rend(); ++gone) {
    const auto more = with_fate(gather((*gone)->what, (*gone)->is_tail ? path : path.subspan(1)), Fate::removed);
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

/// The meetings at one place, newest first, down to a layer or a container.
struct Spine {
  std::vector<const Node*> meetings;
  Traced end;
};

Spine spine_of(const Traced& traced) {
  Spine spine{.meetings = {}, .end = traced};
  for (const Node* node = traced.slot.node(); node != nullptr && !node->is_container; node = spine.end.slot.node()) {
    spine.meetings.push_back(node);
    spine.end = node->old;
  }
  return spine;
}

/// The losers of a place whose present value is told elsewhere.
// NOLINTNEXTLINE(misc-no-recursion): once a side that was itself merged elsewhere; as deep as folds of folds.
std::vector<Contribution> gather_past(Slot past, Steps path) {
  std::vector<Contribution> out;
  const auto add = [&out](const std::vector<Contribution>& more) { out.insert(out.end(), more.begin(), more.end()); };
  const Node* node = past.node();
  // Newest first; the order is mended by the caller's sort.
  while (node != nullptr) {
    if (node->is_container) {
      node = node->past.node();
    } else if (node->meeting == Meeting::kept) {
      add(with_fate(gather(node->incoming, path), Fate::shadowed));
      node = node->old.slot.node();
    } else {
      add(with_fate(gather(node->old, path), node->meeting == Meeting::removed ? Fate::removed : Fate::shadowed));
      node = node->incoming.slot.node();
    }
  }
  return out;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the path.
std::vector<Contribution> gather_container(const Traced& traced, const Node& node, Steps path) {
  std::vector<Contribution> out = gather_past(node.past, path);
  const auto add = [&out](const std::vector<Contribution>& more) { out.insert(out.end(), more.begin(), more.end()); };
  if (path.empty()) {
    if (traced.value) add({{.layer = Recording::supplier(traced.slot).layer(), .fate = Fate::won, .value = traced.value, .via = {}}});
    return out;
  }
  const std::size_t position = position_of(traced.value, path.front());
  add(gather_gone(node, path, position == Arena::npos));
  if (position == Arena::npos) return out;
  const Traced child = child_at(traced, position);
  auto more = gather(child, path.subspan(1));
  // Members that came with the container came through its alias, if it has one; members of others did not.
  if (traced.value.origin().through_alias()) {
    const LayerId layer = Recording::supplier(traced.slot).layer();
    for (Contribution& one : more) {
      if (!one.via && one.layer == layer) one.via = traced.value.origin();
    }
  }
  add(more);
  return out;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the path; chains of meetings are walked in a loop.
std::vector<Contribution> gather(const Traced& traced, Steps path) {
  const Spine spine = spine_of(traced);
  Gathered gathered;
  if (const Node* container = spine.end.slot.node()) {
    gathered.add(gather_container(spine.end, *container, path));
  } else {
    gathered.add(descend(spine.end.slot.layer(), spine.end.value, path));
  }
  for (auto meeting = spine.meetings.rbegin(); meeting != spine.meetings.rend(); ++meeting) {
    auto incoming = gather((*meeting)->incoming, path);
    switch ((*meeting)->meeting) {
      case Meeting::took:
        gathered.settle(Fate::shadowed);
        gathered.add(std::move(incoming));
        break;
      case Meeting::kept:
        gathered.add(with_fate(std::move(incoming), Fate::shadowed));
        break;
      case Meeting::merged:
        gathered.mark_merged();
        gathered.add(with_fate(std::move(incoming), Fate::merged));
        break;
      case Meeting::removed:
        gathered.settle(Fate::removed);
        gathered.add(with_fate(std::move(incoming), Fate::removed));
        break;
    }
  }
  return gathered.take();
}

/// Lists the history of every leaf of a result, and of every leaf that is gone.
class Explainer {
 public:
  explicit Explainer(const Traced& result) : result_(result) {}

  std::vector<PathHistory> explain(const std::vector<std::string>& prefix) {
    Traced here = result_;
    bool there = true;
    for (const std::string& token : prefix) {
      const std::size_t position = there ? find(here.value, token) : Arena::npos;
      there = there && position != Arena::npos;
      push_token(here.value, token, there ? position : Arena::npos);
      if (there) here = child_at(here, position);
    }
    if (!there) {
      missing();
    } else if (!here.value) {
      return {};
    } else {
      walk(here);
    }
    return std::move(out_);
  }

 private:
  static std::size_t find(const Value& container, const std::string& token) {
    if (container.is_sequence()) {
      std::size_t index = 0;
      const auto [end, status] = std::from_chars(token.data(), token.data() + token.size(), index);
      return status == std::errc{} && end == token.data() + token.size() && index < container.size() ? index : Arena::npos;
    }
    if (!container.is_container()) return Arena::npos;
    const auto entries = container.entries();
    const auto entry = std::ranges::find_if(entries, [&token](const Entry& one) { return key_text(one.key) == token; });
    return entry == entries.end() ? Arena::npos : static_cast<std::size_t>(entry - entries.begin());
  }

  void push_token(const Value& container, const std::string& token, std::size_t position) {
    if (container.is_sequence()) {
      std::size_t index = position;
      if (position == Arena::npos) std::from_chars(token.data(), token.data() + token.size(), index);
      path_.push(index);
    } else {
      path_.push(position == Arena::npos ? keys_.key(token) : container.entries()[position].key);
    }
  }

  /// The prefix is not in the result: perhaps it was.
  void missing() { emit(Value()); }

  void emit(const Value& value) {
    auto contributions = gather(result_, path_.steps());
    std::erase_if(contributions, [](const Contribution& one) { return one.layer == kNoLayer; });
    std::ranges::stable_sort(contributions, {}, &Contribution::layer);
    if (contributions.empty() && !value) return;
    out_.push_back({.path = path_, .value = value, .contributions = std::move(contributions)});
  }

  // NOLINTNEXTLINE(misc-no-recursion): bounded by Limits::depth.
  void walk(const Traced& here) {
    if (here.value.is_leaf()) {
      emit(here.value);
      emitted_.insert(path_.pointer());
    } else {
      for (std::size_t i = 0; i < here.value.size(); ++i) {
        push(here.value, i);
        walk(child_at(here, i));
        path_.pop();
      }
    }
    losers(here.slot);
  }

  void push(const Value& container, std::size_t position) {
    if (container.is_sequence()) {
      path_.push(position);
    } else {
      path_.push(container.entries()[position].key);
    }
  }

  /// What met at this place and lost, and what was removed below it. Meetings form long chains, so they are walked in a loop.
  // NOLINTNEXTLINE(misc-no-recursion): bounded by Limits::depth.
  void losers(Slot slot) {
    std::vector<Traced> lost;
    std::vector<const Node*> containers;
    std::vector<Slot> open{slot};
    while (!open.empty()) {
      const Node* node = open.back().node();
      open.pop_back();
      if (node == nullptr) continue;
      if (node->is_container) {
        containers.push_back(node);
        open.push_back(node->past);
        continue;
      }
      if (node->meeting != Meeting::kept) lost.push_back(node->old);
      if (node->meeting != Meeting::took) lost.push_back(node->incoming);
      open.push_back(node->old.slot);
      open.push_back(node->incoming.slot);
    }
    for (auto one = lost.rbegin(); one != lost.rend(); ++one) leaves(*one);
    for (const Node* container : containers) {
      for (const Gone* gone = container->gone; gone != nullptr; gone = gone->earlier) gone_below(*gone);
    }
  }

  // NOLINTNEXTLINE(misc-no-recursion): bounded by Limits::depth.
  void gone_below(const Gone& gone) {
    if (gone.is_tail) {
      for (std::size_t i = gone.index; i < gone.what.value.size(); ++i) {
        path_.push(i);
        ghosts(child_at(gone.what, i));
        path_.pop();
      }
      return;
    }
    if (gone.key) {
      path_.push(gone.key);
    } else {
      path_.push(gone.index);
    }
    ghosts(gone.what);
    path_.pop();
  }

  /// What is no longer there, with all that met there before.
  // NOLINTNEXTLINE(misc-no-recursion): bounded by Limits::depth.
  void ghosts(const Traced& ghost) {
    leaves(ghost);
    losers(ghost.slot);
  }

  /// The leaves of what is no longer there, as far as the result has no leaf at their paths.
  // NOLINTNEXTLINE(misc-no-recursion): bounded by Limits::depth.
  void leaves(const Traced& ghost) {
    if (ghost.value && !ghost.value.is_leaf()) {
      for (std::size_t i = 0; i < ghost.value.size(); ++i) {
        push(ghost.value, i);
        ghosts(child_at(ghost, i));
        path_.pop();
      }
    } else if (ghost.value && !is_leaf_of_result() && emitted_.insert(path_.pointer()).second) {
      emit(Value());
    }
  }

  [[nodiscard]] bool is_leaf_of_result() const {
    Value value = result_.value;
    for (const Path::Step& step : path_.steps()) {
      const std::size_t position = position_of(value, step);
      if (position == Arena::npos) return false;
      value = value_at(value, position);
    }
    return value && value.is_leaf();
  }

  const Traced& result_;
  Path path_;
  Arena keys_;
  std::unordered_set<std::string> emitted_;
  std::vector<PathHistory> out_;
};

}  // namespace

History::History() : pool_(std::make_unique<Pool>()) {}
History::~History() = default;

LayerId History::add_layer(std::string name, std::string note) {
  layers_.push_back({.name = std::move(name), .note = std::move(note)});
  return static_cast<LayerId>(layers_.size() - 1);
}

std::vector<PathHistory> History::explain(const Traced& result, const std::vector<std::string>& prefix) const {
  return Explainer(result).explain(prefix);
}

Traced History::derive(const Value& value, std::span<const Traced> inputs) {
  if (inputs.empty()) return {value, Slot(LayerId{0})};
  Recording recording(*this);
  Traced out = inputs.front();
  for (const Traced& input : inputs.subspan(1)) out = {value, recording.meet(Meeting::merged, out, input)};
  return {value, inputs.size() == 1 ? recording.meet(Meeting::merged, {}, out) : out.slot};
}

}  // namespace strata::merge
