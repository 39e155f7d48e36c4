// SPDX-License-Identifier: Apache-2.0
#include "verb_running.hpp"

#include <pthread.h>

#include <atomic>

namespace strata::cli {
namespace {

/// A number that no other thread has, now or later.
std::size_t thread_number() noexcept {
  static std::atomic<std::size_t> last = 0;
  static thread_local const std::size_t number = ++last;
  return number;
}

}  // namespace

Shift::Shift(const Stop& stop) : stop_(stop), maker_(thread_number()) {
  if (pthread_getcpuclockid(pthread_self(), &clock_) != 0) clock_ = CLOCK_THREAD_CPUTIME_ID;
  began_ = now();
}

void Shift::rest() {
  if (maker_ == thread_number()) {
    began_ = now();
  } else {
    leave_out();
  }
}

std::chrono::nanoseconds Shift::now() const noexcept {
  timespec time{};
  // The clock of a finished thread has stopped.
  if (clock_gettime(clock_, &time) != 0) return began_;
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

void Shift::leave_out() {
  const std::chrono::nanoseconds here = now();
  if (here > began_) stop_.not_for_this(here - began_);
  began_ = here;
}

Running::Running(const std::vector<std::string>& words, const QuestionTools& tools, analysis::State of,
                 bool keeps_history, Logs logs)
    : state(std::move(of)), verb(words, tools.own), log(std::make_shared<analysis::ReadLog>()) {
  verb->options().bounds = tools.bounds;
  if (state.stop != nullptr) verb->options().limits.stop = state.stop;
  const StopScope work(verb->options().limits.stop);
  verb->check_usage();
  verb->prepare(*state.inputs);
  const Limits& limits = verb->options().limits;
  auto snapshot = Snapshot::make(
      tools.engine,
      logs == Logs::nothing ? state.files : analysis::logged_tree(state.files, tools.folder, log, logs == Logs::found),
      {.folder = tools.folder, .limits = limits, .host = state.inputs.get()});
  snapshot->add_input(state.inputs->bytes_read());
  session.emplace(std::move(snapshot), SessionSettings{.limits = limits,
                                                       .keeps_history = keeps_history,
                                                       .host = state.inputs.get(),
                                                       .is_whole_process = tools.is_whole_process});
  shift.emplace(session->stop());
}

void Told::add(const std::vector<Diagnostic>& warnings) {
  if (!tell_) return;
  for (const Diagnostic& warning : warnings) {
    if (told_.insert(format(warning, "")).second) tell_(warning);
  }
}

}  // namespace strata::cli
