// SPDX-License-Identifier: Apache-2.0
#include "service/policy_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "service/fields.hpp"
#include "strata/error.hpp"

namespace strata::service {
namespace {

constexpr std::size_t kDeepestRule = 100;                     ///< Parentheses and `not`.
constexpr std::size_t kLongestRule = std::size_t{16} << 10U;  ///< Bytes.
constexpr std::string_view kPolicyBlanks = " \t\n\v\f\r";

using SharedRule = std::shared_ptr<const PolicyRule>;

Error policy_error(std::string why) { return Error("service.policy", std::move(why)); }

class Constant final : public PolicyRule {
 public:
  explicit Constant(bool is_allowed) : is_allowed_(is_allowed) {}
  [[nodiscard]] bool allows(const Question& /*question*/) const override { return is_allowed_; }
  void add_names(std::vector<std::string>& /*names*/) const override {}

 private:
  bool is_allowed_;
};

class Not final : public PolicyRule {
 public:
  explicit Not(SharedRule inner) : inner_(std::move(inner)) {}
  [[nodiscard]] bool allows(const Question& question) const override { return !inner_->allows(question); }
  void add_names(std::vector<std::string>& names) const override { inner_->add_names(names); }

 private:
  SharedRule inner_;
};

class Several final : public PolicyRule {
 public:
  Several(std::vector<SharedRule> rules, bool all) : rules_(std::move(rules)), all_(all) {}
  [[nodiscard]] bool allows(const Question& question) const override {
    const auto allows = [&](const SharedRule& one) { return one->allows(question); };
    return all_ ? std::ranges::all_of(rules_, allows) : std::ranges::any_of(rules_, allows);
  }
  void add_names(std::vector<std::string>& names) const override {
    for (const SharedRule& one : rules_) one->add_names(names);
  }

 private:
  std::vector<SharedRule> rules_;
  bool all_;
};

class Named final : public PolicyRule {
 public:
  explicit Named(std::string name) : name_(std::move(name)) {}
  // Recursion: a policy has no rules that refer to themselves.
  [[nodiscard]] bool allows(const Question& question) const override {
    const PolicyRule* rule = question.rule(name_);
    return rule != nullptr && rule->allows(question);
  }
  void add_names(std::vector<std::string>& names) const override { names.push_back(name_); }

 private:
  std::string name_;
};

/// The text of a check, in which names of the target stand as Python's `%` has them.
class Template {
 public:
  explicit Template(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] != '%') {
        add(text[at]);
      } else if (text.substr(at).starts_with("%%")) {
        add('%');
        ++at;
      } else {
        const std::size_t end = text.find(")s", at);
        const bool is_name = text.substr(at).starts_with("%(") && end != std::string_view::npos;
        const std::string_view name = is_name ? text.substr(at + 2, end - at - 2) : std::string_view();
        if (name.empty() || name.find_first_of("()%") != std::string_view::npos)
          throw policy_error("'%' stands before '(NAME)s' or another '%'");
        parts_.emplace_back(std::string(name), true);
        at = end + 1;
      }
    }
  }

  /// No value: the target lacks a name.
  [[nodiscard]] std::optional<std::string> filled(const PolicyFacts& target) const {
    std::string out;
    for (const auto& [text, is_name] : parts_) {
      if (!is_name) {
        out += text;
        continue;
      }
      const auto found = target.find(text);
      if (!found) return std::nullopt;
      out += *found;
    }
    return out;
  }

 private:
  void add(char one) {
    if (parts_.empty() || parts_.back().second) parts_.emplace_back(std::string(), false);
    parts_.back().first += one;
  }

  std::vector<std::pair<std::string, bool>> parts_;  ///< Texts, and names.
};

/// `role:TEXT`, without regard to case.
class Role final : public PolicyRule {
 public:
  explicit Role(std::string_view match) : match_(match) {}
  [[nodiscard]] bool allows(const Question& question) const override {
    const auto wanted = match_.filled(question.target);
    return wanted &&
           std::ranges::any_of(question.roles, [&wanted](const std::string& role) { return same_name(role, *wanted); });
  }
  void add_names(std::vector<std::string>& /*names*/) const override {}

