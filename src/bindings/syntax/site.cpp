// SPDX-License-Identifier: Apache-2.0
// The grammars of site.pp and environments.pp.
#include "bindings/syntax/site.hpp"

#include "bindings/syntax/words.hpp"
#include "puppet/language/parser.hpp"

namespace strata::bindings {

using puppet::Parser;
using puppet::SyntaxTree;
using puppet::Token;
using puppet::TokenKind;

namespace {

/// What both files share: ordinary statements, and blocks of `site` between them.
class BlockFile {
 public:
  BlockFile(const Sources& sources, SourceId source, SyntaxTree& tree, const Limits& limits)
      : parser_(sources, source, tree, limits), tree_(tree) {}
  virtual ~BlockFile() = default;
  BlockFile(const BlockFile&) = delete;
  BlockFile& operator=(const BlockFile&) = delete;

  void read() {
    Problems errors;
    parser_.gather(&errors);
    try {
      bool goes_on = true;
      while (goes_on) {
        parser_.attempt([&] {
          goes_on = !parser_.at_end();
          if (goes_on) item();
        });
      }
    } catch (const Error& error) {
      if (errors.is_full()) errors.raise();
      errors.add(error);
    }
    errors.raise();
  }

 protected:
  virtual void entry() = 0;
  virtual void add_statement(const Expression* statement) = 0;
  /// Takes a construct that is passed over; false where there is none.
  virtual bool skip() { return false; }

  /// `{ … }` with entries that may be separated by `,` or `;`.
  template <class Read>
  void braces(std::string_view expected, Read read) {
    if (parser_.peek().kind != TokenKind::left_brace) throw parser_.unexpected("'{'");
    const Token opening = parser_.next();
    while (!parser_.at_end() && parser_.peek().kind != TokenKind::right_brace) {
      parser_.attempt([&] {
        read();
        if (!parser_.accept(TokenKind::comma)) parser_.accept(TokenKind::semicolon);
      });
    }
    parser_.close(TokenKind::right_brace, opening, expected);
  }

  Parser parser_;
  SyntaxTree& tree_;

 private:
  void item() {
    if (at_word(parser_, "site") && parser_.peek_second().kind == TokenKind::left_brace) {
      require_effect();
      parser_.next();
      braces("an entry of 'site' or '}'", [this] { entry(); });
      return;
    }
    if (skip()) return;
    const std::size_t errors = parser_.error_count();
    const Expression* statement = parser_.statement();
    parser_.accept(TokenKind::semicolon);
    require_effect();
    if (parser_.error_count() == errors) last_ = statement;
    add_statement(statement);
  }

  /// The last statement may yield a value that nobody uses, as in all blocks; the others may not.
  void require_effect() {
    if (const Expression* before = std::exchange(last_, nullptr)) parser_.require_effect(*before);
  }

  const Expression* last_ = nullptr;
};

class EnvironmentsReader final : public BlockFile {
 public:
  EnvironmentsReader(const Sources& sources, SourceId source, SyntaxTree& tree, const Limits& limits,
                     std::vector<EnvironmentItem>& items)
      : BlockFile(sources, source, tree, limits), items_(items) {}

 private:
  void add_statement(const Expression* statement) override { items_.push_back({statement, {}}); }

  void entry() override {
    const Token keyword = parser_.peek();
    const Origin at = parser_.origin(keyword);
    if (keyword.kind == TokenKind::reference && keyword.text == "Environment") {
      parser_.next();
      const Token opening = parser_.expect(TokenKind::left_brace);
      EnvironmentEntry entry{EnvironmentEntry::Kind::defaults, nullptr, attributes(), at};
      parser_.close(TokenKind::right_brace, opening, "',' or '}' after an attribute");
      items_.push_back({nullptr, entry});
    } else if (at_word(parser_, "environment")) {
      parser_.next();
      bodies(EnvironmentEntry::Kind::named);
    } else if (at_word(parser_, "dynamic_environments")) {
      parser_.next();
      bodies(EnvironmentEntry::Kind::dynamic);
    } else {
      static constexpr std::string_view kWords[] = {"Environment", "environment", "dynamic_environments"};
      throw unknown_word(parser_, kWords, "environment, Environment or dynamic_environments");
    }
  }

