// Heat: environment files to the one combined environment of a stack, and the state from which an update goes on.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "strata/host.hpp"
#include "strata/merge.hpp"
#include "strata/session.hpp"

namespace strata::heat {

/// Which of the two engines is meant. Rule: docs/heat/compose.md, "Promised and shipped".
enum class Compat : std::uint8_t {
  promised,  ///< Explicit parameters win, the list of files is kept, an update combines everything again.
  shipped,   ///< As Heat 19 does it.
};

/// A text that comes with a request, by the name that lists and registries call it.
struct NamedText {
  std::string name;
  SourceId source{};
};

/// A hook that is asked for beside all files: `--pre-create outer/inner`.
struct HookOption {
  std::string hook;      ///< `pre-create`.
  std::string resource;  ///< With `/` between nested stacks.
};

/// One create or update of a stack. All texts are those of the Session: nothing is read from files or the network.
struct Request {
  std::vector<std::string> environment_files;   ///< Names, weakest first; a name may come twice, and is then merged twice.
  std::vector<NamedText> files;                 ///< Environment files and nested templates, each name once.
  std::optional<SourceId> environment_body;     ///< One environment instead of a list; not looked at where there is a list.
  std::optional<SourceId> template_text;        ///< Absent: that of the state; without any, every name that a file uses counts as declared.
  std::optional<SourceId> existing;             ///< The state that an earlier request left (JSON): this one is an update.
  Value parameters;                             ///< Explicit parameters: a mapping with texts as keys, or absent.
  std::vector<std::string> cleared_parameters;  ///< Of an update: names whose earlier values go.
  std::vector<HookOption> hooks;                ///< Set in the combined registry of this request only: an update does not know them.
  Compat compat = Compat::promised;
  /// Where the state holds the combination of the files that come first, it is gone on from; their places, histories and warnings are not known
  /// then. The result is the same.
  bool reuse = false;
  /// Leave the combination in the state, so that the next request can go on from it. It costs a digest of all texts.
  bool keep_combination = false;
};

/// The sections of a combined environment, in the form in which they are shown. Keys of mappings are texts.
struct Environment {
  merge::Traced resource_registry;  ///< A mapping as loaded: `resources` first, nothing in it is null.
  merge::Traced parameters;         ///< A mapping.
  merge::Traced parameter_defaults;
  merge::Traced event_sinks;            ///< A sequence of mappings, each a known sink.
  merge::Traced encrypted_param_names;  ///< As written, of any kind.
};

/// The templates of a request and what they declare: src/heat/declarations.hpp.
struct Declarations;
/// What a state file holds: src/heat/state.hpp.
struct State;

/// What a request came to.
struct Composition {
  Environment environment;
  merge::Traced shown;  ///< The five sections as one mapping, in the order in which the service shows them.
  std::shared_ptr<const Declarations> declarations;
  std::shared_ptr<const State> state;  ///< What the next update starts from.
  const Sources* sources = nullptr;    ///< Those of the Session: they hold the texts of the state.
  std::shared_ptr<const void> memory;  ///< Keeps all of that alive when the Session is gone.
};

/// Combines the environment of a stack. Values of hidden parameters are marked secret; the plain values are there.
/// Histories have a layer for each environment file in the list, `<parameter>` for explicit parameters, and the names of
/// the body's and the state's texts.
/// Errors: `heat.*`, `template.*`, `bundle.hook`, and those of the readers; docs/errors.md. Warnings: docs/heat/compose.md.
/// Cost: linear in the bytes of all texts. Rule: docs/heat/compose.md.
[[nodiscard]] Composition compose(const Request& request, Session& session);

/// The combined environment with `******` for the values of hidden parameters, null ones too, as the service shows it. `session`: that of the
/// composition.
[[nodiscard]] merge::Traced masked_environment(const Composition& composition, Session& session);

/// The state file of a composition: JSON, and the same bytes for the same stack, however many updates it took.
[[nodiscard]] std::string state_text(const Composition& composition);

/// The mapping of explicit parameters that words `K=V` stand for, in the Session's memory. One word alone is split at `;` first, several are not. The
/// first `=` splits; K may be empty. Values are texts at the place `<parameter>`; a K that comes again makes a sequence of all its values, in order,
/// at its first place. Error `heat.parameter-word` for a word without `=`. Cost: linear.
[[nodiscard]] Value explicit_parameters(std::span<const std::string> words, Session& session);

// Questions about the environment that a request comes to. Each one combines it first, with the errors and warnings of `compose`.

/// An answer.
struct Answer {
  merge::Traced value;
  std::shared_ptr<const void> memory;  ///< Keeps the value alive when the Session is gone.
};

/// The values that a stack finally uses: for every parameter that the template declares, in its order, `{value, text, hidden}`; without a template
/// for every name that has a value. Errors: `heat.parameter-unknown`, `heat.parameter-schema`, `heat.parameter-missing`, `heat.parameter-value`,
/// `limit.regex`. Rule: docs/heat/parameters.md.
[[nodiscard]] Answer effective_parameters(const Request& request, Session& session);

/// A question about one resource.
struct ResourceRequest {
  Request stack;
  std::string resource;  ///< Its name; in nested stacks `outer/inner`.
};

/// The hooks at which work on a resource stops: a sequence of texts, in the order pre-create, pre-update, pre-delete, post-create, post-update,
/// post-delete. Rule: docs/heat/resource-lookups.md.
[[nodiscard]] Answer hooks(const ResourceRequest& request, Session& session);
/// What may not be done to a resource: a sequence of texts, in alphabetical order. Rule: docs/heat/resource-lookups.md.
[[nodiscard]] Answer restricted_actions(const ResourceRequest& request, Session& session);

/// The types that need no entry.
class BuiltInTypes {
 public:
  /// Besides those that begin with `OS::`, `AWS::` or `DOCKER::`.
  void add(std::string type) { types_.insert(std::move(type)); }
  /// One type a line; blanks around it and empty lines do not count.
  void add_lines(std::string_view text);
  [[nodiscard]] bool holds(std::string_view type) const;

