// SPDX-License-Identifier: Apache-2.0
#include "bindings/request/enc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bindings/problems.hpp"
#include "bindings/request/facts.hpp"
#include "bindings/request/names.hpp"
#include "puppet/language/word_characters.hpp"
#include "strata/near_names.hpp"
#include "strata/text.hpp"
#include "value/fields.hpp"

namespace strata::bindings {
namespace {

class EncReader {
 public:
  EncReader(const Sources& sources, Diagnostics& diagnostics, Enc& enc)
      : sources_(sources),
        diagnostics_(diagnostics),
        enc_(enc),
        errors_{.code = "enc.shape", .sources = &sources, .place = enc.origin} {}

  void read(const Value& root) {
    static constexpr std::array<std::string_view, 3> kKeys{"classes", "parameters", "environment"};
    const Fields fields(root, "the output of an ENC", errors_);
    for (const Entry& entry : root.entries()) {
      const std::string_view key = entry.key.is_text() ? entry.key.text() : std::string_view();
      if (std::ranges::find(kKeys, key) == kKeys.end()) {
        warn("enc.key",
             fmt::format("an ENC outputs classes, parameters and environment; '{}' is ignored", scalar(entry.key)),
             entry.key.origin(), name_hint(kKeys, key));
      } else if (!entry.value.is_null()) {
        problems_.guard([&] { member(fields, key, entry.value); });
      }
    }
    problems_.raise();
  }

 private:
  void member(const Fields& fields, std::string_view key, const Value& value) {
    if (key == "classes") return classes(fields, value);
    if (key == "parameters") return variables(fields, value);
    enc_.environment = fields.needed_word(key);
  }

  void classes(const Fields& fields, const Value& value) {
    constexpr std::string_view kExpected = "a list of names or a mapping from names to parameters";
    if (value.is_sequence()) {
      for (const Value& item : value.items())
        problems_.guard([&] {
          if (!item.is_text()) fields.refuse_item("classes", kExpected, item);
          add_class(fields, item, Value());
        });
    } else if (value.is_mapping()) {
      for (const Entry& entry : value.entries())
        problems_.guard([&] {
          if (!entry.key.is_text()) fields.refuse_item("classes", kExpected, entry.key);
          add_class(fields, entry.key, entry.value);
        });
    } else {
      fields.refuse_kind("classes", kExpected, value);
    }
  }

  void add_class(const Fields& fields, const Value& name, const Value& parameters) {
    std::string_view text = name.text();
    if (text.starts_with("::")) text.remove_prefix(2);
    EncClass added{.name = puppet::lower(text), .parameters = parameters, .origin = name.origin()};
    if (!is_document_name(added.name)) {
      throw Error("enc.class",
                  fmt::format("an ENC outputs the class '{}', which is not a valid class name", name.text()))
          .at(sources_, name.origin());
    }
    if (parameters.is_null()) added.parameters = Value();
    if (added.parameters) {
      const auto has_text_key = [](const Entry& entry) { return entry.key.is_text(); };
      if (!parameters.is_mapping() || !std::ranges::all_of(parameters.entries(), has_text_key)) {
        fields.fail(
            fmt::format("the parameters of class '{}' of an ENC must be a mapping from names to values", added.name),
            parameters);
      }
    }
    enc_.classes.push_back(std::move(added));
  }

  void variables(const Fields& fields, const Value& value) {
    if (!value.is_mapping()) fields.refuse_kind("parameters", "a mapping from names to values", value);
    for (const Entry& entry : value.entries()) {
      std::string_view name = entry.key.is_text() ? entry.key.text() : std::string_view();
      if (name.starts_with("::")) name.remove_prefix(2);
      if (name == "environment") {
        // As Puppet takes it: the environment, unless it is given as such.
        if (!enc_.environment && entry.value.is_text() && !entry.value.text().empty()) enc_.environment = entry.value;
      } else if (puppet::is_qualified_name(name)) {
        enc_.variables.push_back(
            {enc_.arena->key(enc_.arena->text(name)).with_origin(entry.key.origin()), entry.value});
      } else {
        warn("enc.variable", fmt::format("invalid variable name '{}': it is ignored", scalar(entry.key)),
             entry.key.origin(), {});
      }
    }
  }

