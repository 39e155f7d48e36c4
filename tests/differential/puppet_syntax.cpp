// SPDX-License-Identifier: Apache-2.0
// Says how programs of the Puppet language are read: for each of them, separated by NUL bytes on standard input, a line
// `ok` with the tree or `error` with the message.
#include <iostream>
#include <iterator>
#include <string>

#include "puppet/language/parser.hpp"
#include "puppet/tree_printer.hpp"

namespace {

using namespace strata;

std::string read(std::string_view program) {
  const Limits limits;
  Sources sources;
  puppet::SyntaxTree tree(program.size());
  Problems errors;
  try {
    puppet::Parser parser(sources, sources.add("program", std::string(program)), tree, limits);
    const puppet::Block* block = parser.program(errors);
    if (errors.empty()) return "ok " + puppet::testing::TreePrinter::print(*block, true);
  } catch (const Error& error) {
    errors.add(error);
  }
  std::string text = "error";
  for (const Diagnostic& error : errors.all()) text += " | " + error.where.place.to_string() + ": " + error.message;
  for (char& c : text) c = c == '\n' ? ' ' : c;
  return text;
}

}  // namespace

int main() {
  const std::string all{std::istreambuf_iterator<char>(std::cin), {}};
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find('\0', begin), all.size());
    std::cout << read(std::string_view(all).substr(begin, end - begin)) << '\n';
    begin = end + 1;
  }
}
