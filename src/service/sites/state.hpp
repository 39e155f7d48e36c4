// SPDX-License-Identifier: Apache-2.0
// One generation of a site: its files, its question, its nodes, and what was asked of it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/dialects.hpp"
#include "service/sites/answers.hpp"
#include "service/sites/askers.hpp"
#include "service/sites/files.hpp"
#include "service/sites/residents.hpp"
#include "service/sites/usage.hpp"
#include "strata/analysis.hpp"
#include "strata/limits.hpp"
#include "strata/question.hpp"
#include "strata/service.hpp"
#include "strata/subject_pool.hpp"
#include "value/once_flag.hpp"

namespace strata {
class Engine;
class Snapshot;
class Stop;
}  // namespace strata
namespace strata::analysis {
class SecretTexts;
}  // namespace strata::analysis

namespace strata::service {
struct Call;
class Signer;
}  // namespace strata::service

namespace strata::service::sites {

/// Changes that a report tells together: about 50 MB of it.
inline constexpr std::size_t kMostChanges = 200'000;

class SiteState;

/// What is known of a site besides its files.
struct SiteForm {
  std::string name;
  std::string dialect;  ///< `hiera`, `cloud-init`, `deckhand`, `heat`, `bindings`, `inventory`.
  /// The members of a project of `.strata.yaml` as JSON or YAML, and with them `node-secrets` and `secret-keys`. Empty:
  /// the tree says, or what it holds.
  std::string options = {};
  SiteKeys keys = {};        ///< Of a site of the configuration.
  std::string project = {};  ///< The project of the site. Empty: none.
};
/// What is secret in the files of a tree with this form, which need not be a state. Errors: as SecretTexts; those of
/// options.
[[nodiscard]] std::unique_ptr<const analysis::SecretTexts> secret_texts_of(const SiteForm& form, const FileTree& tree,
                                                                           Limits limits);
/// Checks the client that reads a state with unsaved edits. They can let secrets flow wherever something depends
/// on what these are: where secrets are possible, drafts need the permission to write the files, and are logged in the
/// audit, or the permission to read secrets. Error (Refused, 403).
void check_draft(const Call& call, const SiteState& state);
/// As dialects::find. Error `site.dialect`.
[[nodiscard]] const dialects::Entry& find_dialect(std::string_view name);

/// Nodes that clients have stored, by name: facts as SiteState::with_facts takes them.
using StoredNodes = std::map<std::string, std::string>;

/// A question about all nodes of a site, and the state in which it is asked.
struct WholeFleet {
  std::shared_ptr<const analysis::Question> question;  ///< The SiteState must outlive it.
  analysis::State state;
  std::string stored = {};  ///< Differs where stored nodes do. Empty: there are none.
};

/// Immutable to its users; thread-safe.
class SiteState {
 public:
  struct Ground {
    std::shared_ptr<Engine> engine;
    QuestionMaker questions;
    Limits limits;
    std::shared_ptr<Usage> usage = std::make_shared<Usage>();
    /// Signs the tags of answers with secrets, so that comparing tags does not reveal these. Null: one of the
    /// process.
    std::shared_ptr<const Signer> tags = {};
  };
  /// Errors: `workspace.…`, `site.dialect`, those of the question: the site is broken.
  /// `bytes`: of its files.
  SiteState(const SiteForm& form, std::int64_t generation, std::string commit, std::shared_ptr<const FileTree> tree,
            Ground ground, std::size_t bytes = 0);
  ~SiteState();
  SiteState(const SiteState&) = delete;
  SiteState& operator=(const SiteState&) = delete;

