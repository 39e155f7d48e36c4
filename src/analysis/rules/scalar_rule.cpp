// SPDX-License-Identifier: Apache-2.0
// Plain scalars that read as another type than they look.

#include <fmt/format.h>

#include <algorithm>

#include "report/lines.hpp"
#include "rule.hpp"

namespace strata::analysis {
namespace {

/// The characters of a plain scalar of one line.
std::string_view plain_scalar(std::string_view text) { return text.substr(0, text.find_first_of(" \t\r\n,]}")); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_surprising(const Value& value, std::string_view spelling) {
  if (spelling.empty() || std::string_view("\"'!&|>").find(spelling.front()) != std::string_view::npos) return false;
  if (value.kind() == Kind::boolean) {
    const auto is = [spelling](std::string_view word) {
      return std::ranges::equal(spelling, word, [](char one, char other) {
        return (one >= 'A' && one <= 'Z' ? one - 'A' + 'a' : one) == other;
      });
    };
    return !is("true") && !is("false");
  }
  if (value.kind() != Kind::integer && value.kind() != Kind::big_integer && value.kind() != Kind::floating)
    return false;
  if (spelling.find_first_of("_:") != std::string_view::npos) return true;
  if (spelling.front() == '-' || spelling.front() == '+') spelling.remove_prefix(1);
  return spelling.size() > 1 && spelling.front() == '0' && is_digit(spelling[1]);
}

class ScalarRule final : public Rule {
 public:
  void conclude(const Evidence& evidence, Findings& findings) override {
    const Ledger& ledger = evidence.ledger;
    for (const auto& file : ledger.stated().files()) {
      if (!file->reading || file->form.syntax != edit::Syntax::yaml) continue;
      for (const LeafRecord& leaf : file->leaves) {
        const Statement& statement = ledger.stated().all()[leaf.statement];
        if (leaf.is_secret || leaf.value.is_secret() || !ledger.stated().is_within(statement)) continue;
        const std::string_view text = file->reading->text().substr(file->reading->offset(leaf.value.origin()));
        if (!is_surprising(leaf.value, plain_scalar(text))) continue;
        const std::string value = report::one_line(leaf.value);
        findings.add("surprising-scalar", ledger, statement,
                     fmt::format("'{}' reads as {}", Statements::name_of(statement), value),
                     fmt::format("quote it, or write {}", value));
      }
    }
  }
};

}  // namespace

std::unique_ptr<Rule> make_scalar_rule() { return std::make_unique<ScalarRule>(); }

}  // namespace strata::analysis
