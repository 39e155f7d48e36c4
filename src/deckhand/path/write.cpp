// SPDX-License-Identifier: Apache-2.0
#include "deckhand/path/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "deckhand/path/creation.hpp"
#include "deckhand/path/place.hpp"
#include "strata/error.hpp"
#include "value/extent.hpp"
#include "value/nodes.hpp"

namespace strata::deckhand {
namespace {

using detail::Node;
using detail::NodeType;
using detail::Place;
using detail::Walk;
using merge::Recorder;
using merge::Traced;
using Steps = std::vector<Path::Step>;

/// A place to write to.
struct Target {
  Steps steps;
  bool is_item = false;  ///< Named by an index: of a list it takes the next item only.
};

/// Finds what a path writes to, by the rules of the reference, which looks up all but the last step and hands the rest
/// to that.
class Targets {
 public:
  Targets(const PathExpression& path, Rendering& rendering) noexcept
      : path_(path), rendering_(rendering), walk_(path.plan(), rendering) {}

  std::vector<Target> find(const Value& root) {
    collect(path_.plan().root, Place{.value = root});
    return std::move(targets_);
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw Error("deckhand.path-write", fmt::format("the path '{}' cannot be written to: {}", path_.text(), reason));
  }

  void add(const Place& place, const Path::Step& step, bool is_item) {
    Steps steps = place.path().steps();
    steps.push_back(step);
    targets_.push_back({.steps = std::move(steps), .is_item = is_item});
  }

  // Recursion: bounded by the walk, and by the parser.
  void collect(const Node& node, const Place& place) {
    switch (node.type) {
      case NodeType::fields:
        return fields(node, place);
      case NodeType::indexes:
        for (const std::int64_t number : node.numbers) item(number, place);
        return;
      case NodeType::slice:
        walk_.each(node, place, [&](const Place& found) {
          item(static_cast<std::int64_t>(found.is_part ? 0 : found.position), place);
          return true;
        });
        return;
      case NodeType::sequence: {
        const std::size_t last = node.operands.size() - 1;
        walk_.each_step(node, 0, last, place, [&](const Place& found) {
          collect(node.operands[last], found);
          return true;
        });
        return;
      }
      case NodeType::deep:
        return below(node, place);
      case NodeType::where:
      case NodeType::where_not:
        walk_.each(node, place, [&](const Place& found) {
          if (found.above != nullptr) last_step(found, place);
          return true;
        });
        return;
      case NodeType::root:
      case NodeType::self:
      case NodeType::parent:
      case NodeType::either:
      case NodeType::intersect:
        fail("it does not end in a key or an index");
    }
  }

  void fields(const Node& node, const Place& place) {
    const Value& value = place.value;
    if (value.is_mapping()) {
      walk_.each(node, place, [&](const Place& found) {
        add(place, found.step(), false);
        return true;
      });
      return;
    }
    if (value.is_null() || value.kind() == Kind::boolean || node.all) return;
    // Numbers have no members, and texts and lists have only what they hold: the reference trips over that.
    for (const std::string& name : node.names) {
      const bool holds = value.is_text()
                             ? value.text().find(name) != std::string_view::npos
                             : !value.is_sequence() || std::ranges::any_of(value.items(), [&name](const Value& one) {
                                 return one.is_text() && one.text() == name;
                               });
      if (holds) fail(fmt::format("{} is in the way of the key '{}'", describe(value.kind()), name));
    }
  }

  void item(std::int64_t number, const Place& place) {
    const Value& value = place.value;
    if (!value.is_container() && !value.is_text())
      fail(fmt::format("{} is in the way of the index {}", describe(value.kind()), number));
    const auto size = static_cast<std::int64_t>(value.size());
    if (value.is_sequence() ? number >= size : value.is_container() && value.size() == 0) return;
    if (!value.is_sequence()) fail(fmt::format("{} is in the way of the index {}", describe(value.kind()), number));
    if (number < -size) fail(fmt::format("there is no item {} in a list of {}", number, size));
    add(place, static_cast<std::size_t>(number < 0 ? number + size : number), true);
  }

