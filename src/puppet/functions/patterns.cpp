// SPDX-License-Identifier: Apache-2.0
// Functions with regular expressions: match, regsubst, split. Rule: Puppet 7, Ruby 3.1.
#include <array>
#include <charconv>
#include <vector>

#include "puppet/functions/arguments.hpp"
#include "puppet/types/type.hpp"
#include "ruby/text.hpp"
#include "strata/builder.hpp"

namespace strata::puppet {
namespace {

using text::Regex;

/// All matches of one call.
class PatternSearch {
 public:
  PatternSearch(const Regex& regex, std::string_view text, Evaluator& evaluator)
      : regex_(regex), text_(text), evaluator_(evaluator) {}
  std::optional<Regex::Match> from(std::size_t at) {
    if (at > text_.size()) return std::nullopt;
    evaluator_.charge(1);
    return evaluator_.find(regex_, text_, at);
  }
  [[nodiscard]] std::size_t character_at(std::size_t at) const { return ruby::first_character(text_.substr(at)); }
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] const Regex& regex() const noexcept { return regex_; }

 private:
  const Regex& regex_;
  std::string_view text_;
  Evaluator& evaluator_;
};

std::string_view part(std::string_view text, const std::optional<Regex::Span>& span) {
  return span ? text.substr(span->begin, span->end - span->begin) : std::string_view();
}

// match.

/// The groups of the first match, or undef; absent where `pattern` is none. Recursion: Limits::depth bounds values and
/// types.
Value first_match(const FunctionCall& call, Evaluator& evaluator, const Value& text, const Value& pattern);

Value match_regex(const FunctionCall& call, Evaluator& evaluator, const Value& text, const Regex& regex) {
  const auto match = PatternSearch(regex, text.text(), evaluator).from(0);
  if (!match) return Value::null();
  SequenceBuilder out(evaluator.arena(), match->groups.size());
  for (const auto& group : match->groups)
    out.append(group ? new_text(call, evaluator, part(text.text(), group), text.is_secret()) : Value::null());
  return out.finish();
}

Value match_type(const FunctionCall& call, Evaluator& evaluator, const Value& text, const Type& type) {
  const auto* regexp = type.get_if<RegexpType>();
  if (regexp != nullptr && regexp->pattern)
    return match_regex(call, evaluator, text, evaluator.compiled(*regexp->pattern));
  if (const auto* patterns = type.get_if<PatternType>()) {
    for (const PatternType::Pattern& pattern : patterns->patterns) {
      const Value found = match_regex(call, evaluator, text, *pattern.regex);
      if (!found.is_null()) return found;
    }
    return Value::null();
  }
  const auto* variant = type.get_if<VariantType>();
  if (variant == nullptr) return {};
  for (const TypeRef& one : variant->types) {
    const Value found = match_type(call, evaluator, text, *one);
    if (!found || !found.is_null()) return found;
  }
  return Value::null();
}

Value first_match(const FunctionCall& call, Evaluator& evaluator, const Value& text, const Value& pattern) {
  evaluator.charge(1);
  if (is_string(pattern)) return match_regex(call, evaluator, text, evaluator.compiled(pattern.text()));
  if (const PatternObject* regex = as_pattern(pattern)) return match_regex(call, evaluator, text, regex->regex());
  if (const TypeObject* type = as_type(pattern)) return match_type(call, evaluator, text, *type->type());
  if (!pattern.is_sequence()) return {};
  for (const Value& one : pattern.items()) {
    const Value found = first_match(call, evaluator, text, one);
    if (!found || !found.is_null()) return found;
  }
  return Value::null();
}

Value match(const FunctionCall& call, Evaluator& evaluator) {
  const Value& texts = call.arguments[0];
  const auto one = [&](const Value& text) {
    if (!is_string(text)) throw wrong_argument(call, evaluator, 0, "a String or an Array[String]");
    const Value found = first_match(call, evaluator, text, call.arguments[1]);
    if (!found)
      throw wrong_argument(call, evaluator, 1,
                           "a String, a Regexp, a Regexp[…] or Pattern[…] type, or an Array of such");
    return found;
  };
  if (!texts.is_sequence()) return one(texts);
  SequenceBuilder out(evaluator.arena(), texts.size());
  for (const Value& text : texts.items()) out.append(one(text));
  return out.finish();
}

/// The pattern of an argument: a String where `text_allowed`, a Regexp, or a type Regexp.
const Regex& pattern_argument(const FunctionCall& call, Evaluator& evaluator, std::string_view flags = {}) {
  const Value& value = call.arguments[1];
  if (is_string(value))
    return evaluator.compiled(flags.empty() ? std::string(value.text())
                                            : "(?" + std::string(flags) + ")" + std::string(value.text()));
  if (const PatternObject* pattern = as_pattern(value)) return pattern->regex();
  const TypeObject* type = as_type(value);
  if (type == nullptr || type->type()->kind() != TypeKind::regexp)
    throw wrong_argument(call, evaluator, 1, "a String, a Regexp or a Type[Regexp]");
  return evaluator.compiled(type->type()->as<RegexpType>().pattern.value_or(""));
}

// regsubst.

/// What stands for a match: a text with `\1`, `\k<name>`, …, or a hash of texts.
class Replacement {
 public:
  Replacement(const FunctionCall& call, const Evaluator& evaluator)
      : call_(call), evaluator_(evaluator), value_(call.arguments[2]) {
    const auto is_text = [](const Entry& entry) { return is_string(entry.key) && is_string(entry.value); };
    const bool texts = is_hash(value_) && std::all_of(value_.entries().begin(), value_.entries().end(), is_text);
    if (!texts && !is_string(value_)) throw wrong_argument(call, evaluator, 2, "a String or a Hash[String, String]");
  }

