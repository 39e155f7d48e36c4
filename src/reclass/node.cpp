// The classes of a node, each once and depth first, and the node over them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "inventory.hpp"
#include "resolution.hpp"
#include "strata/builder.hpp"
#include "strata/chain.hpp"
#include "strata/reclass.hpp"
#include "strata/stack.hpp"
#include "strata/traced.hpp"
#include "value/metered.hpp"
#include "value/node_count.hpp"

namespace strata::reclass {
namespace {

using merge::Traced;

/// `.b` in the class `a.c` is `a.b`.
std::string absolute(std::string_view name, std::string_view of) {
  const std::size_t dots = std::min(name.find_first_not_of('.'), name.size());
  if (dots == 0) return std::string(name);
  for (std::size_t i = 0; i < dots && !of.empty(); ++i) {
    const std::size_t dot = of.rfind('.');
    of = dot == std::string_view::npos ? std::string_view() : of.substr(0, dot);
  }
  return of.empty() ? std::string(name.substr(dots)) : fmt::format("{}{}", of, name.substr(dots - 1));
}

/// The applications of a class, or of the node: those of its classes, then its own.
class Applications {
 public:
  /// `~name` removes one.
  void add(const Traced& item) {
    const std::string_view name = item.value.text();
    if (!name.starts_with('~')) {
      if (indexes_.emplace(name, items_.size()).second) items_.push_back(item);
    } else if (const auto found = indexes_.find(name.substr(1)); found != indexes_.end()) {
      items_[found->second] = {};
      indexes_.erase(found);
    }
  }
  void add(const Applications& others) {
    for (const Traced& item : others.items_) {
      if (item.value) add(item);
    }
  }
  [[nodiscard]] Traced list(const merge::Builder& make) const {
    merge::TracedSequence out(make, items_.size());
    for (const Traced& item : items_) {
      if (item.value) out.append(item);
    }
    return out.finish();
  }

 private:
  std::vector<Traced> items_;  ///< Absent: removed.
  std::unordered_map<std::string_view, std::size_t> indexes_;
};

class Node {
 public:
  Node(const Request& request, Session& session)
      : request_(request),
        session_(session),
        inventory_(Inventory::of(request.settings, session)),
        make_(session.arena(), session.recorder()),
        nodes_(session.limits(), "classes"),
        classes_(make_) {}

  Traced run() {
    const auto node = inventory_.node(request_.node, request_.settings.share_nodes, session_);
    if (make_.keeps()) automatic_slot_ = session_.recorder().add_layer("<automatic>");
    environment_ = node->environment ? node->environment : make_.arena().text("base");
    Applications applications;
    walk(node, request_.node, applications);
    merge::TracedMapping out(make_);
    out.insert("applications", applications.list(make_));
    out.insert("classes", classes_.finish());
    out.insert("environment", {environment_, node->environment ? layers_.back().slot : automatic_slot_});
    out.insert("parameters", parameters());
    return out.finish();
  }

 private:
  struct Layer {
    std::shared_ptr<const Entity> entity;
    merge::Slot slot;
  };

  // Recursion: as classes name classes, bounded by the stack (check_stack).
  void walk(const std::shared_ptr<const Entity>& entity, const std::string& name, Applications& applications) {
    check_stack(session_.limits());
    check_stop(session_.limits().stop);
    nodes_.add(entity->document.nodes);
    for (const Origin key : entity->document.repeated_keys) {
      session_.diagnostics().warn(Error("reclass.repeated-key", "the mapping has this key twice: the earlier value is lost")
                                      .at(session_.sources(), key)
                                      .hint("keep one of the two")
                                      .diagnostic());
    }
    std::optional<Partial> own;
    const std::size_t begin = layers_.size();
    std::vector<std::string> names;
    for (const Value& written : entity->classes) {
      names.push_back(absolute(written.text(), name));
      if (chain_.size() == 0) settled_layers_ = layers_.size();
      const std::string wanted = text::may_refer(names.back(), kReferences) ? followed(names.back(), written, begin, own) : names.back();
      if (seen_.contains(wanted)) continue;
      const auto found = inventory_.class_of(wanted, written.origin(), session_);
      if (const auto circle = chain_.circle(wanted); !circle.empty()) {
        throw Error("reclass.class-circle", fmt::format("the class '{}' needs itself: {} -> {}", wanted, fmt::join(circle, " -> "), wanted))
            .at(session_.sources(), written.origin());
      }
      const Chain<std::string>::Step step(chain_, wanted);
      Applications theirs;
      walk(found, wanted, theirs);
      applications.add(theirs);
      seen_.insert(wanted);
    }
    const merge::Slot slot = session_.recorder().add_layer(name);
    layers_.push_back({.entity = entity, .slot = slot});
    for (const Value& application : entity->applications) applications.add({application, slot});
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (listed_.insert(names[i]).second) classes_.append({make_.arena().text(names[i]).with_origin(entity->classes[i].origin()), slot});
    }
  }

