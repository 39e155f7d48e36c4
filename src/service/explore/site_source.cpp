// SPDX-License-Identifier: Apache-2.0
#include "service/explore/site_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "analysis/secret_texts.hpp"
#include "service/api/stored_nodes.hpp"
#include "service/memory.hpp"
#include "strata/engine.hpp"
#include "strata/error.hpp"
#include "strata/git_history.hpp"
#include "strata/workspace.hpp"

namespace strata::service::explore {
namespace {

constexpr std::size_t kMostViews = 64;

}  // namespace

SiteSource::SiteSource(sites::Sites& sites) : sites_(sites) {
  sites.listen([this](const std::string& project, const std::string& site) {
    std::int64_t now = 0;
    std::list<std::pair<Key, Kept>> gone;  // They end without the lock.
    {
      const std::scoped_lock lock(mutex_);
      for (auto at = views_.begin(); at != views_.end();) {
        const auto one = at++;
        if (one->second.project == project && one->second.name == site) gone.splice(gone.end(), views_, one);
      }
      now = ++generation_;
    }
    // Clients that may read the files ask which ones changed.
    events_.tell(now, {});
  });
  thread_ = std::thread([this] {
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, EventStream::kHeartbeat, [this] { return is_over_; })) {
      lock.unlock();
      if_memory_allows([this] { events_.breathe(); });
      lock.lock();
    }
  });
}

SiteSource::~SiteSource() {
  events_.close();
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  ended_.notify_all();
  thread_.join();
}

std::vector<std::string> SiteSource::names(const Call& call) {
  std::vector<std::string> out;
  for (const sites::Site& one : sites_.list(call)) out.push_back(one.form.name);
  return out;
}

std::shared_ptr<const View> SiteSource::view(const Call& call, const std::string& name, const std::string& revision) {
  const auto present = sites_.state(call, name);
  const Key key{present.get(), revision};
  std::int64_t generation = 0;
  {
    const std::scoped_lock lock(mutex_);
    const auto known = std::ranges::find(views_, key, &std::pair<Key, Kept>::first);
    if (known != views_.end()) {
      views_.splice(views_.begin(), views_, known);
      return views_.front().second.view;
    }
    generation = generation_;
  }
  const auto state = revision.empty() ? present : earlier_state(call, name, revision);
  sites::WholeFleet fleet = state->whole_fleet(api::stored_nodes(call, name));
  auto made = std::make_shared<const View>(ViewForm{
      .name = name,
      .verb = state->project().verb,
      .question = std::move(fleet.question),
      .state = std::move(fleet.state),
      .revision = revision,
      .generation = generation,
      .limits = state->ground().limits,
      .is_assumed = state->assumes_nodes(),
      .words = {"@" + name},
      .executor = state->ground().engine->settings().executor,
      .keeper = state,
      .tell = [this, scope = call.project](const Progress& progress) { events_.tell(progress, scope); },
      .residents = &state->usage().fleets,
      .trim = [&usage = state->usage(), engine = state->ground().engine] { (void)usage.trim(engine->usage().bytes); },
      .secret_texts = [&state = *state]() -> const analysis::SecretTexts& { return state.secret_texts(); }});
  const std::scoped_lock lock(mutex_);
  if (generation != generation_) return made;  // The stored nodes may be other ones by now.
  views_.emplace_front(key, Kept{.project = call.project, .name = name, .state = present, .view = made});
  if (views_.size() > kMostViews) views_.pop_back();
  return made;
}

std::shared_ptr<const sites::SiteState> SiteSource::earlier_state(const Call& call, const std::string& name,
                                                                  const std::string& revision) {
  const std::string commit = commit_of(call, name, revision);
  if (commit.empty())
    throw Error("git.no-repository", fmt::format("the site '{}' is an upload: it has no revisions", name));
  return sites_.earlier_state(call, name, commit);
}

std::string SiteSource::verb_of(const Call& call, const std::string& name) {
  return std::string(sites::find_dialect(sites_.find(call, name).form.dialect).verb);
}

std::int64_t SiteSource::generation(const Call& /*call*/) {
  const std::scoped_lock lock(mutex_);
  return generation_;
}

std::string SiteSource::commit_of(const Call& call, const std::string& name, const std::string& revision) {
  const std::optional<GitPlace> place = sites_.place_of(call, name);
  if (!place) return {};
  if (revision.empty()) {
    const auto state = sites_.state(call, name);
    if (!state->commit().empty()) return state->commit();
  }
  try {
    return revision_id(revision.empty() ? "HEAD" : revision, *place);
  } catch (const Error& error) {
    if (revision.empty()) return {};
    // Where the site's folder is, is for who runs the service.
    if (error.code() == "git.no-repository")
      throw Error("git.no-repository", fmt::format("the site '{}' is in no git repository", name));
    throw;
  }
}

std::unique_ptr<GitHistory> SiteSource::history(const Call& call, const std::string& name,
                                                const std::string& revision) {
  const std::string commit = commit_of(call, name, revision);
  const std::optional<GitPlace> place = sites_.place_of(call, name);
  return commit.empty() || !place ? nullptr : std::make_unique<GitHistory>(commit, std::string(), *place);
}

std::vector<std::string> SiteSource::references(const Call& call, const std::string& name) {
  const std::optional<GitPlace> place = sites_.place_of(call, name);
  return place ? git_references(*place) : std::vector<std::string>();
}

void SiteSource::check_draft(const Call& call, const std::string& name) {
  sites::check_draft(call, *sites_.state(call, name));
}

bool SiteSource::is_writable(const Call& /*call*/, const std::string& /*name*/) { return false; }

void SiteSource::write(const Call& /*call*/, const View& /*view*/, const std::string& /*path*/,
                       const std::optional<std::string>& /*before*/, const std::string& /*text*/) {
  throw Error("service.forbidden", "pages do not save files of a service").hint("PATCH …/sites/SITE/tree");
}

Response SiteSource::events(const Call& call) {
  return events_.listen(generation(call), call.project,
                        call.request.principal.method + ' ' + call.request.principal.name);
}

}  // namespace strata::service::explore
