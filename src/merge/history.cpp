// SPDX-License-Identifier: Apache-2.0
// The history of every leaf of a result.
#include <algorithm>
#include <string>
#include <unordered_set>

#include "access.hpp"
#include "contributions.hpp"
#include "pending.hpp"
#include "recording.hpp"
#include "strata/builder.hpp"
#include "strata/merge.hpp"
#include "value/seeded_hash.hpp"

namespace strata::merge {

using detail::ContainerNode;
using detail::Gone;
using detail::Meeting;
using detail::Node;

namespace {

/// Lists the history of every leaf of a result, and of every leaf that is gone.
class Explainer {
 public:
  using Visit = std::function<void(PathHistory&& path)>;
  Explainer(const Traced& result, const std::vector<std::string>& prefix, const Stop* stop, const Visit& visit)
      : result_(result), prefix_(prefix), stop_(stop), visit_(visit) {}

  void explain() {
    if (result_.value) walk(result_);
  }

 private:
  /// What a report has one line for: below what is secret there is nothing to tell.
  static bool is_leaf(const Value& value) { return value.is_leaf() || value.is_secret(); }

  /// Steps into a member, unless no path below it is asked for.
  bool enter(const Path::Step& step) {
    const std::size_t depth = path_.steps().size();
    if (depth < prefix_.size()) {
      const auto* index = std::get_if<std::size_t>(&step);
      if ((index != nullptr ? std::to_string(*index) : key_text(std::get<Value>(step))) != prefix_[depth]) return false;
    }
    std::visit([this](const auto& one) { path_.push(one); }, step);
    return true;
  }

  static Path::Step step_of(const Value& container, std::size_t position) {
    if (container.is_sequence()) return position;
    return container.entries()[position].key;
  }

  void emit(const Value& value) {
    if (path_.steps().size() < prefix_.size()) return;
    auto contributions = contributions_of(result_, path_.steps());
    stop_.tick(static_cast<std::uint32_t>(1 + contributions.size()));
    // A leaf is gone, but a container stands at its path: the leaves of the container tell where it comes from.
    if (!value && leads(result_.value, path_.steps())) std::erase_if(contributions, counts);
    // A function may have made a leaf that none of its inputs has.
    if (value && std::ranges::none_of(contributions, counts)) {
      contributions.push_back({.layer = supplier(), .fate = Fate::merged, .value = value, .via = {}});
    }
    std::erase_if(contributions, [](const Contribution& one) { return one.layer == kNoLayer; });
    if (contributions.empty() && !value) return;
    visit_({.path = path_, .value = value, .contributions = std::move(contributions)});
  }

  /// Of the present path, or of the nearest container above it that has one.
  [[nodiscard]] LayerId supplier() const {
    Traced here = result_;
    LayerId known = Recording::supplier(here.slot).layer();
    for (const Path::Step& step : path_.steps()) {
      here = child_at(here, position_of(here.value, step));
      const LayerId own = Recording::supplier(here.slot).layer();
      if (own != kNoLayer) known = own;
    }
    return known;
  }

  // Recursion: bounded by Limits::depth.
  void walk(const Traced& here) {
    if (is_leaf(here.value)) {
      emit(here.value);
      emitted_.insert(path_.pointer());
    } else {
      for (std::size_t i = 0; i < here.value.size(); ++i) {
        if (!enter(step_of(here.value, i))) continue;
        walk(child_at(here, i));
        path_.pop();
      }
    }
    losers(here.slot);
  }

  /// What met at this place and lost, and what was removed below it. Meetings form long chains, so they are walked in a
  /// loop.
  // Recursion: bounded by Limits::depth.
  void losers(Slot slot) {
    std::vector<Traced> lost;
    std::vector<const ContainerNode*> containers;
    std::vector<Slot> open{slot};
    // Functions, and dialects that derive values, make graphs of them: each node is looked at once.
    std::unordered_set<const Node*> known;
    while (!open.empty()) {
      const Node* node = open.back().node();
      open.pop_back();
      if (node == nullptr || !known.insert(node).second) continue;
      stop_.tick();
      if (node->is_container) {
        containers.push_back(&container_of(*node));
        open.push_back(containers.back()->past);
        // What was merged into this one may have lost something before, too.
        for (const detail::ContainerMerge* merge = telling_merges_of(*containers.back()); merge != nullptr;
             merge = next_telling(*merge)) {
          open.push_back(merge->incoming.slot);
        }
        continue;
      }
      const detail::MeetingNode& met = meeting_of(*node);
      if (met.meeting != Meeting::kept) lost.push_back(met.old);
      if (met.meeting != Meeting::took && met.meeting != Meeting::told) lost.push_back(met.incoming);
      open.push_back(met.old.slot);
      open.push_back(met.incoming.slot);
    }
    for (auto one = lost.rbegin(); one != lost.rend(); ++one) leaves(*one);
    for (const ContainerNode* container : containers) {
      // The newest of a key knows what was there before it.
      Arena scratch;
      MappingBuilder seen(scratch);
      for (const Gone* gone = container->gone; gone != nullptr; gone = gone->earlier) {
        if (!gone->key || seen.insert(gone->key, Value::null())) gone_below(*gone);
      }
    }
  }

