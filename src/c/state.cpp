// SPDX-License-Identifier: Apache-2.0
#include "state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cli/analysis_run.hpp"
#include "cli/check_settings.hpp"
#include "cli/states.hpp"
#include "cli/tree_from.hpp"
#include "files.hpp"
#include "guarded.hpp"
#include "options.hpp"
#include "strata/analysis.hpp"
#include "strata/builder.hpp"
#include "strata/check.hpp"
#include "strata/gated_host.hpp"
#include "strata/git_ignore.hpp"
#include "strata/near_names.hpp"
#include "strata/paths.hpp"
#include "strata/process_host.hpp"
#include "strata/silencing.hpp"
#include "strata/study.hpp"
#include "strata/workspace.hpp"
#include "value/lock_while_running.hpp"
#include "value/seeded_hash.hpp"

namespace strata::c {
namespace {

using cli::QuestionChoice;

constexpr std::string_view kNodes = "<nodes>";
constexpr std::string_view kOptions = "<options>";
constexpr std::size_t kMostNodes = 64;  ///< Nodes that are not of the fleet, and are kept.
constexpr std::size_t kMostShown = 1000;

/// The options of a question that no command line has.
struct PlainOptions : cli::SharedOptions {
  explicit PlainOptions(const Limits& given) {
    limits = given;
    limits.stop = nullptr;
    threads = 1;
    compares = true;
  }
};

/// What `make` returns. A wrong project that the options describe is a wrong call: it has no file.
template <class Make>
auto of_options(const Make& make) {
  try {
    return make();
  } catch (const Error& error) {
    Diagnostic told = error.diagnostic();
    if (!told.code.starts_with("workspace.")) throw;
    told.code = "call.options";
    told.where = excerpt_of_file(std::string(kOptions));
    told.notes.clear();
    throw Error(std::move(told));
  }
}

/// The project that the options are.
workspace::Project project_of(const std::shared_ptr<const FileTree>& tree, const Site& site) {
  const std::string file = absolute_path(site.folder, workspace::kFileName);
  const auto with =
      edited_tree(tree, {{file, R"({"projects": {"options": )" + site.options.entry + "}}\n"}}, site.ground.folder);
  return of_options([&] {
    return workspace::find_projects(*with, {.folder = site.folder,
                                            .root = site.folder,
                                            .working_folder = site.ground.folder,
                                            .is_left_out = {},
                                            .limits = site.limits})
        .named("options");
  });
}

/// A project by its name.
workspace::Project named_project(const FileTree& tree, const Site& site) {
  workspace::Search search{.folder = site.folder,
                           .root = {},
                           .working_folder = site.ground.folder,
                           .is_left_out = {},
                           .limits = site.limits};
  if (!site.caller) search.is_left_out = ignored_by_git(site.folder);
  return workspace::find_projects(tree, search).named(site.options.project);
}

ResultHandle report(const std::shared_ptr<Arena>& arena, const Value& data, std::vector<Diagnostic> warnings) {
  // Its values may be those of the report.
  return ResultHandle(new strata_result(arena->deep_copy(data), arena, std::move(warnings)));
}

}  // namespace

// Results that were given before

std::size_t ResultCache::hash_of(std::string_view subject, std::string_view query) noexcept {
  return seeded_hash(subject) * 31 + seeded_hash(query);
}

ResultHandle ResultCache::find(std::string_view subject, std::string_view query) {
  if (most_ == 0) return nullptr;
  const std::size_t hash = hash_of(subject, query);
  Shard& shard = shards_[hash % kShards];
  const std::lock_guard lock(shard.mutex);
  const auto [first, last] = shard.by_hash.equal_range(hash);
  for (auto found = first; found != last; ++found) {
    Entry& entry = *found->second;
    if (entry.key.subject != subject || entry.key.query != query) continue;
    entry.is_used = true;
    entry.result->hold();
    return ResultHandle(entry.result.get());
  }
  return nullptr;
}

void ResultCache::add(std::string_view subject, std::string_view query, strata_result& result) {
  const std::size_t bytes = result.bytes() + subject.size() + query.size();
  if (bytes > most_) return;
  const std::size_t hash = hash_of(subject, query);
  Shard& shard = shards_[hash % kShards];
  const std::lock_guard lock(shard.mutex);
  const auto [first, last] = shard.by_hash.equal_range(hash);
  if (std::any_of(first, last, [&](const auto& one) {
        return one.second->key.subject == subject && one.second->key.query == query;
      }))
    return;
  shard.entries.push_back(
      {.key = {.subject = std::string(subject), .query = std::string(query)}, .hash = hash, .result = {}});
  const auto added = std::prev(shard.entries.end());
  try {
    shard.by_hash.emplace(hash, added);
  } catch (...) {
    shard.entries.erase(added);
    throw;
  }
  result.hold();
  added->result.reset(&result);
  shard.bytes += bytes;
  while (shard.bytes > most_) drop_oldest(shard);
}

void ResultCache::drop_oldest(Shard& shard) {
  // What was used gets another round.
  while (std::exchange(shard.entries.front().is_used, false))
    shard.entries.splice(shard.entries.end(), shard.entries, shard.entries.begin());
  const auto oldest = shard.entries.begin();
  const auto [first, last] = shard.by_hash.equal_range(oldest->hash);
  shard.by_hash.erase(std::find_if(first, last, [&](const auto& one) { return one.second == oldest; }));
  shard.bytes -= oldest->result->bytes() + oldest->key.subject.size() + oldest->key.query.size();
  shard.entries.erase(oldest);
}

// Questions

struct State::Asking {
  Asking(const Site& site, const QuestionChoice& choice, const std::function<Host&(cli::VerbQuestion&)>& host,
         std::shared_ptr<const FileTree> files, const Edits& more_inputs)
      : own(site.limits),
        question(
            choice,
            {.own = own, .engine = site.engine, .folder = site.ground.folder, .tell = {}, .is_whole_process = false}) {
    if (question.verb().options().deadline) {
      misuse("call.options", "'limit: seconds=…' counts from the start of the program",
             R"(give "seconds": NUMBER beside the options)");
    }
    inputs = std::make_shared<analysis::Inputs>(host(question), site.ground.folder);
    Edits edits = more_inputs;
    if (choice.assumed) {
      edits.emplace(absolute_path(site.ground.folder, cli::kAssumedNodes),
                    workspace::node_list(workspace::assumed_nodes(*choice.assumed, *files, site.limits)));
    }
    if (!edits.empty()) inputs = std::make_shared<analysis::Inputs>(*inputs, edits);
    state = analysis::kept({.files = std::move(files), .inputs = inputs}, site.engine, settings(site));
    plain.emplace(question, state, analysis::SubjectPool::Settings());
    recording.emplace(question, state, analysis::SubjectPool::Settings{.history = analysis::Question::History::yes});
  }

