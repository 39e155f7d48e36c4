// SPDX-License-Identifier: Apache-2.0
#include "service/watch/watches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <deque>

#include "service/changes.hpp"
#include "service/memory.hpp"
#include "service/sites/site_settings.hpp"
#include "service/streaming.hpp"
#include "store/encoding.hpp"
#include "store/records.hpp"
#include "store/sites.hpp"
#include "store/store.hpp"
#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"

namespace strata::service::watch {
namespace {

constexpr std::size_t kRemembered = 16;              ///< Earlier results of a query.
constexpr std::int64_t kMostMissedChanges = 10'000;  ///< Since an event. For more, everything is sent again.
constexpr std::chrono::seconds kUnwatchedTime{300};  ///< Without watchers.
constexpr std::chrono::seconds kHeartbeatInterval{15};
constexpr std::chrono::hours kLongestWatch{1};         ///< Who watches longer comes again, and shows again who it is.
constexpr std::chrono::minutes kEvaluationTimeout{5};  ///< For one evaluation of a query, and for sending its results.
constexpr std::chrono::milliseconds kTick{1000};

/// The number of an event: `PROJECT:NUMBER`. No value: of another project, or no such id; 0, which says that nothing
/// was known.
std::optional<std::int64_t> event_number(const std::string& project, std::string_view id) {
  if (!id.starts_with(project + ':')) return std::nullopt;
  id.remove_prefix(project.size() + 1);
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), out);
  if (error != std::errc() || end != id.data() + id.size() || out <= 0) return std::nullopt;
  return out;
}

void say_goodbye(Channel& channel) {
  (void)channel.offer("event: shutdown\ndata: {}\n\n");
  channel.close();
}

std::string id_of(const Query& query, std::int64_t number) { return fmt::format("{}:{}", query.project, number); }

/// The data of an event with the reason why results are missing.
std::string failure_data(const Error& error) {
  std::string data = error_line(error);
  data.pop_back();
  return data;
}

}  // namespace

/// The results of a query at a moment. Immutable.
struct Watches::Results {
  std::int64_t number = 0;                ///< That of the events that tell them.
  std::shared_ptr<const Tags> tags = {};  ///< Not null; none where there is a failure.
  std::string failure = {};               ///< Why results are missing: the data of an event.

  [[nodiscard]] bool says_the_same(const Results& other) const {
    return failure == other.failure && *tags == *other.tags;
  }
};

/// A site with its stored nodes, both as they are after the same change.
struct Watches::Moment {
  sites::Site site;
  std::map<std::string, std::string> nodes;
  std::int64_t number = 0;  ///< That change. 0: changes of the project do not tell what the site is.
};

struct Watches::Watcher {
  Query query;
  bool with_values = false;
  std::shared_ptr<Channel> channel;
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point told = std::chrono::steady_clock::now();

  /// False: it is gone, or too far behind.
  bool tell(std::string_view text) {
    told = std::chrono::steady_clock::now();
    return channel->offer(text);
  }
};

struct Watches::Group {
  explicit Group(Query wanted) : query(std::move(wanted)) {}

  Query query;
  std::mutex mutex;  ///< Of all below. Held while results are made.
  std::string kind;  ///< Of the site.
  std::optional<Source> source;
  std::shared_ptr<const Results> now;               ///< Null: not known.
  std::deque<std::shared_ptr<const Results>> past;  ///< The last is the present, or what was last known.
  std::vector<std::shared_ptr<Watcher>> watchers;
  std::chrono::steady_clock::time_point used = std::chrono::steady_clock::now();

  /// The events that tell a watcher of results if it knows `known`. Null: nothing. `source` and `results` are those of
  /// one moment.
  static void tell(const Query& query, const std::optional<Source>& source, const Results* known,
                   const Results& results, bool with_values, const Stop& stop, const Source::Sink& sink) {
    const Source::Ids ids{.before = id_of(query, known == nullptr ? 0 : known->number),
                          .now = id_of(query, results.number)};
    if (!results.failure.empty()) {
      if (known == nullptr || known->failure != results.failure) sink(event_text(ids.now, "error", results.failure));
    } else if (source) {
      source->tell(query, known == nullptr ? nullptr : known->tags.get(), *results.tags, ids, with_values, stop, sink);
    }
  }
};

