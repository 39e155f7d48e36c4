// Patterns of Python's module `re` in the words of Oniguruma.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

namespace strata::text {

/// Python refuses the pattern; `what()` is the reason.
class PythonPatternError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Its groups are nested deeper than was allowed.
class PythonPatternTooDeep : public std::exception {};

/// A pattern that means to Oniguruma (ONIG_SYNTAX_ONIGURUMA with ONIG_OPTION_CAPTURE_GROUP) what `pattern`, which is UTF-8, means to Python 3.11 for
/// texts: what only one of them knows or takes (`\Z`, `{,}`, `(?u)`, `[[a]`, comments, global options) is spelled out. Groups keep their numbers and
/// names. Throws PythonPatternError for what Python refuses, and for `\N{NAME}`, which is not known here; PythonPatternTooDeep where more than
/// `levels` groups are open at once. Cost: linear in the pattern.
[[nodiscard]] std::string spell_out_python(std::string_view pattern, unsigned levels);

}  // namespace strata::text
