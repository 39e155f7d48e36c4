// SPDX-License-Identifier: Apache-2.0
// Hiera 5: looks up keys for a node in a code directory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/leaf_observer.hpp"
#include "strata/limits.hpp"
#include "strata/mapped_folder.hpp"
#include "strata/merge.hpp"
#include "strata/session.hpp"

namespace strata::query {
struct Traits;
}

namespace strata::hiera {

/// The release whose rules apply. docs/hiera/lookup.md, "Compatibility".
enum class Compat : std::uint8_t {
  openvox,   ///< OpenVox 8 and Puppet 8: an unknown variable in data, and a data file without a mapping, are errors.
  openvox9,  ///< OpenVox 9 on Ruby 4: as openvox, with other text forms of mappings and floats, and stricter JSON.
  puppet7,   ///< Puppet 7: as openvox, with warnings for most of its errors, and without server facts.
  promised,  ///< As puppet7, with the merge behaviours of the manual: `unique` fails on any hash; new subtrees are
             ///< copied whole.
};
/// Whether the rules are those of release 8 or later.
[[nodiscard]] constexpr bool is_strict(Compat compat) noexcept {
  return compat == Compat::openvox || compat == Compat::openvox9;
}

/// The reference's own wording of an error: the last line of an explanation.
struct ReferenceWords {
  std::string text;  ///< Without the file name. Empty: use the message.
  std::optional<std::size_t> file_at =
      {};  ///< Where the absolute path of the error's file goes in the text. No value: nowhere.
};

/// An error that carries the reference's wording.
class WordedError : public Error {
 public:
  explicit WordedError(Error error, ReferenceWords words = {}) : Error(std::move(error)), words_(std::move(words)) {}
  [[nodiscard]] const ReferenceWords& words() const noexcept { return words_; }

 private:
  ReferenceWords words_;
};

/// A problem in a hiera.yaml or a query, with any code. No lookup of any node can succeed.
class ConfigError : public WordedError {
 public:
  explicit ConfigError(WordedError error) : WordedError(std::move(error)) {}
  explicit ConfigError(Error error) : WordedError(std::move(error)) {}
};

/// A lookup ended without a value: the key was not found, a data file or a value is bad, or the lookup is recursive.
/// `puppet lookup` prints nothing about these.
class LookupError : public WordedError {
 public:
  /// Whether the reference has an issue number for the problem. Such messages are passed on unchanged.
  enum class Issue : bool { no, yes };
  explicit LookupError(WordedError error, Issue issue = Issue::no) : WordedError(std::move(error)), issue_(issue) {}
  explicit LookupError(Error error, Issue issue = Issue::no) : LookupError(WordedError(std::move(error)), issue) {}
  [[nodiscard]] Issue issue() const noexcept { return issue_; }
  /// The name that was looked up. Set when the error leaves NodeView::lookup.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }
  /// Records that the message names a key.
  LookupError& tells(std::string key) & {
    told_.push_back(std::move(key));
    return *this;
  }
  LookupError&& tells(std::string key) && { return std::move(tells(std::move(key))); }
  /// The error for readers who do not know which name was looked up. If the message does not contain the name, it is
  /// added in front.
  [[nodiscard]] Diagnostic named() const;

