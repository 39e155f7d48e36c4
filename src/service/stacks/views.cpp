// SPDX-License-Identifier: Apache-2.0
#include "service/stacks/views.hpp"

#include <fmt/format.h>

#include "service/json.hpp"
#include "strata/builder.hpp"

namespace strata::service::stacks {
namespace {

std::string full_status(const store::Stack& stack) { return fmt::format("{}_{}", stack.action, stack.status); }
std::string status_reason(const store::Stack& stack) {
  return fmt::format("Stack {} completed successfully", stack.action);
}

Value description_of(Arena& arena, const Value& root) {
  for (const std::string_view name : {"description", "Description"}) {
    const Value* found = root.find(name);
    if (found != nullptr && found->is_text() && !found->text().empty()) return *found;
  }
  return arena.text("No description");
}

Value link(Arena& arena, std::string_view kind, const std::string& place) {
  return json_object(arena, {{"href", arena.text(place)}, {"rel", arena.text(kind)}});
}

}  // namespace

std::string settings_text(const StackSettings& settings) {
  Arena arena;
  return text::write_json(json_object(arena, {{"owner", arena.text(settings.owner)},
                                              {"disable_rollback", Value::boolean(settings.disable_rollback)},
                                              {"timeout_mins", Value::integer(settings.timeout_mins)},
                                              {"tags", json_list(arena, settings.tags)}}),
                          {.sort_keys = false, .indent = -1});
}

StackSettings read_settings(const std::string& text) {
  const JsonBody body = read_json_text(text, "<settings>", Limits());
  StackSettings out;
  if (!body.root().is_mapping()) return out;
  if (const Value* owner = body.root().find("owner"); owner != nullptr && owner->is_text()) out.owner = owner->text();
  if (const Value* rollback = body.root().find("disable_rollback");
      rollback != nullptr && rollback->kind() == Kind::boolean)
    out.disable_rollback = rollback->as_boolean();
  if (const Value* minutes = body.root().find("timeout_mins"); minutes != nullptr && minutes->kind() == Kind::integer)
    out.timeout_mins = minutes->as_integer();
  if (const Value* tags = body.root().find("tags"); tags != nullptr && tags->is_sequence()) {
    for (const Value& tag : tags->items()) out.tags.emplace_back(tag.is_text() ? tag.text() : std::string_view());
  }
  return out;
}

StackSettings with_sent(StackSettings settings, const SentSettings& sent, Purpose purpose) {
  if (sent.disable_rollback) settings.disable_rollback = *sent.disable_rollback;
  if (sent.timeout_mins) settings.timeout_mins = *sent.timeout_mins;
  if (purpose == Purpose::replace) settings.tags.clear();
  if (sent.tags) settings.tags = *sent.tags;
  return settings;
}

std::string root_of(const Call& call, std::string_view project) {
  return call.request.base + "/v1/" + percent_encoded(project);
}

std::string place_of(const std::string& root, std::string_view name, std::string_view id) {
  return fmt::format("{}/stacks/{}/{}", root, name, id);
}

Value self_links(Arena& arena, const std::string& place) {
  return arena.sequence(std::array{link(arena, "self", place)});
}

std::string etag_of(const store::Stack& stack) { return fmt::format("\"{}\"", stack.generation); }

Value list_item(Arena& arena, const std::string& root, const store::Stack& stack) {
  const StackSettings settings = read_settings(stack.settings);
  return json_object(arena, {{"id", arena.text(stack.id)},
                             {"links", self_links(arena, place_of(root, stack.name, stack.id))},
                             {"stack_name", arena.text(stack.name)},
                             {"description", arena.text("")},
                             {"stack_status", arena.text(full_status(stack))},
                             {"stack_status_reason", arena.text(status_reason(stack))},
                             {"creation_time", json_time(arena, stack.created_at)},
                             {"updated_time", json_time(arena, stack.updated_at)},
                             {"deletion_time", json_time(arena, stack.deleted_at)},
                             {"stack_owner", arena.text(settings.owner)},
                             {"parent", Value::null()},
                             {"stack_user_project_id", Value::null()},
                             {"tags", settings.tags.empty() ? Value::null() : json_list(arena, settings.tags)}});
}

Value stack_view(Arena& arena, const std::string& root, std::string_view project, const store::Stack& stack,
                 const Details& details) {
  const StackSettings settings = read_settings(stack.settings);
  const Value description = description_of(arena, *details.state.find("template"));
  const Value& shown = *details.state.find("shown");
  MappingBuilder out = MappingBuilder::copy_of(arena, list_item(arena, root, stack));
  out.insert("notification_topics", arena.sequence());
  out.insert("parameters", *shown.find("parameters"));
  out.insert("description", description);
  out.insert("template_description", description);
  out.insert("capabilities", arena.sequence());
  out.insert("disable_rollback", Value::boolean(settings.disable_rollback));
  out.insert("timeout_mins", settings.timeout_mins == 0 ? Value::null() : Value::integer(settings.timeout_mins));
  out.insert("stack_user_project_id", arena.text(project));
  out.insert("tags", json_list(arena, settings.tags));
  if (details.is_preview) {
    out.erase("stack_status");
    out.erase("stack_status_reason");
    out.insert("resources", arena.sequence());
  }
  if (details.shows_outputs) out.insert("outputs", *shown.find("outputs"));
  return out.finish();
}

Value event_view(Arena& arena, const std::string& root, const store::Stack& stack, const store::StackEvent& event) {
  const std::string place = place_of(root, stack.name, stack.id);
  const std::string resource = fmt::format("{}/resources/{}", place, stack.name);
  const Value name = arena.text(stack.name);
  return json_object(
      arena, {{"id", arena.text(event.id)},
              {"links", arena.sequence(std::array{link(arena, "self", fmt::format("{}/events/{}", resource, event.id)),
                                                  link(arena, "resource", resource), link(arena, "stack", place)})},
              {"event_time", json_time(arena, event.created_at)},
              {"logical_resource_id", name},
              {"resource_name", name},
              {"physical_resource_id", arena.text(stack.id)},
              {"resource_status", arena.text(fmt::format("{}_{}", event.action, event.status))},
              {"resource_status_reason", arena.text(event.reason)}});
}

}  // namespace strata::service::stacks