  void append(std::string& out, const PatternSearch& search, const Regex::Match& match) const {
    if (is_string(value_)) {
      expand(out, search, match);
    } else if (const Value* found = value_.find(part(search.text(), match.groups[0]))) {
      out += found->text();
    }
  }

 private:
  void expand(std::string& out, const PatternSearch& search, const Regex::Match& match) const {
    const std::string_view form = value_.text();
    for (std::size_t i = 0; i < form.size(); ++i) {
      if (form[i] != '\\' || i + 1 == form.size()) {
        out += form[i];
        continue;
      }
      const char mark = form[++i];
      const Regex::Span& all = *match.groups[0];
      if (mark >= '0' && mark <= '9') {
        const auto number = static_cast<std::size_t>(mark - '0');
        // Where groups have names, numbers stand for nothing.
        if (number < match.groups.size() && (number == 0 || !search.regex().has_names()))
          out += part(search.text(), match.groups[number]);
      } else if (mark == 'k') {
        i = named(out, search, match, i);
      } else if (mark == '&') {
        out += part(search.text(), all);
      } else if (mark == '`') {
        out += search.text().substr(0, all.begin);
      } else if (mark == '\'') {
        out += search.text().substr(all.end);
      } else if (mark == '\\') {
        out += '\\';
      } else {
        out += '\\';
        out += mark;
      }
    }
  }

  /// `\k<name>` with its `k` at `at`; gives where it ends.
  std::size_t named(std::string& out, const PatternSearch& search, const Regex::Match& match, std::size_t at) const {
    const std::string_view form = value_.text();
    const std::size_t end = at + 1 < form.size() && form[at + 1] == '<' ? form.find('>', at) : std::string_view::npos;
    if (end == std::string_view::npos) {
      out += "\\k";
      return at;
    }
    const std::string_view name = form.substr(at + 2, end - at - 2);
    std::optional<std::size_t> group = search.regex().group(name);
    if (!group && !name.empty() && name.size() < 4 && name.find_first_not_of("0123456789") == std::string_view::npos) {
      std::size_t number = 0;
      std::from_chars(name.data(), name.data() + name.size(), number);
      group = number;
    }
    if (!group || *group >= match.groups.size())
      throw failed(call_, evaluator_, "puppet.arguments", "the pattern has no group '" + std::string(name) + "'");
    out += part(search.text(), match.groups[*group]);
    return end;
  }