 private:
  Issue issue_;
  std::string name_;
  std::vector<std::string> told_;
};

/// What a server knows about itself: the members of `$server_facts`, each also a variable. Immutable.
struct ServerFacts {
  Value values;  ///< A mapping, without `environment`.
  std::shared_ptr<const void> keepalive;
};

/// Reads server facts from a JSON or YAML mapping, for example
/// `{servername: puppet.example.org, serverversion: 8.28.1}`. Origins are in the location space of `beside`. Errors:
/// `facts.server` if it is not a mapping, and those of the readers. Rule: OpenVox 8, Puppet::Node::ServerFacts.
[[nodiscard]] std::shared_ptr<const ServerFacts> read_server_facts(std::string text, std::string_view file_name,
                                                                   const Sources& beside, const Limits& limits);

/// The code directory and the rules.
struct Settings {
  std::string codedir = {};                ///< Absolute path in the tree. Empty: no environments and no modules.
  std::string environment = "production";  ///< A folder under `codedir/environments`.
  /// Absolute path of the environment's folder, for a control repository without a code directory. Empty: `codedir` and
  /// `environment` apply.
  std::string environment_root = {};
  std::optional<std::string> hiera_config =
      {};                           ///< The file of the global layer. No value: `codedir/hiera.yaml`, if it exists.
  std::string working_folder = {};  ///< Relative key files and version 3 data folders are relative to it.
  /// Folders of a server, as files of Hiera name them, and those that hold their files here.
  std::vector<MappedFolder> maps = {};
  Compat compat = Compat::openvox;
  /// Null: unknown. A lookup that needs one then warns.
  std::shared_ptr<const ServerFacts> server_facts = {};
  /// If the private key of an encrypted text is missing, use the text `<encrypted>` as its value.
  bool masks_locked = false;
  /// Keep files that only one node reads. Set it to false for fleets without reports: memory then does not grow with
  /// the number of nodes.
  bool share_files = true;
  /// Returns an environment variable (eyaml keys, HOCON substitutions). Null: there are none. The Snapshot keeps the
  /// first function that is used.
  std::function<std::optional<std::string>(const std::string&)> environment_variable = {};
  /// Returns the bytes of a key file of the host, by absolute path. Null: key files cannot be read. The Snapshot keeps
  /// the first function that is used.
  std::function<std::optional<std::string>(const std::string&)> read_key = {};
  bool keys_in_tree = false;  ///< Key files are files of the tree; `read_key` is not used.
  /// Key files, by names for `read_key`, that count instead of those that hierarchies name. Host::key_files of the
  /// Snapshot's host sets these and `read_key`. Empty: the hierarchies name them.
  std::string private_key = {};
  std::string public_key = {};
};

/// The facts of a node, and the other variables of interpolation.
struct Facts {
  std::string node;  ///< The node's name, for messages. May be empty.
  Value values;      ///< A mapping.
  std::shared_ptr<Arena> arena;
  /// Top-scope variables that are not facts. They override facts with the same name. A mapping, or absent.
  Value variables = {};
  /// Data of the node's certificate: the members of `$trusted`. Absent: made from the fact `clientcert`.
  Value trusted = {};
};

/// Reads and checks the facts of one node. `*.json` is JSON; `*.yaml` and `*.yml` are YAML; for other names, JSON is
/// tried first, then YAML. The file contains one of these:
/// - a mapping of facts;
/// - Puppet's cache of a node, `{name, values, timestamp, expiration}`, with or without the YAML tag
/// `!ruby/object:Puppet::Node::Facts`;
/// - an answer of PuppetDB about its inventory, `[{certname, facts, trusted}]`, or its facts, `[{certname, name,
/// value}]`.
///
/// If an answer has several nodes, `node` selects one by certname. Facts::node is `node`, or else the name in the file.
/// Errors: `facts.shape` if the file has another form or does not contain `node`, `facts.name` for names that Puppet
/// reserves, `fleet.node`, `facts.trusted`, and those of the readers.
[[nodiscard]] Facts read_facts(Sources& sources, SourceId source, std::string_view file_name, const Limits& limits,
                               std::string_view node = {});
/// Reads Facts::trusted from a JSON or YAML mapping. Errors: `facts.trusted` if it is not a mapping of members of
/// `$trusted`, and those of the readers.
void set_trusted(Facts& facts, Sources& sources, SourceId source, std::string_view file_name, const Limits& limits);
/// Checks facts that are already values. Errors: as read_facts.
void check_facts(const Sources& sources, const Value& facts);

/// The root key that a lookup of `name` begins with. Errors: `hiera.key`.
[[nodiscard]] std::string root_key(std::string_view name);
/// Where data files state what a lookup of `name` finds, as a JSON Pointer. Errors: as root_key.
[[nodiscard]] std::string pointer_of_key(std::string_view name);
/// The key that looks up `root_key` literally, whatever characters it contains.
[[nodiscard]] std::string whole_key(std::string_view root_key);

/// Computes a default. Receives the names that were not found.
using Block = std::function<Value(const std::vector<std::string>& names)>;

/// One call of the lookup function. Rule: docs/library/hiera.md.
struct Query {
  std::vector<std::string> names;  ///< The first name that is found gives the result.
  std::string type;                ///< A type expression that every result must match. Empty: any type.
  Value merge;            ///< As in `lookup_options`: a text or a mapping. Absent: the options of the data apply.
  Value override_values;  ///< A mapping by whole name. Absent: none.
  Value default_values;   ///< The same, for names that are not found.
  Block block;            ///< Called if the above give no value; comes before `default_value`.
  std::optional<Value> default_value;  ///< Null is a valid default.
};

/// Called with each root key whose lookup failed, and the error. May throw to stop.
using FailedKey = std::function<void(const std::string& key, const LookupError& error)>;

/// The result of a lookup.
struct Result {
  merge::Traced value;  ///< Absent if only an explanation of options was requested.
  std::string name;     ///< The name that was found. Empty for defaults.
  std::shared_ptr<const void> keepalive;
};

class Explanation;
class FleetWorker;
class NodeView;
namespace detail {
struct ViewState;
}  // namespace detail

/// The names of the modules on the module path, in byte order. Errors: `hiera.environment`.
[[nodiscard]] std::vector<std::string> modules(const Settings& settings, Session& session);

/// What the expressions of a text name, each in its order.
struct ExpressionNames {
  std::vector<std::string> variables;  ///< Without a method, and of `scope`.
  std::vector<std::string> keys;       ///< Root keys of `lookup`, `hiera` and `alias`.
};
[[nodiscard]] ExpressionNames names_in(std::string_view text);

/// The data files of all hierarchies of a node. Immutable.
class NodeFiles;

/// What decides the results of a node, besides what its files hold. It needs the memory of the facts.
struct NodeBasis {
  std::shared_ptr<const NodeFiles> files;
  std::shared_ptr<const Facts> facts;
  std::string environment;
  Compat compat = Compat::openvox;
  std::shared_ptr<const ServerFacts> server_facts = {};
};

/// The root keys whose values can differ between two states of a node.
struct TouchedKeys {
  std::optional<std::vector<std::string>> keys = {};  ///< Rising. No value: any.
  /// The same for nodes for which everything is the same that decides the values of these keys, or of the names that
  /// were asked for, in both states. No value: that is not known.
  std::optional<std::uint64_t> alike = {};

