// SPDX-License-Identifier: Apache-2.0
#include "analysis/manifest.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "puppet/language/lexer.hpp"

namespace strata::analysis {
namespace {

using puppet::Token;
using puppet::TokenKind;
using Tokens = std::span<const Token>;

/// Patterns with fewer literal characters match too much.
constexpr std::size_t kShortestPattern = 5;
constexpr std::array<std::string_view, 5> kLookups{"lookup", "hiera", "hiera_array", "hiera_hash", "hiera_include"};

bool merges_always(std::string_view function) { return function != "lookup" && function != "hiera"; }

bool opens(TokenKind kind) {
  return kind == TokenKind::left_paren || kind == TokenKind::left_bracket || kind == TokenKind::list_start ||
         kind == TokenKind::left_brace;
}
bool closes(TokenKind kind) {
  return kind == TokenKind::right_paren || kind == TokenKind::right_bracket || kind == TokenKind::right_brace;
}

/// The tokens between a bracket and its partner, split at commas. `after`: the position behind the partner.
std::vector<Tokens> parts_in(Tokens tokens, std::size_t bracket, std::size_t& after) {
  std::vector<Tokens> out;
  std::size_t begin = bracket + 1;
  std::size_t depth = 0;
  for (std::size_t i = begin; i < tokens.size(); ++i) {
    const TokenKind kind = tokens[i].kind;
    const bool is_end = depth == 0 && closes(kind);
    if (is_end || (depth == 0 && kind == TokenKind::comma)) {
      if (i > begin) out.push_back(tokens.subspan(begin, i - begin));
      begin = i + 1;
    }
    if (is_end) {
      after = i + 1;
      return out;
    }
    if (opens(kind)) ++depth;
    if (closes(kind)) --depth;
  }
  after = tokens.size();
  if (begin < tokens.size()) out.push_back(tokens.subspan(begin));
  return out;
}

std::string_view without_colons(std::string_view name) { return name.starts_with("::") ? name.substr(2) : name; }

class Reader {
 public:
  explicit Reader(const puppet::Lexer& lexer, Tokens tokens) : lexer_(lexer), tokens_(tokens) {}

