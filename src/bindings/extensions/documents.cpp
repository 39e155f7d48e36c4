// SPDX-License-Identifier: Apache-2.0
#include "documents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "bindings/syntax/document.hpp"
#include "puppet/characters.hpp"
#include "puppet/language/parser.hpp"
#include "puppet/quote.hpp"
#include "strata/near_names.hpp"
#include "value/fields.hpp"

namespace strata::bindings::extensions {
namespace {

/// Values of extensions were written nowhere.
const FieldErrors field_errors{.code = "extension.result"};

[[noreturn]] void fail(const std::string& message) { throw Error(field_errors.code, message); }

/// A value as a literal. Recursion: bounded by Limits::depth, which the value has kept.
void append_literal(std::string& out, const Value& value) {
  switch (value.kind()) {
    case Kind::absent:
    case Kind::null:
      out += "undef";
      return;
    case Kind::boolean:
      out += value.as_boolean() ? "true" : "false";
      return;
    case Kind::integer:
      // Its digits alone are more than an integer can be.
      out += value.as_integer() == INT64_MIN ? fmt::format("({} - 1)", INT64_MIN + 1)
                                             : fmt::format("{}", value.as_integer());
      return;
    case Kind::floating: {
      if (!std::isfinite(value.as_floating())) fail("infinities and not-a-number cannot be bound");
      std::string number = fmt::format("{}", value.as_floating());
      if (number.find_first_of(".e") == std::string::npos) number += ".0";
      std::erase(number, '+');
      out += number;
      return;
    }
    case Kind::text:
      out += puppet::double_quote(value.text());
      return;
    case Kind::sequence:
      out += '[';
      for (const Value& item : value.items()) {
        append_literal(out, item);
        out += ", ";
      }
      out += ']';
      return;
    case Kind::mapping:
      out += '{';
      for (const Entry& entry : value.entries()) {
        append_literal(out, entry.key);
        out += " => ";
        append_literal(out, entry.value);
        out += ", ";
      }
      out += '}';
      return;
    default:
      fail(fmt::format("{} cannot be bound by a provider", describe(value.kind())));
  }
}

std::string literal(const Value& value) {
  std::string out;
  append_literal(out, value);
  return out;
}

/// One statement, given as a mapping.
class StatementWriter {
 public:
  explicit StatementWriter(const Value& statement) : fields_(statement, "a binding", field_errors) {
    operation_ = text("op");
    if (operation_.empty()) fail("a binding has no 'op'");
  }

  std::string write() {
    std::string out = body();
    const Value* condition = take("when");
    fields_.only(known_, fmt::format("'{}'", operation_));
    if (condition == nullptr || condition->size() == 0) return "  " + out + "\n";
    return fmt::format("  when {} {{ {} }}\n", condition_text(*condition, 0), out);
  }

 private:
  const Value* take(std::string_view name) {
    known_.push_back(name);
    return fields_.find(name);
  }
  std::string text(std::string_view name) {
    known_.push_back(name);
    const Value* found = fields_.text(name);
    return found == nullptr ? std::string() : std::string(found->text());
  }
  bool flag(std::string_view name) {
    known_.push_back(name);
    return fields_.flag(name);
  }
  const Value& needed(std::string_view name) {
    const Value* found = take(name);
    if (found == nullptr) fail(fmt::format("'{}' needs '{}'", operation_, name));
    return *found;
  }

  /// What is put into the text as it is must stay within its place: `read` takes all of it when it stands alone.
  template <class Read>
  static std::string fragment(std::string_view written, std::string_view what, const Read& read) {
    Sources sources;
    const Limits limits;
    puppet::SyntaxTree tree(written.size());
    try {
      puppet::Parser parser(sources, sources.add("<fragment>", std::string(written)), tree, limits);
      static_cast<void>(read(parser));
      if (!parser.at_end()) throw parser.unexpected("the end");
    } catch (const Error& error) {
      fail(fmt::format("{} '{}' cannot be used in a binding: {}", what, written, error.what()));
    }
    return std::string(written);
  }
  /// Behind a comment at its end the line goes on.
  static std::string type_text(std::string_view written) {
    if (written.find_first_of("#\n") != std::string_view::npos)
      fail(fmt::format("the type '{}' cannot be used in a binding", written));
    return fragment(written, "the type",
                    [](puppet::Parser& parser) { return parser.operand({.queries = true, .classes = true}); });
  }
  static std::string expression_text(std::string_view written) {
    return fragment(written, "the expression",
                    [](puppet::Parser& parser) { return parser.expression({.queries = true, .classes = true}); });
  }

