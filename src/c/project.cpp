// SPDX-License-Identifier: Apache-2.0
#include "project.hpp"

#include "files.hpp"
#include "strata/engine.hpp"
#include "strata/paths.hpp"
#include "threads.hpp"

using strata::c::Site;
using strata::c::State;

strata_project::strata_project(strata::c::ProjectOptions options, std::shared_ptr<const strata::FileTree> files,
                               bool stays)
    : site_(std::make_shared<Site>(Site{.options = std::move(options), .caller = std::move(files)})) {
  Site& site = *site_;
  const std::string start = site.caller ? "/" : strata::cli::working_folder();
  if (start.empty())
    strata::c::misuse("call.options", "the process has no working directory",
                      "give an absolute 'folder', and change the directory");
  site.folder = strata::absolute_path(start, site.options.folder);
  if (site.caller) site.caller = strata::c::anchored_tree(site.caller, site.folder);
  // Names of files are shown as the program shows them.
  site.ground = {.folder = site.caller ? site.folder : start, .is_closed = site.caller != nullptr};
  site.executor = std::make_shared<strata::c::Threads>(site.options.threads, site.ground);
  strata::EngineSettings settings{.executor = site.executor};
  if (!stays) settings.file_cache = 0;
  site.engine = strata::Engine::make(settings);
  refresh();
}

strata_project::~strata_project() = default;

std::unique_ptr<strata_project> strata_project::copy() const {
  return std::unique_ptr<strata_project>(new strata_project(site_, state()));
}

void strata_project::refresh() {
  ask(nullptr, [this](const strata::Stop* /*stop*/) {
    auto made = std::make_shared<State>(*site_);
    const std::lock_guard lock(mutex_);
    state_.swap(made);
  });
}
