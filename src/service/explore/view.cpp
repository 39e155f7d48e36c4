#include "service/explore/view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "service/explore/survey.hpp"
#include "service/explore/table.hpp"
#include "strata/near_names.hpp"
#include "strata/paths.hpp"
#include "strata/resident_fleet.hpp"
#include "strata/silencing.hpp"
#include "strata/stop.hpp"
#include "strata/workspace.hpp"

namespace strata::service::explore {
namespace {

constexpr std::size_t kMostTables = 16;

std::string parent_of(const std::string& path) { return path.substr(0, std::max<std::size_t>(path.rfind('/'), 1)); }

/// The configuration of checks that counts for a folder.
analysis::CheckConfig check_config(const FileTree& tree, const std::string& folder, const Limits& limits) {
  std::vector<std::string> folders{folder};
  const std::string projects = workspace::nearest_configuration(tree, {.folder = folder, .limits = limits});
  if (!projects.empty()) folders.insert(folders.begin(), parent_of(projects));
  for (const std::string& one : folders) {
    const std::string path = absolute_path(one, analysis::kCheckConfigName);
    const std::optional<std::string> text = tree.kind(path) == FileKind::none ? std::nullopt : tree.read(path);
    if (!text) continue;
    analysis::CheckConfig out = analysis::read_check_config(shown_path(path, folder), *text, limits);
    out.folder = one;
    return out;
  }
  return {};
}

}  // namespace

View::View(ViewForm form) : form_(std::move(form)), askers_(*form_.question, form_.state) {}
View::~View() = default;

Layout View::layout() const { return has_documents() ? Layout::documents : form_.verb == "inventory" ? Layout::parameters : Layout::members; }

std::string View::shown(std::string_view path) const { return shown_path(path, form_.folder); }
std::string View::path_of(std::string_view file) const { return absolute_path(form_.folder, file); }

std::string View::editable_path(std::string_view file) const {
  std::string path = path_of(file);
  const bool is_below = form_.root == "/" || path.starts_with(form_.root + "/");
  if (!is_below || file.empty() || file.ends_with('/') || path == "/") {
    throw Error("tree.outside", fmt::format("the file '{}' is not below the folder of the project", file)).hint("name a file of the project");
  }
  return path;
}

void View::with(const std::string& subject, analysis::Question::History history, const sites::Askers::Use& use) const {
  if (askers_.with(subject, history, use)) return;
  std::vector<std::string_view> names;
  constexpr std::size_t kMostCompared = 10'000;
  for (const std::string& one : askers_.names()) {
    if (names.size() < kMostCompared) names.push_back(one);
  }
  const std::string as_of = form_.revision.empty() ? std::string() : fmt::format(" as of {}", form_.revision);
  throw Error("explore.subject", fmt::format("there is no {} '{}'{}", question().wording().subject, subject, as_of))
      .hint(name_hint(names, subject, {}));
}

std::shared_ptr<const Table> View::table(const std::string& subject) const {
  {
    const std::scoped_lock lock(tables_mutex_);
    const auto known = std::ranges::find(tables_, subject, &std::pair<std::string, std::shared_ptr<const Table>>::first);
    if (known != tables_.end()) {
      tables_.splice(tables_.begin(), tables_, known);
      return tables_.front().second;
    }
  }
  auto made = std::make_shared<Table>();
  with(subject, analysis::Question::History::yes, [&](analysis::Subject& one) {
    const analysis::Subject::Answer answer = one.ask(std::nullopt);
    *made = make_table(answer.outcome, layout(), question().wording().sort_keys);
    made->warnings = answer.warnings;
  });
  const std::scoped_lock lock(tables_mutex_);
  tables_.emplace_front(subject, made);
  if (tables_.size() > kMostTables) tables_.pop_back();
  return made;
}

const analysis::CoverageReport& View::coverage() const {
  return coverage_.get([this] {
    return std::make_unique<analysis::CoverageReport>(analysis::coverage(question(), state(), {.folder = form_.folder, .limits = form_.limits}));
  });
}

analysis::CheckReport View::check(const analysis::State& state) const {
  const analysis::CheckConfig config = check_config(*state.files, form_.folder, form_.limits);
  analysis::CheckSettings settings{.folder = form_.folder, .limits = form_.limits, .consumers = config.consumers, .known_keys = config.known_keys};
  for (const analysis::FindingCode& code : analysis::finding_codes()) {
    if (code.needs_fleet && question().lacks_fleet()) continue;
    if (!config.select.empty() && std::ranges::find(config.select, code.name) == config.select.end()) continue;
    if (std::ranges::find(config.ignore, code.name) != config.ignore.end() || config.off.contains(code.name)) continue;
    settings.codes.emplace(code.name);
  }
  analysis::CheckReport report = analysis::check(question(), state, settings);
  analysis::silence(report, state, settings, config, {});
  return report;
}

const analysis::CheckReport& View::findings() const {
  return findings_.get([this] { return std::make_unique<analysis::CheckReport>(check(state())); });
}

std::map<std::string, const analysis::CoveredFile*> View::files() const {
  std::map<std::string, const analysis::CoveredFile*> out;
  for (const analysis::ConfigurationFile& file : findings().files) out.emplace(shown(file.path), nullptr);
  for (const analysis::CoveredFile& file : coverage().files) out.insert_or_assign(file.file, &file);
  return out;
}

const Survey& View::survey() const {
  return survey_.get([this] { return std::make_unique<Survey>(make_survey(question(), state(), form_.folder, nullptr)); });
}

const Facets& View::facets() const {
  return facets_.get([this] { return std::make_unique<Facets>(make_facets(question(), state())); });
}

analysis::ImpactReport View::impact(const Edits& edits, analysis::GroupBy by, const Stop* stop) const {
  const std::scoped_lock lock(fleet_mutex_);
  if (stop != nullptr) stop->check();
  if (fleet_ == nullptr) {
    analysis::StudySettings settings{
        .how = {.sort_keys = question().wording().sort_keys}, .folder = form_.folder, .executor = form_.executor, .depth = form_.limits.depth};
    fleet_ = std::make_unique<analysis::Fleet>(question(), state(), std::move(settings));
  }
  return fleet_->apply(edits, by, stop);
}

}  // namespace strata::service::explore
