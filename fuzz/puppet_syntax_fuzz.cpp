// SPDX-License-Identifier: Apache-2.0
// Tokens and trees of the Puppet language. Input: a program.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "puppet/language/parser.hpp"
#include "puppet_tree_check.hpp"
#include "strata/error.hpp"
#include "value/problems.hpp"

namespace {

using namespace strata;

/// Each token stands within the text, and there are no more of them than bytes, twice over: texts with expressions have
/// parts of no length.
void check_tokens(const std::string& text, const Limits& limits) {
  Sources sources;
  puppet::SyntaxTree tree(0);
  try {
    puppet::Lexer lexer(sources, sources.add("x.pp", text), tree, limits);
    for (std::size_t count = 0;; ++count) {
      const puppet::Token token = lexer.next();
      if (token.kind == puppet::TokenKind::end) break;
      if (token.offset > text.size() || count > 2 * text.size() + 2 || describe(token).empty()) std::abort();
    }
  } catch (const Error& error) {
    if (error.code().empty() || error.diagnostic().message.empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  Limits limits;
  limits.depth = 200;
  check_tokens(text, limits);
  for (const bool queries : {false, true}) {
    Sources sources;
    puppet::SyntaxTree tree(0);
    Problems errors;
    try {
      puppet::Parser parser(sources, sources.add("x.pp", text), tree, limits);
      if (queries) {
        check_tree(*parser.expression({.in_ends = true, .queries = true, .classes = true}), limits.depth);
      } else {
        check_tree(*parser.program(errors), limits.depth);
      }
    } catch (const Error& error) {
      if (error.code().empty() || error.diagnostic().message.empty()) std::abort();
    }
    if (errors.all().size() > 20) std::abort();
  }
  return 0;
}