 private:
  Template match_;
};

/// What a literal of Python is as text. No value: it is the name of a member.
std::optional<std::string> literal(std::string_view kind) {
  const bool is_quoted =
      kind.size() >= 2 && (kind.front() == '\'' || kind.front() == '"') && kind.back() == kind.front();
  if (is_quoted) {
    const std::string_view inner = kind.substr(1, kind.size() - 2);
    if (inner.find_first_of("\\'\"") != std::string_view::npos)
      throw policy_error("a literal has no quotes and backslashes in it");
    return std::string(inner);
  }
  if (kind == "None" || kind == "True" || kind == "False") return std::string(kind);
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(kind.data(), kind.data() + kind.size(), number);
  if (end != kind.data() + kind.size() || problem != std::errc()) return std::nullopt;
  // As Python: `01` is not a number.
  if (kind.size() > 1 && kind.substr(kind.front() == '-' ? 1 : 0).starts_with('0'))
    throw policy_error("a number does not begin with 0");
  return std::to_string(number);
}

/// `'text':TEXT`
class Literal final : public PolicyRule {
 public:
  Literal(std::string value, std::string_view match) : value_(std::move(value)), match_(match) {}
  [[nodiscard]] bool allows(const Question& question) const override {
    return match_.filled(question.target) == value_;
  }
  void add_names(std::vector<std::string>& /*names*/) const override {}

 private:
  std::string value_;
  Template match_;
};

/// `user_id:TEXT`
class AttributeMatch final : public PolicyRule {
 public:
  AttributeMatch(std::string_view name, std::string_view match) : name_(name), match_(match) {
    const auto is_letter = [](char one) {
      return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || (one >= '0' && one <= '9') || one == '_' ||
             one == '-' || one == '.';
    };
    if (name.empty() || !std::ranges::all_of(name, is_letter) || (name.front() >= '0' && name.front() <= '9')) {
      throw policy_error(fmt::format("'{}' is not the kind of a check", name));
    }
  }
  [[nodiscard]] bool allows(const Question& question) const override {
    const auto wanted = match_.filled(question.target);
    if (!wanted) return false;
    if (name_ == "roles") return std::ranges::find(question.roles, *wanted) != question.roles.end();
    const auto found = question.who.find(name_);
    if (!found) return false;
    // Older services had a number there.
    return *found == *wanted || (name_ == "is_admin" && *wanted == "1" && *found == "True");
  }
  void add_names(std::vector<std::string>& /*names*/) const override {}

 private:
  std::string name_;
  Template match_;
};

SharedRule read_check(std::string_view text) {
  if (text == "@") return std::make_shared<Constant>(true);
  if (text == "!") return std::make_shared<Constant>(false);
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) throw policy_error(fmt::format("'{}' is not a check: they are KIND:TEXT", text));
  const std::string_view kind = text.substr(0, colon);
  const std::string_view match = text.substr(colon + 1);
  if (kind == "http" || kind == "https") {
    throw policy_error(fmt::format("'{}' asks another service, which strata does not do", text))
        .hint("write the rule with role:, project_id: and user_id:");
  }
  if (kind == "rule") return std::make_shared<Named>(std::string(match));
  if (kind == "role") return std::make_shared<Role>(match);
  if (auto value = literal(kind)) return std::make_shared<Literal>(*std::move(value), match);
  return std::make_shared<AttributeMatch>(kind, match);
}

/// A rule as oslo.policy cuts it: at blanks, and parentheses at the ends of what is between them.
class RuleReader {
 public:
  explicit RuleReader(std::string_view text) : text_(text) {
    if (text.size() > kLongestRule) throw policy_error(fmt::format("a rule has at most {} bytes", kLongestRule));
    while (!text.empty()) {
      text.remove_prefix(std::min(text.find_first_not_of(kPolicyBlanks), text.size()));
      const std::string_view word = text.substr(0, text.find_first_of(kPolicyBlanks));
      text.remove_prefix(word.size());
      cut(word);
    }
  }

  SharedRule read() {
    if (text_.empty()) return std::make_shared<Constant>(true);
    SharedRule out = either(0);
    if (at_ != words_.size()) fail("there is more than one rule");
    return out;
  }

