// SPDX-License-Identifier: Apache-2.0
// Queries for resources of other nodes: the question, the service, and what a request keeps of the answers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "puppet/evaluation/evaluator.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/value.hpp"
#include "value/once_flag.hpp"
#include "value/seeded_hash.hpp"

namespace strata::text {
class Regex;
}

namespace strata::bindings {

namespace queries {

/// The left side of a comparison.
struct Field {
  enum class Kind : std::uint8_t { title, type, certname, exported, tag, file, line, parameter };
  Kind kind = Kind::title;
  std::string name;  ///< As written, without `parameter.`.
  friend bool operator==(const Field&, const Field&) = default;
};
/// A field as written: `title` or `name`, `type`, …, otherwise a parameter. `parameter.x` is always a parameter.
[[nodiscard]] Field field_of(std::string_view written);

/// A condition with evaluated operands.
struct Condition {
  using Kind = puppet::Condition::Kind;
  using Comparison = puppet::Condition::Comparison;
  Kind kind = Kind::compare;
  std::vector<Condition> parts;  ///< For and, or, not.
  Field field;
  Comparison comparison = Comparison::equal;
  Value operand;                               ///< In an arena of the request.
  std::shared_ptr<const text::Regex> pattern;  ///< For match and not_match: the compiled operand.
  Origin origin;
};

/// One query.
struct Query {
  std::string type;                    ///< Each segment capitalised. Empty: all types.
  std::optional<Condition> condition;  ///< No value: all resources.
  Origin origin;
};

/// A resource of a service.
struct Resource {
  Value printed;  ///< `{"type", "title", "certname", "exported", "tags", "parameters"}`, each part with its origin.
  std::string_view type;
  std::string_view title;
  std::string_view certname;  ///< Empty if it has none.
  bool exported = false;
  Value tags;        ///< A sequence of texts.
  Value parameters;  ///< A mapping.
  Value file;        ///< The manifest that declares it: a text, or absent.
  Value line;        ///< An integer, or absent.
};

/// The origin of a value, for provenance.
struct ResourceOrigin {
  std::string certname;  ///< Empty if the resource has none.
  std::string type;
  std::string title;
  std::string parameter;  ///< Empty if the value is not a parameter.
};

/// Resources in order, with indexes. Immutable, except for the tables of `of_title` and `origin_of`.
class ResourceSet {
 public:
  /// `resources`: a sequence of mappings in the form of an inventory or of an answer of PuppetDB. `what`: its name in
  /// messages (`the inventory`). Printed forms are made in `arena`, which it keeps. Errors: `query.resource`,
  /// `query.duplicate`, with places.
  ResourceSet(const Sources& sources, std::shared_ptr<Arena> arena, const Value& resources, std::string_view what);

  [[nodiscard]] const std::vector<Resource>& all() const noexcept { return resources_; }
  /// Indexes of the resources of a type, in order. Null if there are none. `type`: in lower case.
  [[nodiscard]] const std::vector<std::size_t>* of_type(const std::string& type) const;
  /// Indexes of the resources with a title, of any type, in order. Null if there are none. `title`: in lower case. The
  /// first call visits all titles.
  [[nodiscard]] const std::vector<std::size_t>* of_title(const std::string& title) const;
  /// Sorts by type, title and certname.
  void sort();
  /// The resource (and parameter) from which a value with this origin was read. The first call walks all values.
  [[nodiscard]] std::optional<ResourceOrigin> origin_of(Origin origin) const;

 private:
  struct Spot {
    std::size_t resource;
    std::string_view parameter;
  };
  void index();

