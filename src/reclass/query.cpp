// SPDX-License-Identifier: Apache-2.0
// The grammar of queries.
//
//   query:   option* ( PATH | PATH if tests | if tests )
//   option:  +IgnoreErrors | +AllEnvs
//   tests:   test ( (and | or) test )*
//   test:    operand (== | !=) operand
//
// reclass reads it with a parser of words: a word goes up to the next space, so that `exports:a==1` is one word, while
// keywords match in any case and without a space behind them. A number is one only if it stands alone; `1.5.2` begins
// like a number, and is an error. The forms are tried in the order in which reclass tries them: a form that does not
// fit the whole text leaves the next one its turn. Cost: linear. Tested by tests/reclass/query_test.cpp.
#include "query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "strata/error.hpp"
#include "text/reference_text.hpp"

namespace strata::reclass {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_character(char c) { return c > ' ' && c < '\x7f'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_same_word(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, {}, lower, lower);
}

/// A path at its first separator: its first step, and the rest.
std::pair<std::string_view, std::string_view> split_first(std::string_view path) {
  std::size_t colon = path.find(':');
  while (colon != std::string_view::npos && colon > 0 && path[colon - 1] == '\\') colon = path.find(':', colon + 1);
  if (colon == std::string_view::npos) return {path, {}};
  return {path.substr(0, colon), path.substr(colon + 1)};
}

class QueryParser {
 public:
  QueryParser(Arena& arena, std::string_view text, const Sources& sources, Origin place)
      : arena_(arena), text_(text), sources_(sources), place_(place) {}

  Query run() {
    Query options;
    while (true) {
      if (take("+IgnoreErrors")) {
        options.ignores_errors = true;
      } else if (take("+AllEnvs")) {
        options.all_environments = true;
      } else {
        break;
      }
    }
    const std::size_t begin = at_;
    for (const Form form : {Form::value_with_tests, Form::value, Form::list}) {
      at_ = begin;
      Query query = options;
      if (read(query, form)) return query;
    }
    refuse("it has another form",
           "write $[ exports:PATH ], $[ exports:PATH if exports:PATH == VALUE ] or $[ if exports:PATH == VALUE ]");
  }

 private:
  enum class Form : std::uint8_t { value_with_tests, value, list };

  [[noreturn]] void refuse(std::string_view why, std::string hint) const {
    throw Error("reclass.query", fmt::format("invalid inventory query '$[{}]': {}", text_, why))
        .at(sources_, place_)
        .hint(std::move(hint));
  }

  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }
  [[nodiscard]] bool is_at_end() {
    skip();
    return at_ == text_.size();
  }
  /// Takes a keyword, in any case.
  bool take(std::string_view word) {
    skip();
    if (!is_same_word(text_.substr(at_, word.size()), word)) return false;
    at_ += word.size();
    return true;
  }
  std::optional<std::string_view> word() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word_character(text_[at_])) ++at_;
    return at_ == begin ? std::nullopt : std::optional(text_.substr(begin, at_ - begin));
  }

  std::size_t digits(std::size_t from) const {
    while (from < text_.size() && is_digit(text_[from])) ++from;
    return from;
  }
  std::optional<Value> number() {
    skip();
    const std::size_t sign = at_ < text_.size() && text_[at_] == '-' ? 1 : 0;
    const std::size_t whole = digits(at_ + sign);
    const bool has_whole = whole > at_ + sign;
    if (has_whole && (whole == text_.size() || !is_word_character(text_[whole]))) {
      const std::string_view written = text_.substr(at_, whole - at_);
      at_ = whole;
      return arena_.integer(written);
    }
    if (whole >= text_.size() || text_[whole] != '.') return std::nullopt;
    const std::size_t end = digits(whole + 1);
    if (!has_whole && end == whole + 1) return std::nullopt;
    double made = 0;
    std::from_chars(text_.data() + at_ + sign, text_.data() + end, made);
    at_ = end;
    return Value::floating(sign != 0 ? -made : made);
  }

  bool read(Query& query, Form form) {
    query.lists_nodes = form == Form::list;
    if (!query.lists_nodes) {
      const auto path = word();
      if (!path) return false;
      query.path = split_first(*path).second;
    }
    if (form == Form::value) return is_at_end();
    if (!take("if")) return false;
    bool is_and = true;
    do {
      if (!read_test(query, is_and)) return false;
      if (is_at_end()) return true;
      is_and = take("and");
    } while (is_and || take("or"));
    return false;
  }

  struct Sides {
    std::optional<std::string_view> exported;
    std::optional<std::string_view> own;
    Value value;
  };

  bool read_test(Query& query, bool is_and) {
    Sides sides;
    if (!read_operand(sides)) return false;
    const bool is_equal = take("==");
    if (!is_equal && !take("!=")) return false;
    if (!read_operand(sides)) return false;
    query.tests.push_back({.path = {}, .value = sides.value, .is_equal = is_equal, .is_and = is_and});
    QueryTest& test = query.tests.back();
    // As in reclass, a form that fits is not given up for another one.
    if (!sides.exported) refuse("a test has no export", "one side of a test begins with 'exports:'");
    test.path = *sides.exported;
    test.is_of_self = sides.own.has_value();
    test.own_path = sides.own.value_or(std::string_view());
    return true;
  }

  bool read_operand(Sides& sides) {
    if (const auto found = number()) {
      sides.value = *found;
      return true;
    }
    const auto found = word();
    if (!found) return false;
    const auto [first, rest] = split_first(*found);
    if (is_same_word(first, "exports")) {
      sides.exported = rest;
    } else if (is_same_word(first, "self")) {
      sides.own = rest;
    } else if (is_same_word(first, "true") || is_same_word(first, "false")) {
      sides.value = Value::boolean(is_same_word(first, "true"));
    } else {
      sides.value = arena_.text(*found);
    }
    return true;
  }

  Arena& arena_;
  std::string_view text_;
  const Sources& sources_;
  Origin place_;
  std::size_t at_ = 0;
};

}  // namespace

Query parse_query(Arena& arena, std::string_view text, const Sources& sources, Origin place) {
  return QueryParser(arena, text, sources, place).run();
}

}  // namespace strata::reclass
