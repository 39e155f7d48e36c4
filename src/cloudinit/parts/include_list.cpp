// SPDX-License-Identifier: Apache-2.0
#include "include_list.hpp"

#include "python_text.hpp"

namespace strata::cloudinit {
namespace {

bool take_marker(std::string_view& line, std::string_view marker) {
  if (!equal_ignoring_case(line.substr(0, marker.size()), marker)) return false;
  line = trim_front(line.substr(marker.size()));
  return true;
}

}  // namespace

std::vector<Include> read_include_list(std::string_view text) {
  std::vector<Include> result;
  bool once = false;
  for_each_line(text, [&](std::string_view line) {
    if (take_marker(line, "#include-once"))
      once = true;
    else if (take_marker(line, "#include"))
      once = false;
    if (line.starts_with('#')) return;
    line = trim(line);
    if (!line.empty()) result.push_back({line, once});
  });
  return result;
}

}  // namespace strata::cloudinit
