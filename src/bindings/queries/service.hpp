// Queries for resources of other nodes: what is asked, who answers, and what a request keeps of the answers.
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
#include "value/seeded_hash.hpp"

namespace strata::text {
class Regex;
}

namespace strata::bindings {

namespace queries {

/// What a comparison looks at.
struct Field {
  enum class Kind : std::uint8_t { title, type, certname, exported, tag, file, line, parameter };
  Kind kind = Kind::title;
  std::string name;  ///< As written, without `parameter.`.
  friend bool operator==(const Field&, const Field&) = default;
};
/// A field as it is written: `title` or `name`, `type`, …, else a parameter; `parameter.x` is always one.
[[nodiscard]] Field field_of(std::string_view written);

/// A condition whose operands are evaluated.
struct Condition {
  using Kind = puppet::Condition::Kind;
  using Comparison = puppet::Condition::Comparison;
  Kind kind = Kind::compare;
  std::vector<Condition> parts;  ///< Of and, or, not.
  Field field;
  Comparison comparison = Comparison::equal;
  Value operand;                               ///< In an arena of the request.
  std::shared_ptr<const text::Regex> pattern;  ///< Of match and not_match: the operand, compiled.
  Origin origin;
};

/// One question.
struct Query {
  std::string type;                    ///< Each segment capitalised; empty: all types.
  std::optional<Condition> condition;  ///< None: all resources.
  Origin origin;
};

/// A resource as services hold it.
struct Resource {
  Value printed;  ///< `{"type", "title", "certname", "exported", "tags", "parameters"}`, each part with its origin.
  std::string_view type;
  std::string_view title;
  std::string_view certname;  ///< Empty where it has none.
  bool exported = false;
  Value tags;        ///< A sequence of texts.
  Value parameters;  ///< A mapping.
  Value file;        ///< The manifest that it stands in: a text, or absent.
  Value line;        ///< An integer, or absent.
};

/// Where a value came from, as provenance records it.
struct ResourceOrigin {
  std::string certname;  ///< Empty where the resource has none.
  std::string type;
  std::string title;
  std::string parameter;  ///< Empty for what is no parameter.
};

/// Resources in their order, with what finds them. Immutable once it was made, but for the tables of `of_title` and `origin_of`.
class ResourceSet {
 public:
  /// `resources`: a sequence of mappings in the form of an inventory or of an answer of PuppetDB; `what`: how messages name it (`the inventory`).
  /// Printed forms are made in `arena`, which it keeps. Errors: `query.resource`, `query.duplicate`, with places.
  ResourceSet(const Sources& sources, std::shared_ptr<Arena> arena, const Value& resources, std::string_view what);

  [[nodiscard]] const std::vector<Resource>& all() const noexcept { return resources_; }
  /// Positions of the resources of a type, in order; null where there are none. `type`: letters in lower case.
  [[nodiscard]] const std::vector<std::size_t>* of_type(const std::string& type) const;
  /// Positions of the resources with a title, in order, whatever their type; null where there are none. `title`: letters in lower case. The first
  /// call looks at all titles.
  [[nodiscard]] const std::vector<std::size_t>* of_title(const std::string& title) const;
  /// By type, title and certname, instead of the order that they came in.
  void sort();
  /// The resource (and parameter) that a value with this origin was read from. The first call walks all values.
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
  /// Made when somebody asks, once for all threads.
  struct Tables {
    std::once_flag titles_made;
    Positions by_title;
    std::once_flag spots_made;
    std::unordered_map<std::uint32_t, Spot> spots;
  };
  std::unique_ptr<Tables> tables_ = std::make_unique<Tables>();
};

}  // namespace queries

/// Where resources come from.
class QueryService {
 public:
  virtual ~QueryService() = default;
  /// At least all resources that match, in the order in which results show them; who asked checks again. Owned by the service.
  /// Errors: `query.*`, of a service that cannot answer; never an empty set instead.
  [[nodiscard]] virtual const queries::ResourceSet& ask(const queries::Query& query) = 0;
  /// What parameters a type has, where the service knows it (`types:` of an inventory).
  [[nodiscard]] virtual std::optional<std::vector<std::string>> parameter_names(std::string_view type) const = 0;
  /// For explanations and messages: `the inventory nodes.yaml`.
  [[nodiscard]] virtual std::string title() const = 0;
};

namespace queries {

/// Whether a resource meets a condition. Throws `limit.regex`.
[[nodiscard]] bool matches(const Resource& resource, const Condition& condition, puppet::Evaluator& evaluator);
/// A condition with its operands evaluated. Errors: `query.pattern`, `query.operand`, those of expressions.
[[nodiscard]] Condition evaluate(const puppet::Condition& condition, puppet::Scope& scope, puppet::Evaluator& evaluator);

/// A resource of a node that fed a key.
struct Edge {
  ResourceOrigin from;
  std::string key;  ///< As the injector names it.
  friend bool operator<(const Edge& left, const Edge& right);
};

/// What one request asks: evaluates operands, asks the service once for each distinct query, checks again, records edges. Not thread-safe.
class Answers final : public puppet::Queries {
 public:
  /// `service`: null where there is none; then questions are the error `query.no-service`. `own_certname`: the node whose catalog is being made,
  /// whose resources are never in a result; may be empty. All must outlive it; results live in the service and in `arena`.
  Answers(QueryService* service, const Sources& sources, Arena& arena, std::string own_certname = {});

  /// A sequence of resources in their printed form. Errors: `query.no-service`, `query.pattern`, those of operands and of the service.
  [[nodiscard]] Value answer(const puppet::Query& query, puppet::Scope& scope, puppet::Evaluator& evaluator) override;
  /// All resources that a reference `Type[title]` means: of several nodes, several. `at`: where it is written.
  /// Errors as those of `answer`.
  [[nodiscard]] Value find(std::string_view type, std::string_view title, Origin at);
  /// For maps; none where there is no service, or it does not know.
  [[nodiscard]] std::optional<std::vector<std::string>> parameter_names(std::string_view type) const;
  /// For a leaf of a result: which resource of which node it was read from; none for values that came from elsewhere.
  [[nodiscard]] std::optional<ResourceOrigin> origin_of(Origin origin) const;
  [[nodiscard]] bool has_service() const noexcept { return service_ != nullptr; }

  /// While it lives, what is answered feeds this key.
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
  /// Every resource that was in an answer while a key was fed, each once, sorted.
  [[nodiscard]] std::vector<Edge> edges() const;

 private:
  /// Those that are taken, of all or of those at some positions.
  using Positions = std::function<const std::vector<std::size_t>*(const ResourceSet&)>;
  [[nodiscard]] Value select(const Query& query, const Positions& positions, const std::function<bool(const Resource&)>& takes);

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