Watches::Watches(Core& core, sites::Sites& sites) : core_(core), sites_(sites) {
  sites_.listen([this](const std::string& project, const std::string& site) {
    {
      const std::scoped_lock lock(mutex_);
      if (groups_.empty()) return;
      sites_changed_.emplace(project, site);
    }
    changed_.notify_all();
  });
  thread_ = std::thread([this] { serve(); });
}

Watches::~Watches() {
  shut_down();
  if (thread_.joinable()) thread_.join();
}

std::size_t Watches::count() const {
  const std::scoped_lock lock(mutex_);
  return watchers_;
}

bool Watches::is_over() const {
  const std::scoped_lock lock(mutex_);
  return is_over_;
}

void Watches::shut_down() {
  std::map<std::string, std::shared_ptr<Group>> all;
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
    all.swap(groups_);
  }
  changed_.notify_all();
  for (const auto& [text, group] : all) {
    const std::scoped_lock lock(group->mutex);
    for (const auto& watcher : group->watchers) {
      say_goodbye(*watcher->channel);
    }
    group->watchers.clear();
  }
}

std::shared_ptr<Watches::Group> Watches::group_of(const Query& query) {
  const std::scoped_lock lock(mutex_);
  if (is_over_) throw Error("service.busy", "the service ends");
  std::shared_ptr<Group>& out = groups_[query.text()];
  if (out == nullptr) out = std::make_shared<Group>(query);
  return out;
}

/// A number that no other results have: of a site whose states the changes of the project do not tell.
std::int64_t Watches::own_number() {
  std::int64_t last = last_number_;
  std::int64_t next = 0;
  do {
    next = std::max(store::now(), last + 1);  // Also where the clock was set back.
  } while (!last_number_.compare_exchange_weak(last, next));
  return next;
}

Watches::Moment Watches::present(const Query& query, const Stop& stop) {
  const auto keys = core_.store().keys(false);
  for (;;) {
    stop.check();
    Moment out;
    std::optional<store::Site> row;
    core_.store().read(
        [&](store::Transaction& transaction) {
          out.nodes.clear();
          row.reset();
          const auto project = store::find_project(transaction, query.project);
          if (!project) return;
          out.number = project->last_change;
          row = store::find_site(transaction, *project, query.site);
          for (store::Node& node : store::nodes(transaction, *keys, *project, query.site))
            out.nodes.emplace(std::move(node.name), std::move(node.facts));
        },
        {.deadline = deadline_of(stop)});
    // A site that was read before a change is read again once that is announced.
    (void)core_.changes().reaches(query.project, out.number);
    out.site = sites_.find(query.project, query.site, deadline_of(stop));
    if (out.site.kind != sites::kUpload) {
      out.number = 0;
      return out;
    }
    if (row && out.site.generation == row->generation && out.site.settings_tag == sites::settings_tag(*row)) return out;
  }
}

/// Finds out what there is now. The group is locked.
void Watches::look(Group& group, const Stop& stop) {
  Results found;
  try {
    Moment moment = present(group.query, stop);
    group.kind = moment.site.kind;
    found.number = moment.number;
    Source source(sites::state_of(moment.site), std::move(moment.nodes));
    found.tags = std::make_shared<const Tags>(source.tags(group.query, stop));
    group.source = std::move(source);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    found.tags = std::make_shared<const Tags>();
    found.failure = failure_data(error);
  }
  // Equal results keep their number: a watcher that knows them has missed nothing.
  if (!group.past.empty() && found.says_the_same(*group.past.back())) {
    group.now = group.past.back();
    return;
  }
  if (found.number == 0) found.number = own_number();
  group.now = std::make_shared<const Results>(std::move(found));
  group.past.push_back(group.now);
  if (group.past.size() > kRemembered) group.past.pop_front();
}

