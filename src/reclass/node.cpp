// SPDX-License-Identifier: Apache-2.0
// The classes of a node, each once and depth first, and the node over them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "class_mappings.hpp"
#include "inventory.hpp"
#include "merge/draft.hpp"
#include "merge/name_list.hpp"
#include "resolution.hpp"
#include "strata/chain.hpp"
#include "strata/reclass.hpp"
#include "strata/stack.hpp"
#include "text/regex/regex.hpp"
#include "text/repeated_keys.hpp"
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

class NodeEvaluation {
 public:
  NodeEvaluation(const Request& request, Session& session)
      : request_(request),
        session_(session),
        inventory_(Inventory::of(request.settings, session)),
        make_(session.arena(), session.recorder()),
        nodes_(session.limits(), "classes"),
        classes_(make_) {}

  Result run() {
    const auto node = inventory_.nodes.read(request_.node, session_, request_.settings.share_nodes);
    if (make_.keeps()) automatic_slot_ = session_.recorder().add_layer("<automatic>");
    environment_ = node->environment ? node->environment : make_.arena().text(request_.settings.default_environment);
    merge::NameList applications('~');
    walk_mapped_classes(applications);
    walk(node, request_.node, applications);
    if (request_.files != nullptr) {
      request_.files->clear();
      for (const Layer& layer : layers_) request_.files->push_back(layer.entity->document.origin);
    }
    merge::TracedMapping out(make_);
    out.insert("applications", applications.list(make_));
    out.insert("classes", classes_.finish());
    out.insert("environment", {environment_, node->environment ? layers_.back().slot : automatic_slot_});
    out.insert("parameters", parameters());
    return {.node = out.finish(), .memory = session_.memory()};
  }

 private:
  struct Layer {
    std::shared_ptr<const Entity> entity;
    merge::Slot slot;
  };

  // Recursion: as classes name classes, bounded by the stack (check_stack).
  void walk(const std::shared_ptr<const Entity>& entity, const std::string& name, merge::NameList& applications) {
    check_stack(session_.limits());
    check_stop(session_.limits().stop);
    nodes_.add(entity->document.nodes);
    if (request_.files != nullptr) request_.files->push_back(entity->document.origin);
    text::warn_of_repeated_keys(session_.diagnostics(), session_.sources(), entity->document, "reclass.repeated-key");
    const std::vector<std::string> names = walk_classes(entity->classes, name, applications);
    const merge::Slot slot = session_.recorder().add_layer(name);
    layers_.push_back({.entity = entity, .slot = slot});
    for (const Value& application : entity->applications) applications.add({application, slot});
    list_classes(names, entity->classes, slot);
  }

  /// The classes that class mappings give the node come before its own.
  void walk_mapped_classes(merge::NameList& applications) {
    if (request_.settings.class_mappings.empty()) return;
    const std::string name =
        request_.settings.matches_paths ? inventory_.nodes.path_below(request_.node) : request_.node;
    std::vector<Value> classes;
    std::unordered_set<std::string> known;
    for (const ClassMapping& mapping : request_.settings.class_mappings) {
      for (const std::string& mapped : mapped_classes(mapping, name)) {
        if (known.insert(mapped).second) classes.push_back(make_.arena().text(mapped).with_origin(mapping.origin));
      }
    }
    const std::vector<std::string> names = walk_classes(classes, {}, applications);
    list_classes(names, classes, automatic_slot_);
  }

