// SPDX-License-Identifier: Apache-2.0
// Heat: combines the environment files of a stack, and keeps the state for its updates.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "strata/host.hpp"
#include "strata/merge.hpp"
#include "strata/session.hpp"

namespace strata::query {
struct Traits;
}

namespace strata::heat {

/// Which engine's rules apply. Rule: docs/heat/compose.md, "Promised and shipped".
enum class Compat : std::uint8_t {
  promised,  ///< Explicit parameters win, the list of files is kept, an update combines everything again.
  shipped,   ///< As Heat does, 19 to 27.
};

/// A template of a request that is read already: src/heat/attached_template.hpp.
struct AttachedTemplate;

/// A text of a request. Lists and registries refer to it by name.
struct NamedText {
  std::string name;
  SourceId source{};
  std::shared_ptr<const AttachedTemplate> read = {};  ///< Its parts as a template. Null: `compose` parses it.
};

/// A hook set from outside the files: `--pre-create outer/inner`.
struct HookOption {
  std::string hook;      ///< `pre-create`.
  std::string resource;  ///< With `/` between nested stacks.
};

/// A file that a template or a registry of a request names, and that the request does not have.
struct UnattachedFile {
  enum class Reason : std::uint8_t {
    missing,     ///< It does not exist.
    outside,     ///< The tree may not read it (`tree.outside`).
    generated,   ///< It does not exist, and a Jinja template beside it makes it.
    remote,      ///< A URL that is not one of a local file.
    unreadable,  ///< A folder, a device, or a file that cannot be read.
  };
  Reason reason = Reason::missing;
  std::string name;             ///< As written.
  std::string url;              ///< Empty: longer than the name of any file.
  std::string pointer;          ///< In the environment file: a JSON Pointer. Empty: a template names it.
  Origin origin;                ///< In a registry, of the key; in a template, of the name.
  std::string correction = {};  ///< A name one folder higher or lower at which there is a file.
};

/// One create or update of a stack. All texts are in the Session: `compose` reads nothing from files or the network.
struct Request {
  std::vector<std::string> environment_files;   ///< Names, weakest first. A name that occurs twice is merged twice.
  std::vector<NamedText> files;                 ///< Environment files and nested templates. Each name occurs once.
  std::vector<UnattachedFile> unattached = {};  ///< The files that `attach_files` did not find. For `usage_of`.
  std::optional<SourceId> environment_body;     ///< One environment instead of a list. Ignored if there is a list.
  /// What `environment_body` says, if its reader knows better: numbers of JSON stay numbers. Absent: the text is read
  /// as a file is.
  Value environment_value;
  /// Absent: the template of the state. If there is none at all, every name that a file uses counts as declared.
  std::optional<SourceId> template_text;
  std::optional<SourceId> existing;  ///< The state of an earlier request (JSON). Present: this request is an update.
  Value parameters;                  ///< Explicit parameters: a mapping with text keys, or absent.
  std::vector<std::string> cleared_parameters;  ///< For an update: parameters whose earlier values are dropped.
  std::vector<HookOption> hooks;  ///< Set in the combined registry of this request only. Updates do not see them.
  Compat compat = Compat::promised;
  /// If the state holds the combination of the first files, continue from it. Their places, histories and warnings are
  /// then unknown. The result is the same.
  bool reuse = false;
  /// Store the combination in the state, so that the next request can continue from it. Costs a digest of all texts.
  bool keep_combination = false;
};

/// The sections of a combined environment, as they are shown. Keys of mappings are texts.
struct Environment {
  merge::Traced resource_registry;  ///< A mapping as loaded: `resources` is first, and no value is null.
  merge::Traced parameters;         ///< A mapping.
  merge::Traced parameter_defaults;
  merge::Traced event_sinks;            ///< A sequence of mappings, each a known sink.
  merge::Traced encrypted_param_names;  ///< As written, of any kind.
};

/// The templates of a request and their declarations: src/heat/declarations.hpp.
struct Declarations;
/// The contents of a state file: src/heat/state.hpp.
struct State;

/// The result of a request.
struct Composition {
  Environment environment;
  merge::Traced shown;  ///< The five sections as one mapping, in the service's order.
  std::shared_ptr<const Declarations> declarations;
  std::shared_ptr<const State> state;  ///< The next update starts from it.
  const Sources* sources = nullptr;    ///< Those of the Session. They hold the texts of the state.
  std::shared_ptr<const void> memory;  ///< Keeps everything here alive after the Session ends.
};

/// Adds the files to a request that the client of the service sends with it: those that the template, the registries of
/// the environment files and the given files name, and what templates among them name. Reads the Session's tree; paths
/// are relative to the file that names them, and names of environment files and of the template to `folder`, an
/// absolute path. Files that the request has are not read again, and what they declare wins. A file that cannot be read
/// is a warning (`heat.unattached-file`) and goes to `request.unattached`. Errors: `limit.*`. Cost: linear in the bytes
/// of the files. Rule: docs/heat/compose.md, "Nested templates". Example:
/// `attach_files(request, session, "/srv/stack"); compose(request, session);`
void attach_files(Request& request, Session& session, const std::string& folder);

/// The files of a request that state no values of an environment: those that are neither environment files nor
/// templates, such as scripts and playbooks. Names as places show them. Cost: linear in the bytes of the files.
[[nodiscard]] std::set<std::string, std::less<>> files_without_values(const Request& request, const Sources& sources);

/// Combines the environment of a stack. Values of hidden parameters are marked as secret; they are still the plain
/// values. A history has a layer for each environment file in the list, `<parameter>` for explicit parameters, and the
/// names of the texts of body and state. Errors: `heat.*`, `template.*`, `bundle.hook`, and those of the readers;
/// docs/errors.md. Warnings: docs/heat/compose.md. Cost: linear in the bytes of all texts. Rule: docs/heat/compose.md.
[[nodiscard]] Composition compose(const Request& request, Session& session);

/// The combined environment as the service shows it: `******` replaces the values of hidden parameters, including null.
/// `session` is the one that made the composition.
[[nodiscard]] merge::Traced masked_environment(const Composition& composition, Session& session);

/// A member of `parameter_defaults` or `resource_registry` in an environment file of a request, or the name of a file
/// that is missing.
struct Definition {
  enum class Section : std::uint8_t {
    parameter_defaults,
    resource_registry,
    template_file,  ///< A registry or a template names a file that is missing.
  };
  Section section = Section::parameter_defaults;
  std::string name;             ///< Of the parameter, the resource type or the file.
  std::string pointer;          ///< In the file: a JSON Pointer. Empty: the file is a template.
  Origin origin;                ///< Of its key; in a template, of the name.
  bool is_used = false;         ///< A template declares the parameter, or names the type.
  bool is_outside = false;      ///< For a missing file: the tree may not read it (`tree.outside`).
  std::string correction = {};  ///< For a missing file: a name one folder higher or lower at which there is a file.
};
/// What the templates of a request use of its environment files.
struct Usage {
  std::vector<Definition>
      definitions;  ///< In the order of the files. Hooks, restrictions and wildcards are not listed.
  std::vector<std::string> parameter_names;  ///< What templates declare, by bytes.
  std::size_t unread = 0;  ///< Files that registries and templates name and that could not be read: missing ones, URLs.
};
/// The templates are those of the request, for which `attach_files` was called. A type is also used by what another
/// type that is used is mapped to, and where a value names it. Without a template only missing files are listed.
/// `composition`: the result of the request in the same Session. Errors: `limit.*`. Rule: docs/analysis/check.md.
[[nodiscard]] Usage usage_of(const Request& request, const Composition& composition, Session& session);

/// The state file of a composition, as JSON. The same stack always gives the same bytes, whatever its number of
/// updates.
[[nodiscard]] std::string state_text(const Composition& composition);

/// Reads words `K=V` into a mapping of explicit parameters, in the Session's memory. A single word is first split at
/// `;`; several words are not. The first `=` separates K and V; K may be empty. Values are texts with the place
/// `<parameter>`. If K occurs several times, its value is the sequence of all its values, at its first position. Error
/// `heat.parameter-word` for a word without `=`. Cost: linear.
[[nodiscard]] Value explicit_parameters(std::span<const std::string> words, Session& session);

// Questions about the combined environment of a request. Each call combines it first, with the errors and warnings of
// `compose`.

/// An answer.
struct Answer {
  merge::Traced value;
  std::shared_ptr<const void> memory;  ///< Keeps the value alive after the Session ends.
};

/// The values that a stack uses: `{value, text, hidden}` for every parameter that the template declares, in its order.
/// Without a template: for every name that has a value. Errors: `heat.parameter-unknown`, `heat.parameter-schema`,
/// `heat.parameter-missing`, `heat.parameter-value`, `limit.regex`. Rule: docs/heat/parameters.md.
[[nodiscard]] Answer effective_parameters(const Request& request, Session& session);

/// A question about one resource.
struct ResourceRequest {
  Request stack;
  std::string resource;  ///< Its name. In nested stacks: `outer/inner`.
};

/// The hooks that pause work on a resource: a sequence of texts in the order pre-create, pre-update, pre-delete,
/// post-create, post-update, post-delete. Rule: docs/heat/resource-lookups.md.
[[nodiscard]] Answer hooks(const ResourceRequest& request, Session& session);
/// The actions that are forbidden for a resource: a sequence of texts, in alphabetical order. Rule:
/// docs/heat/resource-lookups.md.
[[nodiscard]] Answer restricted_actions(const ResourceRequest& request, Session& session);

/// The resource types that need no registry entry.
class BuiltInTypes {
 public:
  /// Adds a type. Types that begin with `OS::`, `AWS::` or `DOCKER::` are always built in.
  void add(std::string type) { types_.insert(std::move(type)); }
  /// Adds one type per line. Blanks around a type and empty lines are ignored.
  void add_lines(std::string_view text);
  [[nodiscard]] bool holds(std::string_view type) const;