  // Recursion: bounded by Limits::depth.
  void below(const Node& node, const Place& place) {
    if (!place.value.is_container()) return;
    const std::size_t levels = place.path().steps().size();
    if (levels > rendering_.session.limits().depth)
      throw Error("limit.depth", fmt::format("the path '{}' leads too deep", path_.text()));
    rendering_.stop.tick();
    if (++rendering_.steps > rendering_.session.limits().steps)
      throw Error("limit.steps", fmt::format("the path '{}' looks at too many places", path_.text()));
    const std::size_t before = targets_.size();
    collect(node.operands[0], place);
    std::unordered_set<std::size_t> replaced;  // The reference replaces these before it looks into them.
    for (std::size_t i = before; i < targets_.size(); ++i) {
      if (targets_[i].steps.size() == levels + 1) replaced.insert(position(place.value, targets_[i].steps.back()));
    }
    for (std::size_t i = 0; i < place.value.size(); ++i) {
      const Place member = place.member(i);
      if (!replaced.contains(i)) below(node, member);
    }
  }

  static std::size_t position(const Value& container, const Path::Step& step) {
    const auto* key = std::get_if<Value>(&step);
    return key == nullptr ? std::get<std::size_t>(step) : detail::position_of_key(container, key->text());
  }

  /// The reference forgets the way to what `where` keeps, but for its last step.
  void last_step(const Place& found, const Place& place) {
    if (found.above->value.is_sequence() || found.is_part)
      return item(static_cast<std::int64_t>(found.position), place);
    Node key{.type = NodeType::fields};
    key.names.emplace_back(std::get<Value>(found.step()).text());
    fields(key, place);
  }

  const PathExpression& path_;
  Rendering& rendering_;
  Walk walk_;
  std::vector<Target> targets_;
};

/// Places that were written: what is below one of them has gone.
class Written {
 public:
  /// Whether a place is below another one that was added; adds it.
  bool hides(const Steps& steps) {
    std::size_t here = kRoot;
    for (const Path::Step& step : steps) {
      if (here != kRoot && places_[here]) return true;
      const auto [next, added] = ways_.emplace(Way{here, step}, places_.size());
      if (added) places_.push_back(false);
      here = next->second;
    }
    places_[here] = true;
    return false;
  }

 private:
  /// A step from a node of the tree of places to the next one.
  struct Way {
    std::size_t from;
    Path::Step step;

    friend bool operator==(const Way& left, const Way& right) noexcept {
      if (left.from != right.from || left.step.index() != right.step.index()) return false;
      if (const auto* key = std::get_if<Value>(&left.step)) return equal(*key, std::get<Value>(right.step));
      return std::get<std::size_t>(left.step) == std::get<std::size_t>(right.step);
    }
  };
  struct HashWay {
    std::size_t operator()(const Way& way) const noexcept {
      const auto* key = std::get_if<Value>(&way.step);
      return way.from * 0x9E3779B97F4A7C15ULL +
             (key != nullptr ? strata::detail::hash_key(*key) : std::get<std::size_t>(way.step));
    }
  };

  static constexpr std::size_t kRoot = 0;  ///< It hides nothing.