 private:
  void cut(std::string_view word) {
    const std::size_t begin = std::min(word.find_first_not_of('('), word.size());
    for (std::size_t i = 0; i < begin; ++i) words_.emplace_back("(");
    word.remove_prefix(begin);
    const std::size_t end = word.find_last_not_of(')') + 1;
    if (end > 0) words_.push_back(word.substr(0, end));
    for (std::size_t i = end; i < word.size(); ++i) words_.emplace_back(")");
  }

  // Recursion: bounded by kDeepestRule.
  SharedRule either(std::size_t depth) {
    std::vector<SharedRule> rules{both(depth)};
    while (take("or")) rules.push_back(both(depth));
    return rules.size() == 1 ? rules.front() : std::make_shared<Several>(std::move(rules), false);
  }

  SharedRule both(std::size_t depth) {
    std::vector<SharedRule> rules{one(depth)};
    while (take("and")) rules.push_back(one(depth));
    return rules.size() == 1 ? rules.front() : std::make_shared<Several>(std::move(rules), true);
  }

  SharedRule one(std::size_t depth) {
    if (depth > kDeepestRule) fail("rules nest too deep");
    if (take("not")) return std::make_shared<Not>(one(depth + 1));
    if (take("(")) {
      SharedRule out = either(depth + 1);
      if (!take(")")) fail("a parenthesis is open");
      return out;
    }
    if (at_ == words_.size() || words_[at_] == ")" || is_word("and") || is_word("or")) fail("a check is missing");
    const std::string_view word = words_[at_++];
    const bool is_quoted =
        word.size() >= 2 && (word.front() == '\'' || word.front() == '"') && word.back() == word.front();
    if (is_quoted) fail(fmt::format("{} is not a check: only a part of it can be quoted", word));
    try {
      return read_check(word);
    } catch (const Error& error) {
      if (error.diagnostic().hint.empty()) fail(error.diagnostic().message);
      throw;
    }
  }

  [[nodiscard]] bool is_word(std::string_view word) const {
    return at_ < words_.size() && same_name(words_[at_], word);
  }
  bool take(std::string_view word) {
    if (!is_word(word)) return false;
    ++at_;
    return true;
  }

  [[noreturn]] void fail(std::string_view why) const {
    throw policy_error(fmt::format("{} in the rule '{}' of the policy", why, text_));
  }

  std::string_view text_;
  std::vector<std::string_view> words_;
  std::size_t at_ = 0;
};

/// A check of a list, where `and` and `or` have no meaning.
std::string listed_check(const Value& value) {
  if (!value.is_text()) throw policy_error("a check of a list is a text");
  const std::string_view check = value.text();
  const bool has_ends = check.starts_with('(') || check.ends_with(')');
  if (check.empty() || check.find_first_of(kPolicyBlanks) != std::string_view::npos || has_ends) {
    throw policy_error(
        fmt::format("'{}' is not a check: in a list each has no blanks, and 'and' and 'or' are lists", check));
  }
  return std::string(check);
}

std::string joined_checks(const std::vector<std::string>& checks, std::string_view word) {
  std::string out;
  for (const std::string& check : checks) out.append(out.empty() ? "" : word).append(check);
  return out;
}

}  // namespace

std::shared_ptr<const PolicyRule> read_rule(std::string_view text) { return RuleReader(text).read(); }

std::string rule_text(const Value& value) {
  if (value.is_null()) return {};
  if (value.is_text()) return std::string(value.text());
  if (!value.is_sequence()) throw policy_error("a rule is a text, or a list of checks");
  if (value.size() == 0) return {};
  std::vector<std::string> either;
  for (const Value& item : value.items()) {
    if (!item.is_sequence()) {
      if (!item.is_text() || !item.text().empty()) either.push_back(listed_check(item));
      continue;
    }
    std::vector<std::string> both;
    for (const Value& check : item.items()) both.push_back(listed_check(check));
    if (!both.empty()) either.push_back(both.size() == 1 ? both.front() : "(" + joined_checks(both, " and ") + ")");
  }
  return either.empty() ? "!" : joined_checks(either, " or ");
}

}  // namespace strata::service