 private:
  std::unordered_set<std::string> types_;
};

/// What implements a resource type.
enum class TypeKind : std::uint8_t { plugin, template_ };
[[nodiscard]] std::string_view to_string(TypeKind kind) noexcept;

/// The result of resolving a resource type.
struct ResolvedType {
  TypeKind kind = TypeKind::plugin;
  merge::Traced value;  ///< The name of the plugin or template, a text. Its history lists the mappings used.
  std::shared_ptr<const void> memory;  ///< Keeps the value alive after the Session ends.
};

/// A question about one resource type.
struct TypeRequest {
  Request stack;
  std::string type;
  std::string resource;  ///< The mappings of this resource come first. Empty: none.
  BuiltInTypes built_in;
};

/// Finds the plugin or template that implements a resource type.
/// Errors: `heat.type` if no implementation is found, `heat.type-loop` if the mappings form a cycle, `limit.depth`.
/// Rule: docs/heat/resource-lookups.md.
[[nodiscard]] ResolvedType resolve_type(const TypeRequest& request, Session& session);

/// The inputs from which a client of the orchestration service builds a create request.
struct BundleRequest {
  std::vector<std::string> environment_files;  ///< Paths or URLs, weakest first.
  std::string template_file;                   ///< A path or URL; empty: none.
  std::vector<std::string> parameters;         ///< Words `K=V`.
  std::vector<std::string> parameter_files;    ///< Words `K=PATH`. PATH is relative to the template.
  std::vector<HookOption> hooks;
  std::string folder;          ///< The absolute path to which other paths are relative.
  Fetcher* network = nullptr;  ///< Null: no network access.
};

/// The body of a create request.
struct Bundle {
  merge::Traced request;  ///< A mapping: `parameters`, `template`, `files`, `environment`, `environment_files`.
  std::shared_ptr<const void> memory;  ///< Keeps the value alive after the Session ends.
};

/// Builds the body of a create request. Resolves paths to URLs and collects all files, from the Session's tree and the
/// network. `environment` is the client's own merge of all files; the service ignores it if the request has a list of
/// files. Hooks are only set there (warning `bundle.hooks`). Warning `bundle.size` if the service would reject the
/// request by default because of its size. A history has a layer for each environment file. Errors: `bundle.*`,
/// `heat.root`, `heat.section`, `heat.parameter-word`, `merge.kind-mismatch`, `limit.includes`, `limit.include-depth`,
/// and those of the readers. Cost: linear in the bytes of all files. Rule: docs/heat/bundle.md.
[[nodiscard]] Bundle bundle(const BundleRequest& request, Session& session);

/// Properties of environments of Heat, for analyses. Thread-safe.
[[nodiscard]] const query::Traits& traits();
/// The same for `strata parameters`, whose results have two sections. Thread-safe.
[[nodiscard]] const query::Traits& traits_of_parameters();

}  // namespace strata::heat