  /// One of the keys.
  struct Part {
    static constexpr std::uint64_t kNone = 0;
    std::uint64_t alike = kNone;  ///< As that of all keys, for this one alone.
    std::uint64_t before = 0;     ///< Its rank in the order of `NodeView::keys` in the first state.
    std::uint64_t after = 0;      ///< The same in the second state; known if the first one has not got the key.
  };
  std::vector<Part> parts = {};  ///< One for each of `keys`; none where names were asked for.
};

/// What differs between two states, remembered for their nodes. Keeps both Snapshots. Thread-safe.
class StateDifferences {
 public:
  StateDifferences();
  ~StateDifferences();
  StateDifferences(const StateDifferences&) = delete;
  StateDifferences& operator=(const StateDifferences&) = delete;

  /// For a node and its files in the other state. `names`: those that are looked up; empty: all keys.
  [[nodiscard]] TouchedKeys touched(const NodeBasis& before, const std::shared_ptr<const NodeFiles>& after,
                                    std::span<const std::string> names);
  /// The files of a node in the other state, if nothing but the texts of `edited` files (absolute paths) differs, and
  /// other nodes have shown these. Null: unknown.
  [[nodiscard]] std::shared_ptr<const NodeFiles> files_after(const std::shared_ptr<const NodeFiles>& before,
                                                             std::span<const std::string> edited);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

/// Numbers the nodes of one state: those with the same number get the same from every lookup, from the same places.
/// Used by one thread.
class NodeNumbers {
 public:
  NodeNumbers();
  ~NodeNumbers();
  NodeNumbers(const NodeNumbers&) = delete;
  NodeNumbers& operator=(const NodeNumbers&) = delete;

  /// No value: only lookups tell.
  [[nodiscard]] std::optional<std::uint64_t> number(const NodeBasis& node);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

/// A code directory as one node sees it, for several lookups. The Snapshot holds all files and what is compiled from
/// them; all nodes share these. Not thread-safe: use one per thread. It takes no lock once its files are open.
class NodeView {
 public:
  /// Cheap: reads nothing before the first lookup, except the environment. `session` must outlive the view. A Result
  /// keeps its value alive itself. Errors: `hiera.environment` if the environment's folder does not exist.
  NodeView(const Settings& settings, const Facts& facts, Session& session);
  NodeView(NodeView&&) noexcept;
  NodeView& operator=(NodeView&&) noexcept;
  ~NodeView();

