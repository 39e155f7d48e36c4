// SPDX-License-Identifier: Apache-2.0
// A search in a string of any length finds what one unlimited search of the engine finds.
//
// Strings of more than 512 bytes run a program of their own, with checkpoints. The expectation runs the plain program
// through the engine directly.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
// GoogleTest includes the regex.h of the C library, which has types of the same names.
#define ONIG_ESCAPE_REGEX_T_COLLISION
#define re_registers onig_re_registers
#include <oniguruma.h>

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "strata/error.hpp"
#include "text/regex/python_pattern.hpp"
#include "text/regex/regex.hpp"
#include "text/regex/ruby_pattern.hpp"

namespace strata::text {
namespace {

using Groups = std::vector<std::optional<Regex::Span>>;

const OnigUChar* bytes(const std::string& string, std::size_t at) {
  return reinterpret_cast<const OnigUChar*>(string.data()) + at;
}

/// The library alone, with strata's spelling of patterns.
class Oniguruma {
 public:
  Oniguruma(const std::string& pattern, Regex::Syntax syntax) {
    const bool is_ruby = syntax == Regex::Syntax::ruby;
    const std::string spelled = is_ruby ? spell_out(pattern) : spell_out_python(pattern, 100);
    const int status = onig_new(&program_, bytes(spelled, 0), bytes(spelled, spelled.size()),
                                is_ruby ? ONIG_OPTION_NONE : ONIG_OPTION_CAPTURE_GROUP, ONIG_ENCODING_UTF8,
                                is_ruby ? ONIG_SYNTAX_RUBY : ONIG_SYNTAX_ONIGURUMA, nullptr);
    if (status != ONIG_NORMAL) program_ = nullptr;
    onig_initialize_match_param(parameters_);
    onig_set_retry_limit_in_search_of_match_param(parameters_, 300'000);
  }
  Oniguruma(const Oniguruma&) = delete;
  Oniguruma& operator=(const Oniguruma&) = delete;
  ~Oniguruma() {
    if (program_ != nullptr) onig_free(program_);
    onig_region_free(region_, 1);
    onig_free_match_param(parameters_);
  }

  [[nodiscard]] bool is_valid() const { return program_ != nullptr; }
  /// Whether a search took so long that its result is unknown.
  [[nodiscard]] bool ran_away() const { return ran_away_; }

  std::optional<Groups> find(const std::string& string, std::size_t from, bool not_empty_here = false) {
    const OnigUChar* const end = bytes(string, string.size());
    const int status = not_empty_here ? onig_match_with_param(program_, bytes(string, 0), end, bytes(string, from),
                                                              region_, ONIG_OPTION_FIND_NOT_EMPTY, parameters_)
                                      : onig_search_with_param(program_, bytes(string, 0), end, bytes(string, from),
                                                               end, region_, ONIG_OPTION_NONE, parameters_);
    if (status < ONIG_MISMATCH) ran_away_ = true;
    if (status < 0) return std::nullopt;
    Groups groups;
    for (int i = 0; i < region_->num_regs; ++i) {
      if (region_->beg[i] == ONIG_REGION_NOTPOS)
        groups.emplace_back();
      else
        groups.emplace_back(
            Regex::Span{static_cast<std::size_t>(region_->beg[i]), static_cast<std::size_t>(region_->end[i])});
    }
    return groups;
  }

  std::vector<Groups> find_all(const std::string& string) {
    std::vector<Groups> all;
    bool was_empty = false;
    for (std::size_t from = 0;;) {
      std::optional<Groups> match = was_empty ? find(string, from, true) : std::nullopt;
      if (!match) {
        if (was_empty) {
          if (ran_away_ || from >= string.size()) return all;
          ++from;
          while (from < string.size() && (static_cast<unsigned char>(string[from]) & 0xC0U) == 0x80U) ++from;
        }
        match = find(string, from);
      }
      if (!match) return all;
      was_empty = (*match)[0]->begin == (*match)[0]->end;
      from = (*match)[0]->end;
      all.push_back(std::move(*match));
    }
  }

 private:
  OnigRegex program_ = nullptr;
  OnigRegion* region_ = onig_region_new();
  OnigMatchParam* parameters_ = onig_new_match_param();
  bool ran_away_ = false;
};

/// Numbers for one case, from a seed of RapidCheck. Its own generators shrink ranges for early cases, and a case is one
/// pattern and one string, which are short to print.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  int below(int end, int begin = 0) { return std::uniform_int_distribution(begin, end - 1)(engine_); }
  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))];
  }

 private:
  std::mt19937_64 engine_;
};

