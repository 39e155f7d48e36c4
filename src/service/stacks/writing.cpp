// SPDX-License-Identifier: Apache-2.0
// Creating, changing and deleting stacks, and previews of that.
#include <fmt/format.h>

#include <span>

#include "service/core.hpp"
#include "service/entity_tags.hpp"
#include "service/json.hpp"
#include "service/stacks/arguments.hpp"
#include "service/stacks/evaluation.hpp"
#include "service/stacks/handlers.hpp"
#include "service/stacks/kept.hpp"
#include "service/stacks/refusals.hpp"
#include "service/stacks/views.hpp"
#include "store/encoding.hpp"
#include "store/sealed.hpp"
#include "store/store.hpp"
#include "strata/builder.hpp"

namespace strata::service::stacks {
namespace {

constexpr int kMostAttempts = 5;
constexpr std::string_view kChange = "stack";  // Of the project's changes.

/// The two events of an action that ends at once.
void add_events(Writing& writing, const store::Stack& stack) {
  store::StackEvent begun{
      .action = stack.action, .status = "IN_PROGRESS", .reason = fmt::format("Stack {} started", stack.action)};
  store::add_event(writing.transaction, writing.project, stack.id, begun);
  store::StackEvent done{.action = stack.action,
                         .status = "COMPLETE",
                         .reason = fmt::format("Stack {} completed successfully", stack.action)};
  store::add_event(writing.transaction, writing.project, stack.id, done);
}

[[noreturn]] void refuse_taken(const std::string& name) {
  refuse(409, "StackExists", fmt::format("The Stack ({}) already exists.", name));
}

bool is_name_taken(const Call& call, const std::string& name) {
  bool out = false;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    out = project != nullptr && store::find_living_stack(transaction, *project, name).has_value();
  });
  return out;
}

/// Error (Refused, 412) where `If-Match` names other generations.
void check_match(const Call& call, const store::Stack& stack) {
  const std::string tag = etag_of(stack);
  if (allows_write(call.request, std::span(&tag, 1))) return;
  refuse(412, "HTTPPreconditionFailed",
         fmt::format("The Stack ({}) is not as it was: its ETag is {}.", stack.name, tag));
}

std::shared_ptr<const store::Keyring> keys_for(const Call& call, const Sealing& sealing) {
  return sealing.hidden.empty() ? nullptr : call.core.store().keys(true);
}

Response accepted(const store::Stack& stack) {
  Arena arena;
  Response out = json_response(json_object(arena, {{"code", arena.text("202 Accepted")},
                                                   {"title", arena.text("Accepted")},
                                                   {"message", arena.text("The request is accepted for processing.")}}),
                               202);
  out.headers.set("ETag", etag_of(stack));
  return out;
}

/// Thrown inside a transaction: another writer was faster.
struct Overtaken {};

/// Repeats the work until no other writer is faster.
template <class Work>
Response until_first(const Work& work) {
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    try {
      return work();
    } catch (const Overtaken&) {
      continue;
    }
  }
  throw Refused({.status = 409,
                 .code = "store.contended",
                 .message = "Others changed the stack at the same time, several times.",
                 .hint = "try again",
                 .type = "ActionInProgress",
                 .headers = {{"Retry-After", "1"}}});
}

/// A stack with what a request makes of it.
struct Update {
  Kept kept;
  Evaluated evaluated;
  SentSettings settings;
};

Update evaluated_update(const Call& call, Session& session, Purpose purpose) {
  Update out{.kept = read_kept(call, session, Secrets::clear), .evaluated = {}, .settings = {}};
  check_match(call, out.kept.stack);
  Sent sent = with_kept_values(session, read_body(call, session, purpose), out.kept);
  sent.sees_secrets = call.may("strata:secret.read");
  const Subject subject{.name = out.kept.stack.name, .id = out.kept.stack.id, .project = call.project};
  out.evaluated = evaluate(session, sent, purpose, &out.kept, subject);
  out.settings = sent.settings;
  return out;
}

Response update(const Call& call, Purpose purpose) {
  if (auto known = call.core.replayed(call)) return *std::move(known);
  return until_first([&] {
    const std::unique_ptr<Session> session = session_of(call);
    const Update update = evaluated_update(call, *session, purpose);
    const Sealing sealing = sealing_of(*session, update.evaluated.clear, update.evaluated.masked);
    const auto keys = keys_for(call, sealing);
    return call.core.write(call, [&](Writing& writing) {
      store::Stack stack = find_stack(writing.transaction, &writing.project, call[kNameCapture], call[kIdCapture]);
      if (stack.generation != update.kept.stack.generation) throw Overtaken{};
      const std::optional<std::string> earlier = stack.sealed;
      stack.state = sealing.state;
      stack.sealed = keys == nullptr ? std::nullopt : seal_hidden(*keys, writing, sealing);
      stack.settings = settings_text(with_sent(read_settings(stack.settings), update.settings, purpose));
      stack.action = "UPDATE";
      stack.status = "COMPLETE";
      if (!store::update_stack(writing.transaction, writing.project, stack)) throw Overtaken{};
      if (earlier) store::remove_sealed(writing.transaction, std::span(&*earlier, 1));
      add_events(writing, stack);
      writing.note(std::string(kChange), stack.name, stack.generation);
      return accepted(stack);
    });
  });
}