  [[nodiscard]] SnapshotSettings settings(const Site& site) const {
    return {.folder = site.ground.folder, .limits = question.verb().options().limits};
  }
  [[nodiscard]] analysis::SubjectPool& pool(bool has_history) { return has_history ? *recording : *plain; }

  PlainOptions own;
  cli::VerbQuestion question;
  std::shared_ptr<analysis::Inputs> inputs;
  analysis::State state;
  std::optional<analysis::SubjectPool> plain;
  std::optional<analysis::SubjectPool> recording;
};

struct State::Edited {
  std::optional<Stop> stop = std::optional<Stop>(std::in_place);  ///< Of the present work; at the same address for all.
  std::unique_ptr<analysis::Fleet> fleet = {};
};

State::State(const Site& site) : site_(site), cache_(site.options.kept) {
  files_ = site.caller;
  if (!files_) files_ = host_tree(site.ground.folder, site.limits.input);
  if (!site.options.entry.empty()) {
    project_ = std::make_unique<const workspace::Project>(project_of(files_, site));
  } else if (!site.options.project.empty()) {
    project_ = std::make_unique<const workspace::Project>(named_project(*files_, site));
  }
  plain_ = make_asking({}, {}, false);
}

State::~State() = default;

QuestionChoice State::choice(const std::vector<std::string>& more) const {
  if (project_) {
    std::vector<std::string> words = site_.options.more;
    words.insert(words.end(), more.begin(), more.end());
    const auto make = [&] { return cli::question_choice(*project_, words, site_.limits, *files_); };
    return site_.options.entry.empty() ? make() : of_options(make);
  }
  QuestionChoice out{.words = site_.options.words};
  out.words.insert(out.words.end(), more.begin(), more.end());
  return out;
}

std::unique_ptr<State::Asking> State::make_asking(const std::vector<std::string>& more, const Edits& inputs,
                                                  bool is_cleartext) {
  QuestionChoice chosen = choice(more);
  // Only render hides secrets by default.
  if (is_cleartext && chosen.words.front() == "render") chosen.words.emplace_back("--cleartext-secrets");
  const auto host = [this](cli::VerbQuestion& question) -> Host& {
    if (!host_ && site_.caller) host_ = files_host(site_.caller);
    if (!host_) {
      // A query that the program spells out is its own; that of a project is a stranger's.
      const bool is_named = project_ && site_.options.entry.empty();
      const Permissions permissions = is_named ? question.permissions() : question.verb().permissions();
      auto process =
          process_host(site_.limits, {.allow_network = permissions.network, .plugin_host = site_.options.plugin_host});
      host_ = anchored_host(std::make_unique<GatedHost>(std::move(process), permissions), site_.ground.folder,
                            site_.limits.input);
    }
    return *host_;
  };
  return std::make_unique<Asking>(site_, std::move(chosen), host, files_, inputs);
}

State::Asking& State::asking(bool is_cleartext) {
  if (!is_cleartext) return *plain_;
  const std::lock_guard lock(mutex_);
  if (!cleartext_) cleartext_ = make_asking({}, {}, true);
  return *cleartext_;
}

std::shared_ptr<State::Asking> State::asking_of_node(const std::string& list, bool is_cleartext) {
  const std::lock_guard lock(mutex_);
  const std::string name = (is_cleartext ? "c" : "") + list;
  const auto known = std::ranges::find(nodes_, name, [](const auto& one) -> const std::string& { return one.first; });
  if (known != nodes_.end()) {
    nodes_.splice(nodes_.begin(), nodes_, known);
    return nodes_.front().second;
  }
  std::shared_ptr<Asking> made;
  try {
    made = make_asking({"--nodes", std::string(kNodes)}, {{absolute_path(site_.ground.folder, kNodes), list}},
                       is_cleartext);
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const cli::UsageError& wrong) {
    misuse("call.subject", fmt::format("this question takes no node with facts: {}", wrong.what()));
  } catch (const cli::HelpRequested& wrong) {
    misuse("call.subject", fmt::format("this question takes no node with facts: {}", wrong.what()));
  }
  nodes_.emplace_front(name, std::move(made));
  if (nodes_.size() > kMostNodes) nodes_.pop_back();
  return nodes_.front().second;
}

// Answers

const std::vector<std::string>& State::subjects(const Stop* stop) { return plain_->plain->names(stop); }

std::size_t State::depth() const noexcept { return plain_->question.verb().options().limits.depth; }

ResultHandle State::get(std::string_view subject, std::string_view query, const Stop* stop) {
  if (ResultHandle known = cache_.find(subject, query)) return known;
  const Query wanted = read_query(query);
  ResultHandle out;
  const auto ask = [&](analysis::Subject& of) {
    out.reset(new strata_result(wanted.keys.names.empty() ? of.ask(std::nullopt) : of.look_up(wanted.keys),
                                wanted.is_cleartext));
  };
  if (const auto list = read_node(subject)) {
    const auto asking = asking_of_node(*list, wanted.is_cleartext);
    analysis::SubjectPool& pool = asking->pool(wanted.has_history);
    const std::string name = pool.names(stop).empty() ? std::string() : pool.names(stop).front();
    if (!pool.with(name, stop, ask)) throw Error("subject.unknown", "the facts are those of no node");
  } else {
    analysis::SubjectPool& pool = asking(wanted.is_cleartext).pool(wanted.has_history);
    if (!pool.with(subject, stop, ask)) {
      const std::vector<std::string>& names = pool.names(stop);
      std::vector<std::string_view> near(
          names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMostShown)));
      throw Error("subject.unknown", fmt::format("unknown subject '{}' among {}", subject, names.size()))
          .hint(name_hint(near, subject, R"(a node that is not listed is given as {"name": …, "facts": {…}})"));
    }
  }
  cache_.add(subject, query, *out);
  return out;
}

