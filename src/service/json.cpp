#include "service/json.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "service/core.hpp"
#include "strata/builder.hpp"
#include "strata/origin.hpp"

namespace strata::service {
namespace {

constexpr std::string_view kBodyName = "<body>";

}  // namespace

JsonBody read_json_text(std::string_view text, std::string_view name, const Limits& limits) {
  JsonBody out{.sources = std::make_shared<Sources>(), .document = {}};
  const SourceId source = out.sources->add(name, std::string(text));
  out.document = text::read_json(*out.sources, source, limits);
  return out;
}

JsonBody read_json_body(const Call& call) { return read_json_text(call.request.body, kBodyName, call.core.limits(call)); }

Response json_response(const Value& value, unsigned status, std::string_view content_type) {
  Response out{.status = status, .headers = {{"Content-Type", std::string(content_type)}}};
  text::append_json(out.body, value, {.sort_keys = false, .indent = -1});
  out.body += '\n';
  return out;
}

Response problem_response(const Request& request, const Refusal& refusal) {
  Arena arena;
  MappingBuilder out(arena);
  out.insert("type", arena.text("urn:strata:error:" + refusal.code));
  out.insert("title", arena.text(reason_phrase(refusal.status)));
  out.insert("status", Value::integer(refusal.status));
  out.insert("detail", arena.text(refusal.message));
  out.insert("code", arena.text(refusal.code));
  SequenceBuilder places(arena);
  for (const Place& one : refusal.places) {
    MappingBuilder place(arena);
    place.insert("file", arena.text(one.file));
    if (one.line) place.insert("line", Value::integer(static_cast<std::int64_t>(*one.line)));
    if (one.column) place.insert("column", Value::integer(static_cast<std::int64_t>(*one.column)));
    places.append(place.finish());
  }
  out.insert("places", places.finish());
  if (!refusal.hint.empty()) out.insert("hint", arena.text(refusal.hint));
  out.insert("request_id", arena.text(request.id));
  return json_response(out.finish(), refusal.status, "application/problem+json");
}

Value json_time(Arena& arena, std::optional<std::int64_t> microseconds) {
  if (!microseconds) return Value::null();
  constexpr std::int64_t kSecond = 1'000'000;
  return arena.text(fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(*microseconds / kSecond))));
}

Value json_object(Arena& arena, std::initializer_list<std::pair<std::string_view, Value>> members) {
  MappingBuilder out(arena, KeyEquality::exact, members.size());
  for (const auto& [name, value] : members) out.insert(name, value);
  return out.finish();
}

}  // namespace strata::service
