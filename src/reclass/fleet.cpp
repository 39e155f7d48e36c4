// Many nodes on several threads.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "inventory.hpp"
#include "strata/reclass.hpp"
#include "value/in_order.hpp"

namespace strata::reclass {
namespace {

constexpr std::size_t kBatch = 16;  ///< Nodes that one thread takes at once.

using Nodes = std::span<const std::string>;

NodeText asked(const Request& request, const WriteNode& write, const Session& whole) {
  Session session(whole, false);
  NodeText out{.node = request.node, .text = {}, .failure = {}};
  try {
    out.text = write(out.node, inventory(request, session).node.value);
  } catch (const Error& error) {
    if (error.ends_request() && !session.is_spent_alone(whole)) throw;
    out.failure = error.diagnostic();
    out.failure->message.insert(0, fmt::format("node '{}': ", out.node));
  }
  return out;
}

}  // namespace

void inventories(const Settings& settings, std::span<const std::string> nodes, const WriteNode& write, Session& session,
                 const std::function<void(NodeText&& result)>& sink) {
  // A folder that is wrong is no failure of a node.
  (void)Inventory::of(settings, session);
  const auto next = [&nodes]() -> std::optional<Nodes> {
    if (nodes.empty()) return std::nullopt;
    const Nodes some = nodes.first(std::min(kBatch, nodes.size()));
    nodes = nodes.subspan(some.size());
    return some;
  };
  const auto ask = [&](const Nodes& some) {
    std::vector<NodeText> out;
    for (const std::string& node : some) out.push_back(asked({.settings = settings, .node = node}, write, session));
    return out;
  };
  detail::InOrder<Nodes, std::vector<NodeText>> work(session.snapshot().engine().settings().executor, next, ask);
  while (auto results = work.next()) {
    for (NodeText& one : *results) sink(std::move(one));
  }
}

}  // namespace strata::reclass
