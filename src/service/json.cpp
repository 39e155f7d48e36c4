// SPDX-License-Identifier: Apache-2.0
#include "service/json.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "service/core.hpp"
#include "session/parse_time.hpp"
#include "strata/builder.hpp"
#include "strata/origin.hpp"

namespace strata::service {
namespace {

constexpr std::string_view kBodyName = "<body>";

}  // namespace

int wish_for(std::string_view accepted, std::string_view type) {
  int best = 0;
  std::size_t closest = 0;
  while (!accepted.empty()) {
    std::string_view range = accepted.substr(0, accepted.find(','));
    accepted.remove_prefix(std::min(accepted.size(), range.size() + 1));
    while (range.starts_with(' ') || range.starts_with('\t')) range.remove_prefix(1);
    const std::string_view name = range.substr(0, range.find_first_of("; \t"));
    const std::size_t closeness = same_name(name, type)                                                       ? 3
                                  : name == "*/*" || name == "*"                                              ? 1
                                  : name.ends_with("/*") && type.starts_with(name.substr(0, name.size() - 1)) ? 2
                                                                                                              : 0;
    if (closeness <= closest) continue;
    closest = closeness;
    best = 1000;
    if (const std::size_t q = range.find("q="); q != std::string_view::npos) {
      // `1`, `0.5`, `0.001`
      const std::string_view weight = range.substr(q + 2);
      int digits = 0;
      best = weight.starts_with('1') ? 1000 : 0;
      for (std::size_t at = 2, scale = 100;
           best == 0 && at < weight.size() && scale != 0 && weight[at] >= '0' && weight[at] <= '9'; ++at, scale /= 10) {
        digits += (weight[at] - '0') * static_cast<int>(scale);
      }
      if (best == 0) best = digits;
    }
  }
  return best;
}

namespace {

bool prefers_yaml(std::string_view accepted) {
  if (accepted.find("yaml") == std::string_view::npos) return false;
  int yaml = 0;
  for (const std::string_view type : {"application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"}) {
    if (accepted.find(type) != std::string_view::npos) yaml = std::max(yaml, wish_for(accepted, type));
  }
  return yaml != 0 &&
         (yaml > wish_for(accepted, "application/json") || accepted.find("json") == std::string_view::npos);
}

}  // namespace

JsonBody read_json_text(std::string_view text, std::string_view name, const Limits& limits) {
  const ParseTimer timer;
  JsonBody out{.sources = std::make_shared<Sources>(), .document = {}};
  const SourceId source = out.sources->add(name, std::string(text));
  out.document = text::read_json(*out.sources, source, limits);
  return out;
}

JsonBody read_json_body(const Call& call) {
  return read_json_text(call.request.body, kBodyName, call.core.limits(call));
}

std::string_view media_type(std::string_view content_type) noexcept {
  return content_type.substr(0, content_type.find_first_of("; \t"));
}

bool is_yaml(std::string_view content_type) noexcept {
  constexpr std::array<std::string_view, 4> kTypes{"application/yaml", "application/x-yaml", "text/yaml",
                                                   "text/x-yaml"};
  const std::string_view type = media_type(content_type);
  return std::ranges::any_of(kTypes, [type](std::string_view one) { return same_name(type, one); });
}

JsonBody read_data_body(const Call& call) {
  if (!is_yaml(call.request.headers.get("Content-Type"))) return read_json_body(call);
  JsonBody out{.sources = std::make_shared<Sources>(), .document = {}};
  const SourceId source = out.sources->add(kBodyName, call.request.body);
  out.document = text::read_yaml(*out.sources, source, text::core12(), call.core.limits(call));
  return out;
}

void answer_as_wanted(const Request& request, Response& response) {
  if (response.status == 304) response.headers.add("Vary", "Accept, Accept-Encoding");
  const std::string_view type = response.headers.get("Content-Type");
  const bool is_problem = type == "application/problem+json";
  if (!is_problem && type != "application/json") return;
  response.headers.add("Vary", "Accept");
  if (response.body.empty() || response.stream || !prefers_yaml(request.headers.get("Accept"))) return;
  const JsonBody json = read_json_text(response.body, "<answer>", Limits());
  response.body = text::write_yaml(json.root());
  response.headers.set("Content-Type", is_problem ? "application/problem+yaml" : "application/yaml");
  // A strong tag names bytes. It begins with the tag of the result, so that it still shows whether the client has
  // it.
  if (const std::string* tag = response.headers.find("ETag"); tag != nullptr && tag->ends_with('"')) {
    response.headers.set("ETag", tag->substr(0, tag->size() - 1) + "-yaml\"");
  }
}

Response json_response(const Value& value, unsigned status, std::string_view content_type) {
  Response out{.status = status, .headers = {{"Content-Type", std::string(content_type)}}};
  text::append_json(out.body, value, {.sort_keys = false, .indent = -1});
  out.body += '\n';
  return out;
}

/// What kind of problem it is, in some words.
std::string_view title_of(const Refusal& refusal) {
  return refusal.code == "hiera.key-not-found" || refusal.code == "site.key" ? "No such key"
                                                                             : reason_phrase(refusal.status);
}

Response problem_response(const Request& request, const Refusal& refusal) {
  Arena arena;
  MappingBuilder out(arena);
  out.insert("type", arena.text("urn:strata:error:" + refusal.code));
  out.insert("title", arena.text(title_of(refusal)));
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
  return arena.text(
      fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(*microseconds / kSecond))));
}

Value json_string(Arena& arena, const std::optional<std::string>& text) {
  return text ? arena.text(*text) : Value::null();
}

Value json_list(Arena& arena, const std::vector<std::string>& strings) {
  SequenceBuilder out(arena, strings.size());
  for (const std::string& one : strings) out.append(arena.text(one));
  return out.finish();
}

Value json_object(Arena& arena, std::initializer_list<std::pair<std::string_view, Value>> members) {
  MappingBuilder out(arena, KeyEquality::exact, members.size());
  for (const auto& [name, value] : members) out.insert(name, value);
  return out.finish();
}

}  // namespace strata::service
