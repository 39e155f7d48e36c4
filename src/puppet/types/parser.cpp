// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "puppet/types/lexer.hpp"
#include "puppet/types/names.hpp"
#include "puppet/types/parameters.hpp"
#include "strata/error.hpp"

namespace strata::puppet {
namespace {

/// Types may not nest deeper: what is done with them recurses over two of them at a time.
constexpr std::size_t kDepth = 200;

class TypeParser {
 public:
  TypeParser(std::string_view source, const Limits& limits) : lexer_(source), depth_(std::min(limits.depth, kDepth)) {
    advance();
  }

  TypeRef parse() {
    if (token_.kind != TypeTokenKind::reference) expected("a type");
    TypeRef type = reference();
    if (token_.kind != TypeTokenKind::end) expected("the end of the type");
    return type;
  }

 private:
  void advance() { token_ = lexer_.next(); }

  [[nodiscard]] bool at(std::string_view mark) const {
    return token_.kind == TypeTokenKind::mark && token_.text == mark;
  }

  [[noreturn]] void expected(std::string_view what) const {
    const std::string found =
        token_.kind == TypeTokenKind::end
            ? "its end"
            : "'" + std::string(lexer_.source().substr(token_.offset, std::min<std::size_t>(token_.length, 40))) + "'";
    throw Error("puppet.type", "Syntax error in the type: expected " + std::string(what) + " at " +
                                   lexer_.place(token_.offset) + ", found " + found);
  }

  /// One level of nesting, as long as it lives.
  class Level {
   public:
    explicit Level(TypeParser& parser) : parser_(parser) {
      if (++parser_.level_ > parser_.depth_)
        throw Error("limit.depth", "the type nests deeper than " + std::to_string(parser_.depth_) + " levels")
            .hint("say Data for the inner part");
    }
    ~Level() { --parser_.level_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    TypeParser& parser_;
  };

  TypeRef reference() {
    const Level level(*this);
    const std::string place = lexer_.place(token_.offset);
    TypeRef base = find_type(token_.text);
    if (base == nullptr) unknown(place);
    advance();
    if (!at("[")) return base;
    advance();
    if (at("]")) expected("a parameter");
    const std::vector<Parameter> parameters = list("]");
    return with_parameters(*base, parameters, place);
  }

  [[noreturn]] void unknown(const std::string& place) const {
    const std::string near = near_name(token_.text);
    throw Error("puppet.unknown-type", "unknown type '" + token_.text.substr(0, 80) + "' at " + place)
        .hint(near.empty() ? "types begin with a capital: String, Integer, Array[Data]" : "did you mean " + near + "?");
  }

  /// Parameters up to a closing mark, which is read too. A comma may stand before it.
  std::vector<Parameter> list(std::string_view close) {
    std::vector<Parameter> out;
    while (!at(close)) {
      out.push_back(parameter());
      if (at(",")) {
        advance();
      } else if (!at(close)) {
        expected("',' or '" + std::string(close) + "'");
      }
    }
    advance();
    return out;
  }

  Parameter hash() {
    Parameter out{.kind = Parameter::Kind::hash};
    advance();
    while (!at("}")) {
      out.items.push_back(parameter());
      if (!at("=>")) expected("'=>'");
      advance();
      out.items.push_back(parameter());
      if (at(",")) {
        advance();
      } else if (!at("}")) {
        expected("',' or '}'");
      }
    }
    advance();
    return out;
  }

  Parameter parameter() {
    const Level level(*this);
    const std::string place = lexer_.place(token_.offset);
    Parameter out = unplaced();
    out.place = place;
    return out;
  }

  Parameter unplaced() {
    switch (token_.kind) {
      case TypeTokenKind::reference:
        return {.kind = Parameter::Kind::type, .type = reference()};
      case TypeTokenKind::word:
        return word();
      case TypeTokenKind::text:
        return taken({.kind = Parameter::Kind::text, .text = token_.text});
      case TypeTokenKind::regex:
        return taken({.kind = Parameter::Kind::regex, .text = token_.text});
      case TypeTokenKind::integer:
      case TypeTokenKind::floating:
        return number(false);
      default:
        break;
    }
    if (at("-")) {
      advance();
      if (token_.kind != TypeTokenKind::integer && token_.kind != TypeTokenKind::floating) expected("a number");
      return number(true);
    }
    if (at("{")) return hash();
    if (!at("[")) expected("a parameter");
    advance();
    return {.kind = Parameter::Kind::list, .items = list("]")};
  }

  Parameter taken(Parameter parameter) {
    advance();
    return parameter;
  }

  Parameter word() {
    const std::string text = token_.text;
    if (text == "default") return taken({.kind = Parameter::Kind::default_word});
    if (text == "undef") return taken({.kind = Parameter::Kind::undef});
    if (text == "true" || text == "false") return taken({.kind = Parameter::Kind::boolean, .truth = text == "true"});
    return taken({.kind = Parameter::Kind::text, .text = text});
  }

  Parameter number(bool minus) {
    const std::string sign = minus && token_.text != "0" ? "-" : "";
    if (token_.kind == TypeTokenKind::integer)
      return taken({.kind = Parameter::Kind::integer, .text = sign + token_.text});
    return taken({.kind = Parameter::Kind::floating, .number = minus ? -token_.number : token_.number});
  }

  TypeLexer lexer_;
  TypeToken token_;
  std::size_t depth_;
  std::size_t level_ = 0;
};

}  // namespace

TypeRef parse_type(std::string_view text, const Limits& limits) {
  if (text.size() > limits.input)
    throw Error("limit.input", "the type is longer than " + std::to_string(limits.input) + " bytes");
  return TypeParser(text, limits).parse();
}

}  // namespace strata::puppet
