// ARM-8 bindings: from the documents of a request to an injector that answers names with values, and tells where they came from.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "strata/error.hpp"
#include "strata/merge.hpp"
#include "strata/session.hpp"
#include "strata/value.hpp"

namespace strata::puppet {
class Functions;
}

namespace strata::bindings {

struct Request;      // bindings/request.hpp
class QueryService;  // bindings/queries/service.hpp
class Registry;      // bindings/extensions/registry.hpp
struct Injection;    // bindings/injector/

/// What the nodes of a process share: documents prepared for composition, and the key tables of lists of layers, known by the identity of their
/// documents. The first node pays for them; another one costs a small part of that. Kept while it lives. Thread-safe.
class Preparations {
 public:
  Preparations();
  ~Preparations();
  Preparations(const Preparations&) = delete;
  Preparations& operator=(const Preparations&) = delete;

 private:
  friend struct Injection;
  struct State;
  std::unique_ptr<State> state_;
};

/// What an injector may use beside its request. All that is pointed at must outlive it; anything may be missing.
struct Services {
  QueryService* queries = nullptr;         ///< Resources, for queries and references; null: "no query service".
  Registry* extensions = nullptr;          ///< Producers, combinators, types and functions that extensions declared.
  puppet::Functions* functions = nullptr;  ///< Further functions of expressions (`lookup`).
  /// Parameter names of a class or a defined type, for maps; none: unknown.
  std::function<std::optional<std::vector<std::string>>(const std::string& type_name)> parameter_names = {};
  /// Reads `MODULE/PATH` for `file(…)`.
  std::function<std::optional<std::string>(std::string_view)> module_file = {};
  bool strict = false;  ///< Unknown variables and repeated keys of a hash literal are errors.
};

/// One candidate for a key, or one contribution, as explanations tell of it.
struct StatementReport {
  std::string layer;
  std::string document;   ///< `m::default`; of a source its title (`hiera:/hiera.yaml`).
  std::string category;   ///< The category path in effect, or the one asked for where it is not: `node 'kermit' and virtual 'true'`; `common`.
  std::string statement;  ///< The kind of statement: `bind`, `multibind`, `alias`, ….
  Origin origin;          ///< Of the statement.
  std::string reason;     ///< Why it is not the winner: `lower layer`, `category not in effect: node 'x' (is 'y')`; empty: it is, or contributes.
  std::string via;        ///< Where its value came through: `alias of 'a'`, `map of Web to Sql`; empty: its own.
  std::optional<std::string> name;  ///< Of a contribution.
  bool in_history = false;          ///< The history of the value tells of it as well.
};

/// A resource of another node that fed a binding.
struct ResourceEdge {
  std::string certname;  ///< Empty where the resource has none.
  std::string type;
  std::string title;
  std::string parameter;  ///< Empty where all of the resource was taken.
  std::string key;        ///< In source form: `'databases'`, `parameter 'user' of class web`.
};

/// Why a key has its value.
struct Explanation {
  std::string key;  ///< In source form: `parameter 'enable' of class ntp`.
  std::optional<StatementReport> winner;
  std::vector<StatementReport> shadowed;                     ///< In rank order, those not in effect last.
  std::vector<StatementReport> contributions;                ///< Of a multibind or a list, in the order in which they were taken.
  std::vector<std::pair<std::string, std::string>> options;  ///< Name and value, as written.
  merge::Traced value;                                       ///< Absent where it could not be produced: then `problem` says why.
  std::optional<Diagnostic> problem;
};

/// What `bindings check` tells.
struct Findings {
  struct Layer {
    std::string name;
    std::vector<std::string> documents;
  };
  std::string environment;
  std::string manifest;  ///< Empty where there is none.
  std::vector<Layer> layers;
  std::vector<Diagnostic> errors;
  std::vector<Diagnostic> warnings;
};

/// Answers names with values, for one request. Everything static is checked when it is made. Producers run when they are first asked for, and
/// their results are kept. Not thread-safe: one a request; any number of them may share Preparations and documents.
///
/// Cost of making one: the in-effect statements of its documents, with tables of one byte to a few a statement; of a lookup that was made before: a
/// hash and a compare.
class Injector {
 public:
  /// Composes: settles which statements are in effect, and checks them. `session` must outlive the injector; warnings go to its diagnostics.
  /// Errors: all findings of one phase at once, as Errors: `bindings.*`, `puppet.*`, `limit.*`.
  /// Rule: docs/bindings/language.md, "Which binding counts".
  Injector(Preparations& shared, std::shared_ptr<const Request> request, const Services& services, Session& session);
  ~Injector();
  Injector(const Injector&) = delete;
  Injector& operator=(const Injector&) = delete;