  std::shared_ptr<Arena> arena_;
  std::vector<Resource> resources_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_type_;
  using Positions = TextMap<std::vector<std::size_t>>;
  /// Made on demand, once for all threads.
  struct Tables {
    OnceFlag titles_made;
    Positions by_title;
    OnceFlag spots_made;
    std::unordered_map<std::uint32_t, Spot> spots;
  };
  std::unique_ptr<Tables> tables_ = std::make_unique<Tables>();
};

}  // namespace queries

/// A source of resources.
class QueryService {
 public:
  virtual ~QueryService() = default;
  /// At least all matching resources, in the order of results. The caller checks them again. The service owns them.
  /// Errors: `query.*`, for a service that cannot answer. An error is never reported as an empty set.
  [[nodiscard]] virtual const queries::ResourceSet& ask(const queries::Query& query) = 0;
  /// The parameters of a type, if the service knows them (`types:` of an inventory).
  [[nodiscard]] virtual std::optional<std::vector<std::string>> parameter_names(std::string_view type) const = 0;
  /// For explanations and messages: `the inventory nodes.yaml`.
  [[nodiscard]] virtual std::string title() const = 0;
};

namespace queries {

/// Whether a resource satisfies a condition. Throws `limit.regex`.
[[nodiscard]] bool matches(const Resource& resource, const Condition& condition, puppet::Evaluator& evaluator);
/// A condition with evaluated operands. Errors: `query.pattern`, `query.operand`, those of expressions.
[[nodiscard]] Condition evaluate(const puppet::Condition& condition, puppet::Scope& scope,
                                 puppet::Evaluator& evaluator);

/// A resource of a node that supplied a key.
struct Edge {
  ResourceOrigin from;
  std::string key;  ///< The injector's name of the key.
  friend bool operator<(const Edge& left, const Edge& right);
};

/// The queries of one request: evaluates operands, asks the service once for each distinct query, checks the answers,
/// records edges. Not thread-safe.
class Answers final : public puppet::Queries {
 public:
  /// `service`: null if there is none; queries are then the error `query.no-service`. `own_certname`: the node whose
  /// catalog is being made; its resources are never in a result; may be empty. All must outlive it. Results live in the
  /// service and in `arena`.
  Answers(QueryService* service, const Sources& sources, Arena& arena, std::string own_certname = {});

  /// A sequence of resources in their printed form. Errors: `query.no-service`, `query.pattern`, those of operands and
  /// of the service.
  [[nodiscard]] Value answer(const puppet::Query& query, puppet::Scope& scope, puppet::Evaluator& evaluator) override;
  /// All resources that a reference `Type[title]` matches: there may be several, of several nodes. `at`: where it is
  /// written. Errors: as `answer`.
  [[nodiscard]] Value find(std::string_view type, std::string_view title, Origin at);
  /// For maps. No value without a service, or if it does not know.
  [[nodiscard]] std::optional<std::vector<std::string>> parameter_names(std::string_view type) const;
  /// For a leaf of a result: the resource and the node from which it was read. No value for values from elsewhere.
  [[nodiscard]] std::optional<ResourceOrigin> origin_of(Origin origin) const;
  [[nodiscard]] bool has_service() const noexcept { return service_ != nullptr; }

  /// While it exists, answers supply this key.
  class Feeding {
   public:
    Feeding(Answers& answers, std::string key);
    ~Feeding();
    Feeding(const Feeding&) = delete;
    Feeding& operator=(const Feeding&) = delete;

   private:
    Answers& answers_;
    std::string before_;
  };
  /// Every resource in an answer for a key, without duplicates, sorted.
  [[nodiscard]] std::vector<Edge> edges() const;

 private:
  /// The resources that match, of all or of those at some indexes.
  using Positions = std::function<const std::vector<std::size_t>*(const ResourceSet&)>;
  [[nodiscard]] Value select(const Query& query, const Positions& positions,
                             const std::function<bool(const Resource&)>& takes);

  QueryService* service_;
  const Sources& sources_;
  Arena& arena_;
  std::string own_certname_;
  std::string key_;
  std::vector<Edge> edges_;
  std::vector<const ResourceSet*> asked_;
};

}  // namespace queries
}  // namespace strata::bindings