analysis::StudySettings State::study_settings(const Stop* stop) const {
  const cli::SharedOptions& options = plain_->question.verb().options();
  return {.how = {.sort_keys = options.sort_keys, .alignment = options.most_alignment, .stop = stop},
          .most_causes = options.most_causes,
          .most_caused = options.most_caused,
          .most_effects = options.most_effects,
          .folder = site_.ground.folder,
          .executor = site_.executor,
          .depth = options.limits.depth};
}

Edits State::absolute(const Edits& edits) const {
  Edits out;
  for (const auto& [path, text] : edits) out.insert_or_assign(absolute_path(site_.folder, path), text);
  return out;
}

ResultHandle State::impact_result(const analysis::ImpactReport& report, const std::vector<std::string>& unread) const {
  const auto arena = std::make_shared<Arena>();
  MappingBuilder data = MappingBuilder::copy_of(*arena, analysis::impact_data(*arena, report));
  if (plain_->question.assumed() != nullptr) data.insert("assumed", Value::boolean(true));
  std::vector<Diagnostic> warnings;
  warnings.reserve(unread.size());
  for (const std::string& file : unread) warnings.push_back(cli::unread_edit(file));
  return c::report(arena, data.finish(), std::move(warnings));
}

ResultHandle State::impact(std::string_view edits, const Stop* stop) {
  const JsonObject object("the edits", "call.edits", edits);
  const Edits wanted = absolute(JsonObject::edits_of(object.value(), "the edits", "call.edits"));
  const auto lock = strata::detail::lock_while_running(edited_mutex_, stop);
  if (!edited_) edited_ = std::make_unique<Edited>();
  edited_->stop.emplace(stop);
  try {
    if (!edited_->fleet) {
      analysis::State state = plain_->state;
      state.stop = &*edited_->stop;
      edited_->fleet = std::make_unique<analysis::Fleet>(plain_->question, state, study_settings(&*edited_->stop));
    }
    ResultHandle out = impact_result(edited_->fleet->apply(wanted), edited_->fleet->unread());
    edited_->stop.emplace();
    return out;
  } catch (...) {
    // It may have kept what was not finished.
    edited_.reset();
    throw;
  }
}

