// What is wrong with one phase of a request, gathered, so that several errors are reported in one run. Rule: bindings 19.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "strata/error.hpp"

namespace strata::bindings {

// An error that is put together in several steps.

/// Sets its primary place.
inline void place_at(Error& error, const Sources& sources, Origin origin) { static_cast<void>(std::move(error).at(sources, origin)); }
/// Adds a second place.
inline void add_note(Error& error, const Sources& sources, Origin origin, std::string message) {
  static_cast<void>(std::move(error).note(sources, origin, std::move(message)));
}
/// Sets the way out.
inline void set_hint(Error& error, std::string hint) { static_cast<void>(std::move(error).hint(std::move(hint))); }

class Problems {
 public:
  static constexpr std::size_t kMost = 20;

  void add(const Error& error) {
    if (const auto* several = dynamic_cast<const Errors*>(&error)) {
      for (const Diagnostic& each : several->all()) add(each);
    } else {
      add(error.diagnostic());
    }
  }
  void add(Diagnostic diagnostic) {
    if (!is_full()) all_.push_back(std::move(diagnostic));
  }
  /// Does a piece of work; what is wrong with it is kept. False where something was.
  template <class Work>
  bool guard(Work&& work) {
    try {
      std::forward<Work>(work)();
      return true;
    } catch (const Error& error) {
      add(error);
      return false;
    }
  }
  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
  [[nodiscard]] bool is_full() const noexcept { return all_.size() >= kMost; }
  [[nodiscard]] const std::vector<Diagnostic>& all() const noexcept { return all_; }
  /// Throws Errors where there are any. The end of a phase.
  void raise() const {
    if (!all_.empty()) throw Errors(all_);
  }

 private:
  std::vector<Diagnostic> all_;
};

}  // namespace strata::bindings