  [[nodiscard]] std::int64_t generation() const noexcept { return generation_; }
  [[nodiscard]] const std::string& commit() const noexcept { return commit_; }
  [[nodiscard]] const SiteForm& form() const noexcept { return form_; }
  [[nodiscard]] const FileTree& tree() const noexcept { return *tree_; }
  [[nodiscard]] const std::shared_ptr<const FileTree>& shared_tree() const noexcept { return tree_; }
  [[nodiscard]] const analysis::Question& question() const noexcept { return *question_.question; }
  [[nodiscard]] const analysis::State& state() const noexcept { return state_; }
  /// The nodes of the files, and stored ones with other names. Errors: those of the question.
  [[nodiscard]] WholeFleet whole_fleet(const StoredNodes& stored) const;
  /// The state of its fleet with edits of files, absolute paths. Errors: `site.project` where they change the question;
  /// those of `.strata.yaml`.
  [[nodiscard]] analysis::State edited(const Edits& edits, const WholeFleet& fleet) const;
  [[nodiscard]] const Ground& ground() const noexcept { return ground_; }
  /// Those of a request about the site.
  [[nodiscard]] Limits limits(const Stop& stop) const;
  /// What the site may ask of its host.
  [[nodiscard]] Host& host() const noexcept { return *host_; }
  /// What is asked of the files, with its options.
  [[nodiscard]] const workspace::Project& project() const noexcept { return *project_; }
  [[nodiscard]] const std::string& verb() const noexcept;  ///< Of the project.
  [[nodiscard]] const workspace::VerbForm& verb_form() const noexcept { return *question_.form; }
  /// Whether the project lists its subjects: `fleet`.
  [[nodiscard]] bool has_fleet() const noexcept;
  /// The words of the question of a member of the fleet, as they are right from the root. No value: the fleet has no
  /// such member. Errors: `analysis.fleet`, those of the YAML reader.
  [[nodiscard]] std::optional<std::vector<std::string>> member_words(std::string_view member,
                                                                     const Limits& limits) const;
  /// Whether a node may read the secrets of its own results: `node-secrets` of the options.
  [[nodiscard]] bool gives_nodes_secrets() const noexcept { return gives_nodes_secrets_; }
  [[nodiscard]] Usage& usage() const noexcept { return *ground_.usage; }
  /// The files as the question sees them, whose root is `/`; a Snapshot of them, for questions besides that of the
  /// site.
  [[nodiscard]] const FileTree& question_tree() const noexcept { return *state_.files; }
  [[nodiscard]] const std::shared_ptr<const FileTree>& shared_question_tree() const noexcept { return state_.files; }
  [[nodiscard]] std::shared_ptr<Snapshot> snapshot() const;

  /// The names of the subjects, in the order of the fleet. Errors: as asking.
  [[nodiscard]] const std::vector<std::string>& nodes() const { return askers_->names(); }
  [[nodiscard]] bool has_node(std::string_view node) const { return askers_->has(node); }
  /// Reads which nodes there are. A state without known nodes is broken. Errors: as `nodes`.
  void check_nodes() const { (void)nodes(); }

  using Use = Askers::Use;
  using History = analysis::Question::History;
  /// Lends the subject of a node until `stop` ends the work; it must not be kept. False: there is none. Errors: those
  /// that end a run.
  bool with_subject(std::string_view node, History history, const Stop& stop, const Use& use) const {
    return askers_->with(node, history, stop, use);
  }
  /// Whether the nodes are guessed from the names of files.
  [[nodiscard]] bool assumes_nodes() const noexcept { return !question_.assumed_nodes.empty(); }
  /// The same for a node that is not in the site: facts as JSON, an item of a list of nodes. Only of questions that
  /// take nodes.
  void with_facts(const std::string& node_list, History history, const Stop& stop, const Use& use) const;

  /// Lends the subject of a node to a question with further options, whose values are checked. `facts`: as above; no
  /// value: the node is one of the files. Errors: `site.node`, `site.project`, those that end a run.
  void with_options(const std::vector<std::string>& options, const std::string& node,
                    const std::optional<std::string>& facts, History history, const Stop& stop, const Use& use) const;

  /// What edits, by absolute path, change for whom. Further edits of the same state cost what they touch. Errors: those
  /// that end a run.
  [[nodiscard]] analysis::ImpactReport impact(const Edits& edits, const StoredNodes& stored,
                                              const std::vector<std::string>& only, analysis::GroupBy by,
                                              const Stop& stop) const;

  /// What is secret in its files. Errors: as SecretTexts.
  [[nodiscard]] const analysis::SecretTexts& secret_texts() const;
  /// Whether something in it may be secret.
  [[nodiscard]] bool may_have_secrets() const;
  /// The first file that a node reads, and that cannot be read by its reader; files with the text that they have in
  /// `known` are not looked at. No value: there is none. Errors: those that end a run.
  [[nodiscard]] std::optional<Diagnostic> unreadable_file(const FileTree& known) const;

  /// A body that was made from this state, with its entity tag, by the question.
  using Kept = Answers::Kept;
  [[nodiscard]] std::optional<Kept> kept(const std::string& question) const;
  void keep(const std::string& question, Kept answer) const;

 private:
  /// Error `site.project` where edits change what is asked.
  void check_question(const Edits& edits) const;

  std::int64_t generation_;
  std::string commit_;
  bool gives_nodes_secrets_ = false;
  SiteForm form_;
  std::shared_ptr<const FileTree> tree_;
  Ground ground_;
  std::unique_ptr<const workspace::Project> project_;
  SiteQuestion question_;
  std::shared_ptr<SiteHost> host_;
  analysis::State state_;
  std::unique_ptr<const Askers> askers_;

  std::uint64_t number_;  ///< Of all states of the process.
  std::size_t bytes_;

  mutable std::mutex mutex_;  ///< Of the Snapshot.
  mutable std::shared_ptr<Snapshot> snapshot_;

  mutable KeptFleet fleet_;

  mutable OnceFlag secrets_once_;
  mutable std::unique_ptr<const analysis::SecretTexts> secrets_;
};

}  // namespace strata::service::sites
