// SPDX-License-Identifier: Apache-2.0
// One request: the trees, the run or the two runs, and what is shown of them.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis_run.hpp"
#include "command.hpp"
#include "command_bounds.hpp"
#include "command_host.hpp"
#include "console.hpp"
#include "list_report.hpp"
#include "output.hpp"
#include "output_file.hpp"
#include "strata/kind_inside.hpp"
#include "strata/links.hpp"
#include "strata/paths.hpp"
#include "strata/remarks.hpp"
#include "strata/report.hpp"
#include "strata/source_map.hpp"
#include "strata/stop_scope.hpp"
#include "strata/text.hpp"
#include "strata/texts_with_secrets.hpp"
#include "terminal.hpp"
#include "thread_pool.hpp"
#include "tree_from.hpp"

namespace strata::cli {
namespace {

/// One state of the files, and one run over it with all that its result points into.
struct Run {
  Run(const SharedOptions& options, Host& host, std::shared_ptr<const FileTree> files,
      const std::shared_ptr<Executor>& executor, bool keeps_history)
      : session(Snapshot::make(Engine::make({.file_cache = 0, .executor = executor}), std::move(files),
                               {.folder = working_folder(), .limits = options.limits, .host = &host}),
                {.limits = options.limits,
                 .keeps_history = keeps_history,
                 .host = &host,
                 .is_whole_process = OnConsole::current() == nullptr}) {
    session.snapshot().add_input(host.bytes_read());
  }

  Session session;
  Outcome outcome;
  std::shared_ptr<analysis::ReadLog> log;  ///< Of the files that are there. Null: none is needed.
};

class Execution {
 public:
  explicit Execution(Verb& command)
      : command_(command),
        options_(command.options()),
        terminal_(options_.color),
        threads_(std::make_shared<ThreadPool>(options_.threads)) {}

  /// `words`: the command line.
  int run(const std::vector<std::string>& words) {
    words_ = words;
    try {
      return run();
    } catch (const Error& error) {
      std::vector<Diagnostic> all;
      for (const Diagnostic& one : error.all()) all.push_back(quotable(one));
      throw Errors(all);
    }
  }

 private:
  /// A diagnostic that quotes only files of what the command line names.
  Diagnostic quotable(const Diagnostic& diagnostic) {
    if (!bounds_) bounds_ = bounds_of_command(words_, options_.allowed_folders);
    return without_outside(diagnostic, *bounds_, working_folder());
  }

  int run() {
    const StopScope work(options_.limits.stop);
    command_.check_usage();
    host_ = command_host(options_.limits, command_.permissions());
    command_.prepare(*host_);
    command_.find_configuration(*host_);
    const auto now = start(options_.at);
    const StopScope session_work(now->session.limits().stop);  // What is printed counts as well.
    finish(*now);
    if (!report(*now)) return 1;
    if (now->outcome.commit) now->outcome.commit();
    if (now->outcome.stream) return stream(*now) ? 0 : 1;
    show(*now);
    return tell_failures(*now) ? 1 : 0;
  }

  std::unique_ptr<Run> start(const std::string& revision) {
    std::shared_ptr<const FileTree> files = files_of(revision, command_.place_of_files(), options_.limits.input);
    // What is secret in one file may be said in another one.
    const auto log = options_.source_map_content ? std::make_shared<analysis::ReadLog>() : nullptr;
    if (log) files = analysis::logged_tree(std::move(files), working_folder(), log, true);
    auto out = std::make_unique<Run>(options_, *host_, std::move(files), threads_,
                                     command_.explains_by_history() || options_.source_map_content);
    out->log = log;
    return out;
  }

  void finish(Run& run) {
    try {
      run.outcome = command_.run(run.session);
    } catch (const Error&) {
      // What was found before it helps to understand it.
      report(run);
      throw;
    }
  }

  /// Shows the warnings; false where they count as errors.
  bool report(Run& run) {
    const bool fails = strict_failure(run.session.diagnostics(), options_).has_value();
    if (options_.quiet && !fails) return true;
    for (const Diagnostic& warning : run.session.diagnostics().warnings()) {
      const std::string_view level = remark_level(warning);
      terminal_.tell(quotable(warning), !level.empty() ? level : fails ? "error" : "warning");
    }
    return !fails;
  }

