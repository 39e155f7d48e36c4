// One request: the trees, the run or the two runs, and what is shown of them.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "command.hpp"
#include "strata/process_host.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"
#include "terminal.hpp"
#include "tree_from.hpp"

namespace strata::cli {
namespace {

/// The files of one run: those of the host, or of a revision in the repository around `place`, else around the working folder.
std::unique_ptr<FileTree> files_of(const std::string& revision, const std::string& place, std::size_t max_bytes) {
  if (revision.empty()) return host_tree({}, max_bytes);
  const std::string repository = repository_around(place);
  if (repository.empty() || repository == repository_around(".")) return git_tree(revision, {}, max_bytes);
  return tree_from(git_tree(revision, repository, max_bytes), working_folder());
}

/// One run with all that its result points into.
struct Finished {
  Finished(const SharedOptions& options, Host& host, const std::string& revision, const std::string& place, bool keeps_history)
      : session(Snapshot::make(Engine::make({.file_cache = 0}), files_of(revision, place, options.limits.input),
                               {.folder = working_folder(), .limits = options.limits, .host = &host}),
                {.limits = options.limits, .keeps_history = keeps_history, .host = &host, .is_whole_process = true}) {
    session.snapshot().add_input(host.bytes_read());
  }

  Session session;
  Outcome outcome;
};

class Execution {
 public:
  explicit Execution(Command& command) : command_(command), options_(command.options()), terminal_(options_.color) {}

  int run() {
    host_ = process_host(options_.limits, {.allow_network = command_.allows_network(), .plugin_host = "/proc/self/exe"});
    command_.prepare(*host_);
    const auto now = finish(options_.at);
    if (!options_.against.empty()) {
      const auto before = finish(options_.against);
      if (!report(*now)) return 1;
      return show_difference(*before, *now);
    }
    if (!report(*now)) return 1;
    if (now->outcome.commit) now->outcome.commit();
    if (now->outcome.stream) return stream(*now) ? 0 : 1;
    show(*now);
    return tell_failures(*now) ? 1 : 0;
  }

 private:
  std::unique_ptr<Finished> finish(const std::string& revision) {
    auto finished = std::make_unique<Finished>(options_, *host_, revision, command_.place_of_files(), command_.explains_by_history());
    try {
      finished->outcome = command_.run(finished->session);
    } catch (const Error&) {
      // What was found before it helps to understand it.
      report(*finished);
      throw;
    }
    return finished;
  }

  /// Shows the warnings; false where they count as errors.
  bool report(Finished& finished) {
    const auto& warnings = finished.session.diagnostics().warnings();
    const bool fails = options_.strict && std::ranges::any_of(warnings, [](const Diagnostic& warning) { return remark_level(warning).empty(); });
    if (options_.quiet && !fails) return true;
    for (const Diagnostic& warning : warnings) {
      const std::string_view level = remark_level(warning);
      terminal_.tell(warning, !level.empty() ? level : fails ? "error" : "warning");
    }
    return !fails;
  }

  /// Tells what is missing of the result; false where nothing is.
  bool tell_failures(const Finished& finished) const {
    for (const Diagnostic& failure : finished.outcome.failures) terminal_.tell(failure, "error");
    return !finished.outcome.failures.empty();
  }

  /// Shows what is made while it is shown. False where it counts as failed.
  bool stream(Finished& finished) {
    Progress progress(!options_.quiet);
    const Stream stream{.print = print,
                        .tell =
                            [&](const Diagnostic& told, std::string_view severity) {
                              if (options_.quiet && severity != "error") return;
                              progress.clear();
                              terminal_.tell(told, severity);
                            },
                        .progress = [&](const std::string& text) { progress.show(text); }};
    const bool succeeded = finished.outcome.stream(stream);
    progress.clear();
    if (std::fflush(stdout) != 0) fail_to_print();
    return succeeded;
  }

  [[nodiscard]] text::YamlStyle yaml_style() const { return {.profile = nullptr, .sort_keys = options_.sort_keys, .indent = 2}; }

  void show(Finished& finished) {
    const Outcome& outcome = finished.outcome;
    if (outcome.printed || options_.blame || options_.explain) {
      if (outcome.printed) {
        print(*outcome.printed);
      } else {
        print_text(text_of(finished));
      }
    } else if (options_.output == Output::json) {
      text::write_json(outcome.result.value, {.sort_keys = options_.sort_keys, .indent = 2}, print);
    } else {
      std::string piece = outcome.yaml_head;
      const auto write = [&piece](const text::YamlLine& line) {
        constexpr std::size_t kPiece = std::size_t{1} << 16U;
        piece.append(line.text).push_back('\n');
        if (piece.size() < kPiece) return;
        print(piece);
        piece.clear();
      };
      if (outcome.is_documents) {
        for (const Value& document : outcome.result.value.items()) {
          write({.text = "---", .leaf = nullptr});
          text::write_yaml_lines(document, yaml_style(), write);
        }
      } else {
        text::write_yaml_lines(outcome.result.value, yaml_style(), write);
      }
      print(piece);
    }
    if (std::fflush(stdout) != 0) fail_to_print();
  }

