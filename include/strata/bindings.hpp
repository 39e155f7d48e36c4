// ARM-8 bindings: turns the documents of a request into an injector that gives values for names and reports where they came from.
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

/// State that the nodes of a process share: documents prepared for composition, and up to 32 plans. A plan indexes the statements of one list of
/// documents; it is found again by the identity of those documents. The first node with a list of documents pays for its plan. If few documents of a
/// list have changed since an earlier plan, the new plan takes over the rest. Thread-safe.
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

/// What an injector may use besides its request. Every pointer may be null; what it points to must outlive the injector.
struct Services {
  QueryService* queries = nullptr;         ///< Resources for queries and references. Null: "no query service".
  Registry* extensions = nullptr;          ///< Producers, combinators, types and functions that extensions declare.
  puppet::Functions* functions = nullptr;  ///< More functions for expressions (`lookup`).
  /// The parameter names of a class or a defined type, for maps. No value: unknown.
  std::function<std::optional<std::vector<std::string>>(const std::string& type_name)> parameter_names = {};
  /// Reads `MODULE/PATH` for `file(…)`.
  std::function<std::optional<std::string>(std::string_view)> module_file = {};
  bool strict = false;  ///< Unknown variables and duplicate keys in a hash literal are errors.
};

/// One candidate for a key, or one contribution, for explanations.
struct StatementReport {
  std::string layer;
  std::string document;  ///< `m::default`. For a source: its title (`hiera:/hiera.yaml`).
  /// The category path in effect: `node 'kermit' and virtual 'true'`; `common`. If none is in effect: the one that the statement asks for.
  std::string category;
  std::string statement;  ///< The kind of statement: `bind`, `multibind`, `alias`, ….
  Origin origin;          ///< Where the statement was written.
  /// Why it did not win: `lower layer`, `category not in effect: node 'x' (is 'y')`. Empty if it won or contributes.
  std::string reason;
  std::string via;                  ///< How its value was reached: `alias of 'a'`, `map of Web to Sql`. Empty: directly.
  std::optional<std::string> name;  ///< The name of a contribution.
  bool in_history = false;          ///< The history of the value reports it too.
};

/// A resource of another node that supplied a value.
struct ResourceEdge {
  std::string certname;  ///< Empty if the resource has none.
  std::string type;
  std::string title;
  std::string parameter;  ///< Empty if the whole resource was used.
  std::string key;        ///< As a document writes it: `'databases'`, `parameter 'user' of class web`.
};

/// Why a key has its value.
struct Explanation {
  std::string key;  ///< As a document writes it: `parameter 'enable' of class ntp`.
  std::optional<StatementReport> winner;
  std::vector<StatementReport> shadowed;                     ///< By rank; candidates that are not in effect come last.
  std::vector<StatementReport> contributions;                ///< For a multibind or a list, in the order in which they are used.
  std::vector<std::pair<std::string, std::string>> options;  ///< Name and value, as written.
  merge::Traced value;                                       ///< Absent if it could not be produced; `problem` then says why.
  std::optional<Diagnostic> problem;
};

/// The result of `bindings check`.
struct Findings {
  struct Layer {
    std::string name;
    std::vector<std::string> documents;
  };
  std::string environment;
  std::string manifest;  ///< Empty if there is none.
  std::vector<Layer> layers;
  std::vector<Diagnostic> errors;
  std::vector<Diagnostic> warnings;
};

/// Gives values for names, for one request. The constructor does all static checks. A producer runs when its value is first asked for; the result is
/// kept. Not thread-safe: use one injector per request. Any number of injectors may share Preparations and documents.
///
/// Cost of construction, once Preparations know the documents: the `when` blocks, the keys that can have conflicts, and the statements that only this
/// node can evaluate. Plain keys cost nothing until they are asked for. Cost of a lookup that was made before: one hash and one comparison.
class Injector {
 public:
  /// Composes the documents: finds the statements in effect and checks them. `session` must outlive the injector; it receives the warnings.
  /// Errors: `bindings.*`, `puppet.*`, `limit.*`. All errors of one phase are thrown together, as Errors.
  /// Rule: docs/bindings/language.md, "Which binding counts".
  Injector(Preparations& shared, std::shared_ptr<const Request> request, const Services& services, Session& session);
  ~Injector();
  Injector(const Injector&) = delete;
  Injector& operator=(const Injector&) = delete;