Response preview_update(const Call& call, Purpose purpose) {
  (void)flag_of(call.request.query, "show_nested");
  const std::unique_ptr<Session> session = session_of(call);
  const Update update = evaluated_update(call, *session, purpose);
  Arena& arena = session->arena();
  MappingBuilder changes(arena);
  for (const std::string_view name : {"unchanged", "updated", "replaced", "added", "deleted"})
    changes.insert(name, arena.sequence());
  const Value environment = json_object(arena, {{"before", *update.kept.masked.find("environment")},
                                                {"after", *update.evaluated.masked.find("environment")}});
  return json_response(json_object(arena, {{"resource_changes", changes.finish()}, {"environment", environment}}));
}

}  // namespace

Response create_stack(const Call& call) {
  if (auto known = call.core.replayed(call)) return *std::move(known);
  const std::unique_ptr<Session> session = session_of(call);
  const Sent sent = read_body(call, *session, Purpose::create);
  if (is_name_taken(call, sent.name)) refuse_taken(sent.name);
  const std::string id = store::new_uuid();
  const Evaluated evaluated =
      evaluate(*session, sent, Purpose::create, nullptr, {.name = sent.name, .id = id, .project = call.project});
  const Sealing sealing = sealing_of(*session, evaluated.clear, evaluated.masked);
  const auto keys = keys_for(call, sealing);
  return call.core.write(call, [&](Writing& writing) {
    if (store::find_living_stack(writing.transaction, writing.project, sent.name)) refuse_taken(sent.name);
    writing.note(std::string(kChange), sent.name, 1);
    store::Stack stack{.id = id, .name = sent.name, .state = sealing.state, .action = "CREATE", .status = "COMPLETE"};
    stack.sealed = keys == nullptr ? std::nullopt : seal_hidden(*keys, writing, sealing);
    stack.settings = settings_text(with_sent({.owner = call.request.principal.name}, sent.settings, Purpose::create));
    store::add_stack(writing.transaction, writing.project, stack);
    add_events(writing, stack);
    const std::string place = place_of(root_of(call, call.project), stack.name, stack.id);
    Arena arena;
    const Value view = json_object(arena, {{"id", arena.text(stack.id)}, {"links", self_links(arena, place)}});
    Response out = json_response(json_object(arena, {{"stack", view}}), 201);
    out.headers.set("Location", place);
    out.headers.set("ETag", etag_of(stack));
    return out;
  });
}

Response preview_stack(const Call& call) {
  const std::unique_ptr<Session> session = session_of(call);
  Arena& arena = session->arena();
  const Sent sent = read_body(call, *session, Purpose::create);
  if (is_name_taken(call, sent.name)) refuse_taken(sent.name);
  const std::string none = "None";
  const Evaluated evaluated =
      evaluate(*session, sent, Purpose::create, nullptr, {.name = sent.name, .id = none, .project = call.project});
  store::Stack stack{.id = none, .name = sent.name, .created_at = store::now()};
  stack.settings = settings_text(with_sent({.owner = call.request.principal.name}, sent.settings, Purpose::create));
  MappingBuilder view =
      MappingBuilder::copy_of(arena, stack_view(arena, root_of(call, call.project), call.project, stack,
                                                {.state = evaluated.masked, .is_preview = true}));
  // Clients print what is in `stack`; programs find it where other previews have it.
  const Value& environment = *evaluated.masked.find("environment");
  view.insert("environment", environment);
  return json_response(json_object(arena, {{"stack", view.finish()}, {"environment", environment}}));
}

Response replace_stack(const Call& call) { return update(call, Purpose::replace); }
Response patch_stack(const Call& call) { return update(call, Purpose::patch); }
Response preview_replace(const Call& call) { return preview_update(call, Purpose::replace); }
Response preview_patch(const Call& call) { return preview_update(call, Purpose::patch); }

Response delete_stack(const Call& call) {
  return call.core.write(call, [&](Writing& writing) {
    const store::Stack stack = find_stack(writing.transaction, &writing.project, call[kNameCapture], call[kIdCapture]);
    check_match(call, stack);
    if (!store::delete_stack(writing.transaction, writing.project, stack.id)) refuse_unknown_stack(stack.name);
    writing.note(std::string(kChange), stack.name, stack.generation + 1);
    return Response{.status = 204};
  });
}

}  // namespace strata::service::stacks
