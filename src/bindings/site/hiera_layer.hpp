// SPDX-License-Identifier: Apache-2.0
// Hiera as a layer of bindings, and `lookup` in their expressions. Rule: docs/bindings/language.md, "Hiera".
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/request.hpp"
#include "strata/hiera.hpp"
#include "strata/session.hpp"

namespace strata::site {

/// An opened configuration for one node.
class HieraSource final : public bindings::KeySource {
 public:
  /// `settings`: for all hiera layers. `config`: absolute path of a hiera.yaml. `variables_key`, `classes_key`: the
  /// keys of bound variables and classes; may be empty.
  HieraSource(Session& session, const hiera::Settings& settings, const bindings::Request& request,
              const std::string& config, std::string title, std::string variables_key, std::string classes_key);

  [[nodiscard]] merge::Traced find(const std::string& key) override;
  [[nodiscard]] std::vector<std::string> keys() override;
  [[nodiscard]] std::string title() const override { return title_; }

  /// The value of a query. Absent if nothing is found and the query has no default.
  [[nodiscard]] merge::Traced ask(const hiera::Query& query);

 private:
  [[nodiscard]] merge::Traced root(const std::string& key, std::string_view merge = {});

  std::string title_;
  std::string variables_key_;
  std::string classes_key_;
  hiera::NodeView view_;
  Arena arena_;
  std::vector<std::shared_ptr<const void>> kept_;  ///< Owners of the values found.
};

/// Provides the scheme `hiera:` and the function `lookup`, over the hiera layers of the request, or else
/// `<envdir>/hiera.yaml`.
class HieraLayers final : public bindings::SchemeProvider, public puppet::Functions {
 public:
  /// All must outlive this object.
  HieraLayers(Session& session, const hiera::Settings& settings, const bindings::Request& request)
      : session_(session), settings_(settings), request_(request) {}

  [[nodiscard]] std::vector<bindings::LayerItem> items(const bindings::LayerRequest& wanted) override;
  [[nodiscard]] bool knows(std::string_view name) const override { return name == "lookup"; }
  [[nodiscard]] Value call(const puppet::FunctionCall& call, puppet::Evaluator& evaluator) override;
  [[nodiscard]] std::vector<std::string> names() const override { return {"lookup"}; }

 private:
  Session& session_;
  const hiera::Settings& settings_;
  const bindings::Request& request_;
  std::vector<std::shared_ptr<HieraSource>> sources_;
};

}  // namespace strata::site