  /// The value of (Data, `name`), including both forms of class parameter names. Absent if nothing is bound. Values live as long as the injector.
  /// Errors: those of producers (`bindings.loop`, `bindings.type`, `bindings.no-value`, …).
  [[nodiscard]] merge::Traced find(std::string_view name);
  /// The value of (`type`, `name`). `type` is written as in a document (`Array[String]`); `name` may be empty.
  [[nodiscard]] merge::Traced find(std::string_view type, std::string_view name);
  /// As find, but throws Error `bindings.not-bound` if nothing is bound. The error lists similar names and bindings that are not in effect.
  [[nodiscard]] merge::Traced inject(std::string_view name);
  [[nodiscard]] merge::Traced inject(std::string_view type, std::string_view name);

  /// All effective bindings by name, sorted. A value that is not Data is given as its reference text.
  [[nodiscard]] merge::Traced all();
  /// The effective class list. Empty if no class is included.
  [[nodiscard]] merge::Traced classes();
  /// Decides which Data names (`ntp::servers`) are parameters of a class. Null: every name in the namespace of the class.
  using IsParameter = std::function<bool(std::string_view name)>;
  /// The bound parameters of `class ntp`, `Class[ntp]`, `Web`, `Web[one]`. Error `bindings.reference` for any other text.
  [[nodiscard]] merge::Traced parameters(std::string_view reference, const IsParameter& is_parameter = {});
  /// The bound top-scope variables.
  [[nodiscard]] merge::Traced variables();

  /// The resources of other nodes that supplied values so far, sorted and without duplicates.
  [[nodiscard]] std::vector<ResourceEdge> edges() const;

  /// Why a key has its value. An empty `type` means Data. `fallback` is the value if nothing is bound. Error `bindings.not-bound`.
  /// The value has a history if the session keeps one.
  [[nodiscard]] Explanation explain(std::string_view type, std::string_view name, const Value& fallback = {});

  /// Runs every producer and multibind and adds the static checks. Findings are sorted by place. Throws only errors that end the request
  /// (Error::ends_request).
  [[nodiscard]] Findings check();

  /// The statement behind a layer of the history, for `document`, `category`, `statement` and `via` in machine output. Null if the layer is not a
  /// statement.
  [[nodiscard]] const StatementReport* told(merge::LayerId layer) const noexcept;

 private:
  std::unique_ptr<Injection> parts_;
};

/// The whole of `bindings check`: findings include what the construction of the injector finds. The diagnostics of `session` receive nothing.
/// Throws only errors that end the request.
[[nodiscard]] Findings check(Preparations& shared, std::shared_ptr<const Request> request, const Services& services, Session& session);

/// An explanation for people. Ends with a newline; secrets are masked.
[[nodiscard]] std::string explanation_text(const Sources& sources, const Explanation& explanation);
/// The histories of the leaves of a result at or below a path (a JSON Pointer). Each history lists a statement once.
[[nodiscard]] std::vector<merge::PathHistory> explanation_paths(const merge::History& history, const Injector& injector, const merge::Traced& result,
                                                                std::string_view prefix = {});
/// An explanation in the format of all commands: a sequence of `{path, value, history: [{layer, file, line, column, fate, value}]}`. Each history
/// entry also has document, category and statement, and name, via and reason if known. Candidates and contributions without a value have an empty
/// path.
[[nodiscard]] Value explanation_data(Arena& arena, const Sources& sources, const merge::History& history, const Injector& injector,
                                     const Explanation& explanation, std::string_view prefix = {});
/// The same format for any result of the injector.
[[nodiscard]] Value explanation_data(Arena& arena, const Sources& sources, const merge::History& history, const Injector& injector,
                                     const merge::Traced& result, std::string_view prefix = {});

}  // namespace strata::bindings