  const FunctionCall& call_;
  const Evaluator& evaluator_;
  const Value& value_;
};

Value substitute(const FunctionCall& call, Evaluator& evaluator, const Regex& regex, const Replacement& replacement,
                 const Value& from, bool all) {
  if (!is_string(from)) throw wrong_argument(call, evaluator, 0, "a String or an Array[String]");
  const std::string_view text = from.text();
  PatternSearch search(regex, text, evaluator);
  std::string out;
  std::size_t copied = 0;
  std::size_t at = 0;
  while (const auto match = search.from(at)) {
    const Regex::Span& span = *match->groups[0];
    out += text.substr(copied, span.begin - copied);
    copied = span.end;
    const std::size_t before = out.size();
    replacement.append(out, search, *match);
    evaluator.charge_text(out.size() - before);
    if (out.size() > evaluator.context().limits.input) evaluator.charge_text(out.size());
    if (!all) break;
    at = span.end;
    // Behind an empty match the search goes on a character later.
    if (span.begin == span.end) at += at < text.size() ? search.character_at(at) : 1;
  }
  out += text.substr(std::min(copied, text.size()));
  return new_text(call, evaluator, out, from.is_secret());
}

/// The options of a pattern, from the flags; `all`: G.
std::string read_flags(const FunctionCall& call, const Evaluator& evaluator, bool& all) {
  std::string options;
  const bool text_pattern = is_string(call.arguments[1]);
  if (call.arguments.size() < 4) return options;
  const Value& flags = call.arguments[3];
  if (flags.is_null() && text_pattern) return options;
  const std::string_view expected = text_pattern ? "a String of the flags G, E, I and M" : "a String: 'G' or empty";
  if (!is_string(flags)) throw wrong_argument(call, evaluator, 3, expected);
  if (!text_pattern && flags.text().size() > 1) throw wrong_argument(call, evaluator, 3, expected);
  for (const char flag : flags.text()) {
    if (flag == 'G') {
      all = true;
    } else if (text_pattern && (flag == 'E' || flag == 'I' || flag == 'M')) {
      const char option = flag == 'E' ? 'x' : flag == 'I' ? 'i' : 'm';
      if (options.find(option) == std::string::npos) options += option;
    } else {
      throw wrong_argument(call, evaluator, 3, expected);
    }
  }
  return options;
}

void check_encoding(const FunctionCall& call, const Evaluator& evaluator) {
  if (call.arguments.size() < 5) return;
  const Value& encoding = call.arguments[4];
  const bool known = is_string(encoding) && encoding.text().size() == 1 &&
                     std::string_view("NESU").find(encoding.text()) != std::string_view::npos;
  if (!known || !is_string(call.arguments[1]))
    throw wrong_argument(call, evaluator, 4, "one of 'N', 'E', 'S' and 'U', besides a String as the pattern");
}

Value regsubst(const FunctionCall& call, Evaluator& evaluator) {
  bool all = false;
  const std::string options = read_flags(call, evaluator, all);
  check_encoding(call, evaluator);
  const Regex& regex = pattern_argument(call, evaluator, options);
  const Replacement replacement(call, evaluator);
  const Value& from = call.arguments[0];
  if (!from.is_sequence()) return substitute(call, evaluator, regex, replacement, from, all);
  SequenceBuilder out(evaluator.arena(), from.size());
  for (const Value& item : from.items()) out.append(substitute(call, evaluator, regex, replacement, item, all));
  return out.finish();
}

// split.

/// As Ruby's String#split with a pattern: groups are parts too, empty parts at the end are dropped.
std::vector<std::string_view> split_text(const Regex& regex, std::string_view text, Evaluator& evaluator) {
  PatternSearch search(regex, text, evaluator);
  std::vector<std::string_view> out;
  std::size_t begin = 0;
  std::size_t at = 0;
  bool stepped = false;  // An empty match was found where the last part begins, and passed over.
  while (const auto match = search.from(at)) {
    const Regex::Span& span = *match->groups[0];
    if (span.begin == at && span.begin == span.end) {
      if (text.empty()) break;
      if (!stepped) {
        at += at < text.size() ? search.character_at(at) : 1;
        stepped = true;
        continue;
      }
      out.push_back(text.substr(begin, search.character_at(begin)));
      begin = at;
    } else {
      out.push_back(text.substr(begin, span.begin - begin));
      begin = at = span.end;
    }
    stepped = false;
    for (std::size_t i = 1; i < match->groups.size(); ++i) {
      if (match->groups[i]) out.push_back(part(text, match->groups[i]));
    }
  }
  if (begin < text.size()) out.push_back(text.substr(begin));
  while (!out.empty() && out.back().empty()) out.pop_back();
  return out;
}

Value split(const FunctionCall& call, Evaluator& evaluator) {
  const std::string_view text = text_argument(call, evaluator, 0);
  const bool secret = call.arguments[0].is_secret();
  const std::vector<std::string_view> parts = split_text(pattern_argument(call, evaluator), text, evaluator);
  SequenceBuilder out(evaluator.arena(), parts.size());
  for (const std::string_view one : parts) {
    evaluator.charge(1);
    out.append(new_text(call, evaluator, one, secret));
  }
  return out.finish();
}

constexpr std::array<BuiltinEntry, 3> kPatternFunctions = {{
    {"match", match, 2, 2, BlockRule::none},
    {"regsubst", regsubst, 3, 5, BlockRule::none},
    {"split", split, 2, 2, BlockRule::none},
}};

}  // namespace

std::span<const BuiltinEntry> pattern_functions() noexcept { return kPatternFunctions; }

}  // namespace strata::puppet
