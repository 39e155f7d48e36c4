#include "service/policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "strata/error.hpp"
#include "strata/near_names.hpp"
#include "strata/text.hpp"

namespace strata::service {
namespace {

constexpr std::size_t kDeepest = 100;                     ///< Rules that name rules, and parentheses.
constexpr std::size_t kLongest = std::size_t{16} << 10U;  ///< Bytes of a rule.

struct BuiltIn {
  std::string_view name;
  std::string_view rule;
};
constexpr std::array kBuiltIn{
    BuiltIn{"admin", "role:admin"},
    BuiltIn{"deckhand:create_cleartext_documents", "rule:admin"},
    BuiltIn{"deckhand:create_encrypted_documents", "rule:admin"},
    BuiltIn{"deckhand:create_tag", "rule:admin"},
    BuiltIn{"deckhand:create_validation", "rule:admin"},
    BuiltIn{"deckhand:delete_revisions", "rule:admin"},
    BuiltIn{"deckhand:delete_tag", "rule:admin"},
    BuiltIn{"deckhand:delete_tags", "rule:admin"},
    BuiltIn{"deckhand:list_cleartext_documents", "rule:admin"},
    BuiltIn{"deckhand:list_encrypted_documents", "rule:admin"},
    BuiltIn{"deckhand:list_revisions", "rule:admin"},
    BuiltIn{"deckhand:list_tags", "rule:admin"},
    BuiltIn{"deckhand:list_validations", "rule:admin"},
    BuiltIn{"deckhand:show_revision", "rule:admin"},
    BuiltIn{"deckhand:show_revision_deepdiff", "rule:admin"},
    BuiltIn{"deckhand:show_revision_diff", "rule:admin"},
    BuiltIn{"deckhand:show_tag", "rule:admin"},
    BuiltIn{"deckhand:show_validation", "rule:admin"},
    BuiltIn{"editor", "role:editor or rule:admin"},
    BuiltIn{"nodes:cloud-init", "rule:reader or role:node"},
    BuiltIn{"nodes:enc", "rule:reader or role:node"},
    BuiltIn{"nodes:hiera", "rule:reader or role:node"},
    BuiltIn{"reader", "role:reader or rule:editor"},
    BuiltIn{"stacks:create", "rule:editor"},
    BuiltIn{"stacks:delete", "rule:editor"},
    BuiltIn{"stacks:global_index", "rule:admin"},
    BuiltIn{"stacks:index", "rule:reader"},
    BuiltIn{"stacks:show", "rule:reader"},
    BuiltIn{"stacks:update", "rule:editor"},
    BuiltIn{"strata:audit", "rule:admin"},
    BuiltIn{"strata:evaluate", "rule:reader"},
    BuiltIn{"strata:node.write", "rule:editor"},
    BuiltIn{"strata:secret.read", "role:secret-reader"},
    BuiltIn{"strata:site.read", "rule:reader"},
    BuiltIn{"strata:site.write", "rule:admin"},
    BuiltIn{"strata:store.export", "rule:admin"},
    BuiltIn{"strata:token", "rule:admin"},
    BuiltIn{"strata:tree.write", "rule:editor"},
};

using Rule = std::shared_ptr<const PolicyRule>;
using Question = PolicyRule::Question;

class Constant final : public PolicyRule {
 public:
  explicit Constant(bool is_allowed) : is_allowed_(is_allowed) {}
  [[nodiscard]] bool allows(const Question& /*question*/, std::size_t /*depth*/) const override { return is_allowed_; }

 private:
  bool is_allowed_;
};

class Not final : public PolicyRule {
 public:
  explicit Not(Rule inner) : inner_(std::move(inner)) {}
  [[nodiscard]] bool allows(const Question& question, std::size_t depth) const override { return !inner_->allows(question, depth); }

 private:
  Rule inner_;
};

class Several final : public PolicyRule {
 public:
  Several(std::vector<Rule> rules, bool all) : rules_(std::move(rules)), all_(all) {}
  [[nodiscard]] bool allows(const Question& question, std::size_t depth) const override {
    const auto allows = [&](const Rule& one) { return one->allows(question, depth); };
    return all_ ? std::ranges::all_of(rules_, allows) : std::ranges::any_of(rules_, allows);
  }