  /// Tells what is missing of the result; false where nothing is.
  bool tell_failures(const Run& run) {
    for (const analysis::Item& missing : run.outcome.failures) terminal_.tell(quotable(*missing.failure), "error");
    return !run.outcome.failures.empty();
  }

  /// Shows what is made while it is shown. False where it counts as failed.
  bool stream(Run& run) {
    Progress progress(!options_.quiet);
    const Stream stream{.print = print,
                        .tell =
                            [&](const Diagnostic& told, std::string_view severity) {
                              if (options_.quiet && severity != "error") return;
                              progress.clear();
                              terminal_.tell(quotable(told), severity);
                            },
                        .progress = [&](const std::string& text) { progress.show(text); }};
    const bool succeeded = run.outcome.stream(stream);
    progress.clear();
    flush_output();
    return succeeded;
  }

  [[nodiscard]] text::YamlStyle yaml_style() const {
    return {.profile = nullptr, .sort_keys = options_.sort_keys, .indent = 2};
  }

  [[nodiscard]] text::JsonStyle json_style(Run& run) const {
    return {.sort_keys = options_.sort_keys, .indent = 2, .sources = &run.session.sources()};
  }

  void show(Run& run) {
    if (options_.maps()) return show_mapped(run);
    const Outcome& outcome = run.outcome;
    if (outcome.printed || options_.reports()) {
      if (outcome.printed) {
        print(*outcome.printed);
      } else {
        print(text_of(run));
      }
    } else if (options_.output == Output::json) {
      text::write_json(outcome.result.value, json_style(run), print);
    } else {
      if (!outcome.yaml_head.empty()) print(outcome.yaml_head);
      if (outcome.is_documents) {
        text::write_yaml_stream(outcome.result.value.items(), yaml_style(), print, threads_);
      } else {
        text::write_yaml(outcome.result.value, yaml_style(), print);
      }
    }
    flush_output();
  }

  /// Whether something in a text is secret, as the files that were read say it; also where no value of the result does.
  /// Empty: no texts are shown.
  [[nodiscard]] std::function<bool(const std::string&, std::string_view)> secrets_of(const Run& run) const {
    if (!run.log) return {};
    const auto read = run.log->reads().files;
    std::vector<std::string> paths(read.begin(), read.end());
    std::erase_if(paths,
                  [&run](const std::string& path) { return kind_inside(run.session.tree(), path) != FileKind::file; });
    auto has_secrets = analysis::texts_with_secrets(run.session.tree(), paths, command_.traits(), options_.limits);
    return [has_secrets](const std::string& file, std::string_view text) {
      return has_secrets(absolute_path(working_folder(), file), text);
    };
  }

  /// Shows the result and writes its source map, or shows the map.
  void show_mapped(Run& run) const {
    const Outcome& outcome = run.outcome;
    const bool is_alone = options_.source_map == "-";
    report::SourceMapBuilder map(run.session.sources(), {.map_file = is_alone ? std::string() : options_.source_map,
                                                         .content = options_.source_map_content,
                                                         .hides = secrets_of(run),
                                                         .revision = options_.at});
    const auto sink = [&](std::string_view piece) {
      map.add(piece);
      if (!is_alone) print(piece);
    };
    if (outcome.printed) {
      outcome.leaves(*outcome.printed, map);
      sink(*outcome.printed);
    } else if (options_.output == Output::json) {
      text::write_json(outcome.result.value, json_style(run), sink, map);
    } else {
      if (!outcome.yaml_head.empty() && !is_alone) print(outcome.yaml_head);
      map.add_head(outcome.yaml_head);
      if (outcome.is_documents) {
        text::write_yaml_stream(outcome.result.value.items(), yaml_style(), sink, map);
      } else {
        text::write_yaml(outcome.result.value, yaml_style(), sink, map);
      }
    }
    if (options_.source_map_content) {
      map.hide_secrets_of(outcome.result.value);
      // Also those that a stronger layer hides.
      for (const merge::PathHistory& path : run.session.recorder().history()->explain(outcome.result, {})) {
        for (const merge::Contribution& one : path.contributions) map.hide_secrets_of(one.value);
      }
    }
    if (is_alone) map.finish(print);
    flush_output();
    if (is_alone) return;
    FileReplacement file(options_.source_map, kSourceMapFile);
    map.finish([&file](std::string_view piece) { file.add(piece); });
    file.complete();
    file.place();
  }

