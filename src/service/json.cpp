#include "service/json.hpp"

#include "service/core.hpp"
#include "strata/builder.hpp"
#include "strata/origin.hpp"

namespace strata::service {
namespace {

constexpr std::string_view kBodyName = "<body>";

}  // namespace

JsonBody read_json_text(std::string_view text, std::string name, const Limits& limits) {
  JsonBody out{.sources = std::make_shared<Sources>(), .document = {}};
  const SourceId source = out.sources->add(std::move(name), std::string(text));
  out.document = text::read_json(*out.sources, source, limits);
  return out;
}

JsonBody read_json_body(const Call& call) { return read_json_text(call.request.body, std::string(kBodyName), call.core.limits(call)); }

Response json_response(const Value& value, unsigned status, std::string_view content_type) {
  Response out{.status = status, .headers = {{"Content-Type", std::string(content_type)}}};
  text::append_json(out.body, value, {.sort_keys = false, .indent = -1});
  out.body += '\n';
  return out;
}

Value json_object(Arena& arena, std::initializer_list<std::pair<std::string_view, Value>> members) {
  MappingBuilder out(arena, KeyEquality::exact, members.size());
  for (const auto& [name, value] : members) out.insert(name, value);
  return out.finish();
}

}  // namespace strata::service
