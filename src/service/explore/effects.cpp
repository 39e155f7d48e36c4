// SPDX-License-Identifier: Apache-2.0
// What drafts and revisions change, as streams.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "analysis/data.hpp"
#include "service/core.hpp"
#include "service/explore/answers.hpp"
#include "service/explore/handlers.hpp"
#include "service/explore/hiding.hpp"
#include "service/explore/session.hpp"
#include "service/explore/survey.hpp"
#include "service/json.hpp"
#include "service/streaming.hpp"
#include "strata/stop.hpp"
#include "strata/study.hpp"
#include "strata/text.hpp"

namespace strata::service::explore {
namespace {

constexpr std::size_t kNamesPerEffect = 5;
constexpr std::size_t kMostEffects = 10'000;
constexpr std::size_t kMostKept = std::size_t{32} << 20U;  ///< Bytes of the effects of a run.

std::string ndjson_line(const Value& value) {
  std::string out;
  text::append_json(out, value, {.sort_keys = false, .indent = -1});
  return out += '\n';
}

/// The last line of a stream that fails.
std::function<std::string(const Error& error)> failed_line(bool shows_lines) {
  return [shows_lines](const Error& error) {
    Arena arena;
    return ndjson_line(
        json_object(arena, {{"error", diagnostic_value(arena, error.diagnostic(), "error", ErrorLines(shows_lines))}}));
  };
}

/// What a client wants of a stream.
struct EffectsQuery {
  std::string subject = {};  ///< Empty: none is meant.
  analysis::GroupBy by = analysis::GroupBy::effect;
  std::size_t first = kMostEffects;
  bool has_findings = true;
  bool shares_causes = false;

  explicit EffectsQuery(const Call& call, std::size_t effects)
      : first(call.request.query.number("first", kMostEffects).value_or(effects)) {
    has_findings = call.request.query.flag("findings", true);
    if (const std::string* causes = call.request.query.find("causes"); causes != nullptr && *causes != "each") {
      if (*causes != "sets") throw Error("request.query", "'causes' is each or sets");
      shares_causes = true;
    }
    const std::string* by_text = call.request.query.find("by");
    if (by_text == nullptr || *by_text == "effect") return;
    if (*by_text != "change" && *by_text != "path") throw Error("request.query", "'by' is effect, change or path");
    by = *by_text == "change" ? analysis::GroupBy::change : analysis::GroupBy::path;
  }
};

/// The changes of one subject between two states, without causes.
Value subject_changes(Arena& arena, const View& view, const std::string& subject, const analysis::State& after,
                      const Stop& stop) {
  std::shared_ptr<const analysis::Member> member;
  analysis::Subject::Answer before;
  view.with(subject, analysis::Question::History::no, stop, [&](analysis::Subject& one) {
    member = one.member();
    before = one.ask(std::nullopt);
  });
  const auto asked = view.question().in(stopped(after, stop));
  std::unique_ptr<analysis::Subject> there = member == nullptr ? nullptr : asked->subject(member);
  if (there == nullptr) {
    const std::string own = subject == sites::kOnly ? std::string() : subject;
    while ((there = asked->next()) != nullptr && there->name() != own && there->name() != subject) {
    }
  }
  analysis::DiffReport report;
  if (there != nullptr) {
    const analysis::Subject::Answer now = there->ask(std::nullopt);
    report.subjects.push_back({.subject = subject,
                               .changes = analysis::shared(analysis::compare(
                                   before.outcome, now.outcome, {.sort_keys = view.question().wording().sort_keys}))});
    return arena.deep_copy(analysis::changes_data(arena, report));
  }
  report.subjects.push_back(
      {.subject = subject,
       .changes = analysis::shared({{.item = {}, .path = {}, .kind = analysis::ChangeKind::disappeared}})});
  return analysis::changes_data(arena, report);
}

/// Findings of one report that are not in the other, by fingerprint.
Value findings_beyond(Arena& arena, const analysis::CheckReport& report, const analysis::CheckReport& other) {
  const std::vector<std::string> known = analysis::fingerprints(other);
  std::set<std::string> told;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!other.findings[i].silence) told.insert(known[i]);
  }
  SequenceBuilder out(arena);
  const Value all = findings_value(arena, report);
  for (const Value& one : all.items()) {
    const Value* print = one.find("fingerprint");
    if (one.find("silenced_by") == nullptr && !told.contains(std::string(print->text()))) out.append(one);
  }
  return out.finish();
}

