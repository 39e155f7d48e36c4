// SPDX-License-Identifier: Apache-2.0
// The result of steps 1 to 6 of a request, from which the injector is made.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/model.hpp"
#include "bindings/request/uri.hpp"
#include "bindings/shared_list.hpp"
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
  std::string manifest;  ///< Empty if there is none.
  std::string templatedir;
  std::string bindingsdir;
};

/// A category. Categories are in order of precedence, highest first, without `common`.
struct Category {
  std::string name;
  std::optional<std::string> value;  ///< As text. No value: not in effect.
  Origin origin;
};

/// A source of Data keys in a layer that is asked lazily: the scheme hiera:. Its precedence is that of common
/// statements.
class KeySource {
 public:
  virtual ~KeySource() = default;
  /// The value of an injector key in the Data namespace (`users`, `/param/Class[c]/p`, `/var/v`, `/classes`). Absent if
  /// it has none.
  [[nodiscard]] virtual merge::Traced find(const std::string& key) = 0;
  /// All its keys, as injector keys.
  [[nodiscard]] virtual std::vector<std::string> keys() = 0;
  /// For explanations: `hiera:/hiera.yaml`.
  [[nodiscard]] virtual std::string title() const = 0;
};

/// What a provider has for a layer: a document, or a lazy source.
struct LayerItem {
  std::shared_ptr<const Document> document;  ///< Null if `source` is set.
  std::shared_ptr<KeySource> source;
};

using DocumentList = SharedList<std::shared_ptr<const Document>>;

/// Documents that stand next to each other in a layer, or a lazy source.
struct LayerPart {
  std::shared_ptr<const DocumentList>
      documents;  ///< Shared by requests with the same documents. Null if `source` is set.
  std::shared_ptr<KeySource> source;

  /// A list of `all`.
  [[nodiscard]] static LayerPart of(std::vector<std::shared_ptr<const Document>> all) {
    return {.documents = std::make_shared<const DocumentList>(std::move(all)), .source = nullptr};
  }
  [[nodiscard]] std::size_t size() const noexcept { return documents == nullptr ? 1 : documents->size(); }
  /// The document of one node alone (the ENC's). It has a part of its own.
  [[nodiscard]] bool is_of_node() const noexcept {
    return documents != nullptr && documents->size() == 1 && (*documents)[0]->in_node_category;
  }
};

struct Layer {
  std::string name;
  Origin origin;                 ///< Nowhere for default layers.
  std::vector<LayerPart> parts;  ///< In include order.
};

struct Request;

/// The request of a layer to the provider of a scheme: all its URIs with that scheme.
struct LayerRequest {
  std::string layer;
  std::vector<Uri> include;  ///< In order.
  std::vector<Uri> exclude;
  Origin origin;           ///< The first of `include`.
  const Request& request;  ///< Environment, categories and top scope are set; layers are not.
};

/// Provides the documents of one URI scheme: an extension, hiera:. Called once per layer.
class SchemeProvider {
 public:
  virtual ~SchemeProvider() = default;
  /// The items of URIs that are included and not excluded. They replace the first of `include`. May throw Error.
  [[nodiscard]] virtual std::vector<LayerItem> items(const LayerRequest& request) = 0;
};

/// Providers by scheme. Null if there is none.
using SchemeProviders = std::function<SchemeProvider*(std::string_view scheme)>;

/// The parameter names of a class or define, for maps.
using ParameterNames = std::function<std::optional<std::vector<std::string>>(const std::string& type_name)>;

/// The complete input of composition. Immutable.
struct Request {
  std::string certname;  ///< Of the node. Empty if unknown.
  Environment environment;
  std::vector<Category> categories;
  std::vector<Layer> layers;  ///< Highest first.
  /// Top scope: variables of site.pp, `$environment`, `$settings::…`, and after them `variables`. Expressions of
  /// bindings see a frame whose outer frame is this one, and which first looks up bound variables, then `variables`.
  std::shared_ptr<puppet::Scope> scope;
  std::shared_ptr<puppet::Variables> variables;  ///< Facts, `$facts`, `$agent_environment` and variables of the ENC.
  Value facts;                                   ///< All facts, a mapping.
  Value trusted;                                 ///< The value of `$trusted` if it was given. Absent otherwise.
  bool has_enc = false;
  std::vector<Entry> enc_variables;  ///< Of the ENC, with text keys.
  /// Own the facts, the ENC's output and site.pp: names and values of the scope point into them.
  std::vector<std::shared_ptr<const void>> owners;
  std::shared_ptr<Arena> arena;  ///< Owns the values of the scope.
};

}  // namespace strata::bindings