/// What the watcher knows that has seen the event `since`. Null: nothing that could be found out. The group is locked.
std::shared_ptr<const Watches::Results> Watches::known_since(Group& group, const std::string& since, const Stop& stop) {
  const auto number = event_number(group.query.project, since);
  if (!number) return nullptr;
  const auto has_number = [&number](const auto& one) { return one->number == *number; };
  const auto in_past = [&]() -> std::shared_ptr<const Results> {
    const auto found = std::ranges::find_if(group.past, has_number);
    return found == group.past.end() ? nullptr : *found;
  };
  // Results that differ although nothing was changed have the same number.
  const auto are_several = [&] { return std::ranges::count_if(group.past, has_number) > 1; };
  if (are_several()) return nullptr;
  if (auto known = in_past()) return known;
  if (group.kind != sites::kUpload) return nullptr;
  // Another replica told it that, perhaps of what this one has not seen yet.
  if (!core_.changes().reaches(group.query.project, *number)) return nullptr;
  look(group, stop);
  if (are_several()) return nullptr;
  auto known = in_past();
  return known != nullptr ? known : stored_since(group, *number, stop);
}

/// The same by the trees and changes of the store.
std::shared_ptr<const Watches::Results> Watches::stored_since(const Group& group, std::int64_t number,
                                                              const Stop& stop) {
  std::vector<store::Change> changes;
  std::map<std::string, std::string> nodes;
  const auto keys = core_.store().keys(false);
  core_.store().read(
      [&](store::Transaction& transaction) {
        changes.clear();
        nodes.clear();
        const auto project = store::find_project(transaction, group.query.project);
        if (!project) return;
        changes = store::changes_after(transaction, *project, number, kMostMissedChanges);
        for (store::Node& node : store::nodes(transaction, *keys, *project, group.query.site))
          nodes.emplace(std::move(node.name), std::move(node.facts));
      },
      {.deadline = deadline_of(stop)});
  if (!changes.empty() && changes.front().number != number + 1) return nullptr;  // Removed: too long ago.
  if (static_cast<std::int64_t>(changes.size()) == kMostMissedChanges) return nullptr;
  const std::string of_nodes = group.query.site + '/';
  // The facts that a node had are not kept.
  if (std::ranges::any_of(
          changes, [&](const store::Change& one) { return one.kind == "node" && one.target.starts_with(of_nodes); }))
    return nullptr;
  const auto changed = std::ranges::find_if(
      changes, [&](const store::Change& one) { return one.kind == "site" && one.target == group.query.site; });
  if (changed == changes.end()) return group.now;
  if (changed->generation < 1) return nullptr;
  const auto before =
      sites_.upload_state(group.query.project, group.query.site, changed->generation - 1, deadline_of(stop));
  if (before == nullptr) return nullptr;
  return std::make_shared<const Results>(
      Results{.number = number,
              .tags = std::make_shared<const Tags>(Source(before, std::move(nodes)).tags(group.query, stop))});
}

void Watches::begin(const std::shared_ptr<Watcher>& watcher, const std::optional<std::string>& since,
                    const Stop& stop) {
  const auto group = group_of(watcher->query);
  std::unique_lock lock(group->mutex);
  group->used = std::chrono::steady_clock::now();
  if (group->now == nullptr) look(*group, stop);
  std::shared_ptr<const Results> known = since ? known_since(*group, *since, stop) : nullptr;
  // Sending waits for the watcher; later changes are sent after it.
  for (;;) {
    // A change without other watchers leaves the group without results.
    if (group->now == nullptr) look(*group, stop);
    const std::optional<Source> source = group->source;
    const auto now = group->now;
    lock.unlock();
    Pieces pieces(*watcher->channel);
    if (known != now) {
      Group::tell(watcher->query, source, known.get(), *now, watcher->with_values, stop,
                  [&pieces](std::string_view event) { pieces.push(event); });
    }
    lock.lock();
    known = now;
    if (group->now == now) break;
  }
  const std::scoped_lock all(mutex_);
  if (is_over_) throw Error("service.busy", "the service ends");
  group->watchers.push_back(watcher);
}