/// Why texts of a draft cannot be read, as those read them who ask for them.
Value draft_diagnostics(Arena& arena, const View& view, const Edits& edits) {
  std::map<std::string, edit::Form> forms;
  const auto asked =
      view.question().in(view.state());  // With the draft, no subject may get far enough to list what is read.
  if (const auto subject = asked->next()) {
    (void)subject->ask(std::nullopt);
    const auto files = subject->files();
    const auto add = [&forms](const auto& list) {
      try {
        for (const analysis::ConfigurationFile& file : list()) forms.emplace(file.path, file.form);
      } catch (const Error& error) {
        // It fails without the draft already.
        if (!analysis::is_failure(error)) throw;
      }
    };
    add([&] { return files->read(); });
    for (const auto& [path, text] : edits) {
      if (!forms.contains(path)) add([&] { return files->editable({}); });
    }
  }
  if (const analysis::CheckReport* report = view.known_findings()) {
    for (const analysis::ConfigurationFile& file : report->files) forms.emplace(file.path, file.form);
  }
  SequenceBuilder out(arena);
  for (const auto& [path, text] : edits) {
    if (!text) continue;
    const auto known = forms.find(path);
    const bool is_yaml = path.ends_with(".yaml") || path.ends_with(".yml");
    if (known == forms.end() && !is_yaml) continue;
    const edit::Form form = known == forms.end() ? edit::Form{} : known->second;
    Sources sources;
    const SourceId source = sources.add(view.shown(path), *text);
    try {
      if (form.syntax == edit::Syntax::yaml) {
        (void)text::read_yaml_stream(sources, source, form.profile == nullptr ? text::pyyaml() : *form.profile,
                                     view.form().limits);
      } else if (form.syntax == edit::Syntax::json) {
        (void)text::read_json(sources, source, view.form().limits, 0, form.json);
      }
    } catch (const Error& error) {
      out.append(diagnostic_value(arena, error.diagnostic(), "error", ErrorLines(true)));  // Its own text.
    }
  }
  return out.finish();
}

/// Sends the effects of a report, keeps them, and returns the members of the last line but those about findings.
void send_effects(Pieces& pieces, Runs& runs, const std::string& project, const analysis::ImpactReport& report,
                  const EffectsQuery& wanted, const Hiding& hiding, MappingBuilder& done, Arena& arena) {
  analysis::CauseSets sets;
  const Value all = analysis::impact_data(arena, report, wanted.shares_causes ? &sets : nullptr);
  Runs::Run run{.id = random_token(), .project = project, .effects = {}};
  std::size_t bytes = 0;
  std::size_t sent = 0;
  const Value& effects = *all.find("effects");
  for (const Value& plain : effects.items()) {
    const Value effect = hiding.hidden(arena, plain);
    std::string whole;
    text::append_json(whole, effect, {.sort_keys = false, .indent = -1});
    bytes += whole.size();
    if (bytes <= kMostKept) run.effects.push_back(std::move(whole));
    if (sent == wanted.first) continue;
    ++sent;
    MappingBuilder cut = MappingBuilder::copy_of(arena, effect);
    const std::span<const Value> names = effect.find("subjects")->items();
    cut.insert("subjects", arena.sequence(names.first(std::min(names.size(), kNamesPerEffect))));
    pieces.push(ndjson_line(json_object(arena, {{"effect", cut.finish()}})));
  }
  done.insert("run", arena.text(run.id));
  runs.add(std::move(run));
  done.insert("subjects", *all.find("subjects"));
  done.insert("edits", *all.find("edits"));
  if (wanted.shares_causes) done.insert("cause_sets", sets.data(arena));
  done.insert("effects", number(effects.size()));
  done.insert("truncated", Value::boolean(all.find("truncated")->as_boolean() || sent < effects.size()));
  const Value* more = all.find("more");
  done.insert("more", more == nullptr ? Value::null() : *more);
}