 private:
  std::vector<Rule> rules_;
  bool all_;
};

/// `role:admin`, `rule:NAME`, `project_id:%(project_id)s`, `user_id:TEXT`, …
class Check final : public PolicyRule {
 public:
  Check(std::string kind, std::string match) : kind_(std::move(kind)), match_(std::move(match)) {}

  // Recursion: bounded by kDeepest.
  [[nodiscard]] bool allows(const Question& question, std::size_t depth) const override {
    if (kind_ == "rule") {
      const PolicyRule* rule = depth < kDeepest ? question.rule(match_) : nullptr;
      return rule != nullptr && rule->allows(question, depth + 1);
    }
    if (kind_ == "role") {
      // As oslo.policy does, without regard to case.
      return std::ranges::any_of(question.principal.roles, [this](const std::string& role) { return same_name(role, match_); });
    }
    const std::string_view wanted = match_ == "%(project_id)s" ? question.project : std::string_view(match_);
    if (kind_ == "project_id" || kind_ == "tenant_id") return question.principal.project == wanted;
    if (kind_ == "user_id") return question.principal.name == wanted;
    if (kind_ == "is_admin") return question.principal.has_role("admin") == (match_ == "True" || match_ == "1");
    return false;
  }

 private:
  std::string kind_;
  std::string match_;
};

class RuleReader {
 public:
  explicit RuleReader(std::string_view text) : text_(text) {
    if (text.size() > kLongest) throw Error("service.policy", fmt::format("a rule has at most {} bytes", kLongest));
  }

  Rule read() {
    skip_blanks();
    if (at_ == text_.size()) return std::make_shared<Constant>(true);  // As oslo.policy: nothing is demanded.
    Rule out = either(0);
    if (at_ != text_.size()) fail("there is more than one rule");
    return out;
  }

 private:
  // Recursion: bounded by kDeepest.
  Rule either(std::size_t depth) {
    std::vector<Rule> rules{both(depth)};
    while (take_word("or")) rules.push_back(both(depth));
    return rules.size() == 1 ? rules.front() : std::make_shared<Several>(std::move(rules), false);
  }

  Rule both(std::size_t depth) {
    std::vector<Rule> rules{one(depth)};
    while (take_word("and")) rules.push_back(one(depth));
    return rules.size() == 1 ? rules.front() : std::make_shared<Several>(std::move(rules), true);
  }

  Rule one(std::size_t depth) {
    if (depth > kDeepest) fail("rules nest too deep");
    if (take_word("not")) return std::make_shared<Not>(one(depth + 1));
    if (take('(')) {
      Rule out = either(depth + 1);
      if (!take(')')) fail("a parenthesis is open");
      return out;
    }
    const std::string word = take_check();
    if (word == "@") return std::make_shared<Constant>(true);
    if (word == "!") return std::make_shared<Constant>(false);
    const std::size_t colon = word.find(':');
    if (colon == std::string::npos || colon == 0) fail(fmt::format("'{}' is no check: they are KIND:TEXT", word));
    return std::make_shared<Check>(word.substr(0, colon), word.substr(colon + 1));
  }

  /// A check: up to a blank or a parenthesis that it did not open (`%(project_id)s`).
  std::string take_check() {
    const std::size_t begin = at_;
    std::size_t open = 0;
    for (; at_ < text_.size(); ++at_) {
      const char here = text_[at_];
      if (is_blank(here)) break;
      if (here == '(') ++open;
      if (here == ')' && open-- == 0) break;
    }
    std::string out(text_.substr(begin, at_ - begin));
    if (out.empty()) fail("a check is missing");
    if (out.size() > 2 && (out.front() == '\'' || out.front() == '"') && out.back() == out.front()) out = out.substr(1, out.size() - 2);
    skip_blanks();
    return out;
  }

