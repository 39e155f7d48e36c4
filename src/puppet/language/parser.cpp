// SPDX-License-Identifier: Apache-2.0
#include "puppet/language/parser.hpp"

#include <limits>
#include <string>

#include "strata/near_names.hpp"
#include "strata/stack.hpp"

namespace strata::puppet {

namespace {
constexpr std::string_view kRaiseDepth = "raise the limit with --limit depth=LEVELS";
}

Parser::Parser(const Sources& sources, SourceId source, SyntaxTree& tree, const Limits& limits)
    : sources_(sources), tree_(tree), limits_(limits), lexer_(sources, source, tree, limits) {}

void Parser::read_ahead() {
  Ahead& read = ahead_[ahead_count_];
  read.token = lexer_.next();
  read.nesting = lexer_.nesting();
  ++ahead_count_;
}

Token Parser::next() {
  previous_ = peek();
  nesting_ = ahead_[0].nesting;
  if (--ahead_count_ != 0) ahead_[0] = ahead_[1];
  ++taken_;
  return previous_;
}

bool Parser::accept(TokenKind kind) {
  if (peek().kind != kind) return false;
  next();
  return true;
}

Token Parser::expect(TokenKind kind, std::string_view expected) {
  if (peek().kind != kind) throw unexpected(expected.empty() ? describe(kind) : expected);
  return next();
}

Token Parser::close(TokenKind kind, const Token& opening, std::string_view expected) {
  if (peek().kind == kind) return next();
  Error error = unexpected(expected);
  const std::size_t from = opening.offset;
  const bool is_far = at_end() || lexer_.text().substr(from, peek().offset - from).find('\n') != std::string_view::npos;
  if (is_far)
    throw std::move(error).note(sources_, origin(opening),
                                "this " + std::string(describe(opening.kind)) + " is not closed");
  throw Error(error);
}

Error Parser::error(Origin origin, std::string message, std::string_view code) const {
  return Error(std::string(code), std::move(message)).at(sources_, origin);
}

namespace {

/// What of the language bindings do not have, by the token that it begins with; empty: nothing.
std::string_view left_out(TokenKind kind) noexcept {
  switch (kind) {
    case TokenKind::class_:
      return "a class";
    case TokenKind::define:
      return "a defined type";
    case TokenKind::node:
      return "a node definition";
    case TokenKind::function:
      return "the definition of a function";
    case TokenKind::type:
      return "a type alias";
    case TokenKind::at:
      return "a virtual resource";
    case TokenKind::at_at:
      return "an exported resource";
    case TokenKind::collect_begin:
    case TokenKind::export_begin:
      return "a collector of resources";
    case TokenKind::before:
    case TokenKind::notifies:
    case TokenKind::before_reversed:
    case TokenKind::notifies_reversed:
      return "an arrow between resources";
    default:
      return {};
  }
}

}  // namespace

std::string_view Parser::near_keyword(std::string_view name) {
  static constexpr std::string_view kKeywords[] = {"elsif", "else", "unless", "case", "default",
                                                   "undef", "true", "false",  "and"};
  if (name.size() < 3) return {};
  if (name == "elseif" || name == "elif") return "elsif";
  return nearest_name(kKeywords, name);
}

Error Parser::unexpected(std::string_view expected) {
  const Token& found = peek();
  const std::string was = describe(found);
  if (const std::string_view what = left_out(found.kind); !what.empty()) {
    return error(origin(found),
                 std::string(what) + " is not allowed here: expected " + std::string(expected) + ", found " + was)
        .hint("only expressions are supported");
  }
  Error wrong = error(origin(found), "expected " + std::string(expected) + ", found " + was);
  if (found.kind == TokenKind::add_assign || found.kind == TokenKind::subtract_assign) {
    const std::string sign(found.kind == TokenKind::add_assign ? "+" : "-");
    return error(origin(found), "there is no operator " + was + ": a variable never changes")
        .hint("write $new = $old " + sign + " …");
  }
  if (found.kind == TokenKind::attr || found.kind == TokenKind::private_)
    return std::move(wrong).hint("this word is reserved: quote it to mean the text");
  for (const Token* token : {&found, static_cast<const Token*>(&previous_)}) {
    if (token->kind != TokenKind::name) continue;
    const std::string_view near = near_keyword(token->text);
    if (!near.empty()) return std::move(wrong).hint("did you mean '" + std::string(near) + "'?");
  }
  return wrong;
}

void Parser::enter() {
  if (depth_ >= limits_.depth) {
    throw error(origin(peek()), "expressions are nested more than " + std::to_string(limits_.depth) + " deep",
                "limit.depth")
        .hint(std::string(kRaiseDepth));
  }
  check_stack(limits_);
  ++depth_;
}

std::uint16_t Parser::checked_height(std::size_t height, Origin origin) const {
  if (height > std::min<std::size_t>(limits_.depth, std::numeric_limits<std::uint16_t>::max())) {
    throw error(origin, "the expression is more than " + std::to_string(limits_.depth) + " operations deep",
                "limit.depth")
        .hint(std::string(kRaiseDepth));
  }
  return static_cast<std::uint16_t>(height);
}

bool Parser::keep(const Error& error) {
  if (errors_ == nullptr || error.gives_up()) return false;
  errors_->add(error);
  if (errors_->is_full()) errors_->raise();
  return true;
}

bool Parser::at_closing() {
  try {
    return at_end() || (nesting_ != 0 && peek().kind == TokenKind::right_brace);
  } catch (const Error& error) {
    if (!keep(error)) throw;
    return at_closing();
  }
}

void Parser::skip() {
  try {
    next();
  } catch (const Error& error) {
    if (!keep(error)) throw;
  }
}

void Parser::recover(std::size_t nesting) {
  for (;;) {
    try {
      const Token& token = peek();
      if (token.kind == TokenKind::end || nesting_ < nesting) return;
      if (nesting_ == nesting && nesting != 0 && token.kind == TokenKind::right_brace) return;
      const bool begins = token.kind == TokenKind::name || token.kind == TokenKind::variable ||
                          token.kind == TokenKind::reference || token.kind == TokenKind::if_ ||
                          token.kind == TokenKind::unless || token.kind == TokenKind::case_;
      if (nesting_ == nesting && token.first_of_line && begins) return;
      next();
    } catch (const Error& error) {
      if (!keep(error)) throw;
    }
  }
}

}  // namespace strata::puppet
