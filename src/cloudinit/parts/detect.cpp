// SPDX-License-Identifier: Apache-2.0
#include "detect.hpp"

#include <array>
#include <cstddef>

#include "python_text.hpp"

namespace strata::cloudinit {
namespace {

struct Marker {
  std::string_view prefix;
  std::string_view type;
};

// The longer of two markers that begin alike stands first.
constexpr std::array kMarkers = {
    Marker{"text/x-shellscript-per-instance", "text/x-shellscript-per-instance"},
    Marker{"text/x-shellscript-per-boot", "text/x-shellscript-per-boot"},
    Marker{"text/x-shellscript-per-once", "text/x-shellscript-per-once"},
    Marker{"#cloud-config-archive", "text/cloud-config-archive"},
    Marker{"#cloud-config-jsonp", "text/cloud-config-jsonp"},
    Marker{"## template: jinja", "text/jinja2"},
    Marker{"#cloud-boothook", "text/cloud-boothook"},
    Marker{"#cloud-config", "text/cloud-config"},
    Marker{"#include-once", "text/x-include-once-url"},
    Marker{"#part-handler", "text/part-handler"},
    Marker{"#include", "text/x-include-url"},
    Marker{"#!", "text/x-shellscript"},
};

/// Whether `text` in lower case begins with `prefix`. The Kelvin sign is an upper-case k, as it is in Python.
bool begins(std::string_view text, std::string_view prefix) noexcept {
  constexpr std::string_view kKelvin = "\xE2\x84\xAA";
  for (const char wanted : prefix) {
    if (text.empty()) return false;
    if (wanted == 'k' && text.starts_with(kKelvin)) {
      text.remove_prefix(kKelvin.size());
      continue;
    }
    const char c = text[0] >= 'A' && text[0] <= 'Z' ? static_cast<char>(text[0] | 0x20) : text[0];
    if (c != wanted) return false;
    text.remove_prefix(1);
  }
  return true;
}

}  // namespace

std::string_view detect_type(std::string_view text) noexcept {
  text = trim_front(text);
  for (const Marker& marker : kMarkers) {
    if (begins(text, marker.prefix)) return marker.type;
  }
  return {};
}

bool is_message(std::string_view text) {
  constexpr std::size_t kLooked = 4096;
  return holds_ignoring_case(text.substr(0, kLooked), "mime-version:", 4);
}

}  // namespace strata::cloudinit
