// SPDX-License-Identifier: Apache-2.0
#include "header_values.hpp"

#include <algorithm>

#include "python_text.hpp"
#include "rfc2231.hpp"

namespace strata::cloudinit {

const std::string* find_header(const Headers& headers, std::string_view name) noexcept {
  const auto found =
      std::ranges::find_if(headers, [&](const Header& header) { return equal_ignoring_case(header.name, name); });
  return found == headers.end() ? nullptr : &found->value;
}

void replace_header(Headers& headers, std::string_view name, std::string value) {
  std::erase_if(headers, [&](const Header& header) { return equal_ignoring_case(header.name, name); });
  headers.push_back({std::string(name), std::move(value)});
}

std::string content_type(const Headers& headers, std::string_view otherwise) {
  const std::string* value = find_header(headers, "Content-Type");
  if (value == nullptr) return std::string(otherwise);
  std::string type = lower(trim(std::string_view(*value).substr(0, value->find(';'))));
  return std::ranges::count(type, '/') == 1 ? type : "text/plain";
}

std::optional<std::string> boundary_of(const Headers& headers) {
  const std::string* value = find_header(headers, "Content-Type");
  auto boundary = value == nullptr ? std::nullopt : header_parameter(*value, "boundary");
  if (boundary) boundary->resize(trim_back(*boundary).size());
  return boundary;
}

std::string file_name_of(const Headers& headers) {
  const std::string* disposition = find_header(headers, "Content-Disposition");
  auto name = disposition == nullptr ? std::nullopt : header_parameter(*disposition, "filename");
  if (!name) {
    const std::string* type = find_header(headers, "Content-Type");
    if (type != nullptr) name = header_parameter(*type, "name");
  }
  return name ? std::string(trim(*name)) : std::string();
}

void set_file_name(Headers& headers, std::string_view name) {
  replace_header(headers, "Content-Disposition", "attachment; " + format_parameter("filename", name));
}

}  // namespace strata::cloudinit
