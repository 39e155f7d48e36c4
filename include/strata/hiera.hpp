// Hiera 5: what a key means for a node, out of a code directory.
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
#include "strata/limits.hpp"
#include "strata/merge.hpp"
#include "strata/session.hpp"

namespace strata::hiera {

/// Whose rules hold where releases and texts differ. docs/hiera/lookup.md, "Compatibility".
enum class Compat {
  shipped,   ///< As Puppet 7 does.
  promised,  ///< As the manual of the merge behaviours writes: `unique` fails on any hash; new subtrees are copied whole.
  puppet8,   ///< As Puppet 8 does: what Puppet 7 only warns of is an error.
};

/// How the reference words an error, where it has words of its own: the last line of an explanation.
struct ReferenceWords {
  std::string text;                         ///< Without the name of the file. Empty: the message.
  std::optional<std::size_t> file_at = {};  ///< Where in the text the absolute path of the error's file belongs; none: nowhere.
};

/// An error with the reference's words for it.
class WordedError : public Error {
 public:
  explicit WordedError(Error error, ReferenceWords words = {}) : Error(std::move(error)), words_(std::move(words)) {}
  [[nodiscard]] const ReferenceWords& words() const noexcept { return words_; }

 private:
  ReferenceWords words_;
};

/// What is wrong with a hiera.yaml or a query, whatever its code: no node's lookup can succeed.
class ConfigError : public WordedError {
 public:
  explicit ConfigError(WordedError error) : WordedError(std::move(error)) {}
  explicit ConfigError(Error error) : WordedError(std::move(error)) {}
};

/// A lookup that ended without a value: key not found, a data file or value that is bad, recursion. `puppet lookup` says nothing of these.
class LookupError : public WordedError {
 public:
  /// Whether the reference gives the problem a number: such messages stay as they are on their way out.
  enum class Issue : bool { no, yes };
  explicit LookupError(WordedError error, Issue issue = Issue::no) : WordedError(std::move(error)), issue_(issue) {}
  explicit LookupError(Error error, Issue issue = Issue::no) : LookupError(WordedError(std::move(error)), issue) {}
  [[nodiscard]] Issue issue() const noexcept { return issue_; }
  /// The name that was asked for, once the error has left NodeView::lookup.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }
  /// Says that the message tells a key.
  LookupError& tells(std::string key) & {
    told_.push_back(std::move(key));
    return *this;
  }
  LookupError&& tells(std::string key) && { return std::move(tells(std::move(key))); }
  /// The error as those see it who did not ask for the name: where the message does not tell the name, it stands in front.
  [[nodiscard]] Diagnostic named() const;