/// A piece of a pattern. `depth`: how many groups may still be opened.
std::string piece(Random& random, bool is_ruby, int depth) {
  static const std::vector<std::string> atoms{"a",   "b",   "é",   "x",        "MARK",    ".", "[ab]", "[^a]",
                                              "\\d", "\\s", "\\n", "END CERT", "<[^>]*>", "=", "-"};
  static const std::vector<std::string> anchors{"\\b", "\\B", "^", "$", "\\A", "\\Z"};
  static const std::vector<std::string> quantifiers{"",   "",   "",      "*",      "+",  "?", "*?",
                                                    "+?", "??", "{2,5}", "{1,3}?", "++", "*+"};
  static const std::vector<std::string> behind{"(?<=a)", "(?<!b)", "(?<=é)", "(?<!\\n)", "(?<=ab)", "(?<=[ab])"};
  const int kind = random.below(depth > 0 ? 14 : 7);
  if (kind < 5) return random.pick(atoms) + random.pick(quantifiers);
  if (kind == 5) return random.pick(anchors);
  if (kind == 6) return is_ruby && random.below(4) == 0 ? "\\G" : random.pick(behind);
  std::string inner;
  for (int n = random.below(4, 1); n > 0; --n) inner += piece(random, is_ruby, depth - 1);
  if (kind < 9) return "(" + inner + ")" + random.pick<std::string>({"", "", "?", "*", "{1,2}"});
  if (kind == 9)
    return "(?:" + inner + "|" + piece(random, is_ruby, depth - 1) + ")" + random.pick<std::string>({"", "+", "*?"});
  if (kind == 10) return "(?=" + inner + ")";
  if (kind == 11) return "(?!" + inner + ")";
  if (kind == 12) return is_ruby ? "(?>" + inner + ")" : "(?i:" + inner + ")";
  return "([ab]+)" + inner + "\\1";
}

std::string any_pattern(Random& random, bool is_ruby) {
  std::string pattern;
  for (int n = random.below(4, 1); n > 0; --n) pattern += piece(random, is_ruby, 2);
  if (random.below(4) == 0) pattern += "|" + piece(random, is_ruby, 2);
  return pattern;
}

std::string any_string(Random& random) {
  static const std::vector<std::string> pieces{"a",  "b", "ab", "é", "x",    "MARK", "<tag>", "END CERT",
                                               "\n", " ", "12", "=", "aaaa", "-bb-", "a\nb"};
  // Mostly filler that few patterns take, so that matches are at any distance from the start.
  const std::string filler = random.pick<std::string>({"_", "y ", "zz\n", "ü", "a", "x\n", "b-"});
  const std::size_t size = random.pick(std::vector<std::size_t>{0, 10, 400, 600, 2'000, 20'000});
  std::string string;
  while (string.size() < size) {
    for (int n = random.below(700); n > 0 && string.size() < size; --n) string += filler;
    for (int n = random.below(6); n > 0; --n) string += random.pick(pieces);
  }
  return string;
}

void expect_equal(Regex::Syntax syntax) {
  Random random(*rc::gen::noShrink(rc::gen::resize(100, rc::gen::arbitrary<std::uint64_t>())));
  const std::string pattern = any_pattern(random, syntax == Regex::Syntax::ruby);
  const std::string string = any_string(random);
  RC_LOG() << "pattern " << pattern << ", string of " << string.size() << " bytes\n";
  std::optional<Regex> regex;
  try {
    regex.emplace(pattern, syntax);
  } catch (const Error&) {
    RC_DISCARD("no pattern");
  }
  Oniguruma engine(pattern, syntax);
  RC_ASSERT(engine.is_valid());
  const std::optional<Groups> expected = engine.find(string, 0);
  const std::vector<Groups> all_expected = engine.find_all(string);
  if (engine.ran_away()) RC_DISCARD("runs away");
  try {
    const auto found = regex->find(string);
    RC_ASSERT((found ? std::optional(found->groups) : std::nullopt) == expected);
    RC_ASSERT(regex->search(string) == expected.has_value());
    std::vector<Groups> all;
    regex->each_match(string, [&all](const Regex::Match& match) { all.push_back(match.groups); });
    RC_ASSERT(all == all_expected);
  } catch (const Error& error) {
    // All matches together took seconds, although no search ran away.
    RC_ASSERT(error.code() == "limit.regex");
    RC_DISCARD("takes seconds");
  }
}

RC_GTEST_PROP(RegexProperty, FindsWhatOneUnlimitedSearchOfRubyPatternsFinds, ()) { expect_equal(Regex::Syntax::ruby); }
RC_GTEST_PROP(RegexProperty, FindsWhatOneUnlimitedSearchOfPythonPatternsFinds, ()) {
  expect_equal(Regex::Syntax::python);
}

}  // namespace
}  // namespace strata::text
