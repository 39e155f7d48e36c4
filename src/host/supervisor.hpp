// SPDX-License-Identifier: Apache-2.0
// Programs under a supervisor: a small process between strata and the program.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "child.hpp"
#include "tree/descriptor.hpp"

namespace strata {

/// A program that was started by a supervisor, a fork of this process. The supervisor waits for the program, so that
/// its status is known whatever this process does with SIGCHLD; and it kills the program and all that it has started,
/// in whatever process group or session, as soon as this process is gone, however it ended, or wants no more.
class SupervisedProgram {
 public:
  /// What the supervisor tells once it has tried to start the program, and once the program has ended.
  struct Report {
    int error;      ///< The errno why it could not be started; 0 where it runs, or ran.
    pid_t program;  ///< Its number.
    int status;     ///< As waitpid gives it; of the second report.
  };

  /// Starts `words`, whose first is found on PATH, with `files` as its descriptors 0, 1 and 2 and a CleanEnvironment.
  /// Error `program.start` where there can be no process.
  SupervisedProgram(const std::vector<std::string>& words, const std::array<int, 3>& files);
  SupervisedProgram(const SupervisedProgram&) = delete;
  SupervisedProgram& operator=(const SupervisedProgram&) = delete;
  /// Kills the program and all that it has started, and waits until they are gone.
  ~SupervisedProgram();

  /// Readable when there is something to be taken.
  [[nodiscard]] int reports() const noexcept { return socket_.get(); }
  /// The next report; none where there is none yet. Error `program.start` where the supervisor is gone.
  [[nodiscard]] std::optional<Report> take();

 private:
  detail::Descriptor socket_;
  Child supervisor_;
  pid_t program_ = 0;
};

}  // namespace strata
