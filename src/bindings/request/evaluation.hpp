// SPDX-License-Identifier: Apache-2.0
// State shared by the phases of a request: files, texts and values, and the evaluation of expressions before there is
// an injector.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/request.hpp"
#include "bindings/request/enc.hpp"
#include "bindings/request/facts.hpp"
#include "puppet/evaluation/evaluator.hpp"
#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/limits.hpp"
#include "strata/session.hpp"

namespace strata::bindings {

/// `inject` and related functions before injection is possible: Error `bindings.no-injection`.
class NoInjection final : public puppet::Functions {
 public:
  explicit NoInjection(const Sources& sources) : sources_(sources) {}
  [[nodiscard]] bool knows(std::string_view name) const override {
    return name == "inject" || name == "first_found" || name == "lookup";
  }
  [[nodiscard]] Value call(const puppet::FunctionCall& call, puppet::Evaluator& evaluator) override;

 private:
  const Sources& sources_;
};

/// A request that is being made.
struct Phase {
  Session& session;
  std::string confdir;
  std::string environments_file;
  /// The envdir of any environment. Empty: from environments.pp.
  std::string environment_root;
  std::string node;                ///< The node's name if the facts do not contain one. May be empty.
  std::shared_ptr<const Enc> enc;  ///< Null: none was given.
  TopVariables& variables;
  Arena& arena;
  puppet::Evaluator& evaluator;

  void warn(std::string_view code, std::string message, Origin origin, std::string hint = {}) const;
};

/// The texts of a String or an Array of Strings. No value if it is neither, or a text is empty.
[[nodiscard]] std::optional<std::vector<std::string>> texts_of(const Value& value);

}  // namespace strata::bindings
