// One request: the trees, the run or the two runs, and what is shown of them.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "command.hpp"
#include "host/process_host.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

/// One run with all that its result points into.
struct Finished {
  Sources sources{working_folder()};
  Diagnostics diagnostics;
  merge::History history;
  Outcome outcome;
};

class Execution {
 public:
  explicit Execution(Command& command) : command_(command), options_(command.options()), terminal_(options_.color) {}

  int run() {
    const auto host = process_host(options_.limits, command_.allows_network());
    command_.prepare(*host);
    const auto now = finish(options_.at);
    if (!options_.against.empty()) {
      const auto before = finish(options_.against);
      if (!report(*now)) return 1;
      return show_difference(*before, *now);
    }
    if (!report(*now)) return 1;
    print(text_of(*now));
    return 0;
  }

 private:
  std::unique_ptr<Finished> finish(const std::string& revision) {
    const auto tree = revision.empty() ? host_tree({}, options_.limits.input) : git_tree(revision, {}, options_.limits.input);
    auto finished = std::make_unique<Finished>();
    try {
      finished->outcome = command_.run({.tree = *tree,
                                        .sources = finished->sources,
                                        .diagnostics = finished->diagnostics,
                                        .history = options_.explain ? &finished->history : nullptr,
                                        .limits = options_.limits});
    } catch (const Error&) {
      // What was found before it helps to understand it.
      report(*finished);
      throw;
    }
    return finished;
  }

  /// Shows the warnings; false where they count as errors.
  bool report(const Finished& finished) {
    const bool fails = options_.strict && !finished.diagnostics.warnings().empty();
    if (options_.quiet && !fails) return true;
    for (const Diagnostic& warning : finished.diagnostics.warnings()) terminal_.tell(warning, fails ? "error" : "warning");
    return !fails;
  }

  [[nodiscard]] text::YamlStyle yaml_style() const { return {.profile = nullptr, .sort_keys = options_.sort_keys, .indent = 2}; }

  [[nodiscard]] std::string json(const Value& value) const { return text::write_json(value, {.sort_keys = options_.sort_keys, .indent = 2}); }

  std::string text_of(const Finished& finished) {
    const Outcome& outcome = finished.outcome;
    if (outcome.printed) return *outcome.printed;
    const bool as_json = options_.output == Output::json;
    Arena arena;
    if (options_.blame) {
      return as_json ? text::write_json(merge::blame_data(arena, finished.sources, outcome.result.value, options_.sort_keys))
                     : merge::blame_text(finished.sources, outcome.result.value, yaml_style());
    }
    if (options_.explain) {
      const auto prefix = parse_pointer(*options_.explain);
      const auto rows = merge::explain_data(arena, finished.sources, finished.history, outcome.result, prefix);
      if (rows.size() == 0 && !prefix.empty()) {
        throw Error("explain.path", fmt::format("nothing was ever at the path '{}'", *options_.explain)).hint("--explain alone lists all paths");
      }
      return as_json ? text::write_json(rows) : merge::explain_text(finished.sources, finished.history, outcome.result, prefix);
    }
    return as_json ? json(outcome.result.value) : outcome.yaml_head + text::write_yaml(outcome.result.value, yaml_style());
  }

  int show_difference(const Finished& before, const Finished& now) {
    const auto differences = merge::differences({.sources = before.sources, .result = before.outcome.result.value},
                                                {.sources = now.sources, .result = now.outcome.result.value});
    Arena arena;
    print(options_.output == Output::json ? text::write_json(merge::difference_data(arena, differences)) : merge::difference_text(differences));
    return differences.empty() ? 0 : 1;
  }

  static void print(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
      throw Error("output.failed", fmt::format("the output cannot be written: {}", std::strerror(errno)));
    }
  }

  Command& command_;
  SharedOptions& options_;
  Terminal terminal_;
};

}  // namespace

int execute(Command& command) { return Execution(command).run(); }

}  // namespace strata::cli