  /// Parameters for the names of classes: a fold that goes on as layers follow.
  struct Partial {
    Partial(Node& node, std::size_t begin, bool has_automatic)
        : nothing(node.session_.sources()), merged(arena, node.session_.limits(), nothing), end(begin), metered(arena, node.session_.limits().stop) {
      node.start(merged, has_automatic);
    }
    const Value& until(Node& node, std::size_t last) {
      for (; end < last; ++end) Node::add(merged, node.layers_[end], {});
      return merged.current().value;
    }

    Arena arena;
    merge::NullRecorder nothing;
    merge::Accumulator merged;
    std::size_t end;
    Metered metered;
  };

  /// The name of a class with references into what its own classes before it say, or else the classes of the node before it.
  std::string followed(const std::string& name, const Value& written, std::size_t begin, std::optional<Partial>& own) {
    const Sources& sources = session_.sources();
    const text::ReferenceText parts = text::parse_references(name, kReferences, sources, written.origin());
    const bool is_of_node = chain_.size() == 0;
    if (!is_of_node) {
      if (!own) own.emplace(*this, begin, false);
      if (const auto found = name_in(own->until(*this, layers_.size()), parts, sources, written.origin())) return *found;
    }
    if (!context_) context_.emplace(*this, 0, true);
    const Value& context = context_->until(*this, is_of_node ? layers_.size() : settled_layers_);
    if (const auto found = name_in(context, parts, sources, written.origin())) return *found;
    throw Error("reclass.class-reference", fmt::format("the name of the class '{}' refers to a parameter that does not exist", name))
        .at(sources, written.origin());
  }

  void start(merge::Accumulator& merged, bool has_automatic) {
    merged.start({make_.arena().mapping(KeyEquality::python), merge::Slot(merge::kNoLayer)});
    if (has_automatic) merged.merge({automatic(), automatic_slot_}, parameter_strategy(false), parameter_calls());
  }
  static void add(merge::Accumulator& merged, const Layer& layer, merge::Slot slot) {
    merged.merge({layer.entity->parameters, slot}, parameter_strategy(layer.entity->has_prefixes), parameter_calls());
  }

  Traced parameters() {
    merge::Accumulator merged(*session_.new_arena(), session_.limits(), session_.recorder());
    start(merged, true);
    for (const Layer& layer : layers_) add(merged, layer, layer.slot);
    return resolved(merged.current(), session_);
  }

  /// What reclass adds: the name of the node, and its environment.
  Value automatic() {
    const auto text = [this](std::string_view characters) {
      return with_references(make_.arena(), make_.arena().text(characters), session_.sources());
    };
    MappingBuilder name(make_.arena(), KeyEquality::python);
    name.insert("full", text(request_.node));
    name.insert("short", text(std::string_view(request_.node).substr(0, request_.node.find('.'))));
    MappingBuilder about(make_.arena(), KeyEquality::python);
    about.insert("name", name.finish());
    about.insert("environment", environment_.is_text() ? with_references(make_.arena(), environment_, session_.sources()) : environment_);
    MappingBuilder out(make_.arena(), KeyEquality::python);
    out.insert("_reclass_", about.finish());
    return out.finish();
  }

  const Request& request_;
  Session& session_;
  const Inventory& inventory_;
  merge::Builder make_;
  NodeCount nodes_;
  Value environment_;
  std::vector<Layer> layers_;       ///< In the order in which they are merged.
  std::optional<Partial> context_;  ///< What the node has merged; made when the name of a class asks.
  std::size_t settled_layers_ = 0;  ///< Those that the node has merged while one of its classes is walked.
  Chain<std::string> chain_;
  std::unordered_set<std::string> seen_;
  std::unordered_set<std::string> listed_;
  merge::TracedSequence classes_;
  merge::Slot automatic_slot_;
};

}  // namespace

Result inventory(const Request& request, Session& session) { return {.node = Node(request, session).run(), .memory = session.memory()}; }

}  // namespace strata::reclass