 private:
  Issue issue_;
  std::string name_;
  std::vector<std::string> told_;
};

/// What to open, and under which rules.
struct Settings {
  std::string codedir = {};                      ///< Absolute path in the tree; empty: no environments and modules.
  std::string environment = "production";        ///< A folder under `codedir/environments`.
  std::string environment_root = {};             ///< Absolute path of the environment's folder instead, as in a control repository; may be empty.
  std::optional<std::string> hiera_config = {};  ///< The global layer's file; none: `codedir/hiera.yaml` where it exists.
  std::string working_folder = {};               ///< Relative key files and version 3 data folders count from here.
  Compat compat = Compat::shipped;
  bool masks_locked = false;  ///< Where the private key of an encrypted text is not there, the text `<encrypted>` stands for what it would open.
  bool share_files = true;    ///< Keep files that one node alone reads. False for fleets without reports: memory then does not grow with the nodes.
  /// The value of an environment variable (keys of eyaml, substitutions in HOCON); null: there are none. Kept and shared as read_key is.
  std::function<std::optional<std::string>(const std::string&)> environment_variable = {};
  /// The bytes of a key file by its absolute path, from the host; null: key files cannot be read. The Snapshot keeps that of the first who asks.
  std::function<std::optional<std::string>(const std::string&)> read_key = {};
};

/// The facts of a node and what else variables in interpolation can name.
struct Facts {
  std::string node;  ///< The node's name, for messages; may be empty.
  Value values;      ///< A mapping.
  std::shared_ptr<Arena> arena;
  Value variables = {};  ///< Top-scope variables that are not facts, and hide facts of the same names: a mapping, or absent.
  Value trusted =
      {};  ///< What is known of the node's certificate: members of `$trusted`, instead of those made from the fact `clientcert`; or absent.
};

/// Reads and checks the facts of one node: JSON for `*.json`, YAML for `*.yaml` and `*.yml`, else JSON and then YAML. They are a mapping; or what
/// Puppet caches of a node (`{name, values, timestamp, expiration}`, in YAML also tagged `!ruby/object:Puppet::Node::Facts`); or an answer of
/// PuppetDB to a query of its inventory (`[{certname, facts, trusted}]`) or facts (`[{certname, name, value}]`), of which `node` says the certname
/// where there are several. Facts::node is `node`, or else what the file calls the node. Errors: `facts.shape` where they are none of these or `node`
/// is not among them, `facts.name` for names that Puppet reserves, `fleet.node`, `facts.trusted`, and those of the readers.
[[nodiscard]] Facts read_facts(Sources& sources, SourceId source, std::string_view file_name, const Limits& limits, std::string_view node = {});
/// Reads Facts::trusted from a JSON or YAML mapping. Errors: `facts.trusted` where it is not a mapping of the members of `$trusted`, and those of the
/// readers.
void set_trusted(Facts& facts, Sources& sources, SourceId source, std::string_view file_name, const Limits& limits);
/// Checks facts that are values already. Errors as read_facts.
void check_facts(const Sources& sources, const Value& facts);

/// The key that asks for a root key as a whole, whatever characters it holds.
[[nodiscard]] std::string whole_key(std::string_view root_key);

/// Called with the names that were not found.
using Block = std::function<Value(const std::vector<std::string>& names)>;

/// One call of the lookup function. Rule: docs/library/hiera.md.
struct Query {
  std::vector<std::string> names;      ///< The first that is found answers.
  std::string type;                    ///< A type expression that every outcome must fit; empty: any.
  Value merge;                         ///< As in `lookup_options`: a text or a mapping; absent: what the data's options say.
  Value override_values;               ///< A mapping of whole names; absent: none.
  Value default_values;                ///< The same, for what is not found.
  Block block;                         ///< For what is still not found; before `default_value`.
  std::optional<Value> default_value;  ///< Null is a default.
};

/// Called with each root key whose lookup failed, and the reason. May throw, to go no further.
using FailedKey = std::function<void(const std::string& key, const LookupError& error)>;

/// What a lookup came to.
struct Result {
  merge::Traced value;  ///< The absent value where an explanation of options was all that was asked for.
  std::string name;     ///< The name that was found; empty for defaults.
  std::shared_ptr<const void> keepalive;
};

class Explanation;
class FleetWorker;
class NodeView;
namespace detail {
struct ViewState;
}  // namespace detail

/// Names of the modules on the module path, in byte order. Errors: `hiera.environment`.
[[nodiscard]] std::vector<std::string> modules(const Settings& settings, Session& session);

/// What one node sees of a code directory: for more than one question. What is read and compiled is the Snapshot's, and shared by all nodes. Not
/// thread-safe, and never locks once its files are open: one a thread.
class NodeView {
 public:
  /// Cheap: nothing is read before the first lookup, but for the environment. `session` must outlive it; a Result keeps what it points into alive.
  /// Errors: `hiera.environment` where the environment's folder does not exist.
  NodeView(const Settings& settings, const Facts& facts, Session& session);
  NodeView(NodeView&&) noexcept;
  NodeView& operator=(NodeView&&) noexcept;
  ~NodeView();

