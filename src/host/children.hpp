// What all children of this process need: that signals do the right thing while they run (which the whole process shares, on all threads), and how
// they ended.
#pragma once

#include <sys/types.h>

#include <string>

namespace strata {

/// While one of these lives, wherever, a signal does what is said here; then again what it did before. All of one signal want the same of it.
class SignalAction {
 public:
  /// `action`: SIG_DFL, SIG_IGN or a handler, which stands for one signal only. `instead_of`: what the signal did before for it to be changed;
  /// anything else (a handler of the program's own) stays.
  SignalAction(int signal, void (*action)(int), void (*instead_of)(int));
  ~SignalAction();
  SignalAction(const SignalAction&) = delete;
  SignalAction& operator=(const SignalAction&) = delete;

 private:
  int signal_;
};

/// While it lives, how children ended can be asked for: where SIGCHLD is ignored, which programs inherit, the kernel forgets it.
class KeptStatus {
 public:
  KeptStatus();

 private:
  SignalAction children_;
};

/// While it lives, a signal that ends this process ends a group of processes first: one of its own is out of reach of a terminal's Ctrl-C.
class EndsWithUs {
 public:
  explicit EndsWithUs(pid_t group);
  ~EndsWithUs();
  EndsWithUs(const EndsWithUs&) = delete;
  EndsWithUs& operator=(const EndsWithUs&) = delete;

 private:
  SignalAction hangup_;
  SignalAction interrupt_;
  SignalAction quit_;
  SignalAction terminate_;
  pid_t group_;
};

/// A status of waitpid in words: `ended with status 1`, `was ended by signal 9 (Killed)`.
[[nodiscard]] std::string how_ended(int status);

}  // namespace strata
