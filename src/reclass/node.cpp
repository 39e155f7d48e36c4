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
#include "value/split_at.hpp"

namespace strata::reclass {
namespace {

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
    merge::NameList applications('~');
    const auto node = walk_all(applications);
    const auto has_all = [](const Layer& layer) { return layer.entity->queries_all_environments; };
    // Kapitan's reclass looks up the exports once for all queries of a node.
    QueryScope scope(request_.settings, session_, environment_, is_flat() && std::ranges::any_of(layers_, has_all));
    const Unresolved made = resolved_by(scope);
    merge::TracedMapping out(make_);
    out.insert("applications", applications.list(make_));
    out.insert("classes", classes_.finish());
    out.insert("environment", {environment_, node->environment ? layers_.back().slot : automatic_slot_});
    out.insert("parameters", made.parameters);
    if (request_.shows_exports) out.insert("exports", made.exports);
    return {.node = out.finish(), .memory = session_.memory()};
  }

  /// Sets the environment of `out` first.
  void run_exports(NodeExports& out) {
    merge::NameList applications('~');
    (void)walk_all(applications, &out.environment);
    out.exports = resolved_exports(merged(), request_.settings, session_);
  }

 private:
  struct Layer {
    std::shared_ptr<const Entity> entity;
    merge::Slot slot;
  };

  /// Kapitan's reclass merges all into one result: an application is removed from all that came before, and the name
  /// of a class refers to all that came before.
  [[nodiscard]] bool is_flat() const { return request_.settings.compat == Compat::kapitan; }

  /// Finds all layers. Returns the file of the node.
  std::shared_ptr<const Entity> walk_all(merge::NameList& applications, Value* environment = nullptr) {
    auto node = inventory_.nodes.read(request_.node, session_, request_.settings.share_nodes);
    if (make_.keeps()) automatic_slot_ = session_.recorder().add_layer("<automatic>");
    environment_ = node->environment ? node->environment : make_.arena().text(request_.settings.default_environment);
    if (environment != nullptr) *environment = environment_;
    walk_mapped_classes(applications);
    if (request_.settings.adds_automatic_parameters) {
      auto added = std::make_shared<Entity>();
      added->parameters = automatic();
      added->exports = make_.arena().mapping(KeyEquality::python);
      layers_.push_back({.entity = std::move(added), .slot = automatic_slot_});
    }
    walk(node, request_.node, applications);
    if (request_.files != nullptr) {
      request_.files->clear();
      add_files();
    }
    return node;
  }

  void add_files() const {
    for (const Layer& layer : layers_) {
      if (layer.entity->document.origin) request_.files->push_back(layer.entity->document.origin);
    }
  }

  /// A query reads the files of all nodes, which are weaker than those of the node.
  Unresolved resolved_by(QueryScope& scope) {
    const auto add_queried = [&] {
      if (request_.files == nullptr || !scope.is_used()) return;
      const std::span<const Origin> queried = scope.index().files();
      request_.files->insert(request_.files->begin(), queried.begin(), queried.end());
      std::unordered_set<std::string> known;
      std::vector<Origin> each;
      for (auto file = request_.files->rbegin(); file != request_.files->rend(); ++file) {
        const auto source = session_.sources().source_of(*file);
        if (!source || known.insert(std::string(session_.sources().file(*source))).second) each.push_back(*file);
      }
      request_.files->assign(each.rbegin(), each.rend());
    };
    try {
      const Unresolved made = resolved(merged(), request_.settings.replacing, session_, scope);
      add_queried();
      return made;
    } catch (const Error&) {
      add_queried();
      throw;
    }
  }

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
      if (is_flat()) {
        walk(found, wanted, applications);
      } else {
        merge::NameList theirs('~');
        walk(found, wanted, theirs);
        applications.add(theirs);
      }
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
  /// before it. With Kapitan's rules: into all that was merged before it.
  std::string followed(const std::string& name, const Value& written, std::size_t begin,
                       std::optional<merge::Draft>& own) {
    const Sources& sources = session_.sources();
    const text::ReferenceText parts = text::parse_references(name, kReferences, sources, written.origin());
    const auto name_until = [&](std::optional<merge::Draft>& draft, std::size_t first, std::size_t end) {
      if (!draft) start(draft.emplace(sources, session_.limits(), first).merged());
      const auto merge_layer = [this](merge::Accumulator& merged, std::size_t i) { add(merged, layers_[i], {}); };
      return name_in(draft->until(end, merge_layer), parts, sources, written.origin());
    };
    std::optional<std::string> found;
    const bool sees_all = is_flat() || chain_.size() == 0;
    if (!sees_all) found = name_until(own, begin, layers_.size());
    if (!found) found = name_until(context_, 0, sees_all ? layers_.size() : settled_layers_);
    if (found) return *found;
    throw Error("reclass.class-reference",
                fmt::format("the name of the class '{}' refers to a parameter that does not exist", name))
        .at(sources, written.origin());
  }

  void start(merge::Accumulator& merged) {
    merged.start({make_.arena().mapping(KeyEquality::python), merge::Slot(merge::kNoLayer)});
  }
  void add(merge::Accumulator& merged, const Layer& layer, merge::Slot slot) const {
    merged.merge({layer.entity->parameters, slot},
                 parameter_strategy(request_.settings.replacing, layer.entity->has_prefixes), parameter_calls());
  }

  /// All layers, before references are followed.
  Unresolved merged() {
    merge::Accumulator parameters(*session_.new_arena(), session_.limits(), session_.recorder());
    start(parameters);
    for (const Layer& layer : layers_) add(parameters, layer, layer.slot);
    merge::Accumulator exports(*session_.new_arena(), session_.limits(), session_.recorder());
    start(exports);
    for (const Layer& layer : layers_) {
      if (layer.entity->exports.size() == 0) continue;
      exports.merge({layer.entity->exports, layer.slot},
                    parameter_strategy(request_.settings.replacing, layer.entity->has_prefixes), parameter_calls());
    }
    return {.parameters = parameters.current(), .exports = exports.current()};
  }

  /// The parameters that reclass adds: the name of the node, and its environment.
  Value automatic() {
    Arena& arena = make_.arena();
    const auto text = [&](const Value& written) {
      return written.is_text() ? with_references(arena, written, session_.sources()) : written;
    };
    const auto mapping = [&](std::initializer_list<Entry> members) {
      return arena.mapping(members, KeyEquality::python);
    };
    const std::string_view full = request_.node;
    const auto text_of = [&](std::string_view written) { return text(arena.text(written)); };
    const std::vector<std::string_view> parts = request_.settings.composes_node_names || !is_flat()
                                                    ? detail::split_at(full, '.')
                                                    : std::vector<std::string_view>{full};
    Value name;
    if (is_flat()) {
      SequenceBuilder list(arena, parts.size());
      for (const std::string_view part : parts) list.append(text_of(part));
      name = mapping({{arena.key("full"), text_of(full)},
                      {arena.key("parts"), list.finish()},
                      {arena.key("path"), text_of(fmt::format("{}", fmt::join(parts, "/")))},
                      {arena.key("short"), text_of(parts.back())}});
    } else {
      name = mapping({{arena.key("full"), text_of(full)}, {arena.key("short"), text_of(parts.front())}});
    }
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

void evaluate_exports(const Settings& settings, const std::string& node, Session& session, NodeExports& out,
                      std::vector<Origin>& files) {
  const Request request{.settings = settings, .node = node, .files = &files};
  NodeEvaluation(request, session).run_exports(out);
}

}  // namespace strata::reclass
