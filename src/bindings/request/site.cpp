// SPDX-License-Identifier: Apache-2.0
#include "bindings/request/site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bindings/problems.hpp"
#include "bindings/request/inputs.hpp"
#include "puppet/characters.hpp"
#include "puppet/evaluation/operations.hpp"
#include "puppet/quote.hpp"

namespace strata::bindings {
namespace {

class SiteEvaluation {
 public:
  SiteEvaluation(const Phase& phase, const Environment& environment, puppet::Scope& scope)
      : phase_(phase), environment_(environment), scope_(scope) {}

  Site run(const SiteFile* file) {
    bool has_layers = false;
    if (file != nullptr) {
      for (const SiteItem& item : file->items) {
        problems_.guard([&] {
          switch (item.kind) {
            case SiteItem::Kind::statement:
              (void)phase_.evaluator.evaluate(*item.statement, scope_);
              break;
            case SiteItem::Kind::categories:
              categories(item.categories);
              break;
            case SiteItem::Kind::layers:
              has_layers = true;
              layers(item.layers);
              break;
          }
        });
      }
    }
    add_missing_categories();
    if (!has_layers) add_default_layers();
    problems_.raise();
    return std::move(site_);
  }

 private:
  // Categories.

  void categories(std::span<const CategoryEntry> entries) {
    for (const CategoryEntry& entry : entries) problems_.guard([&] { category(entry); });
  }

  void category(const CategoryEntry& entry) {
    if (auto fault = category_fault(entry.name, site_.categories)) {
      fault->at(phase_.session.sources(), entry.origin);
      const auto same = std::ranges::find(site_.categories, entry.name, &Category::name);
      if (same != site_.categories.end())
        fault->note(phase_.session.sources(), same->origin, "it is listed here first");
      throw Error(*std::move(fault));
    }
    Category category{.name = std::string(entry.name), .value = {}, .origin = entry.origin};
    if (entry.name == "node" &&
        std::ranges::find(site_.categories, "environment", &Category::name) != site_.categories.end()) {
      problems_.add(Error("category.order", "the category 'node' must not be below 'environment'")
                        .at(phase_.session.sources(), entry.origin));
    }
    // It is listed even if its value is wrong, so that nothing else is said of its absence.
    site_.categories.push_back(category);
    const Value value = phase_.evaluator.evaluate(*entry.value, scope_);
    if (entry.name == "environment") {
      if (value.kind() != Kind::boolean || !value.as_boolean()) {
        throw Error("category.environment",
                    "the category 'environment' only takes the value true: its value is that of $environment")
            .at(phase_.session.sources(), entry.origin);
      }
      site_.categories.back().value = environment_.name;
      return;
    }
    site_.categories.back().value = text_of(entry, value);
  }

  [[nodiscard]] std::optional<std::string> text_of(const CategoryEntry& entry, const Value& value) const {
    switch (value.kind()) {
      case Kind::null:
        return std::nullopt;
      case Kind::text:
        return value.text().empty() ? std::nullopt : std::optional<std::string>(value.text());
      case Kind::boolean:
      case Kind::integer:
      case Kind::big_integer:
      case Kind::floating:
        return puppet::text_of(value, phase_.evaluator);
      default:
        throw Error(
            "category.value",
            fmt::format("the value of category '{}' must be a text, a number, a boolean or undef, not {}", entry.name,
                        value.kind() == Kind::object ? puppet::kind_of(value) : std::string(describe(value.kind()))))
            .at(phase_.session.sources(), entry.origin);
    }
  }

  void add_missing_categories() {
    std::vector<Category>& all = site_.categories;
    if (std::ranges::find(all, "node", &Category::name) == all.end()) {
      std::string node = default_node();
      all.insert(all.begin(),
                 {.name = "node", .value = node.empty() ? std::nullopt : std::optional(std::move(node)), .origin = {}});
    }
    if (std::ranges::find(all, "environment", &Category::name) == all.end()) {
      all.push_back({.name = "environment", .value = environment_.name, .origin = {}});
    }
  }