  /// Looks up the names of a query. Errors: LookupError (`hiera.not-found`, …); Error if the configuration or the query
  /// is wrong. `explanation` receives the events of the lookup. May be null.
  [[nodiscard]] Result lookup(const Query& query, Explanation* explanation = nullptr);
  /// As lookup, but returns no value if no name is found and the query has no default. A miss then throws nothing and
  /// formats no message. Errors: as lookup, except `hiera.not-found`.
  [[nodiscard]] std::optional<Result> find(const Query& query, Explanation* explanation = nullptr);
  /// Whether no layer has a root key, as far as this is known without a lookup. False also if files are not open yet,
  /// if a function is asked for single keys, or if `lookup_options` mention the key. Cost: one hash per file. Errors:
  /// `limit.regex`; as Stop::check.
  [[nodiscard]] bool lacks(std::string_view root_key);
  /// Looks up every root key with the type, merge and defaults of `query`. The names of `query` are ignored. The value
  /// is a mapping in the order of `keys`, with the histories of its members. `failed` is called for each key whose
  /// lookup fails; the key is left out. If it is null, the first failure is thrown, with `lookup of 'KEY' failed: ` in
  /// front. Errors: that one, those of `keys`, and those of `lookup` that concern every key (ends_run in fleet.hpp).
  /// `only`: these root keys, if they exist. Null: all.
  [[nodiscard]] Result lookup_all(const Query& query, const FailedKey& failed = {},
                                  const std::vector<std::string>* only = nullptr);
  /// Drops the results of earlier lookups, which the view keeps for repeated lookups and for expressions that name a
  /// key.
  void forget();
  /// Every root key of the layers, in the order of a hash merge, without `lookup_options`. `only`: as in lookup_all.
  [[nodiscard]] std::vector<std::string> keys(const std::vector<std::string>* only = nullptr);
  /// Calls `use` with each of them, file by file, as these are read. Where it throws, no further file is read. Errors:
  /// those of `use`, and as `keys`.
  void each_key(const std::function<void(std::string_view key)>& use);

  /// What lookups of some names ask the tree for, known from the facts. `names` empty: of all keys; else data is read,
  /// too, to know to which modules they come. Some of it may not be asked. No value: that is only known after asking
  /// (globs, functions of users, older versions of hiera.yaml). Errors: those of configurations, with `names` also of
  /// data files.
  struct Places {
    std::vector<std::string>
        files;  ///< Absolute paths, also of files that do not exist, and of folders whose being there is asked for.
    std::vector<std::string> folders;  ///< Listed.
    std::vector<std::size_t> counts;   ///< How many of the files belong to each entry of the hierarchies, in order.
  };
  [[nodiscard]] std::optional<Places> places(const std::vector<std::string>& names);
  enum class Syntax : std::uint8_t { yaml, json, hocon };
  /// A data file of one of Hiera's own functions.
  struct DataFile {
    std::string path;  ///< Absolute.
    Syntax syntax;
    bool has_secret_name = false;  ///< `path` was made of secrets.
  };
  /// The files of YAML and JSON that a lookup of a root key searches, there or not yet, strongest first. Those of globs
  /// and of encrypted values are left out. Errors: those of configurations.
  [[nodiscard]] std::vector<DataFile> data_files(std::string_view root_key);
  /// The data files that lookups of all keys search, strongest first. Those of functions of users are left out, and
  /// those that cannot be read. Reads them. Errors: those of configurations.
  [[nodiscard]] std::vector<DataFile> searched_files();
  /// The files of all levels, there or not, strongest first. Those of functions of users are left out. Errors: those of
  /// configurations.
  [[nodiscard]] std::vector<DataFile> level_files();
  /// The folders below which all data files are meant to be read: the data folders of all layers; of those with
  /// expressions the part before the first one, to the last `/`. Absolute, each once. Errors: those of configurations.
  [[nodiscard]] std::vector<std::string> data_folders();
  /// The folders with the code that uses the data: the environment's and those of the module path. Absolute.
  [[nodiscard]] std::vector<std::string> code_folders() const;
  /// A text of a hiera.yaml that can have expressions.
  struct HierarchyText {
    std::string file;     ///< Absolute.
    std::string pointer;  ///< A JSON Pointer.
    std::string text;
    std::vector<std::string> variables;  ///< That it names, in its order.
    bool is_place = false;  ///< It says where files are: an item of `path`, `paths`, `glob`, `globs`, `mapped_paths`.
    bool has_file = false;  ///< One of them is there.
    std::string near = {};  ///< What is beside a path without a file, and may be meant: a file, or a folder. Absolute.
  };
  /// Those of the hierarchies of all layers with a file of version 5. Errors: those of configurations.
  [[nodiscard]] std::vector<HierarchyText> hierarchy_texts();
  /// Whether the node has a variable, by the name that an expression has; its value may be null.
  [[nodiscard]] bool has_variable(std::string_view name) const;
  /// The variable of the node whose name differs by one letter: `facts.os.family` for `facts.os.famly`. Empty: none.
  [[nodiscard]] std::string misspelt_variable(std::string_view name) const;
  /// How a root key is merged, as the data say.
  struct Merging {
    std::string_view strategy;  ///< `first`, `unique`, `hash`, `deep`.
    std::optional<std::string> knockout_prefix;
  };
  /// Errors: as lookup.
  [[nodiscard]] Merging merging(std::string_view root_key);
  /// The data files that lookups of all keys search. Reads them. Null: something else decides, too (functions of users,
  /// older versions of hiera.yaml, expressions in `lookup_options`). Errors: those of configurations and of data files.
  [[nodiscard]] std::shared_ptr<const NodeFiles> files();
  /// `files`: those of this node or of one whose paths resolve alike. Null: variables have expressions, or there are no
  /// `files`.
  [[nodiscard]] std::shared_ptr<const NodeBasis> basis(std::shared_ptr<const NodeFiles> files) const;

