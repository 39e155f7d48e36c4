// What steps 1 to 6 of a request come to, and what the injector is made from.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/model.hpp"
#include "bindings/request/uri.hpp"
#include "puppet/evaluation/evaluator.hpp"
#include "strata/error.hpp"
#include "strata/merge.hpp"

namespace strata::bindings {

/// The chosen environment, all paths absolute and lexically normal.
struct Environment {
  std::string name = "production";
  std::string confdir;
  std::string envdir;
  std::vector<std::string> modulepath;
  std::string manifest;  ///< Empty where there is none.
  std::string templatedir;
  std::string bindingsdir;
};

/// A category in effect or not. In order of precedence, highest first; `common` is not among them.
struct Category {
  std::string name;
  std::optional<std::string> value;  ///< As text; none: not in effect.
  Origin origin;
};

/// A source of Data keys that is asked lazily, in a layer: the hiera: scheme. Its precedence is that of common statements.
class KeySource {
 public:
  virtual ~KeySource() = default;
  /// The value of an injector key in the Data name space (`users`, `/param/Class[c]/p`, `/var/v`, `/classes`); an absent value where it has none.
  [[nodiscard]] virtual merge::Traced find(const std::string& key) = 0;
  /// All keys that it has, in the names of the injector.
  [[nodiscard]] virtual std::vector<std::string> keys() = 0;
  /// For explanations: `hiera:/hiera.yaml`.
  [[nodiscard]] virtual std::string title() const = 0;
};

/// One item of a layer, in include order: a document, or a lazily asked source.
struct LayerItem {
  std::shared_ptr<const Document> document;  ///< Null where `source` is set.
  std::shared_ptr<KeySource> source;
};

struct Layer {
  std::string name;
  Origin origin;  ///< Nowhere for default layers.
  std::vector<LayerItem> items;
};

struct Request;

/// What a layer asks of the provider of a scheme: all its URIs of that scheme.
struct LayerRequest {
  std::string layer;
  std::vector<Uri> include;  ///< In order.
  std::vector<Uri> exclude;
  Origin origin;           ///< Of the first of `include`.
  const Request& request;  ///< Environment, categories and top scope, which are known by now; its layers are not.
};

/// Provides the documents of URIs of one scheme: an extension, hiera:. Asked once a layer.
class SchemeProvider {
 public:
  virtual ~SchemeProvider() = default;
  /// What the URIs that are included and not excluded stand for; it takes the place of the first of `include`. May throw Error.
  [[nodiscard]] virtual std::vector<LayerItem> items(const LayerRequest& request) = 0;
};

/// Providers by scheme; null where there is none of it.
using SchemeProviders = std::function<SchemeProvider*(std::string_view scheme)>;

/// A parameter name list of a class or define, for maps.
using ParameterNames = std::function<std::optional<std::vector<std::string>>(const std::string& type_name)>;

/// Everything that composition needs. Immutable.
struct Request {
  std::string certname;  ///< Of the node; empty where nothing says it.
  Environment environment;
  std::vector<Category> categories;
  std::vector<Layer> layers;  ///< Highest first.
  /// Top scope: variables of site.pp, `$environment`, `$settings::…`, and behind them `variables`. A frame that has this one as its outer one and
  /// asks bound variables first and then `variables` is what expressions of bindings see.
  std::shared_ptr<puppet::Scope> scope;
  std::shared_ptr<puppet::Variables> variables;  ///< Facts, `$facts`, `$agent_environment` and variables of the ENC.
  Value facts;                                   ///< All of them; a mapping.
  Value trusted;                                 ///< The value of `$trusted` where it was given; else absent.
  bool has_enc = false;
  std::vector<Entry> enc_variables;                 ///< Of the ENC, with texts as keys.
  std::vector<std::shared_ptr<const void>> owners;  ///< Of facts, the ENC's result and site.pp: names and values of the scope point into them.
  std::shared_ptr<Arena> arena;                     ///< Owns the values of the scope.
};

}  // namespace strata::bindings