  std::unordered_map<Way, std::size_t, HashWay> ways_;
  std::vector<bool> places_ = {false};  ///< Whether the node was written.
};

/// Whether the end of a path that leads anywhere below would find more to write in the value itself.
bool leads_into(const PathExpression& path, const Value& value, Rendering& rendering) {
  const detail::Plan& plan = path.plan();
  const Node* last = &plan.root;
  while (last->type == NodeType::sequence) last = &last->operands.back();
  if (last->type != NodeType::deep || !value.is_container()) return false;
  bool found = false;
  Walk(plan, rendering).each(*last, Place{.value = value}, [&found](const Place&) { return !(found = true); });
  return found;
}

void count(const Value& value, std::size_t levels_above, const PathExpression& path, Rendering& rendering) {
  const Limits& limits = rendering.session.limits();
  std::size_t room = limits.result - std::min(limits.result, rendering.nodes);
  const std::size_t before = room;
  if (!fits(value, limits.depth - std::min(limits.depth, levels_above), room)) {
    throw Error(room == 0 ? "limit.result" : "limit.depth",
                fmt::format("the value written at '{}' makes the documents too large or too deep", path.text()))
        .hint("raise --limit result=NODES or --limit depth=LEVELS");
  }
  rendering.nodes += before - room;
}

/// Puts a value to a place that is there, but for its last step.
void put(merge::Accumulator& data, const PathExpression& path, const Steps& steps, const Traced& value,
         Rendering& rendering) {
  count(value.value, steps.size(), path, rendering);
  if (data.shares()) rendering.sharing.before_write(data.current().value, steps, value.value, path.text());
  data.put(steps, value);
}

/// Whether what a place lies in is still there: a container that is reached on several ways may have lost it on another
/// one.
bool is_there(const merge::Accumulator& data, std::span<const Path::Step> steps) {
  const auto container = data.at(steps.first(steps.size() - 1));
  if (!container) return false;
  const auto* index = std::get_if<std::size_t>(&steps.back());
  return index != nullptr ? container->value.is_sequence() && *index < container->value.size()
                          : container->value.is_mapping();
}

void write_all(merge::Accumulator& data, const PathExpression& path, const std::vector<Target>& targets,
               const Traced& value, Rendering& rendering) {
  if (leads_into(path, value.value, rendering))
    throw Error("deckhand.path-write",
                fmt::format("the path '{}' leads into the value that is written there, which would contain itself",
                            path.text()));
  Written written;
  std::size_t next = 0;
  const bool goes_to_items = value.value.is_sequence() && std::ranges::any_of(targets, &Target::is_item);
  Traced whole = value;
  if (targets.size() > 1 && value.value.is_container() && !goes_to_items) {
    // All places get the same container.
    data.share(rendering.sharing.mark());
    whole = data.copy(value);
  }
  for (const Target& target : targets) {
    rendering.stop.tick();
    Traced one = whole;
    if (target.is_item && value.value.is_sequence()) {
      if (next == value.value.size()) {
        throw Error(
            "deckhand.path-write",
            fmt::format("the path '{}' has more places than the list of {} that is written there", path.text(), next))
            .hint("a list that is written to an index gives it its next item; name the list without the index");
      }
      one = Recorder::member(value, next++);
    }
    if (path.plan().may_nest && written.hides(target.steps)) continue;
    if (data.shares() && !is_there(data, target.steps)) continue;
    put(data, path, target.steps, one, rendering);
  }
}

[[noreturn]] void fail_to_make(const PathExpression& path) {
  throw Error("deckhand.path-write",
              fmt::format("the path '{}' does not lead to a place that can be written to or created", path.text()))
      .hint("only missing keys (.a.b) and single indexes (.a[0]) are created");
}

}  // namespace

void write(merge::Accumulator& data, const PathExpression& path, const Traced& value, Rendering& rendering) {
  const detail::Plan& plan = path.plan();
  if (plan.is_simple) {
    ++rendering.steps;
    auto steps = detail::steps_of_keys(data.current().value, plan.keys);
    if (!steps) {
      detail::create(data, path, value, rendering);
      steps = detail::steps_of_keys(data.current().value, plan.keys);
    }
    if (!steps) fail_to_make(path);
    return put(data, path, *steps, value, rendering);
  }
  if (!path.first(data.current().value, rendering)) detail::create(data, path, value, rendering);
  const std::vector<Target> targets = Targets(path, rendering).find(data.current().value);
  if (targets.empty()) fail_to_make(path);
  write_all(data, path, targets, value, rendering);
}

}  // namespace strata::deckhand