ResultHandle State::diff(std::string_view options, const Stop* stop) {
  const JsonObject object("the options", "call.options", options);
  constexpr std::array<std::string_view, 3> kKnown{"from", "to", "edits"};
  object.fields().only(kKnown);
  const auto revision = [&](std::string_view name) {
    const Value* given = object.fields().word(name);
    return given == nullptr ? std::string() : std::string(given->text());
  };
  std::string from = revision("from");
  const std::string to = revision("to");
  const Edits edits = absolute(object.edits("edits"));
  cli::VerbQuestion& question = plain_->question;
  const auto state_of = [&](const std::string& name) {
    if (name.empty()) return plain_->state;
    if (site_.caller) misuse("call.options", "files of the caller have no revisions", "compare with 'edits'");
    return cli::state_of(name, question.verb(), *plain_->inputs);
  };
  cli::States states{.before = {}, .after = state_of(to), .edited = {}};
  if (from.empty() && edits.empty()) from = to.empty() ? "HEAD" : to + "^";
  if (!to.empty()) states.after = analysis::kept(states.after, site_.engine, plain_->settings(site_));
  states.before = from.empty() ? states.after : state_of(from);
  states.edited.no_others = from.empty();
  states.after = analysis::edited(states.after, edits, site_.ground.folder);
  for (const auto& [path, text] : edits) states.edited.paths.insert(path);
  if (const workspace::Project* project = question.assumed())
    cli::assume_nodes(*project, states, site_.ground.folder, site_.limits);
  states.before.stop = states.after.stop = stop;
  analysis::StudySettings settings = study_settings(stop);
  settings.edited = std::move(states.edited);
  analysis::Study study(question, states.before, states.after, std::move(settings));
  const analysis::DiffReport report = study.diff();
  const auto arena = std::make_shared<Arena>();
  MappingBuilder data = MappingBuilder::copy_of(*arena, analysis::diff_data(*arena, report));
  if (question.assumed() != nullptr) data.insert("assumed", Value::boolean(true));
  std::vector<Diagnostic> warnings;
  for (const std::string& file : study.unread()) warnings.push_back(cli::unread_edit(file));
  return c::report(arena, data.finish(), std::move(warnings));
}

ResultHandle State::check(std::string_view options, const Stop* stop) {
  const JsonObject object("the options", "call.options", options);
  constexpr std::array<std::string_view, 2> kKnown{"select", "ignore"};
  object.fields().only(kKnown);
  const Limits& limits = plain_->question.verb().options().limits;
  const analysis::CheckConfig config = cli::check_configuration({}, site_.ground.folder, *files_, site_.limits);
  analysis::CheckSettings settings{
      .codes = cli::wanted_codes(cli::codes_in(object.words("select")), cli::codes_in(object.words("ignore")), config),
      .folder = site_.ground.folder,
      .limits = limits,
      .code = {},
      .consumers = config.consumers,
      .known_keys = config.known_keys,
      .reports_warnings = object.words("select").empty() && config.select.empty()};
  settings.limits.stop = stop;
  std::vector<Diagnostic> warnings;
  if (plain_->question.lacks_fleet()) {
    if (auto told = cli::leave_out_fleet_codes(settings, plain_->question.traits()))
      warnings.push_back(*std::move(told));
  }
  analysis::State state = plain_->state;
  state.stop = stop;
  analysis::CheckReport found = analysis::check(plain_->question, state, settings);
  analysis::silence(found, state, settings, config, {});
  const auto arena = std::make_shared<Arena>();
  MappingBuilder data = MappingBuilder::copy_of(*arena, analysis::check_data(*arena, found));
  if (plain_->question.assumed() != nullptr) data.insert("assumed", Value::boolean(true));
  return c::report(arena, data.finish(), std::move(warnings));
}

}  // namespace strata::c
