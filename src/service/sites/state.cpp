#include "service/sites/state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "strata/engine.hpp"
#include "strata/error.hpp"
#include "strata/near_names.hpp"
#include "strata/resident_fleet.hpp"
#include "strata/snapshot.hpp"
#include "strata/stop.hpp"
#include "strata/study.hpp"
#include "strata/text.hpp"
#include "strata/workspace.hpp"

namespace strata::service::sites {
namespace {

constexpr std::size_t kMostKept = std::size_t{64} << 20U;  ///< Bytes of answers of one state.
constexpr std::string_view kNodes = "<nodes>";
constexpr std::string_view kRoot = "/";

struct Dialect {
  std::string_view name;
  std::string_view verb;
};
constexpr std::array kDialects{Dialect{"bindings", "inject"}, Dialect{"cloud-init", "merge"}, Dialect{"deckhand", "render"},
                               Dialect{"heat", "compose"},    Dialect{"hiera", "lookup"},     Dialect{"inventory", "inventory"}};

constexpr std::string_view kNodeSecrets = "node-secrets";  ///< An option for the service, and not for the question.

/// The tree with a `.strata.yaml` that says what the site's options are.
std::shared_ptr<const FileTree> tree_with_options(const std::shared_ptr<const FileTree>& tree, const SiteForm& form, const Limits& limits,
                                                  bool& gives_nodes_secrets) {
  if (form.options.empty()) return tree;
  std::size_t count = 0;
  Sources sources;
  const text::Document options = text::read_yaml(sources, sources.add("options", form.options), text::core12(), limits);
  std::string entry = fmt::format(R"("verb": "{}")", verb_of(form.dialect));
  if (options.root.is_mapping()) {
    for (const Entry& one : options.root.entries()) {
      if (!one.key.is_text() || one.key.text() == "verb") continue;
      if (one.key.text() == kNodeSecrets) {
        if (one.value.kind() != Kind::boolean) throw Error("site.project", fmt::format("'{}' is true or false", kNodeSecrets));
        gives_nodes_secrets = one.value.as_boolean();
        continue;
      }
      ++count;
      entry += ", ";
      text::append_json_text(entry, one.key.text());
      entry += ": ";
      text::append_json(entry, one.value, {.indent = -1});
    }
  }
  if (count == 0) return tree;
  std::string text = "projects: {\"site\": {" + entry + "}}\n";
  return edited_tree(tree, {{"/" + std::string(workspace::kFileName), std::move(text)}}, std::string(kRoot));
}

workspace::Project project_of(const SiteForm& form, const FileTree& tree, const Limits& limits) {
  const workspace::Found found = workspace::find_projects(
      tree, {.folder = std::string(kRoot), .root = std::string(kRoot), .working_folder = std::string(kRoot), .is_left_out = {}, .limits = limits});
  const std::string_view verb = verb_of(form.dialect);
  const workspace::Project* chosen = nullptr;
  for (const workspace::Project& one : found.projects) {
    if (one.verb != verb) continue;
    if (chosen == nullptr || one.name == form.name) chosen = &one;
  }
  if (chosen == nullptr) {
    throw Error("site.project", fmt::format("the site '{}' has nothing that looks like {}", form.name, form.dialect))
        .hint("give it options, or a .strata.yaml at its root");
  }
  return *chosen;
}

}  // namespace

std::string_view verb_of(std::string_view dialect) {
  const auto* const found = std::ranges::find(kDialects, dialect, &Dialect::name);
  if (found != kDialects.end()) return found->verb;
  std::vector<std::string_view> names;
  names.reserve(kDialects.size());
  for (const Dialect& one : kDialects) names.push_back(one.name);
  throw Error("site.dialect", fmt::format("there is no dialect '{}'", dialect))
      .hint(name_hint(names, dialect, "bindings, cloud-init, deckhand, heat, hiera, inventory"));
}

std::string_view dialect_of(std::string_view verb) noexcept {
  const auto* const found = std::ranges::find(kDialects, verb, &Dialect::verb);
  return found == kDialects.end() ? verb : found->name;
}

SiteState::SiteState(const SiteForm& form, std::int64_t generation, std::string commit, std::shared_ptr<const FileTree> tree, Ground ground)
    : generation_(generation), commit_(std::move(commit)), tree_(std::move(tree)), ground_(std::move(ground)) {
  const auto began = std::chrono::steady_clock::now();
  const auto with = tree_with_options(tree_, form, ground_.limits, gives_nodes_secrets_);
  project_ = std::make_unique<const workspace::Project>(project_of(form, *with, ground_.limits));
  question_ = ground_.questions(*project_, {.tree = *with, .engine = ground_.engine, .limits = ground_.limits});
  host_ = std::make_shared<SiteHost>(with);
  analysis::State state{.files = with, .inputs = std::make_shared<analysis::Inputs>(*host_, std::string(kRoot))};
  if (!question_.assumed_nodes.empty()) {
    state.inputs = std::make_shared<analysis::Inputs>(*state.inputs, Edits{{question_.assumed_nodes, question_.assumed_text}});
  }
  state_ = analysis::kept(state, ground_.engine, {.folder = std::string(kRoot), .limits = ground_.limits});
  ground_.usage->count_snapshot(std::chrono::steady_clock::now() - began);
  askers_ = std::make_unique<const Askers>(question(), state_);
}

const std::string& SiteState::verb() const noexcept { return project_->verb; }

SiteState::~SiteState() { ground_.usage->bytes -= static_cast<std::int64_t>(bytes_); }

analysis::State SiteState::edited(const Edits& edits) const { return analysis::edited(state_, edits, std::string(kRoot)); }

std::shared_ptr<Snapshot> SiteState::snapshot() const {
  const std::scoped_lock lock(mutex_);
  if (snapshot_ == nullptr) {
    snapshot_ = Snapshot::make(ground_.engine, state_.files, {.folder = std::string(kRoot), .limits = ground_.limits});
  }
  return snapshot_;
}

void SiteState::with_facts(const std::string& node_list, analysis::Question::History history, const Use& use) const {
  SiteQuestion question =
      ground_.questions(*project_, {.tree = *state_.files, .engine = ground_.engine, .limits = ground_.limits, .nodes = std::string(kNodes)});
  analysis::State state = state_;
  state.inputs = std::make_shared<analysis::Inputs>(*state_.inputs, Edits{{"/" + std::string(kNodes), node_list}});
  const auto asked = question.question->in(state, history);
  const auto subject = asked->next();
  if (subject == nullptr) throw Error("site.node", "the facts are those of no node");
  use(*subject);
}

void SiteState::with_options(const std::vector<std::string>& options, const std::string& node, const std::optional<std::string>& facts,
                             analysis::Question::History history, const Use& use) const {
  const std::string nodes = facts ? std::string(kNodes) : std::string();
  const SiteQuestion question =
      ground_.questions(*project_, {.tree = *state_.files, .engine = ground_.engine, .limits = ground_.limits, .nodes = nodes, .options = options});
  analysis::State state = state_;
  if (facts) state.inputs = std::make_shared<analysis::Inputs>(*state_.inputs, Edits{{"/" + std::string(kNodes), *facts}});
  const auto asked = question.question->in(state, history);
  while (const auto subject = asked->next()) {
    if (!facts && subject->name() != node && !(subject->name().empty() && node == kOnly)) continue;
    return use(*subject);
  }
  throw Error("site.node", fmt::format("there is no node '{}'", node));
}

analysis::ImpactReport SiteState::impact(const Edits& edits, const std::vector<std::string>& only, analysis::GroupBy by, const Stop& stop) const {
  analysis::StudySettings settings{.how = {.stop = &stop},
                                   .only = only,
                                   .folder = std::string(kRoot),
                                   .executor = ground_.engine->settings().executor,
                                   .depth = ground_.limits.depth};
  const std::unique_lock lock(fleet_mutex_, std::try_to_lock);
  if (!only.empty() || !lock.owns_lock()) {
    // Somebody else asks: a study of its own costs more, and does not wait.
    for (const auto& [path, text] : edits) settings.edited.paths.insert(path);
    settings.edited.no_others = true;
    analysis::Study study(question(), state_, edited(edits), std::move(settings));
    return study.impact(by);
  }
  if (fleet_ == nullptr) {
    settings.how.stop = nullptr;  // It outlives this request.
    stop.check();
    fleet_ = std::make_unique<analysis::Fleet>(question(), state_, std::move(settings));
  }
  return fleet_->apply(edits, by, &stop);
}

std::optional<SiteState::Kept> SiteState::kept(const std::string& question) const {
  const std::scoped_lock lock(mutex_);
  const auto found = by_question_.find(question);
  if (found == by_question_.end()) {
    ++ground_.usage->misses;
    return std::nullopt;
  }
  ++ground_.usage->hits;
  list_.splice(list_.begin(), list_, found->second);
  return list_.front().second;
}

void SiteState::keep(const std::string& question, Kept answer) const {
  const std::size_t size = question.size() + answer.body->size() + 256;
  if (size > kMostKept / 4) return;
  const std::scoped_lock lock(mutex_);
  if (by_question_.contains(question)) return;
  const std::size_t before = bytes_;
  list_.emplace_front(question, std::move(answer));
  by_question_.emplace(question, list_.begin());
  bytes_ += size;
  while (bytes_ > kMostKept) {
    const auto& [name, oldest] = list_.back();
    bytes_ -= name.size() + oldest.body->size() + 256;
    by_question_.erase(name);
    list_.pop_back();
  }
  ground_.usage->bytes += static_cast<std::int64_t>(bytes_) - static_cast<std::int64_t>(before);
}

}  // namespace strata::service::sites
