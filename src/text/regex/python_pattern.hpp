// SPDX-License-Identifier: Apache-2.0
// Translates patterns of Python's module `re` to Oniguruma.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

namespace strata::text {

/// Python rejects the pattern; `what()` is the reason.
class PythonPatternError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Its groups are nested deeper than allowed.
class PythonPatternTooDeep : public std::exception {};

/// Translates `pattern`, which is UTF-8, to a pattern for Oniguruma (ONIG_SYNTAX_ONIGURUMA with
/// ONIG_OPTION_CAPTURE_GROUP) with the meaning that Python 3.11 gives it for texts. Syntax that only one of them has
/// (`\Z`, `{,}`, `(?u)`, `[[a]`, comments, global options) is rewritten. Groups keep their numbers and names. Throws
/// PythonPatternError for what Python rejects, and for `\N{NAME}`, which is not supported; PythonPatternTooDeep if more
/// than `levels` groups are open at once. `checkpoint` is written into or before each group whose work the engine does
/// not count: those that look around and atomic ones. Cost: linear in the pattern.
[[nodiscard]] std::string spell_out_python(std::string_view pattern, unsigned levels, std::string_view checkpoint = {});

}  // namespace strata::text