/// Tells how many of the subjects were compared: now and then.
analysis::CountCompared progress_lines(Pieces& pieces, std::size_t subjects) {
  static constexpr std::chrono::milliseconds kBetween{200};
  return [&pieces, subjects, next = Stop::Clock::now() + kBetween](std::size_t compared) mutable {
    const auto now = Stop::Clock::now();
    if (now < next) return;
    next = now + kBetween;
    pieces.push(fmt::format("{{\"progress\": [{}, {}]}}\n", std::min(compared, subjects), subjects));
  };
}

std::string project_key(const Call& call) { return call.project + '\n' + call[0]; }

}  // namespace

void Runs::add(Run run) {
  constexpr std::size_t kMost = 8;
  const std::scoped_lock lock(mutex_);
  runs_.push_front(std::move(run));
  if (runs_.size() > kMost) runs_.pop_back();
}

std::optional<std::string> Runs::find(const std::string& project, const std::string& id, std::size_t number) const {
  const std::scoped_lock lock(mutex_);
  for (const Run& run : runs_) {
    if (run.project != project || (!id.empty() && run.id != id)) continue;
    if (number == 0 || number > run.effects.size()) return std::nullopt;
    return run.effects[number - 1];
  }
  return std::nullopt;
}

Response what_if(const Call& call, Source& source) {
  const JsonBody json = read_json_body(call);
  const Value& body = json.root();
  if (!body.is_mapping()) throw Error("request.body", "the body is an object with 'files'");
  const Value* files = body.find("files");
  if (files == nullptr) throw Error("request.body", "the body is an object with 'files', an object of texts by path");
  const auto view = source.view(call, call[0], text_member(body, "at"));
  EffectsQuery wanted(call, kMostEffects);
  wanted.subject = text_member(body, "subject");
  if (!wanted.subject.empty())
    view->with(wanted.subject, analysis::Question::History::no, call.stop, [](analysis::Subject&) {});
  source.check_draft(call, call[0]);
  auto edits = std::make_shared<const Edits>(read_draft(*view, *files));
  if (edits->empty()) throw Error("request.body", "'files' has no file");
  Runs& runs = source.runs();
  return streamed(
      "application/x-ndjson",
      [view, wanted, edits, &runs, project = project_key(call)](Pieces& pieces, const Stop& stop) {
        const analysis::State after = analysis::edited(view->state(), *edits, view->form().folder);
        // A draft can take the marks of secrets away; what is secret without it stays so.
        const Hiding hiding(view->survey(stop).secrets);
        if (!wanted.subject.empty()) {
          Arena arena;
          const Value changes = subject_changes(arena, *view, wanted.subject, after, stop);
          pieces.push(ndjson_line(json_object(arena, {{"subject", hiding.hidden(arena, changes)}})));
        }
        const std::size_t subjects = view->subjects().names().size();
        pieces.push(fmt::format("{{\"progress\": [0, {}]}}\n", subjects));
        Arena arena;
        MappingBuilder done(arena);
        send_effects(pieces, runs, project, view->impact(*edits, wanted.by, stop, progress_lines(pieces, subjects)),
                     wanted, hiding, done, arena);
        pieces.push(fmt::format("{{\"progress\": [{}, {}]}}\n", subjects, subjects));
        stop.check();
        done.insert("diagnostics", hiding.hidden(arena, draft_diagnostics(arena, *view, *edits)));
        Value findings = Value::null();
        if (wanted.has_findings) {
          const analysis::CheckReport& before = view->findings(stop);
          stop.check();
          try {
            const analysis::CheckReport now = view->check(stopped(after, stop));
            const Value come = hiding.hidden(arena, findings_beyond(arena, now, before));
            findings = json_object(arena, {{"new", come}, {"gone", findings_beyond(arena, before, now)}});
          } catch (const Error& error) {
            // A draft that cannot be read has diagnostics instead.
            if (error.ends_request()) throw;
          }
        }
        done.insert("findings", findings);
        done.insert("generation", Value::integer(view->form().generation));
        pieces.push(ndjson_line(json_object(arena, {{"done", done.finish()}})));
      },
      failed_line(true));
}

