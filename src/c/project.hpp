// SPDX-License-Identifier: Apache-2.0
// What a strata_project is.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

#include "cli/terminal.hpp"
#include "deep_stack.hpp"
#include "guarded.hpp"
#include "options.hpp"
#include "state.hpp"
#include "strata/stop.hpp"
#include "strata/strata.h"

struct strata_cancel {
  strata::Stop stop;
};

struct strata_project {
  /// `files`: of the caller; null for the host's. Errors: `call.options`, those of State.
  strata_project(strata::c::ProjectOptions options, std::shared_ptr<const strata::FileTree> files, bool stays);
  ~strata_project();
  strata_project(const strata_project&) = delete;
  strata_project& operator=(const strata_project&) = delete;

  /// As it is now.
  [[nodiscard]] std::shared_ptr<strata::c::State> state() const {
    const std::lock_guard lock(mutex_);
    return state_;
  }
  void refresh();
  /// The same project in its present state, whatever becomes of this one.
  [[nodiscard]] std::unique_ptr<strata_project> copy() const;
  [[nodiscard]] const strata::c::Site& site() const noexcept { return *site_; }

  /// Does work where the project stands, on a stack that its questions need.
  template <class Work>
  void deep(const Work& work) const {
    const auto now = state();
    strata::c::on_deep_stack(std::max(site_->limits.depth, now ? now->depth() : 0), [&] {
      const strata::cli::OnGround ground(site_->ground);
      work();
    });
  }

  /// Does work that asks questions, which `cancel` ends; may be null. Errors: also `call.options` for words that are
  /// wrong.
  template <class Work>
  void ask(strata_cancel* cancel, const Work& work) const {
    deep([&] { ask_here(cancel, work); });
  }
  /// The same for work with callbacks that the thread of the caller must see: what asks in it does so by `deep`.
  template <class Work>
  void ask_here(strata_cancel* cancel, const Work& work) const {
    strata::Stop stop(cancel == nullptr ? nullptr : &cancel->stop);
    if (site_->options.time) stop.end_at(strata::Stop::Clock::now() + *site_->options.time);
    stop.check();
    try {
      work(&stop);
    } catch (const strata::cli::UsageError& wrong) {
      strata::c::misuse("call.options", wrong.what(), wrong.hint());
    } catch (const strata::cli::HelpRequested& wrong) {
      strata::c::misuse("call.options", wrong.what());
    }
  }

  /// Something happened that cannot happen.
  std::atomic<bool> is_broken = false;

 private:
  strata_project(std::shared_ptr<strata::c::Site> site, std::shared_ptr<strata::c::State> state) noexcept
      : site_(std::move(site)), state_(std::move(state)) {}

  std::shared_ptr<strata::c::Site> site_;  ///< Outlives the state.
  mutable std::mutex mutex_;
  std::shared_ptr<strata::c::State> state_;
};
