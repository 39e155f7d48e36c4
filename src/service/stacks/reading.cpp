// SPDX-License-Identifier: Apache-2.0
// Answers about one stack.
#include <fmt/format.h>

#include <algorithm>

#include "service/core.hpp"
#include "service/json.hpp"
#include "service/stacks/arguments.hpp"
#include "service/stacks/handlers.hpp"
#include "service/stacks/kept.hpp"
#include "service/stacks/refusals.hpp"
#include "service/stacks/views.hpp"
#include "strata/builder.hpp"

namespace strata::service::stacks {
namespace {

constexpr std::size_t kOutputCapture = 3;

/// Whether the request asks for hidden values, and may have them.
Secrets secrets_of(const Call& call) {
  const std::string* asked = call.request.query.find("secrets");
  if (asked == nullptr) return Secrets::masked;
  if (*asked != "clear") refuse_request(fmt::format("'{}' is no value for 'secrets', which may be 'clear'.", *asked));
  call.demand("strata:secret.read");
  return Secrets::clear;
}

/// A stack with the state that the request may see.
class StackReading {
 public:
  explicit StackReading(const Call& call)
      : call_(call),
        secrets_(secrets_of(call)),
        session_(session_of(call)),
        kept_(read_kept(call, *session_, secrets_)) {}

  [[nodiscard]] const store::Stack& stack() const noexcept { return kept_.stack; }
  [[nodiscard]] const Value& state() const noexcept { return secrets_ == Secrets::clear ? kept_.clear : kept_.masked; }
  [[nodiscard]] const Value& member(std::string_view name) const { return *state().find(name); }
  [[nodiscard]] Arena& arena() noexcept { return session_->arena(); }

  [[nodiscard]] Response answer(const Value& value) const {
    Response out = json_response(value);
    if (secrets_ == Secrets::clear) {
      call_.core.audit(call_, "200, secrets in clear text");
      out.headers.set("Cache-Control", "no-store");
    } else {
      out.headers.set("ETag", etag_of(kept_.stack));
    }
    return out;
  }

 private:
  const Call& call_;
  Secrets secrets_;
  std::unique_ptr<Session> session_;
  Kept kept_;
};

std::string_view member_text(const Value& mapping, std::string_view name) { return mapping.find(name)->text(); }

}  // namespace

Response redirect(const Call& call) {
  // Behind `stacks`: what names the stack, and the rest of the path.
  const std::span<const std::string> way = std::span(call.request.segments).subspan(3);
  store::Stack found;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    found = find_stack(transaction, project, way.front());
  });
  std::string place = place_of(root_of(call, call.project), found.name, found.id);
  for (const std::string& part : way.subspan(1)) place += "/" + percent_encoded(part);
  if (!call.request.query_text.empty()) place += "?" + call.request.query_text;
  Arena arena;
  Response out = json_response(json_object(arena, {{"code", arena.text("302 Found")},
                                                   {"title", arena.text("Found")},
                                                   {"message", arena.text("The stack is at " + place)}}),
                               302);
  out.headers.set("Location", place);
  return out;
}

Response show_stack(const Call& call) {
  const bool shows_outputs = flag_of(call.request.query, "resolve_outputs").value_or(true);
  StackReading reading(call);
  const Value view = stack_view(reading.arena(), root_of(call, call.project), call.project, reading.stack(),
                                {.state = reading.state(), .shows_outputs = shows_outputs});
  return reading.answer(json_object(reading.arena(), {{"stack", view}}));
}

Response show_environment(const Call& call) {
  const StackReading reading(call);
  return reading.answer(reading.member("environment"));
}

Response show_files(const Call& call) {
  const StackReading reading(call);
  return reading.answer(reading.member("files"));
}

Response show_template(const Call& call) {
  const StackReading reading(call);
  return reading.answer(reading.member("template"));
}

Response list_outputs(const Call& call) {
  StackReading reading(call);
  SequenceBuilder out(reading.arena());
  for (const Value& output : reading.member("shown").find("outputs")->items()) {
    out.append(json_object(reading.arena(),
                           {{"output_key", *output.find("output_key")}, {"description", *output.find("description")}}));
  }
  return reading.answer(json_object(reading.arena(), {{"outputs", out.finish()}}));
}

Response show_output(const Call& call) {
  StackReading reading(call);
  const std::span<const Value> outputs = reading.member("shown").find("outputs")->items();
  const std::string& key = call[kOutputCapture];
  const auto found =
      std::ranges::find_if(outputs, [&key](const Value& output) { return member_text(output, "output_key") == key; });
  if (found == outputs.end()) refuse(404, "NotFound", fmt::format("Specified output key {} not found.", key));
  return reading.answer(json_object(reading.arena(), {{"output", *found}}));
}

Response export_stack(const Call& call) {
  StackReading reading(call);
  Arena& arena = reading.arena();
  const store::Stack& stack = reading.stack();
  SequenceBuilder tags(arena);
  for (const std::string& tag : read_settings(stack.settings).tags) tags.append(arena.text(tag));
  MappingBuilder out(arena);
  out.insert("name", arena.text(stack.name));
  out.insert("id", arena.text(stack.id));
  out.insert("action", arena.text(stack.action));
  out.insert("status", arena.text(stack.status));
  for (const Entry& member : reading.state().entries()) {
    if (member.key.text() != "shown") out.insert(member.key, member.value);
  }
  out.insert("resources", arena.mapping());
  out.insert("tags", tags.finish());
  out.insert("project_id", arena.text(call.project));
  return reading.answer(out.finish());
}

Response empty_list_of_stack(const Call& call, std::string_view member) {
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    (void)find_stack(transaction, project, call[kNameCapture], call[kNameCapture + 1]);
  });
  Arena arena;
  return json_response(json_object(arena, {{member, arena.sequence()}}));
}

Response unknown_resource(const Call& call) {
  (void)empty_list_of_stack(call, "resources");
  refuse(404, "EntityNotFound",
         fmt::format("The Resource ({}) could not be found in Stack {}.", call[kNameCapture + 2], call[kNameCapture]));
}

Response not_run(const Call& call, std::string_view what) {
  (void)empty_list_of_stack(call, what);
  refuse(501, "NotSupported",
         fmt::format("strata keeps the environments of stacks and runs none: {} are not supported.", what));
}

}  // namespace strata::service::stacks
