// SPDX-License-Identifier: Apache-2.0
#include "service/sites/state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <set>

#include "analysis/secret_texts.hpp"
#include "edit/target.hpp"
#include "service/core.hpp"
#include "service/face.hpp"
#include "service/json.hpp"
#include "service/signer.hpp"
#include "service/sites/fleet_question.hpp"
#include "service/sites/machines.hpp"
#include "service/sites/site_settings.hpp"
#include "strata/builder.hpp"
#include "strata/engine.hpp"
#include "strata/error.hpp"
#include "strata/near_names.hpp"
#include "strata/paths.hpp"
#include "strata/resident_fleet.hpp"
#include "strata/secret_keys.hpp"
#include "strata/snapshot.hpp"
#include "strata/stop.hpp"
#include "strata/study.hpp"
#include "strata/text.hpp"
#include "strata/workspace.hpp"
#include "tree/sha256.hpp"
#include "value/fields.hpp"

namespace strata::service::sites {
namespace {

constexpr std::size_t kCachedAnswerShare = 16;  ///< An answer that takes more than this part of the budget is not kept.
constexpr std::string_view kNodes = "<nodes>";
constexpr std::string_view kRoot = "/";
constexpr std::string_view kMerge = "merge";

/// What the options of a site say.
struct Options {
  bool gives_nodes_secrets = false;
  std::shared_ptr<const SecretKeys> secret_keys = {};
  text::Document document = {};  ///< All of them. Without a root: there are none.
};

/// Options of questions that say where the configuration is.
constexpr std::array<std::string_view, 10> kPlaces{
    "args",  "base",         "codedir",  "confdir",     "environment-root",
    "fleet", "hiera-config", "template", "vendor-data", "vendor-data2"};

/// The items of a list of JSON, as it stands.
std::string_view item_of(std::string_view list) {
  const std::size_t begin = list.find('[');
  const std::size_t end = list.rfind(']');
  return begin == std::string_view::npos || end <= begin ? std::string_view() : list.substr(begin + 1, end - begin - 1);
}

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

Options read_options(const SiteForm& form, const Limits& limits) {
  Options out;
  if (form.options.empty()) return out;
  Sources sources;
  out.document = text::read_yaml(sources, sources.add("options", form.options), text::core12(), limits);
  const FieldErrors errors{.code = "site.project"};
  const Fields fields(out.document.root, "the options of a site", errors);
  out.gives_nodes_secrets = fields.flag(kNodeSecrets);
  if (const Value* keys = fields.texts(kSecretKeys, "a list of patterns")) {
    std::vector<std::string> patterns;
    for (const Value& one : keys->items()) patterns.emplace_back(one.text());
    if (!patterns.empty()) out.secret_keys = std::make_shared<const SecretKeys>(patterns);
  }
  return out;
}

workspace::Project project_of(const SiteForm& form, const FileTree& tree, const Limits& limits);

/// Adds the members of a project that are not there yet.
void add_members(Arena& arena, MappingBuilder& out, const workspace::Project& project) {
  const auto add = [&](std::string_view name, const Value& value) {
    if (out.find(name) == nullptr) out.insert(name, value);
  };
  const auto texts = [&arena](const std::vector<std::string>& words) {
    SequenceBuilder list(arena, words.size());
    for (const std::string& word : words) list.append(arena.text(word));
    return list.finish();
  };
  for (const workspace::Setting& one : project.settings) {
    using enum workspace::Setting::Kind;
    add(one.name, one.kind == flag   ? Value::boolean(one.is_on)
                  : one.kind == list ? texts(one.values)
                                     : arena.text(one.values.front()));
  }
  if (!project.args.empty()) add("args", texts(project.args));
  if (!project.fleet_file.empty()) add("fleet", arena.text(project.fleet_file));
  if (!project.members) return;
  SequenceBuilder members(arena);
  for (const workspace::Member& one : *project.members)
    members.append(json_object(arena, {{"name", arena.text(one.name)}, {"args", texts(one.words)}}));
  add("fleet", members.finish());
}

/// The text of a `.strata.yaml` with the options for the question, on top of what the site holds where they do not say
/// where its configuration is. Empty: there are none.
std::string project_text(const SiteForm& form, const Value& options, const FileTree& tree, const Limits& limits) {
  constexpr std::array<std::string_view, 4> kOwn{"verb", kNodeSecrets, kSecretKeys, kKeepLastGood};
  if (!options) return {};
  Arena arena;
  MappingBuilder entry(arena);
  for (const Entry& one : options.entries()) {
    if (one.key.is_text() && std::ranges::find(kOwn, one.key.text()) == kOwn.end()) entry.insert(one.key, one.value);
  }
  if (entry.size() == 0) return {};
  if (std::ranges::none_of(kPlaces, [&entry](std::string_view one) { return entry.find(one) != nullptr; })) {
    try {
      const workspace::Project found = project_of(form, tree, limits);
      if (found.folder == kRoot) add_members(arena, entry, found);
    } catch (const Error& error) {
      if (error.ends_request()) throw;  // Otherwise the options are asked alone, and fail where they do not suffice.
    }
  }
  entry.insert("verb", arena.text(find_dialect(form.dialect).verb));
  return text::write_json(json_object(arena, {{"projects", json_object(arena, {{"site", entry.finish()}})}}),
                          {.indent = -1});
}

workspace::Project project_of(const SiteForm& form, const FileTree& tree, const Limits& limits) {
  const workspace::Found found = workspace::find_projects(tree, {.folder = std::string(kRoot),
                                                                 .root = std::string(kRoot),
                                                                 .working_folder = std::string(kRoot),
                                                                 .is_left_out = {},
                                                                 .limits = limits});
  const std::string_view verb = find_dialect(form.dialect).verb;
  const workspace::Project* chosen = nullptr;
  for (const workspace::Project& one : found.projects) {
    if (one.verb != verb) continue;
    if (chosen == nullptr || one.name == form.name) chosen = &one;
  }
  if (verb == kMerge && (chosen == nullptr || chosen->rule != workspace::Rule::file)) {
    if (auto machines = machines_project(tree, form.name, limits)) return *std::move(machines);
  }
  if (chosen == nullptr && verb == "inventory" && tree.kind("/nodes") == FileKind::folder) {
    return {
        .name = form.name, .verb = std::string(verb), .folder = std::string(kRoot)};  // As the command without options.
  }
  if (chosen == nullptr) {
    // What cannot be read looks like nothing: the reason helps more.
    constexpr std::string_view kHierarchy = "/hiera.yaml";
    if (verb == "lookup" && tree.kind(kHierarchy) == FileKind::file) {
      Sources sources;
      (void)text::read_yaml(sources, sources.add("hiera.yaml", tree.read(kHierarchy).value_or("")), text::psych(),
                            limits);
    }
    throw Error("site.project", fmt::format("the site '{}' has nothing that looks like {}", form.name, form.dialect))
        .hint("give it options, or a .strata.yaml at its root");
  }
  return *chosen;
}

}  // namespace

const dialects::Entry& find_dialect(std::string_view name) {
  if (const dialects::Entry* found = dialects::find(name)) return *found;
  std::vector<std::string_view> names;
  for (const dialects::Entry& one : dialects::all()) names.push_back(one.name);
  throw Error("site.dialect", fmt::format("unknown dialect '{}'", name))
      .hint(name_hint(names, name, fmt::format("{}", fmt::join(names, ", "))));
}

SiteState::SiteState(const SiteForm& form, std::int64_t generation, std::string commit,
                     std::shared_ptr<const FileTree> tree, Ground ground, std::size_t bytes)
    : generation_(generation),
      commit_(std::move(commit)),
      form_(form),
      tree_(std::move(tree)),
      ground_(std::move(ground)),
      number_(next_number()),
      bytes_(bytes),
      fleet_(&ground_.usage->fleets) {
  const auto began = std::chrono::steady_clock::now();
  static const auto own_tags = std::make_shared<const Signer>(kTags);
  if (ground_.tags == nullptr) ground_.tags = own_tags;
  const Options options = read_options(form, ground_.limits);
  gives_nodes_secrets_ = options.gives_nodes_secrets;
  ground_.limits.secret_keys = options.secret_keys;
  auto with = tree_;
  if (std::string project = project_text(form, options.document.root, *tree_, ground_.limits); !project.empty()) {
    with = edited_tree(tree_, {{"/" + std::string(workspace::kFileName), std::move(project)}}, std::string(kRoot));
  }
  project_ = std::make_unique<const workspace::Project>(project_of(form, *with, ground_.limits));
  // Machines are given what the list says, also where the project says which results there are.
  if (project_->verb == kMerge && project_->entry) (void)MachineList(*tree_, ground_.limits);
  question_ = ground_.questions(*project_, {.tree = *with, .engine = ground_.engine, .limits = ground_.limits});
  host_ = std::make_shared<SiteHost>(with, form.keys);
  analysis::State state{.files = with, .inputs = std::make_shared<analysis::Inputs>(*host_, std::string(kRoot))};
  if (!question_.assumed_nodes.empty()) {
    state.inputs =
        std::make_shared<analysis::Inputs>(*state.inputs, Edits{{question_.assumed_nodes, question_.assumed_text}});
  }
  state_ = analysis::kept(state, ground_.engine, {.folder = std::string(kRoot), .limits = ground_.limits});
  ground_.usage->count_snapshot(std::chrono::steady_clock::now() - began);
  askers_ = std::make_unique<const Askers>(question(), state_);
  ground_.usage->snapshot_bytes += static_cast<std::int64_t>(bytes_);
  ++ground_.usage->states;
}

const std::string& SiteState::verb() const noexcept { return project_->verb; }

bool SiteState::has_fleet() const noexcept {
  return project_->entry && (project_->members || !project_->fleet_file.empty());
}

std::optional<std::vector<std::string>> SiteState::member_words(std::string_view member, const Limits& limits) const {
  workspace::Question question = workspace::question_of(*project_, verb_form(), std::string(kRoot));
  std::vector<workspace::Member> members = std::move(question.members).value_or(std::vector<workspace::Member>());
  if (!question.fleet_file.empty()) {
    Sources sources;
    const SourceId source =
        sources.add(question.fleet_file, state_.files->read(absolute_path(kRoot, question.fleet_file)).value_or(""));
    const text::Document document = text::read_yaml(sources, source, text::core12(), limits);
    members = workspace::read_members(document.root, sources, sources.at(source, 0), "analysis.fleet");
    for (workspace::Member& one : members)
      one.words = workspace::moved_words(one.words, verb_form(), project_->folder, std::string(kRoot));
  }
  const auto found = std::ranges::find(members, member, &workspace::Member::name);
  if (found == members.end()) return std::nullopt;
  std::vector<std::string> out(question.words.begin() + 1, question.words.end());
  out.insert(out.end(), found->words.begin(), found->words.end());
  return out;
}

SiteState::~SiteState() {
  ground_.usage->answers.drop(number_);
  ground_.usage->snapshot_bytes -= static_cast<std::int64_t>(bytes_);
  --ground_.usage->states;
}

Limits SiteState::limits(const Stop& stop) const {
  Limits out = ground_.limits;
  out.stop = &stop;
  return out;
}

WholeFleet SiteState::whole_fleet(const StoredNodes& stored) const {
  std::set<std::string, std::less<>> names;
  std::string list;
  for (const auto& [name, facts] : stored) {
    if (has_node(name)) continue;
    names.insert(name);
    list += list.empty() ? '[' : ',';
    list += item_of(facts);
  }
  if (names.empty()) return {.question = {std::shared_ptr<const void>(), question_.question.get()}, .state = state_};
  list += ']';
  SiteQuestion of_stored = ground_.questions(
      *project_,
      {.tree = *state_.files, .engine = ground_.engine, .limits = ground_.limits, .nodes = std::string(kNodes)});
  WholeFleet out{
      .question = std::make_shared<const FleetQuestion>(question(), std::move(of_stored.question), std::move(names)),
      .state = state_,
      .stored = sha256_text(list)};
  out.state.inputs =
      std::make_shared<analysis::Inputs>(*state_.inputs, Edits{{"/" + std::string(kNodes), std::move(list)}});
  return out;
}

analysis::State SiteState::edited(const Edits& edits, const WholeFleet& fleet) const {
  check_question(edits);
  return analysis::edited(fleet.state, edits, std::string(kRoot));
}

void SiteState::check_question(const Edits& edits) const {
  constexpr std::array kFiles{workspace::kFileName, kMachinesFile};
  const auto* const edited =
      std::ranges::find_if(kFiles, [&edits](std::string_view file) { return edits.contains("/" + std::string(file)); });
  if (!form_.options.empty() || edited == kFiles.end()) return;
  const workspace::Project now = project_of(form_, *edited_tree(tree_, edits, std::string(kRoot)), ground_.limits);
  const auto entry_of = [](const workspace::Project& project) { return project.entry ? project.entry : Value::null(); };
  const bool has_same_members =
      now.members.has_value() == project_->members.has_value() &&
      (!now.members || std::ranges::equal(*now.members, *project_->members,
                                          [](const workspace::Member& one, const workspace::Member& other) {
                                            return one.name == other.name && one.words == other.words;
                                          }));
  if (now.rule == project_->rule && has_same_members && equal(entry_of(now), entry_of(*project_))) return;
  throw Error("site.project",
              fmt::format("the edit of {} changes what the site '{}' asks, not only its files: this cannot be compared",
                          *edited, form_.name))
      .hint("compare the edits of other files, or save this one and look at the results of the nodes");
}

std::shared_ptr<Snapshot> SiteState::snapshot() const {
  const std::scoped_lock lock(mutex_);
  if (snapshot_ == nullptr) {
    snapshot_ = Snapshot::make(ground_.engine, state_.files,
                               {.folder = std::string(kRoot), .limits = ground_.limits, .host = host_.get()});
  }
  return snapshot_;
}

void SiteState::with_facts(const std::string& node_list, History history, const Stop& stop, const Use& use) const {
  SiteQuestion question = ground_.questions(
      *project_,
      {.tree = *state_.files, .engine = ground_.engine, .limits = limits(stop), .nodes = std::string(kNodes)});
  analysis::State state = state_;
  state.stop = &stop;
  state.inputs = std::make_shared<analysis::Inputs>(*state_.inputs, Edits{{"/" + std::string(kNodes), node_list}});
  const auto asked = question.question->in(state, history);
  const auto subject = asked->next();
  if (subject == nullptr) throw Error("site.node", "the facts are those of no node");
  use(*subject);
}

void SiteState::with_options(const std::vector<std::string>& options, const std::string& node,
                             const std::optional<std::string>& facts, History history, const Stop& stop,
                             const Use& use) const {
  const std::string nodes = facts ? std::string(kNodes) : std::string();
  const SiteQuestion question = ground_.questions(
      *project_,
      {.tree = *state_.files, .engine = ground_.engine, .limits = limits(stop), .nodes = nodes, .options = options});
  analysis::State state = state_;
  state.stop = &stop;
  if (facts)
    state.inputs = std::make_shared<analysis::Inputs>(*state_.inputs, Edits{{"/" + std::string(kNodes), *facts}});
  if (facts) {
    const auto asked = question.question->in(state, history);
    if (const auto subject = asked->next()) return use(*subject);
  } else {
    analysis::SubjectPool pool(*question.question, state, {.history = history, .only = std::string(kOnly)});
    if (pool.with(node, &stop, use)) return;
  }
  throw Error("site.node", fmt::format("unknown node '{}'", node));
}

namespace {

/// A fleet that stays, with its question.
struct Resident {
  Resident(WholeFleet of, analysis::StudySettings settings)
      : whole(std::move(of)), fleet(*whole.question, whole.state, std::move(settings)) {}
  WholeFleet whole;
  analysis::Fleet fleet;
};

}  // namespace

analysis::ImpactReport SiteState::impact(const Edits& edits, const StoredNodes& stored,
                                         const std::vector<std::string>& only, analysis::GroupBy by,
                                         const Stop& stop) const {
  check_question(edits);
  WholeFleet whole = whole_fleet(stored);
  analysis::StudySettings settings{.how = {.stop = &stop},
                                   .only = only,
                                   .most_changes = kMostChanges,
                                   .folder = std::string(kRoot),
                                   .executor = ground_.engine->settings().executor,
                                   .depth = ground_.limits.depth};
  std::unique_lock lock(fleet_.mutex(), std::try_to_lock);
  if (!only.empty() || !lock.owns_lock()) {
    // Somebody else asks: a study of its own costs more, and does not wait.
    for (const auto& [path, text] : edits) settings.edited.paths.insert(path);
    settings.edited.no_others = true;
    analysis::Study study(*whole.question, whole.state, edited(edits, whole), std::move(settings));
    return study.impact(by);
  }
  const std::string of_stored = whole.stored;  // What makes the fleet takes it.
  analysis::Fleet& fleet = fleet_.get(of_stored, [&] {
    settings.how.stop = nullptr;  // It outlives this request.
    stop.check();
    const auto resident = std::make_shared<Resident>(std::move(whole), std::move(settings));
    return std::shared_ptr<analysis::Fleet>(resident, &resident->fleet);
  });
  analysis::ImpactReport out = fleet.apply(edits, by, &stop);
  fleet_.count();
  lock.unlock();
  (void)ground_.usage->trim(ground_.engine->usage().bytes);
  return out;
}

std::unique_ptr<const analysis::SecretTexts> secret_texts_of(const SiteForm& form, const FileTree& tree,
                                                             Limits limits) {
  limits.secret_keys = read_options(form, limits).secret_keys;
  std::vector<std::string> paths = paths_of(tree);
  for (std::string& path : paths) path.insert(0, "/");
  return std::make_unique<const analysis::SecretTexts>(tree, paths, find_dialect(form.dialect).traits(),
                                                       std::move(limits));
}

const analysis::SecretTexts& SiteState::secret_texts() const {
  secrets_once_.call([this] { secrets_ = secret_texts_of(form_, *tree_, ground_.limits); });
  return *secrets_;
}

void check_draft(const Call& call, const SiteState& state) {
  if (!state.may_have_secrets() || call.may("strata:secret.read")) return;
  call.demand("strata:tree.write");
  call.core.audit(call, "a draft");
}

bool SiteState::may_have_secrets() const { return !form_.keys.private_key.empty() || secret_texts().may_have_some(); }

namespace {

/// Why a text of configuration cannot be read. No value: it can.
std::optional<Diagnostic> why_unreadable(std::string_view path, std::string_view text, const edit::Form& form,
                                         const query::Traits& traits, const Limits& limits) {
  if (traits.is_yaml != nullptr && !traits.is_yaml(text)) return std::nullopt;
  const std::string name(path.substr(path.starts_with('/') ? 1 : 0));
  try {
    if (form.syntax != edit::Syntax::other) (void)edit::Reading(name, text, form, limits);
  } catch (const Error& error) {
    if (error.gives_up()) throw;
    return error.diagnostic();
  }
  return std::nullopt;
}

/// Whether a failure says that a text cannot be read.
bool is_of_reading(std::string_view code) {
  return code.starts_with("yaml.") || code.starts_with("json.") || code.starts_with("hocon.") ||
         code.ends_with(".syntax");
}

}  // namespace

std::optional<Diagnostic> SiteState::unreadable_file(const FileTree& known) const {
  const auto asked = question().in(state_, History::no, analysis::Question::Telling::nothing);
  std::set<std::string> seen;
  while (const auto subject = asked->next()) {
    // Those of lookups are known before anything is asked.
    if (!question().traits().is_keyed) {
      const analysis::Subject::Answer answer = subject->ask(std::nullopt);
      if (answer.outcome.failure && is_of_reading(answer.outcome.failure->code)) return answer.outcome.failure;
    }
    std::vector<analysis::ConfigurationFile> files;
    try {
      const auto of_subject = subject->files();
      files = of_subject->read();
      // A file of data that cannot be read is not among them, and leads to the others all the same.
      if (question().traits().is_keyed) {
        for (analysis::ConfigurationFile& file : of_subject->editable({})) files.push_back(std::move(file));
      }
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      if (is_of_reading(error.code())) return error.diagnostic();
      continue;  // What else is wrong with a node breaks no other.
    }
    for (const analysis::ConfigurationFile& file : files) {
      if (!seen.insert(file.path).second) continue;
      const std::optional<std::string> text = tree_->read(file.path);
      if (!text || known.read(file.path) == text) continue;
      if (auto why = why_unreadable(file.path, *text, file.form, question().traits(), ground_.limits)) return why;
    }
  }
  return std::nullopt;
}

std::optional<SiteState::Kept> SiteState::kept(const std::string& question) const {
  auto found = ground_.usage->answers.find(number_, question);
  ++(found ? ground_.usage->hits : ground_.usage->misses);
  return found;
}

void SiteState::keep(const std::string& question, Kept answer) const {
  if (answer.body->size() > ground_.usage->budget / kCachedAnswerShare) return;
  ground_.usage->answers.keep(number_, question, std::move(answer));
  (void)ground_.usage->trim(ground_.engine->usage().bytes);
}

}  // namespace strata::service::sites