  void bodies(EnvironmentEntry::Kind kind) {
    const Token opening = parser_.expect(TokenKind::left_brace);
    do {
      if (parser_.peek().kind == TokenKind::right_brace && count_ != 0) break;
      ++count_;
      const Expression* title = parser_.value();
      parser_.expect(TokenKind::colon, kind == EnvironmentEntry::Kind::dynamic
                                           ? "':' after the path"
                                           : "':' after the name of the environment");
      items_.push_back({nullptr, {kind, title, attributes(), title->origin}});
    } while (kind == EnvironmentEntry::Kind::named && parser_.accept(TokenKind::semicolon));
    count_ = 0;
    parser_.close(TokenKind::right_brace, opening, "',', ';' or '}' after an attribute");
  }

  std::span<const Attribute> attributes() {
    Parser::Gathered attributes(attributes_);
    while (is_name(parser_.peek())) {
      const Token name = parser_.next();
      parser_.expect(TokenKind::fat_arrow, "'=>' after the name of an attribute");
      attributes.add({name.text, parser_.value(), parser_.origin(name)});
      if (!parser_.accept(TokenKind::comma)) break;
    }
    return tree_.keep(attributes.items());
  }

  std::vector<EnvironmentItem>& items_;
  std::vector<Attribute> attributes_;
  std::size_t count_ = 0;
};

class SiteReader final : public BlockFile {
 public:
  SiteReader(const Sources& sources, SourceId source, SyntaxTree& tree, const Limits& limits,
             std::vector<SiteItem>& items, Diagnostics& diagnostics)
      : BlockFile(sources, source, tree, limits), items_(items), diagnostics_(diagnostics) {}

 private:
  void add_statement(const Expression* statement) override {
    items_.push_back({SiteItem::Kind::statement, statement, {}, {}, statement->origin});
  }

  void entry() override {
    const Token keyword = parser_.peek();
    const Origin at = parser_.origin(keyword);
    if (at_word(parser_, "categories")) {
      parser_.next();
      require_first(categories_at_, at, "'categories' is already given");
      categories(at);
    } else if (at_word(parser_, "bindings")) {
      parser_.next();
      require_first(layers_at_, at, "'bindings =>' is already given");
      parser_.expect(TokenKind::fat_arrow, "'=>' after 'bindings'");
      layers(at);
    } else {
      static constexpr std::string_view kWords[] = {"categories", "bindings"};
      throw unknown_word(parser_, kWords, "categories or bindings");
    }
  }

  void require_first(Origin& first, Origin at, std::string_view message) {
    if (first)
      throw parser_.error(at, std::string(message), "bindings.form")
          .note(parser_.sources(), first, "the first one is here");
    first = at;
  }

  void categories(Origin at) {
    Parser::Gathered categories(categories_);
    braces("a category or '}'", [&] {
      const Token name = expect_name(parser_, "the name of a category, or '}'");
      parser_.expect(TokenKind::fat_arrow, "'=>' after the name of a category");
      categories.add({name.text, parser_.value(), parser_.origin(name)});
    });
    items_.push_back({SiteItem::Kind::categories, nullptr, tree_.keep(categories.items()), {}, at});
  }

  void layers(Origin at) {
    if (!parser_.at_list()) throw parser_.unexpected("'[' and the layers after 'bindings =>'");
    const Token opening = parser_.next();
    Parser::Gathered layers(layers_);
    while (at_word(parser_, "layer") || parser_.peek().kind == TokenKind::left_brace) {
      layers.add(layer());
      if (!parser_.accept(TokenKind::comma)) parser_.accept(TokenKind::semicolon);
    }
    parser_.close(TokenKind::right_bracket, opening, "layer { 'name': … } or ']'");
    items_.push_back({SiteItem::Kind::layers, nullptr, {}, tree_.keep(layers.items()), at});
  }