Response compare_states(const Call& call, Source& source) {
  const std::string* from = call.request.query.find("from");
  const std::string* to = call.request.query.find("to");
  const auto before = source.view(call, call[0], from == nullptr || from->empty() ? std::string("HEAD") : *from);
  const auto after = source.view(call, call[0], to == nullptr ? std::string() : *to);
  EffectsQuery wanted(call, 100);
  if (const std::string* subject = call.request.query.find("subject")) wanted.subject = *subject;
  if (!wanted.subject.empty())
    before->with(wanted.subject, analysis::Question::History::no, call.stop, [](analysis::Subject&) {});
  Runs& runs = source.runs();
  return streamed(
      "application/x-ndjson",
      [before, after, wanted, &runs, project = project_key(call)](Pieces& pieces, const Stop& stop) {
        if (!wanted.subject.empty()) {
          Arena arena;
          pieces.push(ndjson_line(json_object(
              arena, {{"subject", subject_changes(arena, *before, wanted.subject, after->state(), stop)}})));
        }
        const std::size_t subjects = after->subjects().names().size();
        pieces.push(fmt::format("{{\"progress\": [0, {}]}}\n", subjects));
        analysis::StudySettings settings{.how = {.sort_keys = after->question().wording().sort_keys, .stop = &stop},
                                         .folder = after->form().folder,
                                         .executor = after->form().executor,
                                         .depth = after->form().limits.depth,
                                         .count = progress_lines(pieces, subjects)};
        analysis::Study study(after->question(), before->state(), after->state(), std::move(settings));
        Arena arena;
        MappingBuilder done(arena);
        send_effects(pieces, runs, project, study.impact(wanted.by), wanted, {}, done, arena);
        pieces.push(fmt::format("{{\"progress\": [{}, {}]}}\n", subjects, subjects));
        stop.check();
        Value findings = Value::null();
        if (wanted.has_findings) {
          const analysis::CheckReport& old = before->findings(stop);
          stop.check();
          const analysis::CheckReport& now = after->findings(stop);
          findings = json_object(
              arena, {{"new", findings_beyond(arena, now, old)}, {"gone", findings_beyond(arena, old, now)}});
        }
        done.insert("diagnostics", arena.sequence());
        done.insert("findings", findings);
        done.insert("generation", Value::integer(after->form().generation));
        pieces.push(ndjson_line(json_object(arena, {{"done", done.finish()}})));
      },
      failed_line(source.shows_unused(call)));
}

Response show_effect(const Call& call, Source& source) {
  const std::string* run = call.request.query.find("run");
  std::size_t wanted = 0;
  for (const char digit : call[1]) {
    if (digit < '0' || digit > '9' || wanted > kMostEffects)
      throw Error("request.path", fmt::format("'{}' is no number of an effect", call[1]));
    wanted = wanted * 10 + static_cast<std::size_t>(digit - '0');
  }
  const std::optional<std::string> effect =
      source.runs().find(project_key(call), run == nullptr ? std::string() : *run, wanted);
  if (!effect)
    throw Error("explore.effect", fmt::format("there is no effect {} any more", call[1]))
        .hint("ask again for what it is one of");
  std::string body = *effect;
  body.insert(body.rfind('}'), fmt::format(R"(, "generation": {})", source.generation(call)));
  return {
      .status = 200, .headers = {{"Content-Type", "application/json"}}, .body = body + "\n", .stream = {}, .make = {}};
}

}  // namespace strata::service::explore
