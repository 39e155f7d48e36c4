// SPDX-License-Identifier: Apache-2.0
#include "service/explore/view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "analysis/secret_texts.hpp"
#include "service/explore/survey.hpp"
#include "service/explore/table.hpp"
#include "strata/inside_tree.hpp"
#include "strata/kind_inside.hpp"
#include "strata/near_names.hpp"
#include "strata/paths.hpp"
#include "strata/resident_fleet.hpp"
#include "strata/silencing.hpp"
#include "strata/stop.hpp"
#include "strata/workspace.hpp"
#include "value/lock_while_running.hpp"

namespace strata::service::explore {
namespace {

constexpr std::size_t kMostTables = 16;
constexpr std::size_t kMostAnswers = 2;  ///< Results with histories can be large.
constexpr std::size_t kMostCounted =
    1000;  ///< Subjects of a project whose files and findings are counted without being asked for.
constexpr std::size_t kMostSurveyed = 100;
constexpr std::chrono::milliseconds kMoment{50};

std::string parent_of(const std::string& path) { return path.substr(0, std::max<std::size_t>(path.rfind('/'), 1)); }

/// The configuration of checks that counts for a folder.
analysis::CheckConfig check_config(const FileTree& tree, const std::string& folder, const Limits& limits) {
  std::vector<std::string> folders{folder};
  const std::string projects = workspace::nearest_configuration(tree, {.folder = folder, .limits = limits});
  if (!projects.empty()) folders.insert(folders.begin(), parent_of(projects));
  for (const std::string& one : folders) {
    const std::string path = absolute_path(one, analysis::kCheckConfigName);
    std::optional<std::string> text;
    // The folder that the program was started in need not be one of the repository.
    if (kind_inside(tree, path).value_or(FileKind::none) != FileKind::none) text = tree.read(path);
    if (!text) continue;
    analysis::CheckConfig out = analysis::read_check_config(shown_path(path, folder), *text, limits);
    out.folder = one;
    return out;
  }
  return {};
}

}  // namespace

analysis::State stopped(analysis::State state, const Stop& stop) {
  state.stop = &stop;
  return state;
}

View::View(ViewForm form)
    : form_(std::move(form)),
      tree_(inside_tree(form_.state.files)),
      askers_(*form_.question, form_.state),
      fleet_(form_.residents),
      coverage_(progress("coverage"), form_.tell),
      findings_(progress("findings"), form_.tell),
      survey_(progress("survey"), form_.tell),
      facets_(progress("facts"), form_.tell),
      expected_(progress("drafts"), {}) {}
View::~View() = default;

Progress View::progress(std::string_view work) const {
  return {.project = form_.name, .revision = form_.revision, .work = work};
}

Layout View::layout() const {
  if (has_documents()) return Layout::documents;
  const bool has_sections = question().traits().items == query::ItemKind::section_member;
  return has_sections ? Layout::parameters : Layout::members;
}

std::string View::shown(std::string_view path) const { return shown_path(path, form_.folder); }
std::string View::path_of(std::string_view file) const { return absolute_path(form_.folder, file); }

std::string View::editable_path(std::string_view file) const {
  std::string path = path_of(file);
  const bool is_below = form_.root == "/" || path.starts_with(form_.root + "/");
  if (!is_below || file.empty() || file.ends_with('/') || path == "/") {
    const std::string root = shown(form_.root);
    throw Error("tree.outside", fmt::format("the file '{}' is not below the folder of the project", file))
        .hint(root.empty() || form_.root == form_.folder ? "name a file of the project"
                                                         : fmt::format("names of its files begin with '{}/'", root));
  }
  return path;
}

void View::with(const std::string& subject, analysis::Question::History history, const Stop& stop,
                const sites::Askers::Use& use) const {
  if (askers_.with(subject, history, stop, use)) return;
  std::vector<std::string_view> names;
  constexpr std::size_t kMostCompared = 10'000;
  for (const std::string& one : askers_.names()) {
    if (names.size() < kMostCompared) names.push_back(one);
  }
  const std::string as_of = form_.revision.empty() ? std::string() : fmt::format(" as of {}", form_.revision);
  throw Error("explore.subject", fmt::format("there is no {} '{}'{}", question().wording().subject, subject, as_of))
      .hint(name_hint(names, subject, {}));
}

namespace {

/// Null: it is not among the last ones.
template <class List>
auto find_last(List& list, const std::string& subject) -> decltype(list.front().second) {
  const auto known = std::ranges::find(list, subject, &List::value_type::first);
  if (known == list.end()) return nullptr;
  list.splice(list.begin(), list, known);
  return list.front().second;
}

template <class List, class T>
void keep_last(List& list, const std::string& subject, std::shared_ptr<const T> made, std::size_t most) {
  list.emplace_front(subject, std::move(made));
  if (list.size() > most) list.pop_back();
}

}  // namespace

std::shared_ptr<const View::Answered> View::answer(const std::string& subject, const Stop& stop) const {
  {
    const std::scoped_lock lock(tables_mutex_);
    if (auto known = find_last(answers_, subject)) return known;
  }
  auto made = std::make_shared<Answered>();
  with(subject, analysis::Question::History::yes, stop,
       [&](analysis::Subject& one) { made->answer = one.ask(std::nullopt); });
  const std::scoped_lock lock(tables_mutex_);
  keep_last<Last<Answered>, Answered>(answers_, subject, made, kMostAnswers);
  return made;
}

std::shared_ptr<const Table> View::table(const std::string& subject, const Stop& stop) const {
  {
    const std::scoped_lock lock(tables_mutex_);
    if (auto known = find_last(tables_, subject)) return known;
  }
  auto made = std::make_shared<Table>();
  auto answered = std::make_shared<Answered>();
  with(subject, analysis::Question::History::yes, stop, [&](analysis::Subject& one) {
    answered->answer = one.ask(std::nullopt);
    const analysis::Outcome& outcome = answered->answer.outcome;
    *made = make_table(outcome, layout(), question().wording().sort_keys);
    made->warnings = answered->answer.warnings;
    if (!outcome.failure) find_layers(*made, *one.files(), form_.folder);
  });
  const std::scoped_lock lock(tables_mutex_);
  keep_last<Last<Table>, Table>(tables_, subject, made, kMostTables);
  keep_last<Last<Answered>, Answered>(answers_, subject, answered, kMostAnswers);
  return made;
}

Once<analysis::CoverageReport>::Make View::make_coverage() const {
  return [this](const Stop& stop) {
    return analysis::coverage(*counting(question(), coverage_.work()), stopped(state(), stop),
                              {.folder = form_.folder, .limits = form_.limits});
  };
}

Once<analysis::CheckReport>::Make View::make_findings() const {
  return [this](const Stop& stop) { return check(*counting(question(), findings_.work()), stopped(state(), stop)); };
}

const analysis::CoverageReport& View::coverage(const Stop& stop) const {
  return coverage_.get(stop, size(), make_coverage());
}

analysis::CheckReport View::check(const analysis::State& state) const { return check(question(), state); }

analysis::CheckReport View::check(const analysis::Question& question, const analysis::State& state) const {
  const analysis::CheckConfig config = check_config(*state.files, form_.folder, form_.limits);
  analysis::CheckSettings settings{.folder = form_.folder,
                                   .limits = form_.limits,
                                   .consumers = config.consumers,
                                   .known_keys = config.known_keys,
                                   .reports_warnings = config.select.empty()};
  for (const analysis::FindingCode& code : analysis::finding_codes()) {
    if (code.needs_fleet && question.lacks_fleet()) continue;
    if (!config.select.empty() && std::ranges::find(config.select, code.name) == config.select.end()) continue;
    if (std::ranges::find(config.ignore, code.name) != config.ignore.end() || config.off.contains(code.name)) continue;
    settings.codes.emplace(code.name);
  }
  analysis::CheckReport report = analysis::check(question, state, settings);
  analysis::silence(report, state, settings, config, {});
  // What rests on guessed nodes is no more than information.
  for (analysis::Finding& one : report.findings) {
    if (form_.is_assumed) one.severity = analysis::Severity::note;
  }
  return report;
}

// A check evaluates again for what may be dead; how often is unknown.
const analysis::CheckReport& View::findings(const Stop& stop) const { return findings_.get(stop, 0, make_findings()); }

bool View::is_counted() const {
  if (size() > kMostCounted) return coverage_.peek() != nullptr && findings_.peek() != nullptr;
  const auto until = Stop::Clock::now() + kMoment;
  const auto rest = [until] {
    return std::max(std::chrono::duration_cast<std::chrono::milliseconds>(until - Stop::Clock::now()),
                    std::chrono::milliseconds(0));
  };
  const bool is_covered = coverage_.get_within(rest(), size(), make_coverage()) != nullptr;
  const bool is_checked = findings_.get_within(rest(), 0, make_findings()) != nullptr;
  // Pages that need it ask for it: here it is for the number of files alone.
  if (is_covered && is_checked && size() <= kMostSurveyed) (void)survey_.get_within(rest(), size(), make_survey_of());
  return is_covered && is_checked;
}

const analysis::CoveredFile* View::covered(const std::string& path, const Stop& stop) const {
  const auto find = [this, &path](const std::vector<analysis::CoveredFile>& files) {
    const auto found = std::ranges::find(files, shown(path), &analysis::CoveredFile::file);
    return found == files.end() ? nullptr : &*found;
  };
  const analysis::CoveredFile* known = find(coverage(stop).files);
  return known != nullptr || question().traits().has_statements ? known : find(survey(stop).traced);
}

std::optional<std::size_t> View::known_files(const Stop& stop) const {
  if (coverage_.peek() == nullptr || findings_.peek() == nullptr || survey_.peek() == nullptr) return std::nullopt;
  return files(stop).size();
}

const std::map<std::string, View::ProjectFile>& View::files(const Stop& stop) const {
  const analysis::CheckReport& found = findings(stop);
  const analysis::CoverageReport& known = coverage(stop);
  const Survey& surveyed = survey(stop);
  has_files_.call([&] {
    for (const auto& [path, count] : surveyed.readers) files_[shown(path)].read_by = count;
    const auto add = [this, &surveyed](const std::string& path) -> ProjectFile& {
      const auto [file, is_new] = files_.try_emplace(shown(path));
      if (is_new && !surveyed.readers.contains(path)) file->second.read_by = 0;
      return file->second;
    };
    for (const analysis::ConfigurationFile& file : found.files) {
      if (tree().kind(file.path) == FileKind::file) add(file.path).form = &file;
    }
    // Where something is wrong there is a text to look at.
    for (const analysis::Finding& finding : found.findings) {
      const std::string& name = finding.what.where.place.file;
      if (!name.empty() && tree().kind(path_of(name)) == FileKind::file) (void)add(path_of(name));
    }
    for (const auto* files : {&known.files, &surveyed.traced}) {
      for (const analysis::CoveredFile& file : *files) {
        ProjectFile& one = add(path_of(file.file));
        one.covered = &file;
        one.read_by = file.read_by;
      }
    }
  });
  return files_;
}

const analysis::SecretTexts& View::secret_texts(const Stop& stop) const {
  if (form_.secret_texts) return form_.secret_texts();
  const analysis::CoverageReport& known = coverage(stop);
  const std::scoped_lock lock(secret_texts_mutex_);
  if (secret_texts_ == nullptr) {
    std::vector<std::string> paths;
    paths.reserve(known.files.size());
    for (const analysis::CoveredFile& one : known.files) paths.push_back(path_of(one.file));
    secret_texts_ = std::make_unique<const analysis::SecretTexts>(tree(), paths, question().traits(), form_.limits);
  }
  return *secret_texts_;
}

Once<std::unique_ptr<const Survey>>::Make View::make_survey_of() const {
  return [this](const Stop& until) {
    return std::make_unique<const Survey>(
        make_survey(*counting(question(), survey_.work()), stopped(state(), until), form_.folder));
  };
}

const Survey& View::survey(const Stop& stop) const { return *survey_.get(stop, size(), make_survey_of()); }

const Facets& View::facets(const Stop& stop) const {
  return *facets_.get(stop, size(), [this](const Stop& until) {
    return std::make_unique<const Facets>(make_facets(*counting(question(), facets_.work()), stopped(state(), until)));
  });
}

std::unique_lock<std::timed_mutex> View::with_fleet(const Stop& stop) const {
  auto lock = strata::detail::lock_while_running(fleet_.mutex(), &stop);
  stop.check();
  return lock;
}

analysis::Fleet& View::fleet() const {
  return fleet_.get({}, [this] {
    analysis::StudySettings settings{.how = {.sort_keys = question().wording().sort_keys},
                                     .folder = form_.folder,
                                     .executor = form_.executor,
                                     .depth = form_.limits.depth};
    return std::make_shared<analysis::Fleet>(question(), state(), std::move(settings));
  });
}

Once<bool>::Make View::make_fleet() const {
  return [this](const Stop& stop) {
    const auto lock = with_fleet(stop);
    (void)fleet();
    fleet_.count();
    return true;
  };
}

bool View::takes(const std::string& path, const Stop& stop) const {
  if (tree().kind(path) == FileKind::file) return files(stop).contains(shown(path));
  // A file that states something in every syntax.
  const Edits probe{{path, "{\"strata\": 1}\n"}};
  (void)expected_.get(stop, size(), make_fleet());
  const auto lock = with_fleet(stop);
  (void)fleet().apply(probe, analysis::GroupBy::effect, &stop);
  fleet_.count();
  return std::ranges::find(fleet().unread(), shown(path)) == fleet().unread().end();
}

void View::expect_draft() const { (void)expected_.get_within(std::chrono::milliseconds(0), size(), make_fleet()); }

analysis::ImpactReport View::impact(const Edits& edits, analysis::GroupBy by, const Stop& stop,
                                    const analysis::CountCompared& count) const {
  (void)expected_.get(stop, size(), make_fleet());
  auto lock = with_fleet(stop);
  // It may have gone meanwhile, for want of room.
  analysis::ImpactReport out = fleet().apply(edits, by, &stop, count);
  fleet_.count();
  lock.unlock();
  if (form_.trim) form_.trim();
  return out;
}

}  // namespace strata::service::explore