  Manifest read() {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      const Token& next = tokens_[i + 1];
      if (token.kind == TokenKind::class_ && next.kind == TokenKind::name) {
        read_class(i);
      } else if (token.kind == TokenKind::name && next.kind == TokenKind::left_paren && !is_definition(i) &&
                 std::ranges::find(kLookups, without_colons(token.text)) != kLookups.end()) {
        read_lookup(i);
      }
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool is_definition(std::size_t i) const {
    return i > 0 && (tokens_[i - 1].kind == TokenKind::function || tokens_[i - 1].kind == TokenKind::dot);
  }

  void read_class(std::size_t i) {
    ManifestClass made{.name = std::string(without_colons(tokens_[i + 1].text)),
                       .parameters = {},
                       .origin = lexer_.origin(tokens_[i].offset)};
    if (i + 2 < tokens_.size() && tokens_[i + 2].kind == TokenKind::left_paren) {
      std::size_t after = 0;
      for (const Tokens parameter : parts_in(tokens_, i + 2, after)) add_parameter(parameter, made);
    }
    out_.classes.push_back(std::move(made));
  }

  /// Its name is the first variable outside brackets: types have theirs inside.
  static void add_parameter(Tokens parameter, ManifestClass& out) {
    std::size_t depth = 0;
    for (const Token& token : parameter) {
      if (opens(token.kind)) ++depth;
      if (closes(token.kind) && depth > 0) --depth;
      if (depth != 0 || token.kind != TokenKind::variable) continue;
      out.parameters.emplace_back(token.text);
      return;
    }
  }

  void read_lookup(std::size_t i) {
    std::size_t after = 0;
    const std::vector<Tokens> arguments = parts_in(tokens_, i + 1, after);
    if (arguments.empty()) return;
    constexpr std::size_t kMerge = 2;  // lookup(NAME, TYPE, MERGE, …)
    const std::string_view function = without_colons(tokens_[i].text);
    const bool has_merge =
        function == "lookup" && arguments.size() > kMerge && arguments[kMerge].front().kind != TokenKind::undef;
    const Tokens first = arguments.front();
    if (first.front().kind == TokenKind::left_brace) return read_options(first);
    add_keys(first, has_merge || merges_always(function));
  }

  /// `lookup({ 'name' => …, 'merge' => … })`
  void read_options(Tokens hash) {
    std::size_t after = 0;
    Tokens name;
    bool merges = false;
    for (const Tokens member : parts_in(hash, 0, after)) {
      if (member.size() < 3 || member[1].kind != TokenKind::fat_arrow) continue;
      if (member[0].text == "name") name = member.subspan(2);
      merges = merges || member[0].text == "merge";
    }
    if (name.empty()) {
      ++out_.computed;
    } else {
      add_keys(name, merges);
    }
  }

  void add_keys(Tokens argument, bool merges) {
    const Token& first = argument.front();
    if (first.kind == TokenKind::list_start || first.kind == TokenKind::left_bracket) {
      std::size_t after = 0;
      for (const Tokens one : parts_in(argument, 0, after)) add_key(one, merges);
      return;
    }
    add_key(argument, merges);
  }

  void add_key(Tokens argument, bool merges) {
    NamedKey made{.parts = parts_of(argument), .merges_itself = merges};
    std::size_t literal = 0;
    for (const std::string& part : made.parts) literal += part.size();
    if (made.parts.size() == 1 || literal >= kShortestPattern) {
      out_.keys.push_back(std::move(made));
    } else {
      ++out_.computed;
    }
  }

  /// As NamedKey::parts. Empty: it is not a string, or computed in another way.
  static std::vector<std::string> parts_of(Tokens argument) {
    std::vector<std::string> out;
    const Token& first = argument.front();
    if (first.kind == TokenKind::text) {
      out.emplace_back(first.text);
      if (argument.size() > 1 && argument[1].kind != TokenKind::plus) return {};
      if (argument.size() > 1) out.emplace_back();
      return out;
    }
    if (first.kind != TokenKind::text_begin) return {};
    std::size_t depth = 0;  // Of strings in the expressions of strings.
    for (std::size_t i = 0; i < argument.size(); ++i) {
      const TokenKind kind = argument[i].kind;
      if (kind == TokenKind::text_begin) ++depth;
      const bool is_part =
          kind == TokenKind::text_begin || kind == TokenKind::text_middle || kind == TokenKind::text_end;
      if (is_part && depth == 1) out.emplace_back(argument[i].text);
      if (kind != TokenKind::text_end || --depth > 0) continue;
      if (i + 1 < argument.size()) out.back().clear();  // The rest is not looked at.
      return out;
    }
    return {};
  }

  const puppet::Lexer& lexer_;
  Tokens tokens_;
  Manifest out_;
};

}  // namespace

bool NamedKey::matches(std::string_view key) const {
  if (parts.size() == 1) return key == parts.front();
  if (!key.starts_with(parts.front())) return false;
  key.remove_prefix(parts.front().size());
  for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
    const std::size_t at = key.find(parts[i]);
    if (at == std::string_view::npos) return false;
    key.remove_prefix(at + parts[i].size());
  }
  return key.ends_with(parts.back());
}

Manifest read_manifest(const Sources& sources, SourceId source, const Limits& limits) {
  puppet::SyntaxTree tree(sources.text(source).size());
  std::vector<Token> tokens;
  try {
    puppet::Lexer lexer(sources, source, tree, limits);
    try {
      do {
        tokens.push_back(lexer.next());
      } while (tokens.back().kind != TokenKind::end);
    } catch (const Error& error) {
      if (error.ends_request()) throw;
    }
    return Reader(lexer, tokens).read();
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    return {};
  }
}

std::string code_of_template(std::string_view text) {
  std::string out(text.size(), ' ');
  for (std::size_t at = text.find("<%"); at != std::string_view::npos; at = text.find("<%", at)) {
    at += 2;
    if (text.substr(at).starts_with('%')) continue;  // `<%%` is a text.
    const std::size_t end = std::min(text.find("%>", at), text.size());
    const bool is_comment = text.substr(at).starts_with('#');
    const std::size_t begin = at + (text.substr(at).starts_with('=') || text.substr(at).starts_with('-') ? 1 : 0);
    if (!is_comment) {
      const std::string_view code = text.substr(begin, end - begin);
      std::ranges::copy(code.ends_with('-') ? code.substr(0, code.size() - 1) : code,
                        out.begin() + static_cast<std::ptrdiff_t>(begin));
      if (end < text.size()) out[end] = ';';
    }
    at = end;
  }
  return out;
}

}  // namespace strata::analysis