  [[nodiscard]] static std::string scalar(const Value& key) {
    return key.is_text() ? std::string(key.text()) : std::string(describe(key.kind()));
  }

  void warn(std::string_view code, std::string message, Origin origin, std::string hint) {
    diagnostics_.warn(Error(code, std::move(message)).at(sources_, origin).hint(std::move(hint)).diagnostic());
  }

  const Sources& sources_;
  Diagnostics& diagnostics_;
  Enc& enc_;
  FieldErrors errors_;
  Problems problems_;
};

/// Makes statements of data.
class EncWriter {
 public:
  explicit EncWriter(const Enc& enc) : tree_(std::make_shared<puppet::SyntaxTree>(4096)), enc_(enc) {}

  std::shared_ptr<const Document> document(EncPart parts) {
    auto out = std::make_shared<Document>();
    out->name = "enc";
    out->title = "enc";
    out->origin = enc_.origin;
    out->in_node_category = true;
    for (const EncClass& each : enc_.classes) {
      if (has(parts, EncPart::classes)) out->statements.push_back(include(each));
      if (!has(parts, EncPart::parameters) || !each.parameters) continue;
      Statement statement = begin(Form::parameters, each.origin);
      statement.key.type = {.expression = word(each.name, each.origin), .is_class_name = true, .origin = each.origin};
      statement.key.origin = each.origin;
      if (bind(statement, each.parameters.entries())) out->statements.push_back(statement);
    }
    Statement variables = begin(Form::variables, enc_.origin);
    if (has(parts, EncPart::variables) && bind(variables, enc_.variables)) out->statements.push_back(variables);
    out->tree = tree_;
    return out;
  }

 private:
  [[nodiscard]] static Statement begin(Form form, Origin origin) {
    Statement statement;
    statement.form = form;
    statement.origin = origin;
    return statement;
  }

  template <class Node>
  [[nodiscard]] const Node* make(Node node) {
    return tree_->make(std::move(node));
  }

  const Expression* word(std::string_view text, Origin origin) {
    return make(
        puppet::Word{{.node = puppet::Node::word, .origin = origin}, tree_->arena().text(text).with_origin(origin)});
  }

  Statement include(const EncClass& each) {
    const Expression* name = word(each.name, each.origin);
    const std::span<const Expression* const> names = tree_->keep(std::span<const Expression* const>(&name, 1));
    Statement statement = begin(Form::include, each.origin);
    statement.names = names;
    return statement;
  }

  const Expression* literal(const Value& value) {
    return make(puppet::Literal{{.node = puppet::Node::literal, .origin = value.origin()}, value});
  }

  /// The hash behind `to`. False where nothing is left of it.
  bool bind(Statement& statement, std::span<const Entry> entries) {
    std::vector<puppet::HashEntry> members;
    for (const Entry& entry : entries) {
      if (entry.value.is_null()) continue;
      // The document may outlive the result that it was made of.
      members.push_back({literal(tree_->arena().text(entry.key.text()).with_origin(entry.key.origin())),
                         literal(tree_->arena().deep_copy(entry.value).with_origin(entry.value.origin()))});
    }
    if (members.empty()) return false;
    const auto kept = tree_->keep(std::span<const puppet::HashEntry>(members));
    statement.producer.kind = Producer::Kind::expression;
    statement.producer.expression = make(puppet::Hash{{.node = puppet::Node::hash, .origin = statement.origin}, kept});
    statement.producer.origin = statement.origin;
    return true;
  }

  std::shared_ptr<puppet::SyntaxTree> tree_;
  const Enc& enc_;
};

}  // namespace

Enc read_enc(Sources& sources, SourceId source, const Limits& limits, Diagnostics& diagnostics) {
  const text::Document document = text::read_yaml(sources, source, text::psych(), limits);
  Enc enc{.arena = document.arena, .classes = {}, .variables = {}, .environment = {}, .origin = sources.at(source, 0)};
  if (!document.root || document.root.is_null()) {
    enc.arena = std::make_shared<Arena>();
    return enc;
  }
  EncReader(sources, diagnostics, enc).read(document.root);
  return enc;
}

std::shared_ptr<const Document> enc_document(const Enc& enc, EncPart parts) { return EncWriter(enc).document(parts); }

}  // namespace strata::bindings
