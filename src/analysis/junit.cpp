// SPDX-License-Identifier: Apache-2.0
// Findings as JUnit's XML, which most servers for builds show.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "findings.hpp"
#include "strata/text.hpp"

namespace strata::analysis {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// The text of an attribute. What XML 1.0 cannot hold becomes U+FFFD: most control characters, U+FFFE, U+FFFF, and
/// bytes that are not UTF-8.
std::string attribute(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t valid = std::min(text::find_invalid_utf8(text), text.size());
    for (std::size_t i = 0; i < valid; ++i) {
      const char c = text[i];
      if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\t' || c == '\n' || c == '\r') {
        out += fmt::format("&#{};", static_cast<int>(c));
      } else if (text.substr(i).starts_with("\xEF\xBF\xBE") || text.substr(i).starts_with("\xEF\xBF\xBF")) {
        out += kReplacement;
        i += 2;
      } else if (static_cast<unsigned char>(c) < ' ') {
        out += kReplacement;
      } else {
        out += c;
      }
    }
    text.remove_prefix(valid);
    if (text.empty()) break;
    out += kReplacement;
    text.remove_prefix(1);
  }
  return out;
}

std::string test_case(const Finding& one) {
  const Place& place = one.what.where.place;
  std::string out = fmt::format(R"(    <testcase name="{}:{}" classname="{}")", attribute(place.file),
                                attribute(one.pointer), attribute(one.what.code));
  if (!place.file.empty()) out += fmt::format(R"( file="{}")", attribute(place.file));
  if (place.line) out += fmt::format(R"( line="{}")", *place.line);
  if (one.silence) {
    out += fmt::format(">\n      <skipped message=\"{}\"/>\n", attribute(one.silence->reason));
  } else {
    out += fmt::format(">\n      <failure type=\"{}\" message=\"{}\"/>\n", to_string(one.severity),
                       attribute(message_of(one)));
  }
  return out + "    </testcase>\n";
}

struct Suite {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::string cases = {};
};

}  // namespace

std::string check_junit(const CheckReport& report, bool shows_silenced) {
  std::map<std::string, Suite> suites;
  for (const std::string& code : report.looked_for) suites.try_emplace(fmt::format("check.{}", code));
  for (const Finding& one : report.findings) {
    if (one.silence && !shows_silenced) continue;
    Suite& suite = suites[one.what.code];
    ++suite.tests;
    if (!one.silence) ++suite.failures;
    suite.cases += test_case(one);
  }
  std::string out;
  std::size_t tests = 0;
  std::size_t failures = 0;
  for (auto& [code, suite] : suites) {
    if (suite.tests == 0) {
      suite.tests = 1;
      suite.cases = fmt::format("    <testcase name=\"none\" classname=\"{}\"/>\n", attribute(code));
    }
    tests += suite.tests;
    failures += suite.failures;
    out += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n{}  </testsuite>\n", attribute(code),
                       suite.tests, suite.failures, suite.cases);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"strata check\" tests=\"{}\" "
      "failures=\"{}\">\n{}</testsuites>\n",
      tests, failures, out);
}

}  // namespace strata::analysis
