// SPDX-License-Identifier: Apache-2.0
// What somebody watches: results of nodes of a site, and how two states of them differ.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/sites/sites.hpp"

namespace strata {
class Stop;
}  // namespace strata

namespace strata::service::watch {

struct Query {
  std::string project;
  std::string site;
  std::optional<std::vector<std::string>> nodes = {};  ///< No value: all.
  std::vector<std::string> keys = {};                  ///< None: the whole result of each node.

  /// Equal for equal queries.
  [[nodiscard]] std::string text() const;
};

/// The entity tags of results, by node and key. What fails has a tag, too: that of its error.
using Tags = std::map<std::pair<std::string, std::string>, std::string>;

inline constexpr std::size_t kMostResults = 100'000;

/// A state of a site, with the facts that are stored for nodes of it.
class Source {
 public:
  Source(std::shared_ptr<const sites::SiteState> state, std::map<std::string, std::string> stored) noexcept
      : state_(std::move(state)), stored_(std::move(stored)) {}
  [[nodiscard]] const std::shared_ptr<const sites::SiteState>& state() const noexcept { return state_; }

  /// The tags of a query's results. Errors: `site.watch` for more than kMostResults; those that end a run.
  [[nodiscard]] Tags tags(const Query& query, const Stop& stop) const;

  using Sink = std::function<void(std::string_view event)>;
  /// The ids of events that are told together: the last one has `now`, the others have that of what was known before.
  /// Who is cut off between them, and goes on from the last one that it got, is told all of them again.
  struct Ids {
    std::string before;
    std::string now;
  };
  /// Gives `sink` an event for each result in `to` that is not in `from` or differs there, and for each that vanished.
  /// `from` null: all are new, and the events are called `snapshot`, else `changed`; those of errors are called
  /// `error`.
  void tell(const Query& query, const Tags* from, const Tags& to, const Ids& ids, bool with_values, const Stop& stop,
            const Sink& sink) const;

 private:
  [[nodiscard]] std::vector<std::string> nodes(const Query& query) const;
  using Use =
      std::function<void(const std::string& key, const std::string& tag, const std::string& members, bool is_error)>;
  /// Calls `use` for each key of a node; `members` are those of an event besides node, key and tag: `"value": …` or
  /// `"error": …`.
  void ask(const Query& query, const std::string& node, const Stop& stop, const Use& use) const;

  std::shared_ptr<const sites::SiteState> state_;
  std::map<std::string, std::string> stored_;  ///< By name; as SiteState::with_facts takes them.
};

/// `id: …`, `event: …`, `data: …` and an empty line.
[[nodiscard]] std::string event_text(std::string_view id, std::string_view name, std::string_view data);

}  // namespace strata::service::watch