  std::string mods() {
    std::string out;
    if (flag("abstract")) out += "abstract ";
    if (flag("override")) out += "override ";
    return out;
  }

  std::string key(std::string_view type_name, std::string_view name_name) {
    const std::string type = text(type_name);
    const std::string name = text(name_name);
    std::string out = type.empty() ? std::string() : type_text(type);
    if (!name.empty()) {
      if (!out.empty()) out += ", ";
      out += puppet::double_quote(name);
    }
    return out.empty() ? out : out + " ";
  }

  /// `to …`, with what follows it.
  std::string producer() {
    const Value* value = take("value");
    const std::string expression = text("expression");
    const std::string producer = text("producer");
    const std::string optional = flag("optional") ? "optional " : "";
    if ((value != nullptr) + !expression.empty() + !producer.empty() > 1)
      fail("a binding has one of 'value', 'expression' and 'producer'");
    if (value != nullptr) return fmt::format("to {}{} ", optional, literal(*value));
    if (!expression.empty()) return fmt::format("to {}({}\n) ", optional, expression_text(expression));
    if (!producer.empty()) return fmt::format("to {}producer {} ", optional, puppet::double_quote(producer));
    return {};
  }

  std::string options() {
    static constexpr std::array<std::string_view, 5> kValues{"conflict_resolution", "uniq", "flatten", "singleton",
                                                             "producer_args"};
    std::string out;
    for (const std::string_view name : kValues) {
      if (const Value* value = take(name)) out += fmt::format("{} => {}, ", name, literal(*value));
    }
    if (const std::string type = text("combinator"); !type.empty()) {
      out += fmt::format("combinator => {}, ",
                         type.starts_with("Type[") ? type_text(type) : fmt::format("Type[{}]", type_text(type)));
    }
    if (operation_ == "parameters") {
      if (const Value* map = take("map")) out += fmt::format("map => {}, ", literal(*map));
    }
    return out.empty() ? out : fmt::format("{{ {}}} ", out);
  }

  std::string names() {
    const Value* one = take("name");
    const Value* several = take("names");
    const Value* given = several != nullptr ? several : one;
    if (given == nullptr) fail(fmt::format("'{}' needs 'name' or 'names'", operation_));
    const std::span<const Value> all = given->is_sequence() ? given->items() : std::span<const Value>(given, 1);
    std::string out = "[";
    for (const Value& name : all) {
      if (!name.is_text())
        fields_.refuse_item(several != nullptr ? "names" : "name", "a name, or a list of names", name);
      out += puppet::double_quote(name.text()) + ", ";
    }
    return out + "]";
  }

  std::string side(std::string_view name) {
    const Value& given = needed(name);
    if (given.is_text()) return type_text(given.text());
    std::string out = "[";
    for (const Value& item : given.is_sequence() ? given.items() : std::span<const Value>()) {
      if (!item.is_text()) fields_.refuse_item(name, "a reference, or a list of references", item);
      out += type_text(item.text()) + ", ";
    }
    return out + "]";
  }

  std::string needed_text(std::string_view name) {
    std::string out = text(name);
    if (out.empty()) fail(fmt::format("'{}' needs '{}'", operation_, name));
    return out;
  }

  std::string map_text() {
    const Value& map = needed("map");
    if (!map.is_mapping() && !map.is_sequence()) fields_.refuse_kind("map", "a mapping, or a list of names", map);
    return fmt::format("{{ map => {} }}", literal(map));
  }

  std::string body() {
    if (operation_ == "bind" || operation_ == "contribution") {
      std::string out = "bind " + mods();
      out += key("type", "name");
      out += producer();
      const std::string id = operation_ == "contribution" ? needed_text("multibind") : text("multibind");
      if (!id.empty()) out += fmt::format("in {} ", puppet::double_quote(id));
      return out + options();
    }
    if (operation_ == "multibind") {
      std::string out = "multibind " + mods();
      out += key("type", "name");
      if (const std::string id = text("id"); !id.empty()) out += fmt::format("as {} ", puppet::double_quote(id));
      return out + options();
    }
    if (operation_ == "include" || operation_ == "exclude") return fmt::format("{} {}", operation_, names());
    if (operation_ == "rebind") return fmt::format("rebind {}{}", mods(), key("type", "name"));
    if (operation_ == "alias" || operation_ == "renamed") {
      const std::string source = key("type", "name");
      const std::string modifiers = mods();
      return fmt::format("bind {} {}as {}{}", operation_, source, modifiers, key("as_type", "as"));
    }
    if (operation_ == "variables") {
      const std::string modifiers = mods();
      const std::string type = text("type");
      return fmt::format("bind variables {}{} to {}", modifiers, type.empty() ? type : type_text(type),
                         literal(needed("value")));
    }
    if (operation_ == "parameters") return parameters();
    if (operation_ == "map") {
      const std::string left = type_text(needed_text("of"));
      return fmt::format("bind map {} to {} {}", left, type_text(needed_text("from")), map_text());
    }
    if (operation_ == "dependency") {
      const std::string source = side("source");
      return fmt::format("bind dependency {} {} {}", source, flag("notify") ? "~>" : "->", side("target"));
    }
    static constexpr std::array<std::string_view, 12> kOperations{
        "bind",  "contribution", "multibind", "rebind",     "include", "exclude",
        "alias", "renamed",      "variables", "parameters", "map",     "dependency"};
    throw Error(field_errors.code, fmt::format("there is no op '{}'", operation_))
        .hint(name_hint(kOperations, operation_, fmt::format("it is one of {}", fmt::join(kOperations, ", "))));
  }