  /// `$::fqdn`, else `$facts['networking']['fqdn']`, else `$::clientcert`, else the name that was given. An ENC may
  /// have set the variables.
  [[nodiscard]] std::string default_node() const {
    const auto text = [](const Value& value) { return value.is_text() ? std::string(value.text()) : std::string(); };
    std::string name = text(phase_.variables.find("fqdn", phase_.evaluator));
    if (name.empty()) name = first_text(phase_.variables.find("facts", phase_.evaluator), {"networking.fqdn"});
    if (name.empty()) name = text(phase_.variables.find("clientcert", phase_.evaluator));
    return name.empty() ? phase_.node : name;
  }

  // Layers.

  void layers(std::span<const LayerEntry> entries) {
    for (const LayerEntry& entry : entries) problems_.guard([&] { layer(entry); });
  }

  void layer(const LayerEntry& entry) {
    const Value name = phase_.evaluator.evaluate(*entry.name, scope_);
    if (!name.is_text() || name.text().empty()) {
      throw Error("layer.name", "the name of a layer must be a text that is not empty")
          .at(phase_.session.sources(), entry.origin);
    }
    LayerDeclaration layer{.name = std::string(name.text()), .include = {}, .exclude = {}, .origin = entry.origin};
    const auto same = std::ranges::find(site_.layers, layer.name, &LayerDeclaration::name);
    if (same != site_.layers.end()) {
      throw Error("layer.duplicate", fmt::format("there are two layers called {}", puppet::quote(layer.name)))
          .at(phase_.session.sources(), entry.origin)
          .note(phase_.session.sources(), same->origin, "the first one is here");
    }
    if (entry.include == nullptr) {
      phase_.warn("layer.empty", fmt::format("layer {} includes nothing", puppet::quote(layer.name)), entry.origin,
                  "write include => 'confdir:/NAME' for example");
    }
    layer.include = uris(layer.name, "include", entry.include);
    layer.exclude = uris(layer.name, "exclude", entry.exclude);
    site_.layers.push_back(std::move(layer));
  }

  std::vector<Uri> uris(std::string_view layer, std::string_view attribute, const Expression* written) {
    std::vector<Uri> out;
    if (written == nullptr) return out;
    const Value value = phase_.evaluator.evaluate(*written, scope_);
    const auto texts = texts_of(value);
    if (!texts) {
      throw Error("layer.uri",
                  fmt::format("'{}' of layer {} must be an URI or a list of URIs: texts that are not empty", attribute,
                              puppet::quote(layer)))
          .at(phase_.session.sources(), written->origin);
    }
    for (std::size_t i = 0; i < texts->size(); ++i) {
      const Origin item = value.is_sequence() ? value.items()[i].origin() : value.origin();
      problems_.guard([&] {
        out.push_back(parse_uri(phase_.session.sources(), layer, (*texts)[i], item ? item : written->origin));
      });
    }
    return out;
  }

  void add_default_layers() {
    add_default_layer("site", "confdir:/default?optional");
    if (phase_.enc != nullptr) add_default_layer("enc", "enc:");
    add_default_layer("modules", "module:/*::default");
  }

  void add_default_layer(const std::string& name, std::string_view uri) {
    LayerDeclaration& layer = site_.layers.emplace_back();
    layer.name = name;
    layer.include.push_back(parse_uri(phase_.session.sources(), name, uri, {}));
  }

  const Phase& phase_;
  const Environment& environment_;
  puppet::Scope& scope_;
  Problems problems_;
  Site site_;
};

}  // namespace

Site evaluate_site(const Phase& phase, const SiteFile* file, const Environment& environment, puppet::Scope& scope) {
  return SiteEvaluation(phase, environment, scope).run(file);
}

}  // namespace strata::bindings
