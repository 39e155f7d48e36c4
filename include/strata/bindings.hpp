// SPDX-License-Identifier: Apache-2.0
// ARM-8 bindings: turns documents into an injector that gives values for names and reports where they came from.
//
//     const std::vector<LayerTexts> layers{{"site", {{"site.pp", "bindings site { bind 'motd' to \"this is
//     ${hostname}\" }"}}}}; Preparations shared; Injector injector(shared, {.documents = LayeredDocuments(layers,
//     session), .facts = NamedText{"facts.yaml", "hostname: web01"}}, session); injector.inject("motd").value;
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "strata/error.hpp"
#include "strata/merge.hpp"
#include "strata/named_text.hpp"
#include "strata/session.hpp"
#include "strata/value.hpp"

namespace strata::query {
struct Traits;
}

namespace strata::bindings {

struct Injection;  // bindings/injector/

/// State that the nodes of a process share: documents prepared for composition, and up to 32 plans. A plan indexes the
/// statements of one list of documents; it is found again by the identity of those documents. The first node with a
/// list of documents pays for its plan. If few documents of a list have changed since an earlier plan, the new plan
/// takes over the rest. Thread-safe.
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

/// A layer: its documents in order. Order decides nothing between bindings; it is that of lists and messages.
struct LayerTexts {
  std::string name;                  ///< For messages and explanations. Each layer has another one.
  std::vector<NamedText> documents;  ///< One `bindings NAME { … }` each.
};

/// Documents in layers, parsed from texts. Immutable and cheap to copy. Any number of injectors, in any threads, may
/// share one.
class LayeredDocuments {
 public:
  /// No layers.
  LayeredDocuments() = default;
  /// Parses all texts. `layers`: highest first. Uses the limits of `session` and the locations of its Engine, and
  /// nothing else of it. Errors: `layer.name`, `layer.duplicate`, `puppet.syntax`, `bindings.form`, `limit.*`, at their
  /// places in the texts. Thrown together as Errors.
  LayeredDocuments(std::span<const LayerTexts> layers, Session& session);

  struct State;  ///< Internal.
  [[nodiscard]] const std::shared_ptr<const State>& state() const noexcept { return state_; }

 private:
  std::shared_ptr<const State> state_;
};

/// A category and its value for a node.
struct CategoryValue {
  std::string name;                  ///< A lower-case letter, then letters, digits and `_`. Not `common`.
  std::optional<std::string> value;  ///< No value, or an empty one: not in effect.
};

/// What an injector is made of: documents, and what is known of a node. Nothing else is read: no files, no Hiera, no
/// ENC, no extensions.
struct InjectorInputs {
  LayeredDocuments documents = {};
  std::vector<CategoryValue> categories = {};  ///< The highest precedence first. `common` is below all of them.
  /// The facts: nothing, a text (YAML; JSON if its name ends in `.json`), or a mapping, which must outlive the
  /// injector.
  std::variant<std::monostate, NamedText, Value> facts = {};
  /// Top-scope variables by name, a mapping, which must outlive the injector. They replace facts of the same name.
  /// Absent: none.
  Value variables = {};
  std::string certname = {};               ///< The name of the node. Empty: from its facts.
  std::string environment = "production";  ///< The value of `$environment`.
  bool strict = false;                     ///< Unknown variables and duplicate keys in a hash literal are errors.
};

/// One candidate for a key, or one contribution, for explanations.
struct StatementReport {
  std::string layer;
  std::string document;  ///< `m::default`. For a source: its title (`hiera:/hiera.yaml`).
  /// The category path in effect: `node 'kermit' and virtual 'true'`; `common`. If none is in effect: the one that the
  /// statement asks for.
  std::string category;
  std::string statement;  ///< The kind of statement: `bind`, `multibind`, `alias`, ….
  Origin origin;          ///< Where the statement was written.
  /// Why it did not win: `lower layer`, `category not in effect: node 'x' (is 'y')`. Empty if it won or contributes.
  std::string reason;
  std::string via;  ///< How its value was reached: `alias of 'a'`, `map of Web to Sql`. Empty: directly.
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
  std::vector<StatementReport> shadowed;       ///< By rank; candidates that are not in effect come last.
  std::vector<StatementReport> contributions;  ///< For a multibind or a list, in the order in which they are used.
  std::vector<std::pair<std::string, std::string>> options;  ///< Name and value, as written.
  merge::Traced value;  ///< Absent if it could not be produced; `problem` then says why.
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

/// Which statements of documents count for the nodes whose injectors were made with it. Not thread-safe. Documents of
/// one node alone (the ENC's) are left out.
class Usage {
 public:
  /// A condition of a `when`: a category and the value that it asks for, as written.
  using Condition = std::pair<std::string, std::string>;
  struct Statement {
    enum class Kind : std::uint8_t {
      binding,   ///< Used where it is the effective one, or what that one is made of.
      abstract,  ///< Used where another one binds its key.
      when,      ///< Used where it is fulfilled. Listed once what is around it is.
    };
    Kind kind = Kind::binding;
    Excerpt where;
    bool is_used = false;
    Excerpt rival = {};                      ///< Of a binding: the one that was effective instead. Empty: none.
    std::vector<Condition> conditions = {};  ///< Of a `when`: those with constant values.
  };

  Usage();
  ~Usage();
  Usage(const Usage&) = delete;
  Usage& operator=(const Usage&) = delete;

  /// The statements that are new since the last call, and those that were not used until then.
  [[nodiscard]] std::vector<Statement> take();
  /// The value of a category on the last node. No value: it has none.
  [[nodiscard]] std::optional<std::string> value(std::string_view category) const;