  /// Looks a query's names up. Errors: LookupError (`hiera.not-found`, …), and Error where the configuration or the query is wrong.
  /// `explanation`: what happens is told there; may be null.
  [[nodiscard]] Result lookup(const Query& query, Explanation* explanation = nullptr);
  /// As lookup, but nothing where no name is found and the query says nothing of that case: a miss throws nothing and formats nothing.
  /// Errors: as lookup, without `hiera.not-found`.
  [[nodiscard]] std::optional<Result> find(const Query& query, Explanation* explanation = nullptr);
  /// Whether a root key is in no layer, as far as that can be told without a lookup: false also where files are not open yet, where a function is
  /// asked for single keys, and where `lookup_options` speak of the key. Costs a hash a file. Error `limit.regex`; as Stop::check.
  [[nodiscard]] bool lacks(std::string_view root_key);
  /// Looks every root key up, with the type, merge and defaults of `query`; its names do not count. The value is a mapping in the order of `keys`,
  /// with a history composed of those of its members.
  /// `failed`: told of keys whose lookup fails, which are left out; null: the first one ends it. Its error is the reason, with `lookup of 'KEY'
  /// failed: ` in front. Errors: that one, those of `keys`, and those of `lookup` that say that every key must fail (ends_run, in fleet.hpp).
  [[nodiscard]] Result lookup_all(const Query& query, const FailedKey& failed = {});
  /// Lookups remember what they found, for those that ask again and for expressions that name the key. This lets go of it.
  void forget();
  /// Every root key that the layers hold, in the order in which a hash merge would give them; `lookup_options` is none.
  [[nodiscard]] std::vector<std::string> keys();

 private:
  friend class FleetWorker;
  explicit NodeView(std::unique_ptr<detail::ViewState> state);
  std::unique_ptr<detail::ViewState> state_;
};

/// One question for one node.
struct Request {
  Settings settings;
  Facts facts;
  Query query;
};

/// Answers one question. Errors: as NodeView and NodeView::lookup. `explanation`: what happens is told there; may be null.
[[nodiscard]] Result lookup(const Request& request, Session& session, Explanation* explanation = nullptr);

/// For "did you mean": the root key most like the one that `name` begins with, by the typing errors between them. None where no key is near, and
/// where the keys cannot be had. Warnings are told to nobody. Errors: those that end the request (Error::ends_request).
[[nodiscard]] std::optional<std::string> nearest_key(const Settings& settings, const Facts& facts, std::string_view name, const Session& session);

/// How `puppet lookup --render-as` writes a value.
enum class RenderFormat : std::uint8_t {
  s,     ///< Ruby's `to_s`: texts as they are, nothing for null, containers as Ruby's `inspect`.
  json,  ///< One line without blanks, as Ruby's JSON.generate.
  yaml,  ///< A document with `---`, as Psych dumps it.
};
/// A value as `puppet lookup` prints it, with the final line break. Errors, of `json`: `json.not-finite`, `json.not-utf8`; both name the path.
[[nodiscard]] std::string render(const Value& value, RenderFormat format);

/// What `puppet lookup --explain` tells of a lookup: a tree of events. Read it before the NodeView goes.
class Explanation {
 public:
  enum class Scope { data, options_only, both };
  explicit Explanation(Scope scope = Scope::data);
  ~Explanation();
  Explanation(const Explanation&) = delete;
  Explanation& operator=(const Explanation&) = delete;

  [[nodiscard]] Scope scope() const noexcept { return scope_; }
  /// As text, in the reference's form.
  [[nodiscard]] std::string text() const;
  /// As data, in the reference's form: keys and events are symbols (text::Symbol).
  [[nodiscard]] Value data(Arena& arena) const;
  /// Adds a last line.
  void add_text(std::string text);
  /// Adds a last line: why there is no value, in the reference's words. Relative names of files count from `working_folder`.
  void add_failure(const LookupError& error, const std::string& working_folder);
  /// Keeps what owns the values that are told of, also where the lookup fails.
  void keep(std::shared_ptr<const void> owner) { owners_.push_back(std::move(owner)); }

  struct Node;
  [[nodiscard]] Node& root() noexcept { return *root_; }

 private:
  Scope scope_;
  std::vector<std::shared_ptr<const void>> owners_;
  std::unique_ptr<Node> root_;
};

}  // namespace strata::hiera