 private:
  friend class FleetWorker;
  explicit NodeView(std::unique_ptr<detail::ViewState> state);
  std::unique_ptr<detail::ViewState> state_;
};

/// One lookup for one node.
struct Request {
  Settings settings;
  Facts facts;
  Query query;
};

/// Performs one lookup. Errors: as NodeView and NodeView::lookup. `explanation` receives the events of the lookup; may
/// be null.
[[nodiscard]] Result lookup(const Request& request, Session& session, Explanation* explanation = nullptr);

/// The message of an error about the lookup of `key`: "lookup of 'key' failed: …". The reference begins the message
/// with the same sentence once per nested lookup of a global layer; those are dropped. Example: `about_key("a", "Lookup
/// of key 'a' failed: no")` is "lookup of 'a' failed: no".
[[nodiscard]] std::string about_key(std::string_view key, std::string_view message);

/// For "did you mean": the root key that is most similar to the first segment of `name`. No value if no key is similar
/// or the keys cannot be read. Warnings are discarded. Errors: those that end the request (Error::ends_request).
[[nodiscard]] std::optional<std::string> nearest_key(const Settings& settings, const Facts& facts,
                                                     std::string_view name, const Session& session);

/// The formats of `puppet lookup --render-as`.
enum class RenderFormat : std::uint8_t {
  s,     ///< Ruby's `to_s`: text as it is, nothing for null, containers as Ruby's `inspect`.
  json,  ///< One line without blanks, as Ruby's JSON.generate.
  yaml,  ///< A document with `---`, as Psych dumps it.
};
/// Writes a value as `puppet lookup` of that release prints it, with the final line break. Errors for `json`:
/// `json.not-finite`, `json.not-utf8`. Both name the path.
[[nodiscard]] std::string render(const Value& value, RenderFormat format, Compat compat = Compat::openvox);
/// Tells of the leaves of what `render` wrote as `RenderFormat::yaml`. Error: `output.source-map` where the text does
/// not read back.
void find_leaves(const Value& value, std::string_view rendered, text::LeafObserver& observer);

/// The output of `puppet lookup --explain`: a tree of events. Read it while the NodeView exists.
class Explanation {
 public:
  enum class Scope { data, options_only, both };
  explicit Explanation(Scope scope = Scope::data);
  ~Explanation();
  Explanation(const Explanation&) = delete;
  Explanation& operator=(const Explanation&) = delete;

  [[nodiscard]] Scope scope() const noexcept { return scope_; }
  /// As text, in the reference's format.
  [[nodiscard]] std::string text() const;
  /// As data, in the reference's format: keys and events are symbols (text::Symbol).
  [[nodiscard]] Value data(Arena& arena) const;
  /// Adds a last line.
  void add_text(std::string text);
  /// Adds a last line with the reason for the missing value, in the reference's words. Relative file names are relative
  /// to `working_folder`.
  void add_failure(const LookupError& error, const std::string& working_folder);
  /// Keeps the owner of values in the explanation alive, even if the lookup fails.
  void keep(std::shared_ptr<const void> owner) { owners_.push_back(std::move(owner)); }

  struct Node;
  [[nodiscard]] Node& root() noexcept { return *root_; }

 private:
  Scope scope_;
  std::vector<std::shared_ptr<const void>> owners_;
  std::unique_ptr<Node> root_;
};

/// Properties of Hiera, for analyses. Thread-safe.
[[nodiscard]] const query::Traits& traits();

}  // namespace strata::hiera