 private:
  friend struct Injection;
  struct State;
  std::unique_ptr<State> state_;
};

/// Gives values for names, for one request. The constructor does all static checks. A producer runs when its value is
/// first asked for; the result is kept. Not thread-safe: use one injector per request. Any number of injectors may
/// share Preparations and documents.
///
/// Cost of construction, once Preparations know the documents: the `when` blocks, the keys that can have conflicts, and
/// the statements that only this node can evaluate. Plain keys cost nothing until they are asked for. Cost of a lookup
/// that was made before: one hash and one comparison.
class Injector {
 public:
  /// Composes the documents: finds the statements in effect and checks them. `session` must outlive the injector; it
  /// receives the warnings. Errors: `bindings.*`, `category.*`, `facts.*`, `puppet.*`, `limit.*`. All errors of one
  /// phase are thrown together, as Errors. Rule: docs/bindings/language.md, "Which binding counts".
  Injector(Preparations& shared, const InjectorInputs& inputs, Session& session);
  /// Internal: of parts that strata made. A `site::Node` gives the injector of a whole site.
  explicit Injector(std::unique_ptr<Injection> parts);
  ~Injector();
  Injector(const Injector&) = delete;
  Injector& operator=(const Injector&) = delete;

  /// The value of (Data, `name`), including both forms of class parameter names. Absent if nothing is bound. Values
  /// live as long as the injector. Errors: those of producers (`bindings.loop`, `bindings.type`, `bindings.no-value`,
  /// …).
  [[nodiscard]] merge::Traced find(std::string_view name);
  /// The value of (`type`, `name`). `type` is written as in a document (`Array[String]`); `name` may be empty.
  [[nodiscard]] merge::Traced find(std::string_view type, std::string_view name);
  /// As find, but throws Error `bindings.not-bound` if nothing is bound. The error lists similar names and bindings
  /// that are not in effect.
  [[nodiscard]] merge::Traced inject(std::string_view name);
  [[nodiscard]] merge::Traced inject(std::string_view type, std::string_view name);

  /// A key that is bound.
  struct Key {
    std::string type;  ///< As written in a document. Empty: Data.
    std::string name;
  };
  /// The keys of all effective bindings. No producer runs.
  [[nodiscard]] std::vector<Key> keys();
  /// All effective bindings by name, sorted. A value that is not Data is given as its reference text.
  [[nodiscard]] merge::Traced all();
  /// The effective class list. Empty if no class is included.
  [[nodiscard]] merge::Traced classes();
  /// Decides which Data names (`ntp::servers`) are parameters of a class. Null: every name in the namespace of the
  /// class.
  using IsParameter = std::function<bool(std::string_view name)>;
  /// The bound parameters of `class ntp`, `Class[ntp]`, `Web`, `Web[one]`. Error `bindings.reference` for any other
  /// text.
  [[nodiscard]] merge::Traced parameters(std::string_view reference, const IsParameter& is_parameter = {});
  /// The bound top-scope variables.
  [[nodiscard]] merge::Traced variables();

  /// The resources of other nodes that supplied values so far, sorted and without duplicates.
  [[nodiscard]] std::vector<ResourceEdge> edges() const;

  /// Why a key has its value. An empty `type` means Data. `fallback` is the value if nothing is bound. Error
  /// `bindings.not-bound`. The value has a history if the session keeps one.
  [[nodiscard]] Explanation explain(std::string_view type, std::string_view name, const Value& fallback = {});

  /// Runs every producer and multibind and adds the static checks. Findings are sorted by place. Throws only errors
  /// that end the request (Error::ends_request).
  [[nodiscard]] Findings check();

  /// The statement behind a layer of the history, for `document`, `category`, `statement` and `via` in machine output.
  /// Null if the layer is not a statement.
  [[nodiscard]] const StatementReport* told(merge::LayerId layer) const noexcept;

 private:
  std::unique_ptr<Injection> parts_;
};

/// The whole of `bindings check`: findings include what the construction of the injector finds. The diagnostics of
/// `session` receive nothing. Throws only errors that end the request.
[[nodiscard]] Findings check(Preparations& shared, const InjectorInputs& inputs, Session& session);

/// An explanation for people. Ends with a newline; secrets are masked.
[[nodiscard]] std::string explanation_text(const Sources& sources, const Explanation& explanation);
/// The histories of the leaves of a result at or below a path (a JSON Pointer). Each history lists a statement once.
/// `stop` ends the work; null: nothing does. Errors: those of Stop::check.
[[nodiscard]] std::vector<merge::PathHistory> explanation_paths(const merge::History& history, const Injector& injector,
                                                                const merge::Traced& result,
                                                                std::string_view prefix = {},
                                                                const Stop* stop = nullptr);
/// The same for histories that are read elsewhere.
void join_repeated(const Injector& injector, std::vector<merge::PathHistory>& paths);
/// An explanation in the format of all commands: a sequence of `{path, value, history: [{layer, file, line, column,
/// fate, value}]}`. Each history entry also has document, category and statement, and name, via and reason if known.
/// Candidates and contributions without a value have an empty path. Errors: those of Stop::check.
[[nodiscard]] Value explanation_data(Arena& arena, const Sources& sources, const merge::History& history,
                                     const Injector& injector, const Explanation& explanation,
                                     std::string_view prefix = {}, const Stop* stop = nullptr);
/// The same format for any result of the injector.
[[nodiscard]] Value explanation_data(Arena& arena, const Sources& sources, const merge::History& history,
                                     const Injector& injector, const merge::Traced& result,
                                     std::string_view prefix = {}, const Stop* stop = nullptr);

/// Properties of bindings, for analyses. Thread-safe.
[[nodiscard]] const query::Traits& traits();

}  // namespace strata::bindings