  /// What is shown instead of the result.
  std::string text_of(Run& run) {
    const Outcome& outcome = run.outcome;
    const bool as_json = options_.output == Output::json;
    if (options_.blame) {
      // An arena of the session: what the rows take counts for its budget.
      if (as_json)
        return text::write_json(report::blame_data(*run.session.new_arena(), run.session.sources(),
                                                   outcome.result.value, options_.sort_keys));
      return outcome.is_documents
                 ? report::blame_documents_text(run.session.sources(), outcome.result.value, yaml_style(),
                                                options_.layout)
                 : report::blame_text(run.session.sources(), outcome.result.value, yaml_style(), options_.layout);
    }
    if (options_.lists) {
      return list_report(options_,
                         {.sources = run.session.sources(),
                          .history = *run.session.recorder().history(),
                          .result = outcome.result,
                          .reading = {.is_documents = outcome.is_documents, .stop = run.session.limits().stop}});
    }
    return as_json ? explanation_json(run) : explanation_text(run);
  }

  using Histories = std::vector<merge::PathHistory>;

  /// Calls `write` for all histories, some at a time. All of them together may be more than memory holds.
  template <class Write>
  void each_histories(Run& run, const Write& write) const {
    constexpr std::size_t kContributionsAtOnce = 4096;
    Histories some;
    std::size_t held = 0;
    bool is_any = false;
    const auto flush = [&] {
      if (!some.empty()) write(std::exchange(some, {}));
      held = 0;
    };
    if (options_.explains_name()) options_.throw_no_such_path(run.outcome.result.value);
    const auto prefix = parse_pointer(*options_.explain);
    run.session.recorder().history()->each_path(run.outcome.result, prefix, run.session.limits().stop,
                                                [&](merge::PathHistory&& path) {
                                                  is_any = true;
                                                  held += 1 + path.contributions.size();
                                                  some.push_back(std::move(path));
                                                  if (held >= kContributionsAtOnce) flush();
                                                });
    flush();
    if (is_any || prefix.empty()) return;
    options_.throw_no_such_path(run.outcome.result.value);
  }

  [[nodiscard]] std::string explanation_text(Run& run) const {
    std::string out;
    each_histories(run, [&](const Histories& some) {
      out += report::explain_text(run.session.sources(), *run.session.recorder().history(), some, options_.layout);
      options_.check_explanation(out.size());
    });
    return out;
  }

  [[nodiscard]] std::string explanation_json(Run& run) const {
    std::string out;
    each_histories(run, [&](const Histories& some) {
      Arena arena;
      const std::string part =
          text::write_json(report::explain_data(arena, run.session.sources(), *run.session.recorder().history(), some));
      out += out.empty() ? kRowsHead : kRowsSeparator;
      out += std::string_view(part).substr(kRowsHead.size(), part.size() - kRowsHead.size() - kRowsTail.size());
      options_.check_explanation(out.size());
    });
    if (out.empty()) return text::write_json(Arena().sequence());
    out += kRowsTail;
    return out;
  }

  Verb& command_;
  SharedOptions& options_;
  std::vector<std::string> words_;
  std::shared_ptr<const FileBounds> bounds_;  ///< Messages quote these files; null before the first one.
  Terminal terminal_;
  std::shared_ptr<ThreadPool> threads_;
  std::unique_ptr<Host> host_;
};

/// The files of a run: those that the command line names, and those that were read.
class RunFiles final : public analysis::SubjectFiles {
 public:
  RunFiles(Verb& verb, Session& session, const analysis::ReadLog& log) : verb_(verb), session_(session), log_(log) {}

