// SPDX-License-Identifier: Apache-2.0
#include "service/api/watching.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "service/api/values.hpp"
#include "service/names.hpp"
#include "service/watch/watches.hpp"
#include "strata/error.hpp"

namespace strata::service::api {
namespace {

constexpr std::size_t kMostNames = 1000;

/// The values of a field of the query, each once.
std::vector<std::string> query_values(const Call& call, std::string_view name) {
  std::vector<std::string> out;
  for (const Field& one : call.request.query.fields()) {
    if (one.name == name) out.push_back(one.value);
  }
  sort_once(out);
  if (out.size() > kMostNames) throw Error("request.query", fmt::format("at most {} times '{}'", kMostNames, name));
  return out;
}

}  // namespace

Response watch_site(const Call& call, sites::Sites& sites, watch::Watches& watches) {
  (void)sites.find(call, call[0]);
  watch::Query query{.project = call.project, .site = call[0], .keys = query_values(call, "key")};
  std::vector<std::string> nodes = query_values(call, "node");
  if (nodes.empty())
    throw Error("request.query", "'node' says whose results are watched").hint("node=NAME, or node=* for all");
  if (std::ranges::find(nodes, "*") == nodes.end()) {
    for (const std::string& node : nodes) check_node(node);
    query.nodes = std::move(nodes);
  }
  if (std::ranges::find(query.keys, "") != query.keys.end()) throw Error("request.query", "a 'key' is not empty");
  const std::string* since = call.request.headers.find("Last-Event-ID");
  return watches.watch(std::move(query), since == nullptr ? std::nullopt : std::optional(*since),
                       call.request.query.flag("value"));
}

}  // namespace strata::service::api