  void list_classes(const std::vector<std::string>& names, std::span<const Value> written, merge::Slot slot) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (listed_.insert(names[i]).second)
        classes_.append({make_.arena().text(names[i]).with_origin(written[i].origin()), slot});
    }
  }

  /// Walks the classes of `of`, which are written as `classes`. Returns their names.
  std::vector<std::string> walk_classes(std::span<const Value> classes, const std::string& of,
                                        merge::NameList& applications) {
    std::optional<merge::Draft> own;
    const std::size_t begin = layers_.size();
    std::vector<std::string> names;
    for (const Value& written : classes) {
      names.push_back(absolute(written.text(), of));
      if (chain_.size() == 0) settled_layers_ = layers_.size();
      const std::string wanted =
          text::may_refer(names.back(), kReferences) ? followed(names.back(), written, begin, own) : names.back();
      if (seen_.contains(wanted) || is_optional_and_missing(wanted, written.origin())) continue;
      const auto found = inventory_.classes.read(wanted, session_, true, written.origin());
      if (const auto circle = chain_.circle(wanted); !circle.empty()) {
        throw Error("reclass.class-circle",
                    fmt::format("the class '{}' needs itself: {} -> {}", wanted, fmt::join(circle, " -> "), wanted))
            .at(session_.sources(), written.origin());
      }
      const Chain<std::string>::Step step(chain_, wanted);
      merge::NameList theirs('~');
      walk(found, wanted, theirs);
      applications.add(theirs);
      seen_.insert(wanted);
    }
    return names;
  }

  [[nodiscard]] bool is_optional_and_missing(const std::string& name, Origin asked) const {
    const Settings& settings = request_.settings;
    if (!settings.optional_classes || inventory_.classes.has(name) ||
        !settings.optional_classes->match_from_start(name))
      return false;
    if (settings.warns_of_missing_classes) {
      session_.diagnostics().warn(
          Error("reclass.missing-class", fmt::format("the class '{}' does not exist: it is left out", name))
              .at(session_.sources(), asked)
              .hint("ignore_class_notfound permits it")
              .diagnostic());
    }
    return true;
  }

  /// The name of a class with references into what its own classes before it say, or else the classes of the node
  /// before it.
  std::string followed(const std::string& name, const Value& written, std::size_t begin,
                       std::optional<merge::Draft>& own) {
    const Sources& sources = session_.sources();
    const text::ReferenceText parts = text::parse_references(name, kReferences, sources, written.origin());
    const auto name_until = [&](std::optional<merge::Draft>& draft, bool has_automatic, std::size_t first,
                                std::size_t end) {
      if (!draft) start(draft.emplace(sources, session_.limits(), first).merged(), has_automatic);
      const auto merge_layer = [this](merge::Accumulator& merged, std::size_t i) { add(merged, layers_[i], {}); };
      return name_in(draft->until(end, merge_layer), parts, sources, written.origin());
    };
    std::optional<std::string> found;
    const bool is_of_node = chain_.size() == 0;
    if (!is_of_node) found = name_until(own, false, begin, layers_.size());
    if (!found) found = name_until(context_, true, 0, is_of_node ? layers_.size() : settled_layers_);
    if (found) return *found;
    throw Error("reclass.class-reference",
                fmt::format("the name of the class '{}' refers to a parameter that does not exist", name))
        .at(sources, written.origin());
  }

  void start(merge::Accumulator& merged, bool has_automatic) {
    merged.start({make_.arena().mapping(KeyEquality::python), merge::Slot(merge::kNoLayer)});
    if (!has_automatic || !request_.settings.adds_automatic_parameters) return;
    merged.merge({automatic(), automatic_slot_}, parameter_strategy({}, false), parameter_calls());
  }
  void add(merge::Accumulator& merged, const Layer& layer, merge::Slot slot) const {
    merged.merge({layer.entity->parameters, slot},
                 parameter_strategy(request_.settings.replacing, layer.entity->has_prefixes), parameter_calls());
  }

  Traced parameters() {
    merge::Accumulator merged(*session_.new_arena(), session_.limits(), session_.recorder());
    start(merged, true);
    for (const Layer& layer : layers_) add(merged, layer, layer.slot);
    return resolved(merged.current(), request_.settings.replacing, session_);
  }

  /// What reclass adds: the name of the node, and its environment.
  Value automatic() {
    Arena& arena = make_.arena();
    const auto text = [&](const Value& written) {
      return written.is_text() ? with_references(arena, written, session_.sources()) : written;
    };
    const auto mapping = [&](std::initializer_list<Entry> members) {
      return arena.mapping(members, KeyEquality::python);
    };
    const std::string_view full = request_.node;
    const Value name = mapping({{arena.key("full"), text(arena.text(full))},
                                {arena.key("short"), text(arena.text(full.substr(0, full.find('.'))))}});
    return mapping({{arena.key("_reclass_"),
                     mapping({{arena.key("name"), name}, {arena.key("environment"), text(environment_)}})}});
  }

  const Request& request_;
  Session& session_;
  const Inventory& inventory_;
  merge::Builder make_;
  NodeCount nodes_;
  Value environment_;
  std::vector<Layer> layers_;            ///< In the order in which they are merged.
  std::optional<merge::Draft> context_;  ///< What the node has merged; made when the name of a class asks.
  std::size_t settled_layers_ = 0;       ///< Those that the node has merged while one of its classes is walked.
  Chain<std::string> chain_;
  std::unordered_set<std::string> seen_;
  std::unordered_set<std::string> listed_;
  merge::TracedSequence classes_;
  merge::Slot automatic_slot_;
};

}  // namespace

Result inventory(const Request& request, Session& session) { return NodeEvaluation(request, session).run(); }

}  // namespace strata::reclass
