// SPDX-License-Identifier: Apache-2.0
// Programs of the Puppet language, read and printed.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "puppet/language/parser.hpp"
#include "puppet/tree_printer.hpp"

namespace strata::puppet::testing {

struct SyntaxCase {
  std::string_view text;
  std::string_view expected;  ///< As `read` prints it.
};

/// What a text was read into, with all that it needs to live.
struct Program {
  explicit Program(std::string_view text, const Limits& given = {}) : limits(given) {
    try {
      Parser parser(sources, sources.add("x.pp", std::string(text)), tree, limits);
      block = parser.program(errors);
    } catch (const Error& error) {
      errors.add(error);
    }
  }
  Limits limits;
  Sources sources;
  SyntaxTree tree{64};
  Problems errors;
  const Block* block = nullptr;
};

/// A program as an s-expression, without the outermost block; or its errors, a line each: `line:column: message`.
inline std::string read(std::string_view text, const Limits& limits = {}) {
  const Program program(text, limits);
  std::string out;
  if (program.errors.empty()) {
    for (const Expression* statement : program.block->statements)
      out += (out.empty() ? "" : " ") + TreePrinter::print(*statement);
    return out;
  }
  for (const Diagnostic& error : program.errors.all()) {
    const Place& place = error.where.place;
    out += (out.empty() ? "" : "\n") + std::to_string(place.line.value_or(0)) + ":" +
           std::to_string(place.column.value_or(0)) + ": " + error.message;
  }
  return out;
}

}  // namespace strata::puppet::testing
