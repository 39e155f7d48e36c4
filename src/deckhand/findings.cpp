// SPDX-License-Identifier: Apache-2.0
#include "findings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace strata::deckhand {
namespace {

constexpr std::size_t kMost = 1000;

std::vector<Diagnostic> diagnostics_of(const std::vector<Finding>& findings) {
  std::vector<Diagnostic> all;
  all.reserve(findings.size());
  for (const Finding& finding : findings) all.push_back(finding.diagnostic);
  return all;
}

Excerpt excerpt(const Sources& sources, Origin where, std::string message, Lines lines) {
  if (lines == Lines::shown) return excerpt_at(sources, where, std::move(message));
  return {.place = sources.place(where), .line = {}, .message = std::move(message)};
}

}  // namespace

std::string Identity::to_string() const {
  std::string out = schema;
  if (!out.empty() && !(layer.empty() && name.empty())) out += ' ';
  if (!layer.empty()) out += layer + "/";
  return out + name;
}

Refused::Refused(std::vector<Finding> findings)
    : Errors(diagnostics_of(findings)), findings_(std::make_shared<const std::vector<Finding>>(std::move(findings))) {}

Diagnostic diagnostic(const Sources& sources, std::string code, std::string message, Origin where, std::string hint,
                      Lines lines) {
  return {.code = std::move(code),
          .message = std::move(message),
          .where = excerpt(sources, where, {}, lines),
          .notes = {},
          .hint = std::move(hint)};
}

Excerpt note(const Sources& sources, Origin where, std::string message, Lines lines) {
  return excerpt(sources, where, std::move(message), lines);
}

void Findings::add(Finding finding) {
  if (!skips()) findings_.push_back(std::move(finding));
}

bool Findings::skips() {
  if (findings_.size() < kMost) return false;
  ++untold_;
  return true;
}

void Findings::stop() {
  if (untold_ != 0) {
    findings_.push_back({.diagnostic = {.code = "deckhand.more",
                                        .message = fmt::format("{} more findings are not shown", untold_),
                                        .where = {},
                                        .notes = {},
                                        .hint = "repair the first ones"},
                         .document = {}});
  }
  throw Refused(std::move(findings_));
}

}  // namespace strata::deckhand
