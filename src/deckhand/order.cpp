// SPDX-License-Identifier: Apache-2.0
#include "order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "strata/stop.hpp"

namespace strata::deckhand {
namespace {

/// Which document needs which. Nodes are numbered as edges name them.
class Graph {
 public:
  Graph(std::span<Document> documents, const SourceIndex& index, const Limits& limits)
      : documents_(documents), node_of_(documents.size(), kNone) {
    StopCheck stop(limits.stop);
    nodes_.reserve(documents.size());
    for (std::size_t i = 0; i < documents.size(); ++i) {
      stop.tick();
      if (const std::size_t base = base_of(documents, i); base != kNone) {
        documents[base].is_base = true;
        add_edge(i, base);
      }
      if (!documents[i].substitutions) continue;
      for (const Value& substitution : documents[i].substitutions.items()) {
        stop.tick();
        const Value& source = *substitution.find("src");
        const auto found = index.find(source_key(source.find("schema")->text(), source.find("name")->text()));
        if (found == index.end()) continue;
        documents[found->second].is_source = true;
        add_edge(i, found->second);
      }
    }
  }

  /// Kahn's algorithm by generations, then reversed, as the reference has it; documents that no edge names follow.
  std::vector<std::size_t> order() {
    std::vector<std::size_t> order;
    std::vector<std::size_t> generation;
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      if (nodes_[node].needed_by == 0) generation.push_back(node);
    }
    while (!generation.empty()) {
      std::vector<std::size_t> next;
      for (const std::size_t node : generation) {
        order.push_back(nodes_[node].document);
        for (const std::size_t target : nodes_[node].needs) {
          if (--nodes_[target].needed_by == 0) next.push_back(target);
        }
      }
      generation = std::move(next);
    }
    std::vector<std::size_t> all(order.rbegin(), order.rend());
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      if (node_of_[i] == kNone) all.push_back(i);
    }
    return all;
  }

  /// After `order`: the rings among what is left, one for each edge that leads back in a walk from the first node on.
  std::vector<std::vector<std::size_t>> rings() {
    std::vector<std::vector<std::size_t>> rings;
    struct Step {
      std::size_t node;
      std::size_t next = 0;
    };
    for (std::size_t start = 0; start < nodes_.size(); ++start) {
      if (nodes_[start].needed_by == 0 || nodes_[start].state != State::unseen) continue;
      std::vector<Step> path;
      path.push_back({.node = start});
      nodes_[start].state = State::open;
      while (!path.empty()) {
        Step& step = path.back();
        if (step.next == nodes_[step.node].needs.size()) {
          nodes_[step.node].state = State::done;
          path.pop_back();
          continue;
        }
        const std::size_t target = nodes_[step.node].needs[step.next++];
        if (nodes_[target].state == State::unseen) {
          nodes_[target].state = State::open;
          path.push_back({.node = target});
        } else if (nodes_[target].state == State::open && rings.size() < kMostRings) {
          auto from = std::ranges::find(path, target, &Step::node);
          auto& ring = rings.emplace_back();
          for (; from != path.end(); ++from) ring.push_back(nodes_[from->node].document);
        }
      }
    }
    return rings;
  }

 private:
  static constexpr std::size_t kMostRings = 100;

  enum class State { unseen, open, done };

  struct Node {
    std::size_t document;
    State state = State::unseen;  ///< Of the walk that looks for rings.
    std::size_t needed_by = 0;
    std::vector<std::size_t> needs;
  };

  std::size_t node(std::size_t document) {
    if (node_of_[document] == kNone) {
      node_of_[document] = nodes_.size();
      nodes_.push_back({.document = document, .state = State::unseen, .needed_by = 0, .needs = {}});
    }
    return node_of_[document];
  }

  void add_edge(std::size_t from, std::size_t to) {
    const std::size_t source = node(from);
    const std::size_t target = node(to);
    if (!is_new_edge(source, target)) return;
    nodes_[source].needs.push_back(target);
    ++nodes_[target].needed_by;
  }

  /// Few documents need many others: only the edges of those are hashed.
  bool is_new_edge(std::size_t source, std::size_t target) {
    constexpr std::size_t kFew = 8;
    const auto edge = [source](std::size_t to) { return (std::uint64_t{source} << 32U) | to; };
    const std::vector<std::size_t>& needs = nodes_[source].needs;
    if (needs.size() < kFew) return std::ranges::find(needs, target) == needs.end();
    if (needs.size() == kFew) {
      for (const std::size_t known : needs) edges_.insert(edge(known));
    }
    return edges_.insert(edge(target)).second;
  }

  std::span<const Document> documents_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> node_of_;
  std::unordered_set<std::uint64_t> edges_;
};

Finding ring_finding(std::span<const Document> documents, const std::vector<std::size_t>& ring,
                     const Sources& sources) {
  constexpr std::size_t kShown = 20;
  std::string chain;
  for (std::size_t i = 0; i < std::min(ring.size(), kShown); ++i)
    chain += documents[ring[i]].identity().to_string() + " → ";
  if (ring.size() > kShown) chain += fmt::format("{} more → ", ring.size() - kShown);
  const Document& first = documents[ring.front()];
  chain += first.identity().to_string();
  Finding found = finding(
      sources, first, "deckhand.cycle", fmt::format("documents need each other in a cycle: {}", chain), first.origin,
      "a document must not depend on itself through its parents or the sources of its substitutions");
  for (std::size_t i = 1; i < std::min(ring.size(), kShown); ++i) {
    const Document& one = documents[ring[i]];
    found.diagnostic.notes.push_back(note(sources, one.origin, one.identity().to_string(), one.lines()));
  }
  return found;
}

}  // namespace

std::size_t base_of(std::span<const Document> documents, std::size_t document) {
  const std::size_t parent = documents[document].parent;
  if (parent == kNone) return kNone;
  const std::size_t replacement = documents[parent].replaced_by;
  return replacement == kNone || replacement == document ? parent : replacement;
}

std::vector<std::size_t> rendering_order(std::span<Document> documents, const SourceIndex& index, Session& session,
                                         Findings& findings) {
  Graph graph(documents, index, session.limits());
  std::vector<std::size_t> order = graph.order();
  if (order.size() == documents.size()) return order;
  for (const std::vector<std::size_t>& ring : graph.rings())
    findings.add(ring_finding(documents, ring, session.sources()));
  return order;
}

}  // namespace strata::deckhand
