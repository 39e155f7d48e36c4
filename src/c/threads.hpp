// SPDX-License-Identifier: Apache-2.0
// The threads of a project.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>

#include "cli/terminal.hpp"
#include "cli/thread_pool.hpp"
#include "strata/executor.hpp"

namespace strata::c {

/// Starts its threads when there is work for them. In a process that was forked since, there are none: the caller's
/// thread does all work.
class Threads final : public Executor {
 public:
  /// `threads`: with the caller's own; 0: one a core. `ground`: where they ask.
  Threads(unsigned threads, cli::Ground ground);
  ~Threads() override;
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  void post(std::function<void()> work) override;
  [[nodiscard]] std::size_t width() const noexcept override;

 private:
  [[nodiscard]] bool is_forked() const noexcept;

  const cli::Ground ground_;
  pid_t process_;
  std::unique_ptr<cli::ThreadPool> pool_;
};

}  // namespace strata::c