  /// What is shown instead of the result.
  std::string text_of(Finished& finished) {
    const Outcome& outcome = finished.outcome;
    const bool as_json = options_.output == Output::json;
    Arena arena;
    if (options_.blame) {
      if (as_json) return text::write_json(report::blame_data(arena, finished.session.sources(), outcome.result.value, options_.sort_keys));
      return outcome.is_documents ? report::blame_documents_text(finished.session.sources(), outcome.result.value, yaml_style(), options_.layout)
                                  : report::blame_text(finished.session.sources(), outcome.result.value, yaml_style(), options_.layout);
    }
    const auto prefix = parse_pointer(*options_.explain);
    auto paths = finished.session.recorder().history()->explain(outcome.result, prefix);
    if (paths.empty() && !prefix.empty()) {
      throw Error("explain.path", fmt::format("nothing was ever at the path '{}'", *options_.explain)).hint("--explain alone lists all paths");
    }
    return as_json ? explanation_json(finished, std::move(paths)) : explanation_text(finished, std::move(paths));
  }

  using Histories = std::vector<merge::PathHistory>;
  static constexpr std::size_t kPathsAtOnce = 256;

  static Histories take(Histories& paths, std::size_t from) {
    const auto begin = paths.begin() + static_cast<std::ptrdiff_t>(from);
    const auto size = static_cast<std::ptrdiff_t>(std::min(kPathsAtOnce, paths.size() - from));
    return {std::make_move_iterator(begin), std::make_move_iterator(begin + size)};
  }

  [[nodiscard]] std::string explanation_text(Finished& finished, Histories paths) const {
    std::string out;
    for (std::size_t from = 0; from < paths.size(); from += kPathsAtOnce) {
      const Histories some = take(paths, from);
      out += report::explain_text(finished.session.sources(), *finished.session.recorder().history(), some, options_.layout);
      check_output(out.size());
    }
    return out;
  }

  [[nodiscard]] std::string explanation_json(Finished& finished, Histories paths) const {
    constexpr std::string_view kHead = "[\n";
    constexpr std::string_view kTail = "\n]\n";
    if (paths.empty()) return text::write_json(Arena().sequence());
    std::string out(kHead);
    for (std::size_t from = 0; from < paths.size(); from += kPathsAtOnce) {
      const Histories some = take(paths, from);
      Arena arena;
      const std::string part =
          text::write_json(report::explain_data(arena, finished.session.sources(), *finished.session.recorder().history(), some));
      if (from > 0) out += ",\n";
      out += std::string_view(part).substr(kHead.size(), part.size() - kHead.size() - kTail.size());
      check_output(out.size());
    }
    return out += kTail;
  }

  void check_output(std::size_t bytes) const {
    if (bytes <= options_.most_output) return;
    throw Error("limit.output", fmt::format("the explanation has more than {} bytes", options_.most_output))
        .hint("--explain=PATH explains a part; or raise the limit with --limit output=BYTES");
  }

  static std::vector<report::Difference> differences(Finished& before, Finished& now) {
    const auto between = [&](const Value& old, const Value& fresh) {
      return report::differences({.sources = before.session.sources(), .result = old}, {.sources = now.session.sources(), .result = fresh});
    };
    if (!now.outcome.is_documents) return between(before.outcome.result.value, now.outcome.result.value);
    // Documents that come and go do not move the others.
    std::vector<report::Difference> all;
    const auto add = [&](const std::string& name, const Value& old, const Value& fresh) {
      for (report::Difference& one : between(old, fresh)) {
        one.path.insert(0, name);
        all.push_back(std::move(one));
      }
    };
    std::unordered_map<std::string_view, Value> fresh;
    for (std::size_t i = 0; i < now.outcome.document_names.size(); ++i)
      fresh.emplace(now.outcome.document_names[i], now.outcome.result.value.items()[i]);
    for (std::size_t i = 0; i < before.outcome.document_names.size(); ++i) {
      const std::string& name = before.outcome.document_names[i];
      const auto node = fresh.extract(name);
      add(name, before.outcome.result.value.items()[i], node.empty() ? Value() : node.mapped());
    }
    for (const std::string& name : now.outcome.document_names) {
      if (const auto left = fresh.find(name); left != fresh.end()) add(name, {}, left->second);
    }
    return all;
  }

  int show_difference(Finished& before, Finished& now) const {
    const auto differences = Execution::differences(before, now);
    Arena arena;
    print_text(options_.output == Output::json ? text::write_json(report::difference_data(arena, differences))
                                               : report::difference_text(differences, options_.layout));
    if (std::fflush(stdout) != 0) fail_to_print();
    const bool has_failed = tell_failures(now);
    return differences.empty() && !has_failed ? 0 : 1;
  }

  /// Prints what holds names of files and keys; JSON has its own escapes for them.
  void print_text(const std::string& text) const { print(shows_on_terminal() && options_.output != Output::json ? escaped(text) : text); }

  static void print(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail_to_print();
  }

  [[noreturn]] static void fail_to_print() {
    throw Error("output.failed", fmt::format("the output cannot be written: {}", std::strerror(errno)));  // NOLINT(concurrency-mt-unsafe): one thread
  }

  Command& command_;
  SharedOptions& options_;
  Terminal terminal_;
  std::unique_ptr<Host> host_;
};

}  // namespace

int execute(Command& command) { return Execution(command).run(); }

}  // namespace strata::cli
