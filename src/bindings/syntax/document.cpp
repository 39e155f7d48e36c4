// SPDX-License-Identifier: Apache-2.0
#include "bindings/syntax/document.hpp"

#include <algorithm>
#include <string_view>

#include "bindings/syntax/document_parser.hpp"
#include "bindings/syntax/words.hpp"
#include "puppet/characters.hpp"
#include "puppet/quote.hpp"

namespace strata::bindings {

using puppet::TokenKind;

namespace {

/// Whether what becomes Sensitive is written out somewhere: neither a variable nor the call of a function.
bool writes_secrets(std::string_view text) {
  static constexpr std::string_view kSensitive = "Sensitive";
  static constexpr std::string_view kBlanks = " \t\r\n";
  for (std::size_t at = text.find(kSensitive); at != std::string_view::npos; at = text.find(kSensitive, at + 1)) {
    std::string_view rest = text.substr(at + kSensitive.size());
    const auto skip_blanks = [&rest] { rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size())); };
    skip_blanks();
    if (rest.starts_with(".new")) rest.remove_prefix(std::string_view(".new").size());
    skip_blanks();
    if (!rest.starts_with('(')) continue;
    rest.remove_prefix(1);
    skip_blanks();
    if (!rest.empty() && rest.front() != '$' && !(rest.front() >= 'a' && rest.front() <= 'z')) return true;
  }
  return false;
}

}  // namespace

std::shared_ptr<Document> read_document(Sources& sources, SourceId source, std::string_view expected_name,
                                        const Limits& limits) {
  if (writes_secrets(sources.text(source))) sources.mark_secret(source);
  const auto tree = std::make_shared<puppet::SyntaxTree>(sources.text(source).size());
  auto document = std::make_shared<Document>();
  document->tree = tree;
  Problems errors;
  try {
    DocumentParser(sources, source, *tree, limits).read(*document, expected_name, errors);
  } catch (const Error& error) {
    if (errors.is_full()) errors.raise();
    errors.add(error);
  }
  errors.raise();
  return document;
}

void DocumentParser::read(Document& document, std::string_view expected_name, Problems& errors) {
  document_ = &document;
  parser_.gather(&errors);
  document.origin = parser_.origin(parser_.peek());
  expect_word(parser_, "bindings", "'bindings NAME {'");
  name(document, expected_name);
  const Token opening = parser_.expect(TokenKind::left_brace, "'{' after the name of the bindings");
  entries();
  parser_.close(TokenKind::right_brace, opening,
                "a statement (bind, multibind, rebind, include, exclude, when) or '}'");
  if (parser_.at_end()) return;
  if (at_word(parser_, "bindings")) {
    throw wrong(parser_.origin(parser_.peek()), "a file holds one bindings document: this is a second one")
        .hint("move it to its own file, which is found by its name");
  }
  throw parser_.unexpected("the end of the file after the bindings");
}

void DocumentParser::name(Document& document, std::string_view expected_name) {
  const Origin at = parser_.origin(parser_.peek());
  const std::string_view written = qualified_name(parser_, "the name of the bindings");
  document.name = puppet::lower(written);
  document.title = document.name;
  if (expected_name.empty() || puppet::same_letters(written, expected_name)) return;
  const Error error = parser_
                          .error(at,
                                 "expected bindings " + puppet::quote(expected_name) + " in " + file_ + ", found " +
                                     puppet::quote(written),
                                 "bindings.name")
                          .hint("a document is found by its name: rename it, or move the file");
  parser_.keep(error);
}

void DocumentParser::entries() {
  while (!parser_.at_end() && parser_.peek().kind != TokenKind::right_brace) {
    parser_.attempt([this] { entry(); });
  }
}

void DocumentParser::entry() {
  if (at_word(parser_, "bind")) return bind();
  if (at_word(parser_, "when")) return when();
  if (at_word(parser_, "multibind")) return multibind();
  if (at_word(parser_, "rebind")) return rebind();
  if (at_word(parser_, "include") || at_word(parser_, "exclude")) return classes();
  static constexpr std::string_view kWords[] = {"bind", "when", "multibind", "rebind", "include", "exclude"};
  constexpr std::string_view kExpected = "bind, multibind, rebind, include, exclude or when";
  if (parser_.peek().kind == TokenKind::variable)
    throw parser_.unexpected(kExpected).hint("variables are assigned in the manifest of the environment");
  throw unknown_word(parser_, kWords, kExpected);
}

void DocumentParser::add(const Statement& statement) {
  document_->statements.push_back(statement);
  document_->statements.back().when = when_;
}

}  // namespace strata::bindings