  /// The value of (Data, `name`), two-way class parameter names included. Absent where nothing is bound. Values live as long as the injector.
  /// Errors: those of producers (`bindings.loop`, `bindings.type`, `bindings.no-value`, …).
  [[nodiscard]] merge::Traced find(std::string_view name);
  /// The value of (`type`, `name`); `type` as written in a document (`Array[String]`), `name` may be empty.
  [[nodiscard]] merge::Traced find(std::string_view type, std::string_view name);
  /// The same, where nothing bound is the Error `bindings.not-bound`, with near names and what is not in effect.
  [[nodiscard]] merge::Traced inject(std::string_view name);
  [[nodiscard]] merge::Traced inject(std::string_view type, std::string_view name);

  /// Every effective binding by name, sorted; what is no Data as its reference text.
  [[nodiscard]] merge::Traced all();
  /// The effective class list; empty where nothing was included.
  [[nodiscard]] merge::Traced classes();
  /// Which Data names (`ntp::servers`) are taken for parameters of a class; null: all of its name space.
  using IsParameter = std::function<bool(std::string_view name)>;
  /// The bound parameters of `class ntp`, `Class[ntp]`, `Web`, `Web[one]`. Error `bindings.reference` where it is none.
  [[nodiscard]] merge::Traced parameters(std::string_view reference, const IsParameter& is_parameter = {});
  /// The bound top-scope variables.
  [[nodiscard]] merge::Traced variables();

  /// The resources of other nodes that what was asked for so far came from, each once, sorted.
  [[nodiscard]] std::vector<ResourceEdge> edges() const;

  /// Why a key has its value. `type` may be empty: Data. `fallback`: what stands where nothing is bound. Error `bindings.not-bound`.
  /// Its value has a history where the session keeps one.
  [[nodiscard]] Explanation explain(std::string_view type, std::string_view name, const Value& fallback = {});

  /// Forces every producer and multibind, and adds the static checks: findings with places, sorted by them. Never throws for bad input.
  [[nodiscard]] Findings check();

  /// What made a layer of the history, for `document`, `category`, `statement` and `via` of machine output; null pointer where it was no statement.
  [[nodiscard]] const StatementReport* told(merge::LayerId layer) const noexcept;

 private:
  std::unique_ptr<Injection> parts_;
};

/// `bindings check` as a whole: what the making of the injector finds is among the findings.
/// Nothing is told to the diagnostics of `session`.
[[nodiscard]] Findings check(Preparations& shared, std::shared_ptr<const Request> request, const Services& services, Session& session);

/// An explanation for people; ends with a newline. Secrets are stars.
[[nodiscard]] std::string explanation_text(const Sources& sources, const Explanation& explanation);
/// The histories of the leaves of a result at or below a path (a JSON Pointer), in each of which a statement stands once.
[[nodiscard]] std::vector<merge::PathHistory> explanation_paths(const merge::History& history, const Injector& injector, const merge::Traced& result,
                                                                std::string_view prefix = {});
/// In the shape that all commands share: a sequence of `{path, value, history: [{layer, file, line, column, fate, value}]}`; each history entry has
/// the further members document, category, statement and, where there are such, name, via and reason. Candidates and contributions that have no
/// value stand with the empty path.
[[nodiscard]] Value explanation_data(Arena& arena, const Sources& sources, const merge::History& history, const Injector& injector,
                                     const Explanation& explanation, std::string_view prefix = {});
/// The same shape for any result of the injector.
[[nodiscard]] Value explanation_data(Arena& arena, const Sources& sources, const merge::History& history, const Injector& injector,
                                     const merge::Traced& result, std::string_view prefix = {});

}  // namespace strata::bindings