Response Watches::watch(Query query, const std::optional<std::string>& since, bool with_values) {
  {
    const std::scoped_lock lock(mutex_);
    if (is_over_) throw Error("service.busy", "the service ends");
    ++watchers_;
  }
  auto channel = std::make_shared<Channel>();
  auto watcher =
      std::make_shared<Watcher>(Watcher{.query = std::move(query), .with_values = with_values, .channel = channel});
  Response out{.status = 200,
               .headers = {{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-store"}},
               .stream = channel};
  const auto gone = std::make_shared<Stop>(std::chrono::steady_clock::now() + kEvaluationTimeout);
  channel->on_gone([this, gone] {
    gone->cancel();
    const std::scoped_lock lock(mutex_);
    --watchers_;
  });
  out.make = [this, watcher, since, gone] {
    const auto end_with = [this, &watcher](const Error& error) {
      if (is_over()) return say_goodbye(*watcher->channel);
      (void)watcher->channel->offer(event_text(id_of(watcher->query, 0), "error", failure_data(error)));
      watcher->channel->close();
    };
    try {
      begin(watcher, since, *gone);
    } catch (const Error& error) {
      end_with(error);
    } catch (const std::exception& failure) {
      end_with(Error("service.internal", failure.what()));
    }
  };
  return out;
}

/// Tells all who watch the same what is different now.
void Watches::tell_changes(Group& group) {
  const std::scoped_lock lock(group.mutex);
  if (group.watchers.empty()) {
    group.now = nullptr;  // Who comes next finds out.
    return;
  }
  const Stop stop(std::chrono::steady_clock::now() + kEvaluationTimeout);
  const auto before = group.now;
  look(group, stop);
  if (group.now == before) return;
  std::array<std::optional<std::string>, 2> texts;  // Without and with values.
  std::erase_if(group.watchers, [&](const std::shared_ptr<Watcher>& watcher) {
    std::optional<std::string>& text = texts[watcher->with_values ? 1 : 0];
    if (!text) {
      text.emplace();
      Group::tell(group.query, group.source, before.get(), *group.now, watcher->with_values, stop,
                  [&text](std::string_view event) { text->append(event); });
    }
    return !text->empty() && !watcher->tell(*text);
  });
}

/// Comments for those who heard nothing for a while; goodbye to those who watch too long; unused groups are
/// forgotten.
void Watches::keep_alive() {
  std::vector<std::shared_ptr<Group>> all;
  const std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now();
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& [text, group] : groups_) all.push_back(group);
  }
  std::vector<std::string> unused;
  for (const auto& group : all) {
    const std::unique_lock lock(group->mutex, std::try_to_lock);
    if (!lock) continue;
    std::erase_if(group->watchers, [&](const std::shared_ptr<Watcher>& watcher) {
      if (now - watcher->began > kLongestWatch) {
        watcher->channel->close();
        return true;
      }
      return now - watcher->told > kHeartbeatInterval && !watcher->tell(": still here\n\n");
    });
    if (!group->watchers.empty()) group->used = now;
    if (now - group->used > kUnwatchedTime) unused.push_back(group->query.text());
  }
  all.clear();
  const std::scoped_lock lock(mutex_);
  for (const std::string& text : unused) {
    const auto found = groups_.find(text);
    if (found != groups_.end() && found->second.use_count() == 1) groups_.erase(found);
  }
}

void Watches::serve() {
  bool is_over = false;
  const auto turn = [this, &is_over] {
    std::vector<std::shared_ptr<Group>> touched;
    {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, kTick, [this] { return is_over_ || !sites_changed_.empty(); });
      is_over = is_over_;
      for (const auto& [text, group] : groups_) {
        if (sites_changed_.contains({group->query.project, group->query.site})) touched.push_back(group);
      }
      sites_changed_.clear();
    }
    for (const auto& group : touched) {
      try {
        tell_changes(*group);
      } catch (const std::exception&) {
        // The store does not answer, or time or memory is short: the next look finds what this one has missed.
        as_soon_as_memory_allows([&] {
          const std::scoped_lock again(mutex_);
          sites_changed_.emplace(group->query.project, group->query.site);
        });
      }
    }
    touched.clear();
    keep_alive();
  };
  while (!is_over) as_soon_as_memory_allows(turn);
}

}  // namespace strata::service::watch