  bool take_word(std::string_view word) {
    const std::string_view here = text_.substr(at_);
    if (here.size() <= word.size() || !same_name(here.substr(0, word.size()), word)) return false;
    if (!is_blank(here[word.size()]) && here[word.size()] != '(') return false;
    at_ += word.size();
    skip_blanks();
    return true;
  }

  bool take(char wanted) {
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    skip_blanks();
    return true;
  }

  static bool is_blank(char one) noexcept { return one == ' ' || one == '\t' || one == '\n' || one == '\r'; }
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  [[noreturn]] void fail(std::string_view why) const { throw Error("service.policy", fmt::format("{} in the rule '{}' of the policy", why, text_)); }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// The names of rules that a rule's text refers to.
std::vector<std::string> named_rules(std::string_view text) {
  constexpr std::string_view kRule = "rule:";
  std::vector<std::string> out;
  for (std::size_t at = text.find(kRule); at != std::string_view::npos; at = text.find(kRule, at)) {
    if (at != 0 && std::string_view(" \t\n\r(").find(text[at - 1]) == std::string_view::npos) {
      at += kRule.size();
      continue;
    }
    at += kRule.size();
    const std::string_view rest = text.substr(at);
    out.emplace_back(rest.substr(0, rest.find_first_of(" \t\n\r)")));
  }
  return out;
}

}  // namespace

std::shared_ptr<const PolicyRule> read_rule(std::string_view text) { return RuleReader(text).read(); }

Policy::Policy() {
  for (const BuiltIn& one : kBuiltIn) rules_[std::string(one.name)] = {.text = std::string(one.rule), .read = read_rule(one.rule)};
}

Policy::Policy(const std::string& text, const std::string& file, const Limits& limits) : Policy() {
  Sources sources;
  const SourceId source = sources.add(file, text);
  const text::Document document = text::read_yaml(sources, source, text::core12(), limits);
  if (document.root.is_null()) return;
  if (!document.root.is_mapping()) throw Error("service.policy", "a policy is a map of actions to rules").at(sources, document.root.origin());
  for (const Entry& entry : document.root.entries()) {
    if (!entry.key.is_text() || !entry.value.is_text()) {
      throw Error("service.policy", "a policy is a map of actions to rules, which are texts").at(sources, entry.key.origin());
    }
    const std::string name(entry.key.text());
    // Rules that others use have any name; actions, which have a colon, must exist.
    if (name.find(':') != std::string::npos && !rules_.contains(name)) {
      std::vector<std::string_view> names;
      for (const auto& [known, rule] : rules_) names.push_back(known);
      throw Error("service.policy", fmt::format("there is no action '{}'", name))
          .at(sources, entry.key.origin())
          .hint(name_hint(names, name, "strata serve --print-policy shows all"));
    }
    try {
      rules_[name] = {.text = std::string(entry.value.text()), .read = read_rule(entry.value.text())};
    } catch (Error& error) {
      throw std::move(error).at(sources, entry.value.origin());
    }
  }
  for (const auto& [name, rule] : rules_) {
    for (const std::string& other : named_rules(rule.text)) {
      if (!rules_.contains(other))
        throw Error("service.policy", fmt::format("'{}' refers to the rule '{}', which is not there", name, other)).in(file);
    }
  }
}

bool Policy::allows(std::string_view action, const Principal& principal, std::string_view project) const {
  const auto found = rules_.find(action);
  if (found == rules_.end()) return false;
  const std::function<const PolicyRule*(std::string_view)> rule = [this](std::string_view name) -> const PolicyRule* {
    const auto other = rules_.find(name);
    return other == rules_.end() ? nullptr : other->second.read.get();
  };
  return found->second.read->allows({.principal = principal, .project = project, .rule = rule}, 0);
}

std::string Policy::text() const {
  std::string out;
  for (const auto& [name, rule] : rules_) {
    text::append_json_text(out, name);
    out += ": ";
    text::append_json_text(out, rule.text);
    out += '\n';
  }
  return out;
}

}  // namespace strata::service
