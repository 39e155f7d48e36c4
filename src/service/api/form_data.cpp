// SPDX-License-Identifier: Apache-2.0
#include "service/api/form_data.hpp"

#include <optional>

#include "service/fields.hpp"
#include "strata/error.hpp"

namespace strata::service::api {
namespace {

constexpr std::string_view kType = "multipart/form-data";
constexpr std::size_t kMostFormParts = 200'000;

Error bad_form(const char* why) {
  return Error("request.body", std::string("the form is none: ") + why).hint("multipart/form-data; boundary=…");
}

/// The value of a parameter of a header: `name="value"`, `name=value`. No value: it is not there.
std::optional<std::string> parameter(std::string_view header, std::string_view name) {
  std::size_t at = header.find(';');
  while (at < header.size()) {
    ++at;
    while (at < header.size() && (header[at] == ' ' || header[at] == '\t')) ++at;
    const std::size_t equals = header.find('=', at);
    if (equals == std::string_view::npos) return std::nullopt;
    const std::string_view found = header.substr(at, equals - at);
    at = equals + 1;
    std::string value;
    if (at < header.size() && header[at] == '"') {
      for (++at; at < header.size() && header[at] != '"'; ++at) {
        // Browsers escape the quote only: other backslashes belong to names of files.
        if (header[at] == '\\' && at + 1 < header.size() && (header[at + 1] == '"' || header[at + 1] == '\\')) ++at;
        value += header[at];
      }
      at = header.find(';', at);
    } else {
      const std::size_t end = std::min(header.find(';', at), header.size());
      value = header.substr(at, end - at);
      at = end;
    }
    if (same_name(found, name)) return value;
  }
  return std::nullopt;
}

FormPart read_part(std::string_view text) {
  FormPart out;
  const std::size_t end = text.find("\r\n\r\n");
  if (end == std::string_view::npos) throw bad_form("a part has no head");
  std::string_view head = text.substr(0, end + 2);
  out.content = text.substr(end + 4);
  bool is_named = false;
  while (!head.empty()) {
    const std::size_t line_end = head.find("\r\n");
    const std::string_view line = head.substr(0, line_end);
    head.remove_prefix(line_end + 2);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !same_name(line.substr(0, colon), "Content-Disposition")) continue;
    const std::string_view value = line.substr(colon + 1);
    out.name = parameter(value, "name").value_or("");
    const auto file = parameter(value, "filename");
    out.is_file = file.has_value();
    out.file = file.value_or("");
    is_named = true;
  }
  if (!is_named) throw bad_form("a part has no name");
  return out;
}

}  // namespace

bool is_form_data(std::string_view content_type) noexcept {
  return content_type.size() >= kType.size() && same_name(content_type.substr(0, kType.size()), kType);
}

std::vector<FormPart> read_form_data(std::string_view content_type, std::string_view body) {
  const std::string boundary = parameter(content_type, "boundary").value_or("");
  if (boundary.empty() || boundary.size() > 70) throw bad_form("it names no boundary");
  const std::string first = "--" + boundary;
  const std::string next = "\r\n" + first;
  if (!body.starts_with(first)) throw bad_form("it does not begin with its boundary");
  body.remove_prefix(first.size());
  std::vector<FormPart> out;
  while (!body.starts_with("--")) {
    if (!body.starts_with("\r\n")) throw bad_form("a boundary is broken");
    body.remove_prefix(2);
    const std::size_t end = body.find(next);
    if (end == std::string_view::npos) throw bad_form("it is cut off");
    if (out.size() == kMostFormParts) throw bad_form("it has too many parts");
    out.push_back(read_part(body.substr(0, end)));
    body.remove_prefix(end + next.size());
  }
  return out;
}

}  // namespace strata::service::api
