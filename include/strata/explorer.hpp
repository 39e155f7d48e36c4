// SPDX-License-Identifier: Apache-2.0
// The explorer: projects of a folder in a browser, for one user of this machine. Rules: docs/service/explorer.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/question.hpp"

namespace strata {
class Engine;
class Executor;
}  // namespace strata

namespace strata::service {

/// A project that is shown.
struct ExploredProject {
  std::string name;
  std::string verb;
  std::shared_ptr<const analysis::Question> question = {};  ///< Null: there is a failure.
  std::string folder = {};              ///< Absolute: it is watched, and files below it may be edited.
  std::string repository = {};          ///< A folder in the git repository around its files. Empty: there is none.
  bool is_assumed = false;              ///< Its nodes are guessed.
  std::vector<std::string> words = {};  ///< The question as a command line, without `strata`.
  /// What stands behind them for a subject of a fleet that says it for each. Empty: nothing does.
  std::function<std::vector<std::string>(const std::string& subject)> words_of = {};
  Limits limits = {};
  /// A state of its files: of a revision, or the present one for an empty name. Not kept.
  std::function<analysis::State(const std::string& revision)> state_of = {};
  std::optional<Diagnostic> failure = {};  ///< Why there is no question.
  std::optional<Excerpt> place = {};       ///< Where it is configured, with a message. No value: nowhere.
};

struct ExplorerSettings {
  std::string folder;           ///< Absolute, the working folder: names of files below it are relative to it.
  std::string at = {};          ///< A revision. Empty: the present state, and files are watched.
  bool writes = false;          ///< Pages may save files.
  std::string web_folder = {};  ///< Pages come from here, for work on them. Empty: those of the program.
  std::uint16_t port = 0;       ///< On 127.0.0.1. 0: any.
  std::shared_ptr<Engine> engine = {};
  std::shared_ptr<Executor> executor = {};  ///< Threads for large projects. May be null.
  Limits limits = {};
  /// The projects as they are now: called at the beginning, and whenever files have changed. Errors: those of reading
  /// them.
  std::function<std::vector<ExploredProject>()> projects = {};
};

/// Listens from its construction on. The process should ignore SIGPIPE.
class Explorer {
 public:
  /// Errors: those of `projects`; `explore.none` without any; `service.listen`.
  explicit Explorer(ExplorerSettings settings);
  ~Explorer();
  Explorer(const Explorer&) = delete;
  Explorer& operator=(const Explorer&) = delete;

  /// Where a browser begins, with the token: `http://127.0.0.1:PORT/explore/?token=TOKEN`.
  [[nodiscard]] const std::string& address() const noexcept;
  /// Ends what is in flight.
  void stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace strata::service