  [[nodiscard]] std::vector<analysis::ConfigurationFile> editable(const std::string& /*item*/) override {
    std::vector<analysis::ConfigurationFile> out;
    const std::vector<std::string> names = verb_.named_files(session_);
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
      if (name->empty() || *name == "-" || session_.snapshot().tree_below().kind(*name) == FileKind::folder) continue;
      out.push_back(file(absolute_path(working_folder(), *name)));
    }
    return out;
  }
  [[nodiscard]] std::vector<analysis::ConfigurationFile> read() override {
    const std::set<std::string, std::less<>> read = files_read();
    std::vector<analysis::ConfigurationFile> named = editable({});
    std::erase_if(named, [&read](const analysis::ConfigurationFile& one) { return !read.contains(one.path); });
    return with_others(std::move(named), read);
  }
  [[nodiscard]] std::vector<analysis::ConfigurationFile> levels() override {
    return with_others(editable({}), files_read());
  }
  [[nodiscard]] std::vector<analysis::Use> uses() override { return verb_.uses(session_); }
  [[nodiscard]] bool has_own_uses() override { return true; }  // Its words may differ from those of others.
  [[nodiscard]] std::vector<std::string> names(const std::string& kind) override { return verb_.names(kind); }

 private:
  [[nodiscard]] analysis::ConfigurationFile file(std::string path) const {
    edit::Form form = verb_.form_of(path);
    return {.path = std::move(path), .form = form};
  }

  [[nodiscard]] std::set<std::string, std::less<>> files_read() const {
    auto read = log_.reads().files;
    // What links lead to is read by their names.
    std::set<std::string> targets;
    for (const std::string& path : read) {
      for (std::string& target : detail::trail_of(session_.tree(), path)) {
        if (target != path) targets.insert(std::move(target));
      }
    }
    for (const std::string& target : targets) read.erase(target);
    return read;
  }

  /// Files that the command line names, with what folders and files name: by path, the last one counting most.
  [[nodiscard]] std::vector<analysis::ConfigurationFile> with_others(
      std::vector<analysis::ConfigurationFile> out, const std::set<std::string, std::less<>>& read) const {
    for (auto path = read.rbegin(); path != read.rend(); ++path) {
      const bool is_named = std::ranges::find(out, *path, &analysis::ConfigurationFile::path) != out.end();
      if (is_named || kind_inside(session_.tree(), *path) != FileKind::file || !verb_.states_values(session_, *path))
        continue;
      // What a folder adds to a file, as cloud.cfg.d to cloud.cfg, counts more than the file.
      const auto added_to = std::ranges::find_if(
          out, [&](const analysis::ConfigurationFile& one) { return path->starts_with(one.path + ".d/"); });
      out.insert(added_to, file(*path));
    }
    return out;
  }

  Verb& verb_;
  Session& session_;
  const analysis::ReadLog& log_;
};

}  // namespace

std::optional<Diagnostic> strict_failure(const Diagnostics& diagnostics, const SharedOptions& options) {
  if (!options.strict) return std::nullopt;
  const auto first = std::ranges::find_if(diagnostics.warnings(),
                                          [](const Diagnostic& warning) { return remark_level(warning).empty(); });
  return first == diagnostics.warnings().end() ? std::nullopt : std::optional(*first);
}

edit::Form Verb::form_of(const std::string& path) const {
  edit::Form out{.profile = traits().profile, .json = traits().json};
  if (path.ends_with(".json")) out.syntax = edit::Syntax::json;
  if (path.ends_with(".conf") || path.ends_with(".pp")) out.syntax = edit::Syntax::other;
  return out;
}

std::shared_ptr<analysis::SubjectFiles> Verb::files(Session& session, const analysis::ReadLog& log) {
  return std::make_shared<RunFiles>(*this, session, log);
}

Outcome Verb::look_up(Session& /*session*/, const analysis::KeyQuery& /*query*/) { throw analysis::no_keys(); }

analysis::Whole whole_of(const Outcome& outcome, const SharedOptions& options) {
  return {.result = outcome.result,
          .yaml_head = outcome.yaml_head,
          .is_documents = outcome.is_documents,
          .is_json = options.output == Output::json,
          .sort_keys = options.sort_keys,
          .own = outcome.own};
}

int Verb::error_status() { return options().against.empty() ? 1 : kNoAnswer; }

int Verb::execute(const std::vector<std::string>& words) {
  return options().against.empty() ? Execution(*this).run(words) : compare(*this, words);
}

}  // namespace strata::cli