  LayerEntry layer() {
    const Origin at = parser_.origin(parser_.peek());
    accept_word(parser_, "layer");
    const Token opening = parser_.expect(TokenKind::left_brace, "'{' after 'layer'");
    LayerEntry layer{parser_.value(), nullptr, nullptr, at};
    parser_.expect(TokenKind::colon, "':' after the name of a layer");
    while (is_name(parser_.peek()) || parser_.peek().kind == TokenKind::reference) {
      const Token name = parser_.next();
      const bool is_include = is_word(name, "include");
      if (!is_include && !is_word(name, "exclude")) {
        throw parser_
            .error(parser_.origin(name), "a layer has no attribute '" + std::string(name.text) + "'", "bindings.form")
            .hint("it may have include and exclude");
      }
      const Expression*& kept = is_include ? layer.include : layer.exclude;
      if (kept != nullptr)
        throw parser_.error(parser_.origin(name), "'" + std::string(name.text) + "' occurs twice", "bindings.form");
      parser_.expect(TokenKind::fat_arrow, "'=>' after the name of an attribute");
      kept = parser_.value();
      if (!parser_.accept(TokenKind::comma)) parser_.accept(TokenKind::semicolon);
    }
    parser_.close(TokenKind::right_brace, opening, "include, exclude or '}'");
    return layer;
  }

  /// Classes and the like are for the compiler of catalogs.
  bool skip() override {
    const Token keyword = parser_.peek();
    const TokenKind kind = keyword.kind;
    if (kind != TokenKind::class_ && kind != TokenKind::define && kind != TokenKind::node &&
        kind != TokenKind::function)
      return false;
    if (parser_.peek_second().kind == TokenKind::left_brace) return false;  // `class { 'x': }`: a resource.
    diagnostics_.warn(
        parser_.error(parser_.origin(keyword), "this " + std::string(keyword.text) + " is ignored", "bindings.skipped")
            .hint("manifests of environments only declare categories and layers here")
            .diagnostic());
    parser_.next();
    for (std::size_t depth = 0; depth > 0 || parser_.peek().kind != TokenKind::left_brace;) {
      if (parser_.at_end())
        throw parser_.unexpected("'{'").note(parser_.sources(), parser_.origin(keyword), "of what begins here");
      const TokenKind inner = parser_.next().kind;
      const bool opens = inner == TokenKind::left_paren || inner == TokenKind::left_bracket ||
                         inner == TokenKind::list_start || inner == TokenKind::left_brace;
      const bool closes =
          inner == TokenKind::right_paren || inner == TokenKind::right_bracket || inner == TokenKind::right_brace;
      if (opens) ++depth;
      if (closes && depth > 0) --depth;
    }
    const Token opening = parser_.next();
    for (std::size_t depth = 1; depth > 0;) {
      if (parser_.at_end()) parser_.close(TokenKind::right_brace, opening, "'}'");
      const TokenKind inner = parser_.next().kind;
      if (inner == TokenKind::left_brace) ++depth;
      if (inner == TokenKind::right_brace) --depth;
    }
    return true;
  }

  std::vector<SiteItem>& items_;
  Diagnostics& diagnostics_;
  std::vector<CategoryEntry> categories_;
  std::vector<LayerEntry> layers_;
  Origin categories_at_;
  Origin layers_at_;
};

}  // namespace

EnvironmentsFile read_environments(const Sources& sources, SourceId source, const Limits& limits) {
  const auto tree = std::make_shared<SyntaxTree>(sources.text(source).size());
  EnvironmentsFile file{tree, {}};
  EnvironmentsReader(sources, source, *tree, limits, file.items).read();
  return file;
}

SiteFile read_site(const Sources& sources, SourceId source, const Limits& limits, Diagnostics& diagnostics) {
  const auto tree = std::make_shared<SyntaxTree>(sources.text(source).size());
  SiteFile file{tree, {}};
  SiteReader(sources, source, *tree, limits, file.items, diagnostics).read();
  return file;
}

}  // namespace strata::bindings
