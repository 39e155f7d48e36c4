// SPDX-License-Identifier: Apache-2.0
// Parameter names of classes and defines, from the tokens alone.
#include <utility>

#include "bindings/syntax/site.hpp"
#include "puppet/characters.hpp"
#include "puppet/language/lexer.hpp"

namespace strata::bindings {

using puppet::Lexer;
using puppet::Token;
using puppet::TokenKind;

namespace {

class HeaderReader {
 public:
  HeaderReader(const Sources& sources, SourceId source, puppet::SyntaxTree& tree, const Limits& limits)
      : lexer_(sources, source, tree, limits) {}

  std::vector<Header> read() {
    try {
      while (token_.kind != TokenKind::end || is_first_) {
        advance();
        step();
      }
    } catch (const Error&) {
      // What was found before it counts.
    }
    return std::move(headers_);
  }

 private:
  void advance() {
    is_first_ = false;
    token_ = lexer_.next();
    if (token_.kind == TokenKind::left_brace) ++braces_;
    if (token_.kind != TokenKind::right_brace || braces_ == 0) return;
    --braces_;
    if (!classes_.empty() && classes_.back().second > braces_) classes_.pop_back();
  }

  void step() {
    if (token_.kind != TokenKind::class_ && token_.kind != TokenKind::define) return;
    const bool is_class = token_.kind == TokenKind::class_;
    advance();
    if (token_.kind != TokenKind::name) return;
    Header header;
    header.is_class = is_class;
    header.name = puppet::lower(token_.text.starts_with("::") ? token_.text.substr(2) : token_.text);
    if (!classes_.empty()) header.name = classes_.back().first + "::" + header.name;
    advance();
    if (token_.kind == TokenKind::left_paren) {
      parameters(header);
      advance();
    }
    if (is_class && token_.kind == TokenKind::inherits) {
      advance();
      advance();
    }
    if (is_class && token_.kind == TokenKind::left_brace) classes_.emplace_back(header.name, braces_);
    headers_.push_back(std::move(header));
  }

  /// Up to the parenthesis that closes them.
  void parameters(Header& header) {
    bool is_next = true;  // The next variable is the name of a parameter.
    for (std::size_t depth = 1; depth > 0 && token_.kind != TokenKind::end;) {
      advance();
      switch (token_.kind) {
        case TokenKind::left_paren:
        case TokenKind::left_bracket:
        case TokenKind::list_start:
        case TokenKind::left_brace:
          ++depth;
          break;
        case TokenKind::right_paren:
        case TokenKind::right_bracket:
        case TokenKind::right_brace:
          --depth;
          break;
        case TokenKind::comma:
          if (depth == 1) is_next = true;
          break;
        case TokenKind::variable:
          if (depth == 1 && std::exchange(is_next, false)) header.parameters.emplace_back(token_.text);
          break;
        default:
          break;
      }
    }
  }

  Lexer lexer_;
  Token token_;
  bool is_first_ = true;
  std::size_t braces_ = 0;
  std::vector<std::pair<std::string, std::size_t>>
      classes_;  ///< Those around, with the depth of braces of their bodies.
  std::vector<Header> headers_;
};

}  // namespace

std::vector<Header> read_headers(const Sources& sources, SourceId source, const Limits& limits) {
  puppet::SyntaxTree tree(0);
  try {
    return HeaderReader(sources, source, tree, limits).read();
  } catch (const Error& error) {
    if (error.code() == "limit.input") throw;
    return {};  // No text in UTF-8.
  }
}

}  // namespace strata::bindings