  // Recursion: bounded by Limits::depth.
  void gone_below(const Gone& gone) {
    if (gone.is_tail) {
      for (std::size_t i = gone.index; i < gone.what.value.size(); ++i) {
        if (!enter(i)) continue;
        ghosts(child_at(gone.what, i));
        path_.pop();
      }
      return;
    }
    if (!enter(gone.key ? Path::Step(gone.key) : Path::Step(gone.index))) return;
    ghosts(gone.what);
    path_.pop();
  }

  /// What is no longer there, with all that met there before.
  // Recursion: bounded by Limits::depth.
  void ghosts(const Traced& ghost) {
    leaves(ghost);
    losers(ghost.slot);
  }

  /// The leaves of what is no longer there, as far as the result has no leaf at their paths.
  // Recursion: bounded by Limits::depth.
  void leaves(const Traced& ghost) {
    // Its sides are told by themselves.
    if (pending_of(ghost.value) != nullptr) return;
    if (ghost.value && !is_leaf(ghost.value)) {
      for (std::size_t i = 0; i < ghost.value.size(); ++i) {
        if (!enter(step_of(ghost.value, i))) continue;
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
      value = member_at(value, position);
    }
    return value && is_leaf(value);
  }

  const Traced& result_;
  const std::vector<std::string>& prefix_;
  StopCheck stop_;
  const Visit& visit_;
  Path path_;
  TextSet emitted_;
};

}  // namespace

Slot Recorder::add_layer(std::string name, std::string note) {
  if (history_ == nullptr) return {};
  auto& layers = history_->layers_;
  layers.push_back({.name = std::move(name),
                    .note = std::move(note),
                    .order = history_->next_order_++,
                    .rule = history_->pool_->rule});
  return Slot(static_cast<LayerId>(layers.size() - 1));
}

LayerId Recorder::layers() const noexcept {
  return history_ == nullptr ? 0 : static_cast<LayerId>(history_->layers_.size());
}

void Recorder::meet_now(LayerId first, LayerId last) {
  if (history_ == nullptr) return;
  std::vector<History::Layer*> meeting;
  for (LayerId layer = first; layer < last; ++layer) meeting.push_back(&history_->layers_[layer]);
  std::ranges::sort(meeting, {}, [](const History::Layer* layer) { return layer->order; });
  for (History::Layer* layer : meeting) {
    layer->order = history_->next_order_++;
    if (layer->rule == 0) layer->rule = history_->pool_->rule;
  }
}

RuleId Recorder::follow(Rule rule) {
  if (history_ == nullptr) return 0;
  history_->rules_.push_back(std::move(rule));
  return std::exchange(history_->pool_->rule, static_cast<RuleId>(history_->rules_.size() - 1));
}

void Recorder::follow(RuleId rule) noexcept {
  if (history_ != nullptr) history_->pool_->rule = rule;
}

Traced Recorder::with_rule(const Traced& value, ListAction action) {
  return {value.value, Recording(*history_).meet(Meeting::kept, {action, Loss::none}, value, {})};
}

Traced Recorder::derived(const Value& value, std::span<const Traced> inputs) {
  if (inputs.empty()) return {value, Slot(kNoLayer)};
  Recording recording(*history_);
  if (inputs.size() == 1) return {value, recording.derive(value, inputs.front())};
  Traced out = inputs.front();
  for (const Traced& input : inputs.subspan(1)) out = {value, recording.meet(Meeting::derived, out, input)};
  return {value, out.slot};
}

Traced Recorder::chosen(const Traced& taken, const Traced& other) {
  return {taken.value, Recording(*history_).meet(Meeting::kept, taken, other)};
}

Traced Recorder::succeeding(const Traced& made, const Traced& before) {
  Recording recording(*history_);
  Traced out = made;
  for (const Node* node = before.slot.node(); node != nullptr;) {
    if (node->is_container) {
      node = container_of(*node).past.node();
      continue;
    }
    const detail::MeetingNode& met = meeting_of(*node);
    // Where both sides count, so does all that is in them.
    if (met.meeting != Meeting::took && met.meeting != Meeting::kept) break;
    const bool takes = met.meeting == Meeting::took;
    out.slot = recording.meet(Meeting::kept, met.how, out, takes ? met.old : met.incoming);
    node = (takes ? met.incoming : met.old).slot.node();
  }
  return out;
}

Traced Recorder::composed(const Value& container, std::span<const Traced> members) {
  Recording recording(*history_);
  ContainerNode* node = recording.succeed(Slot(kNoLayer), nullptr, members.size());
  for (const Traced& member : members) recording.append(*node, member.slot);
  return {container, Slot(node)};
}

Traced Recorder::member(const Traced& container, std::size_t index) { return child_at(container, index); }

History::History(const Sources& sources) : Recorder(sources, this), pool_(std::make_unique<Pool>()) {}
History::~History() = default;

std::vector<PathHistory> History::explain(const Traced& result, const std::vector<std::string>& prefix,
                                          const Stop* stop) const {
  std::vector<PathHistory> paths;
  each_path(result, prefix, stop, [&paths](PathHistory&& path) { paths.push_back(std::move(path)); });
  return paths;
}

void History::each_path(const Traced& result, const std::vector<std::string>& prefix, const Stop* stop,
                        const std::function<void(PathHistory&& path)>& visit) const {
  const Explainer::Visit in_order = [&](PathHistory&& path) {
    std::ranges::stable_sort(path.contributions, {},
                             [this](const Contribution& one) { return layers_[one.layer].order; });
    visit(std::move(path));
  };
  Explainer(result, prefix, stop, in_order).explain();
}

}  // namespace strata::merge