  std::string parameters() {
    const std::string of = type_text(needed_text("of"));
    const std::string modifiers = mods();
    const std::string from = text("from");
    const std::string to =
        from.empty() ? producer() : fmt::format("to {}{} ", flag("optional") ? "optional " : "", type_text(from));
    return fmt::format("bind parameters {} {}{}{}", of, modifiers, to, options());
  }

  /// A pair is a predicate, a list of conditions is all of them, `{any: […]}` one of them. Recursion: bounded by
  /// Limits::depth.
  static std::string condition_text(const Value& condition, std::size_t depth) {
    if (condition.is_mapping()) {
      const Value* any = condition.find("any");
      if (any == nullptr || condition.size() != 1 || !any->is_sequence() || any->size() == 0)
        fail("a condition is a list, or {any = {…}}");
      return joined(*any, " or ", depth);
    }
    if (!condition.is_sequence() || condition.size() == 0)
      fail("a condition is a list of pairs {category, value}, or {any = {…}}");
    if (condition.size() == 2 && condition.items()[0].is_text())
      return predicate(condition.items()[0].text(), condition.items()[1]);
    return joined(condition, " and ", depth);
  }

  static std::string joined(const Value& list, std::string_view word, std::size_t depth) {
    std::string out;
    for (const Value& part : list.items()) {
      if (!out.empty()) out += word;
      out += condition_text(part, depth + 1);
    }
    return depth == 0 || list.size() == 1 ? out : "(" + out + ")";
  }

  static std::string predicate(std::string_view category, const Value& value) {
    const bool is_name =
        !category.empty() && category[0] >= 'a' && category[0] <= 'z' && std::ranges::all_of(category, [](char c) {
          return puppet::is_digit(c) || c == '_' || (puppet::lower(c) >= 'a' && puppet::lower(c) <= 'z');
        });
    if (!is_name) fail(fmt::format("'{}' cannot be a category", category));
    if (value.is_container() || value.is_null() || !value) fail(fmt::format("category '{}' has no value", category));
    return fmt::format("{} {}", category, literal(value));
  }

  Fields fields_;
  std::string operation_;
  std::vector<std::string_view> known_;
};

}  // namespace

std::string document_text(const Value& bindings) {
  if (!bindings.is_sequence()) fail(wrong_kind("the bindings of a document", "a list", bindings));
  std::string out = "bindings provided {\n";
  for (const Value& statement : bindings.items()) out += StatementWriter(statement).write();
  return out + "}\n";
}

std::vector<std::shared_ptr<const Document>> read_documents(const Value& list, Sources& sources, const Limits& limits) {
  std::vector<std::shared_ptr<const Document>> out;
  if (!list || list.is_null()) return out;
  if (!list.is_sequence())
    fail(fmt::format("a provider must return a list of documents, not {}", describe(list.kind())));
  for (const Value& given : list.items()) {
    const Value* name = given.is_mapping() ? given.find("document") : nullptr;
    if (name == nullptr || !name->is_text() || name->text().empty())
      fail("each document of a provider needs a name: {document = …, bindings = {…}}");
    const Value* bindings = given.find("bindings");
    const std::string title(name->text());
    std::string written;
    try {
      written = bindings == nullptr ? "bindings provided {\n}\n" : document_text(*bindings);
    } catch (const Error& error) {
      Diagnostic told = error.diagnostic();
      told.message = fmt::format("document '{}': {}", title, told.message);
      throw Error(std::move(told));
    }
    const std::shared_ptr<Document> document =
        read_document(sources, sources.add(fmt::format("<{}>", title), std::move(written)), {}, limits);
    document->name = title;
    document->title = title;
    out.push_back(document);
  }
  return out;
}

}  // namespace strata::bindings::extensions
