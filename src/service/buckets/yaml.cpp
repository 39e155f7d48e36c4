// SPDX-License-Identifier: Apache-2.0
#include "service/buckets/yaml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "service/buckets/failure.hpp"
#include "service/core.hpp"
#include "strata/engine.hpp"
#include "strata/text.hpp"

namespace strata::service::buckets {
namespace {

text::YamlStyle style() { return {.profile = &text::pyyaml_json(), .sort_keys = true}; }

}  // namespace

std::string yaml_text(const Value& value) { return text::write_yaml(value, style()); }

Response yaml_response(const Value& value, unsigned status) { return yaml_response(yaml_text(value), status); }

Response yaml_response(std::string body, unsigned status) {
  return {.status = status, .headers = {{"Content-Type", std::string(kYaml)}}, .body = std::move(body)};
}

std::string yaml_stream(const Call& call, std::span<const Value> documents) {
  constexpr std::string_view kBegin = "---\n";
  std::string out;
  if (documents.empty()) return out;
  bool is_first = true;  // The stream has `---` between documents only.
  const auto take = [&](std::string_view piece) {
    call.stop.check();
    if (is_first) piece.remove_prefix(kBegin.size());
    is_first = false;
    out += piece;
  };
  text::write_yaml_stream(documents, style(), take, call.core.engine()->settings().executor);
  return out;
}

namespace {

/// Whether a request has a body, or says that it has.
bool has_body(const Request& request) {
  const std::string* length = request.headers.find("Content-Length");
  return !request.body.empty() || request.headers.find("Transfer-Encoding") != nullptr ||
         (length != nullptr && length->find_first_not_of('0') != std::string::npos);
}

Refused wrong_type(unsigned status, std::string type, std::string message) {
  return Refused({.status = status,
                  .code = "request.type",
                  .message = std::move(message),
                  .hint = "",
                  .type = std::move(type),
                  .headers = {}});
}

}  // namespace

void require_yaml(const Request& request) {
  if (!has_body(request)) return;
  const std::string* type = request.headers.find("Content-Type");
  if (type == nullptr || type->empty())
    throw wrong_type(400, "HTTPMissingHeader", "The \"Content-Type\" header is required.");
  std::string_view media = std::string_view(*type).substr(0, type->find(';'));
  while (media.ends_with(' ') || media.ends_with('\t')) media.remove_suffix(1);
  if (!same_name(media, kYaml)) {
    throw wrong_type(
        415, "HTTPUnsupportedMediaType",
        fmt::format("Unexpected content type: {}. Expected content types are: ['application/x-yaml'].", *type));
  }
}

void fail_as_bad_yaml(const Error& error) {
  if (error.ends_request()) throw error;
  const Place& place = error.diagnostic().where.place;
  std::string where;
  if (place.line) where = fmt::format(" at line {}, column {}", *place.line, place.column.value_or(1));
  throw bad_request(fmt::format("The request body must be properly formatted YAML. Details: {}{}.",
                                error.diagnostic().message, where));
}

bool is_blown_up(std::size_t nodes, std::string_view text) noexcept {
  constexpr std::size_t kAlways = 200'000;
  constexpr std::size_t kForEachByte = 10;  // Without aliases there is one at most.
  return nodes > std::max(kAlways, text.size() * kForEachByte);
}

JsonBody read_yaml_body(const Call& call) {
  JsonBody out{.sources = std::make_shared<Sources>(), .document = {}};
  const SourceId source = out.sources->add("<body>", call.request.body);
  out.sources->mark_secret(source);  // Nobody knows what it holds: messages do not quote it.
  try {
    out.document = text::read_yaml(*out.sources, source, text::pyyaml_json(), call.core.limits(call));
  } catch (const Error& error) {
    fail_as_bad_yaml(error);
  }
  if (is_blown_up(out.document.nodes, call.request.body))
    throw bad_request("The body has too many values when its aliases are written out.");
  if (!out.document.root) out.document.root = Value::null();
  return out;
}

std::string time_text(std::int64_t microseconds) {
  constexpr std::int64_t kSecond = 1'000'000;
  const auto seconds = static_cast<std::time_t>(microseconds / kSecond);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec, microseconds % kSecond);
}

std::size_t length_of(std::string_view text) noexcept {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char one) { return (static_cast<unsigned char>(one) & 0xC0U) != 0x80U; }));
}

const std::string& checked_name(const std::string& name, std::string_view what, std::size_t most) {
  if (length_of(name) > most) throw bad_request(fmt::format("The name of a {} has at most {} characters.", what, most));
  return name;
}

}  // namespace strata::service::buckets