 private:
  std::unordered_set<std::string> types_;
};

/// What implements a type of resource.
enum class TypeKind : std::uint8_t { plugin, template_ };
[[nodiscard]] std::string_view to_string(TypeKind kind) noexcept;

/// What a type stands for.
struct ResolvedType {
  TypeKind kind = TypeKind::plugin;
  merge::Traced value;                 ///< The name of the type or template, a text; its history tells of the mappings that led to it.
  std::shared_ptr<const void> memory;  ///< Keeps the value alive when the Session is gone.
};

/// A question about one type of resource.
struct TypeRequest {
  Request stack;
  std::string type;
  std::string resource;  ///< Whose own mappings come first; empty: none.
  BuiltInTypes built_in;
};

/// Which plugin or template a type of resource stands for. Errors: `heat.type` where nothing is left, `heat.type-loop` where mappings lead back to a
/// type that is being looked up, `limit.depth`. Rule: docs/heat/resource-lookups.md.
[[nodiscard]] ResolvedType resolve_type(const TypeRequest& request, Session& session);

/// What a client of the orchestration service makes a create of.
struct BundleRequest {
  std::vector<std::string> environment_files;  ///< Paths or URLs, weakest first.
  std::string template_file;                   ///< A path or URL; empty: none.
  std::vector<std::string> parameters;         ///< Words `K=V`.
  std::vector<std::string> parameter_files;    ///< Words `K=PATH`, PATH relative to the template.
  std::vector<HookOption> hooks;
  std::string folder;          ///< The absolute path that other paths are relative to.
  Fetcher* network = nullptr;  ///< Null: the network is not allowed.
};

/// The body of a create.
struct Bundle {
  merge::Traced request;               ///< A mapping: `parameters`, `template`, `files`, `environment`, `environment_files`.
  std::shared_ptr<const void> memory;  ///< Keeps it alive when the Session is gone.
};

/// Makes the body of a create request: paths resolved to URLs, and all files gathered, which are read through the Session's tree and the network.
/// `environment` is the client's own merge of all files, which the service ignores where there is a list of them; hooks go there only (warning
/// `bundle.hooks`). Warning `bundle.size` where the service refuses requests as large by default.
/// Errors: `bundle.*`, `heat.root`, `heat.section`, `heat.parameter-word`, `merge.kind-mismatch`, those of the readers; `limit.includes`,
/// `limit.include-depth`. A history gets a layer an environment file. Cost: linear in the bytes of all files.
/// Rule: docs/heat/bundle.md.
[[nodiscard]] Bundle bundle(const BundleRequest& request, Session& session);

}  // namespace strata::heat
