// What the phases of a request share: where files, texts and values are, and the evaluation of expressions before there is an injector.
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

/// `inject` and its like, where there is no injection yet: Error `bindings.no-injection`.
class NoInjection final : public puppet::Functions {
 public:
  explicit NoInjection(const Sources& sources) : sources_(sources) {}
  [[nodiscard]] bool knows(std::string_view name) const override { return name == "inject" || name == "first_found" || name == "lookup"; }
  [[nodiscard]] Value call(const puppet::FunctionCall& call, puppet::Evaluator& evaluator) override;

 private:
  const Sources& sources_;
};

/// One request while it is made.
struct Phase {
  Session& session;
  std::string confdir;
  std::string environments_file;
  std::string environment_root;    ///< The envdir of the environment, whichever is chosen; empty: what environments.pp says.
  std::string node;                ///< What the node is called where its facts do not say it; may be empty.
  std::shared_ptr<const Enc> enc;  ///< Null: none was given.
  TopVariables& variables;
  Arena& arena;
  puppet::Evaluator& evaluator;

  void warn(std::string code, std::string message, Origin origin, std::string hint = {}) const;
};

/// The texts of a String or an Array of Strings. None where the value is neither, or a text is empty.
[[nodiscard]] std::optional<std::vector<std::string>> texts_of(const Value& value);

}  // namespace strata::bindings
