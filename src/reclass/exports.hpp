// SPDX-License-Identifier: Apache-2.0
// The exports of all nodes, which queries read.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "strata/error.hpp"
#include "strata/reclass.hpp"
#include "strata/session.hpp"

namespace strata::reclass {

/// Takes the place of an export that failed.
class FailedExport final : public Object {
 public:
  /// Keeps only the code and the message of an Error: there may be as many as exports.
  FailedExport(const Diagnostic& why, bool is_missing)
      : code_(why.code), message_(why.message), is_missing_(is_missing) {}
  [[nodiscard]] Error error() const { return Error(code_, message_); }
  /// The memory that it takes, nearly.
  [[nodiscard]] std::size_t bytes() const noexcept { return sizeof(FailedExport) + code_.size() + message_.size(); }
  /// A reference in it has no target: `+IgnoreErrors` leaves the export out.
  [[nodiscard]] bool is_missing() const noexcept { return is_missing_; }
  [[nodiscard]] std::string to_string() const override { return {}; }
  [[nodiscard]] bool equals(const Object& other) const override { return this == &other; }
  [[nodiscard]] std::size_t hash() const override { return std::hash<const void*>{}(this); }

 private:
  std::string code_;
  std::string message_;
  bool is_missing_;
};
/// The first one in a value; null if there is none. `ignores_missing`: those of missing targets do not count.
[[nodiscard]] const FailedExport* failure_in(const Value& value, const Limits& limits, bool ignores_missing = false);

/// The exports of one node.
struct NodeExports {
  Value environment = {};             ///< Absent if the file of the node cannot be read.
  Value exports = {};                 ///< A mapping with FailedExport in it. Absent if the node fails.
  std::optional<Error> failure = {};  ///< Why it fails.
  bool has_failures = false;          ///< Some exports failed.
};

/// The exports of all nodes of one inventory. Immutable. Thread-safe.
class ExportIndex {
 public:
  /// Evaluates the classes and exports of each node, without queries. Small ones are kept by the Snapshot. Errors:
  /// those of node_names, and what ends the request; a node that fails does not end it. Cost: that of all nodes.
  [[nodiscard]] static std::shared_ptr<const ExportIndex> of(const Settings& settings, Session& session);

  struct Node {
    std::string name;
    NodeExports of;
  };
  /// In byte order of the names.
  [[nodiscard]] std::span<const Node> nodes() const noexcept { return nodes_; }
  /// Where the files begin that were read, each once.
  [[nodiscard]] std::span<const Origin> files() const noexcept { return files_; }

 private:
  ExportIndex(const Settings& settings, Session& session);

  Arena arena_;
  std::size_t failure_bytes_ = 0;  ///< Of each FailedExport.
  std::vector<Node> nodes_;
  std::vector<Origin> files_;
};

/// Evaluates the exports of a node. `environment` of the result is set even if an Error follows. `files`: as in
/// Request.
void evaluate_exports(const Settings& settings, const std::string& node, Session& session, NodeExports& out,
                      std::vector<Origin>& files);

/// How queries of one node find exports.
class QueryScope {
 public:
  QueryScope(const Settings& settings, Session& session, Value environment, bool has_all_environments)
      : settings_(settings),
        session_(session),
        environment_(environment),
        has_all_environments_(has_all_environments) {}

  [[nodiscard]] const ExportIndex& index() {
    if (!index_) session_.keep(index_ = ExportIndex::of(settings_, session_));
    return *index_;
  }
  [[nodiscard]] bool is_used() const noexcept { return index_ != nullptr; }
  [[nodiscard]] const Value& environment() const noexcept { return environment_; }
  /// All queries of the node read all environments.
  [[nodiscard]] bool has_all_environments() const noexcept { return has_all_environments_; }
  [[nodiscard]] const Settings& settings() const noexcept { return settings_; }

 private:
  const Settings& settings_;
  Session& session_;
  Value environment_;
  bool has_all_environments_;
  std::shared_ptr<const ExportIndex> index_;
};

/// The result of a query. `own_value(path)`: a parameter of the querying node. Values belong to `arena` or to the
/// index. Errors, at `place`: `reclass.query`, those of `own_value`.
[[nodiscard]] Value queried(const std::string& query, QueryScope& scope, Arena& arena, const Sources& sources,
                            const Limits& limits, Origin place,
                            const std::function<Value(const std::string&)>& own_value);

}  // namespace strata::reclass
