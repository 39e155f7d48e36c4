// SPDX-License-Identifier: Apache-2.0
// Answers about many stacks, and the events of one.
#include <fmt/format.h>

#include <algorithm>

#include "service/core.hpp"
#include "service/json.hpp"
#include "service/stacks/arguments.hpp"
#include "service/stacks/handlers.hpp"
#include "service/stacks/kept.hpp"
#include "service/stacks/listing.hpp"
#include "service/stacks/refusals.hpp"
#include "service/stacks/views.hpp"
#include "strata/builder.hpp"

namespace strata::service::stacks {
namespace {

constexpr std::size_t kResourceCapture = 3;
constexpr std::size_t kEventCapture = 4;

/// All stacks that a listing looks at.
std::vector<Listed> listed_stacks(store::Transaction& transaction, const store::Project* own, const Listing& listing) {
  std::vector<Listed> out;
  const auto add = [&](const store::Project& project) {
    for (store::Stack& stack : store::stacks(transaction, project, listing.shows_deleted()))
      out.push_back({.project = project.name, .stack = std::move(stack)});
  };
  if (listing.shows_all_projects()) {
    for (const store::Project& project : store::projects(transaction)) add(project);
  } else if (own != nullptr) {
    add(*own);
  }
  return out;
}

Response listed(const Call& call, const Query& query) {
  const Listing listing(query);
  if (listing.shows_all_projects()) call.demand_everywhere("stacks:global_index");
  const std::unique_ptr<Session> session = session_of(call);
  Arena& arena = session->arena();
  Listing::Page page;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* own) {
    page = listing.page(listed_stacks(transaction, own, listing));
  });
  SequenceBuilder items(arena, page.stacks.size());
  for (const Listed& one : page.stacks) {
    MappingBuilder item = MappingBuilder::copy_of(arena, list_item(arena, root_of(call, one.project), one.stack));
    if (listing.shows_all_projects()) item.insert("project", arena.text(one.project));
    items.append(item.finish());
  }
  MappingBuilder out(arena);
  out.insert("stacks", items.finish());
  if (page.is_full) {
    const std::string place =
        fmt::format("{}/stacks?{}", root_of(call, call.project), next_query(query, page.stacks.back().stack.id));
    out.insert(
        "links",
        arena.sequence(std::array{json_object(arena, {{"rel", arena.text("next")}, {"href", arena.text(place)}})}));
  }
  if (page.count) out.insert("count", Value::integer(static_cast<std::int64_t>(*page.count)));
  return json_response(out.finish());
}

/// The events that a query asks for.
class EventQuery {
 public:
  explicit EventQuery(const Query& query) : query_(query), limit_(number_of(query, "limit")) {
    (void)number_of(query, "nested_depth");
    const std::string* direction = given(query, "sort_dir");
    if (direction == nullptr) return;
    if (*direction != "asc" && *direction != "desc")
      refuse_request(fmt::format("Unknown sort direction '{}', must be 'desc' or 'asc'.", *direction));
    is_descending_ = *direction == "desc";
  }

  [[nodiscard]] std::vector<store::StackEvent> choose(const store::Stack& stack,
                                                      std::vector<store::StackEvent> all) const {
    if (is_descending_) std::ranges::reverse(all);
    if (const std::string* marker = query_.find("marker")) {
      const auto marked = std::ranges::find(all, *marker, &store::StackEvent::id);
      if (marked != all.end()) all.erase(all.begin(), marked + 1);
    }
    std::erase_if(all, [&](const store::StackEvent& event) {
      return is_other("resource_name", stack.name) || is_other("resource_action", event.action) ||
             is_other("resource_status", event.status);
    });
    if (limit_ && static_cast<std::size_t>(*limit_) < all.size()) all.resize(static_cast<std::size_t>(*limit_));
    return all;
  }

 private:
  [[nodiscard]] bool is_other(std::string_view name, const std::string& value) const {
    const std::vector<std::string> wanted = query_.all(name);
    return !wanted.empty() && std::ranges::find(wanted, value) == wanted.end();
  }

  const Query& query_;
  std::optional<std::int64_t> limit_;
  bool is_descending_ = true;  ///< Newest first, as the reference.
};

struct StackEvents {
  store::Stack stack;
  std::vector<store::StackEvent> events;
};

StackEvents events_of(const Call& call) {
  StackEvents out;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    out.stack = find_stack(transaction, project, call[kNameCapture], call[kIdCapture]);
    out.events = store::events(transaction, *project, out.stack.id);
  });
  return out;
}

Response events_answer(const Call& call, const StackEvents& all) {
  Arena arena;
  SequenceBuilder out(arena);
  for (const store::StackEvent& event : EventQuery(call.request.query).choose(all.stack, all.events))
    out.append(event_view(arena, root_of(call, call.project), all.stack, event));
  return json_response(json_object(arena, {{"events", out.finish()}}));
}

}  // namespace

Response list_stacks(const Call& call) { return listed(call, call.request.query); }

/// As Heat: the members of the list, of all stacks, whatever the query says.
Response list_details(const Call& call) { return listed(call, Query()); }

Response list_events(const Call& call) { return events_answer(call, events_of(call)); }

Response list_resource_events(const Call& call) {
  const StackEvents all = events_of(call);
  if (call[kResourceCapture] != all.stack.name) return unknown_resource(call);
  return events_answer(call, all);
}

Response show_event(const Call& call) {
  const StackEvents all = events_of(call);
  if (call[kResourceCapture] != all.stack.name) return unknown_resource(call);
  const auto found = std::ranges::find(all.events, call[kEventCapture], &store::StackEvent::id);
  if (found == all.events.end())
    refuse(404, "EntityNotFound", fmt::format("The Event ({}) could not be found.", call[kEventCapture]));
  Arena arena;
  return json_response(
      json_object(arena, {{"event", event_view(arena, root_of(call, call.project), all.stack, *found)}}));
}

}  // namespace strata::service::stacks
