// SPDX-License-Identifier: Apache-2.0
// Findings as workflow commands of GitHub:
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions.
#include <fmt/format.h>

#include "findings.hpp"

namespace strata::analysis {
namespace {

/// `special`: characters that are written as `%` and two digits.
std::string percent_encoded(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) == std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

std::string value_of(std::string_view text) { return percent_encoded(text, "%\r\n"); }
std::string property_of(std::string_view text) { return percent_encoded(text, "%\r\n:,"); }

std::string_view command_of(Severity severity) { return severity == Severity::note ? "notice" : to_string(severity); }

}  // namespace

std::string check_annotations(const CheckReport& report) {
  std::string out;
  for (const std::size_t i : by_severity(report)) {
    const Finding& one = report.findings[i];
    if (one.silence) break;
    const Place& place = one.what.where.place;
    out += fmt::format("::{} ", command_of(one.severity));
    if (!place.file.empty()) out += fmt::format("file={},", property_of(place.file));
    if (place.line) out += fmt::format("line={},", *place.line);
    if (place.line && place.column) out += fmt::format("col={},", *place.column);
    out += fmt::format("title={}::{}\n", property_of(one.what.code), value_of(message_of(one)));
  }
  return out + summary_of(report);
}

}  // namespace strata::analysis
