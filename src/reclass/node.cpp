// The classes of a node, each once and depth first, and the node over them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "inventory.hpp"
#include "resolution.hpp"
#include "session/ask_all.hpp"
#include "strata/builder.hpp"
#include "strata/chain.hpp"
#include "strata/reclass.hpp"
#include "strata/stack.hpp"
#include "strata/traced.hpp"
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
  explicit Applications(Session& session) : list_(session.arena(), session.limits(), session.recorder()) {
    list_.start({session.arena().sequence(), merge::Slot(merge::kNoLayer)});
  }

  void add(const Traced& item) {
    if (!find(item.value)) list_.insert(std::vector<Path::Step>{list_.current().value.size()}, item);
  }
  void add(const Applications& others) {
    const Traced& list = others.list();
    for (std::size_t i = 0; i < list.value.size(); ++i) add(merge::Builder::member(list, i));
  }
  void remove(const Traced& negation) {
    if (const auto index = find(negation.value)) list_.erase(std::vector<Path::Step>{*index}, &negation);
  }
  [[nodiscard]] const Traced& list() const noexcept { return list_.current(); }

 private:
  [[nodiscard]] std::optional<std::size_t> find(const Value& item) const {
    const auto items = list_.current().value.items();
    const auto found = std::ranges::find(items, item.text(), &Value::text);
    return found == items.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - items.begin()));
  }

  merge::Accumulator list_;
};

class Node {
 public:
  Node(const Request& request, Session& session)
      : request_(request),
        session_(session),
        inventory_(Inventory::of(request.settings, session)),
        make_(session.arena(), session.recorder()),
        nodes_(session.limits(), "classes"),
        classes_(session.arena()) {}

  Traced run() {
    const auto node = inventory_.node(request_.node, session_);
    if (make_.keeps()) automatic_slot_ = session_.recorder().add_layer("<automatic>");
    environment_ = node->environment ? node->environment : make_.arena().text("base");
    Applications applications(session_);
    walk(node, request_.node, applications);
    merge::TracedMapping out(make_);
    out.insert("applications", applications.list());
    out.insert("classes", make_.compose(classes_.finish(), class_histories_));
    out.insert("environment", {environment_, node->environment ? layers_.back().slot : automatic_slot_});
    out.insert("parameters", Resolution(folded(0, layers_.size(), true, session_.recorder()), session_).run());
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
    nodes_.add(entity->nodes);
    const std::size_t begin = layers_.size();
    std::vector<std::string> names;
    for (const Value& written : entity->classes) {
      names.push_back(absolute(written.text(), name));
      if (chain_.size() == 0) settled_layers_ = layers_.size();
      const std::string wanted = text::may_refer(names.back(), kReferences) ? followed(names.back(), written, begin) : names.back();
      if (seen_.contains(wanted)) continue;
      const auto found = inventory_.find_class(wanted, session_);
      if (found == nullptr) {
        throw Error("reclass.class", fmt::format("there is no class '{}'", wanted))
            .at(session_.sources(), written.origin())
            .hint(inventory_.hint_of_class(wanted));
      }
      if (const auto circle = chain_.circle(wanted); !circle.empty()) {
        throw Error("reclass.class-circle", fmt::format("the class '{}' needs itself: {} -> {}", wanted, fmt::join(circle, " -> "), wanted))
            .at(session_.sources(), written.origin());
      }
      const Chain<std::string>::Step step(chain_, wanted);
      Applications theirs(session_);
      walk(found, wanted, theirs);
      applications.add(theirs);
      seen_.insert(wanted);
    }
    const merge::Slot slot = session_.recorder().add_layer(name);
    layers_.push_back({.entity = entity, .slot = slot});
    for (const Value& negation : entity->negations) applications.remove({negation, slot});
    for (const Value& application : entity->applications) applications.add({application, slot});
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!listed_.insert(names[i]).second) continue;
      classes_.append(make_.arena().text(names[i]).with_origin(entity->classes[i].origin()));
      class_histories_.push_back({classes_.items().back(), slot});
    }
  }

  /// The name of a class with references into what its own classes before it say, or else the classes of the node before it.
  std::string followed(const std::string& name, const Value& written, std::size_t begin) {
    try {
      const text::ReferenceText parts = text::parse_references(name, kReferences);
      merge::NullRecorder nothing(session_.sources());
      const bool is_of_node = chain_.size() == 0;
      if (const auto found = name_in(folded(begin, layers_.size(), is_of_node, nothing).value, parts)) return *found;
      if (!is_of_node) {
        if (const auto found = name_in(folded(0, settled_layers_, true, nothing).value, parts)) return *found;
      }
    } catch (Error& error) {
      if (!error.ends_request()) error.at(session_.sources(), written.origin());
      throw;
    }
    throw Error("reclass.class-reference", fmt::format("the name of the class '{}' refers to a parameter that does not exist", name))
        .at(session_.sources(), written.origin());
  }

  /// The parameters of some layers.
  Traced folded(std::size_t begin, std::size_t end, bool has_automatic, merge::Recorder& recorder) {
    merge::Accumulator merged(*session_.new_arena(), session_.limits(), recorder);
    merged.start({make_.arena().mapping(), merge::Slot(merge::kNoLayer)});
    const auto add = [&](const Value& layer, merge::Slot slot, bool has_prefixes) {
      merged.merge({layer, recorder.keeps() ? slot : merge::Slot()}, parameter_strategy(has_prefixes), parameter_calls());
    };
    if (has_automatic) add(automatic(), automatic_slot_, false);
    for (std::size_t i = begin; i < end; ++i) add(layers_[i].entity->parameters, layers_[i].slot, layers_[i].entity->has_prefixes);
    return merged.current();
  }

  /// What reclass adds: the name of the node, and its environment.
  Value automatic() {
    const auto text = [this](std::string_view characters) { return make_.arena().text(characters); };
    MappingBuilder name(make_.arena());
    name.insert("full", text(request_.node));
    name.insert("short", text(std::string_view(request_.node).substr(0, request_.node.find('.'))));
    MappingBuilder about(make_.arena());
    about.insert("name", name.finish());
    about.insert("environment", environment_);
    MappingBuilder out(make_.arena());
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
  std::size_t settled_layers_ = 0;  ///< Those that the node has merged while one of its classes is walked.
  Chain<std::string> chain_;
  std::unordered_set<std::string> seen_;
  std::unordered_set<std::string> listed_;
  SequenceBuilder classes_;
  std::vector<Traced> class_histories_;
  merge::Slot automatic_slot_;
};

}  // namespace

Result inventory(const Request& request, Session& session) { return {.node = Node(request, session).run(), .memory = session.memory()}; }

void inventories(const Settings& settings, std::span<const std::string> nodes, const WriteNode& write, Session& session,
                 const std::function<void(NodeText&& result)>& sink) {
  // A folder that is wrong is no failure of a node.
  (void)Inventory::of(settings, session);
  const auto ask = [&](const std::string& node, Session& own) {
    return write(node, inventory({.settings = settings, .node = node}, own).node.value);
  };
  ask_all<std::string>(session, nodes, ask, [&sink](Answer<std::string>&& answer) {
    if (answer.failure) answer.failure->message.insert(0, fmt::format("node '{}': ", answer.name));
    sink({.node = std::move(answer.name), .text = std::move(answer.result).value_or(""), .failure = std::move(answer.failure)});
  });
}

}  // namespace strata::reclass
