// SPDX-License-Identifier: Apache-2.0
#include "service/stacks/listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <compare>

#include "service/stacks/arguments.hpp"
#include "service/stacks/refusals.hpp"
#include "service/stacks/views.hpp"

namespace strata::service::stacks {
namespace {

// How the reference calls what one can filter by. Sorted.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kFilters{{{"action", "action"},
                                                                                  {"id", "id"},
                                                                                  {"name", "name"},
                                                                                  {"owner_id", "owner_id"},
                                                                                  {"parent", "owner_id"},
                                                                                  {"stack_action", "action"},
                                                                                  {"stack_name", "name"},
                                                                                  {"stack_owner", "username"},
                                                                                  {"stack_status", "stack_status"},
                                                                                  {"status", "status"},
                                                                                  {"tenant", "tenant"},
                                                                                  {"username", "username"}}};

std::string value_of(const Listed& one, std::string_view filter) {
  if (filter == "action") return one.stack.action;
  if (filter == "id") return one.stack.id;
  if (filter == "name") return one.stack.name;
  if (filter == "tenant") return one.project;
  if (filter == "status") return one.stack.status;
  if (filter == "stack_status") return one.stack.action + '_' + one.stack.status;
  if (filter == "username") return read_settings(one.stack.settings).owner;
  return {};  // No stack has an owner: none is part of another one.
}

bool is_one_of(const std::vector<std::string>& all, const std::string& one) {
  return std::ranges::find(all, one) != all.end();
}

}  // namespace

Listing::Listing(const Query& query) {
  for (const auto& [name, filter] : kFilters) {
    std::vector<std::string> values = query.all(name);
    std::erase_if(values, [](const std::string& value) { return value.empty(); });
    if (!values.empty()) filters_.emplace_back(filter, std::move(values));
  }
  constexpr std::array kTags{std::tuple{"tags", true, true}, std::tuple{"tags_any", false, true},
                             std::tuple{"not_tags", true, false}, std::tuple{"not_tags_any", false, false}};
  for (const auto& [name, needs_all, is_wanted] : kTags) {
    // Of several the last counts, as of markers.
    if (const std::vector<std::string> all = query.all(name); !all.empty() && !all.back().empty())
      tags_.push_back({.tags = tags_of(all.back()), .needs_all = needs_all, .is_wanted = is_wanted});
  }
  for (const std::string& key : query.all("sort_keys")) {
    if (key == "stack_name") keys_.push_back(Key::name);
    if (key == "stack_status") keys_.push_back(Key::status);
    if (key == "creation_time") keys_.push_back(Key::created);
    if (key == "updated_time") keys_.push_back(Key::updated);
  }
  is_descending_ = keys_.empty();
  if (const std::string* direction = given(query, "sort_dir")) {
    if (*direction != "asc" && *direction != "desc")
      refuse_request(fmt::format("Unknown sort direction '{}', must be 'desc' or 'asc'.", *direction));
    is_descending_ = *direction == "desc";
  }
  shows_deleted_ = flag_of(query, "show_deleted").value_or(false);
  (void)flag_of(query, "show_nested");
  (void)flag_of(query, "show_hidden");
  shows_all_projects_ = flag_of(query, "global_tenant").value_or(false);
  counts_ = flag_of(query, "with_count").value_or(false);
  if (const auto limit = number_of(query, "limit")) limit_ = static_cast<std::size_t>(*limit);
  if (const std::vector<std::string> markers = query.all("marker"); !markers.empty()) marker_ = markers.back();
}

bool Listing::fits(const Listed& one) const {
  for (const auto& [filter, values] : filters_) {
    if (!is_one_of(values, value_of(one, filter))) return false;
  }
  if (tags_.empty()) return true;
  const std::vector<std::string> has = read_settings(one.stack.settings).tags;
  return std::ranges::all_of(tags_, [&](const TagFilter& filter) {
    const auto is_there = [&has](const std::string& tag) { return is_one_of(has, tag); };
    const bool is_met =
        filter.needs_all ? std::ranges::all_of(filter.tags, is_there) : std::ranges::any_of(filter.tags, is_there);
    return is_met == filter.is_wanted;
  });
}

bool Listing::is_before(const Listed& left, const Listed& right) const {
  const auto compared = [&](Key key) -> std::weak_ordering {
    switch (key) {
      case Key::name:
        return left.stack.name <=> right.stack.name;
      case Key::status:
        return left.stack.status <=> right.stack.status;
      case Key::created:
        return left.stack.created_at <=> right.stack.created_at;
      case Key::updated:
        break;
    }
    return left.stack.updated_at <=> right.stack.updated_at;
  };
  std::weak_ordering order = std::weak_ordering::equivalent;
  for (const Key key : keys_) {
    if (order == std::weak_ordering::equivalent) order = compared(key);
  }
  // Of one project the ordinals tell; of several, the clock.
  if (shows_all_projects_) {
    if (order == std::weak_ordering::equivalent) order = left.stack.created_at <=> right.stack.created_at;
    if (order == std::weak_ordering::equivalent) order = left.project <=> right.project;
  }
  if (order == std::weak_ordering::equivalent) order = left.stack.ordinal <=> right.stack.ordinal;
  if (order == std::weak_ordering::equivalent) order = left.stack.id <=> right.stack.id;
  return is_descending_ ? order > 0 : order < 0;
}

Listing::Page Listing::page(std::vector<Listed> all) const {
  std::ranges::sort(all, [this](const Listed& left, const Listed& right) { return is_before(left, right); });
  Page out;
  if (counts_)
    out.count = static_cast<std::size_t>(std::ranges::count_if(all, [this](const Listed& one) { return fits(one); }));
  const auto marked = marker_.empty()
                          ? all.end()
                          : std::ranges::find_if(all, [this](const Listed& one) { return one.stack.id == marker_; });
  for (auto one = marked == all.end() ? all.begin() : marked + 1; one != all.end(); ++one) {
    if (limit_ && out.stacks.size() == *limit_) break;
    if (fits(*one)) out.stacks.push_back(std::move(*one));
  }
  out.is_full = limit_ && *limit_ != 0 && out.stacks.size() == *limit_;
  return out;
}

std::string next_query(const Query& query, const std::string& marker) {
  std::string out;
  bool has_marker = false;
  const auto add = [&out](const std::string& name, const std::string& value) {
    out += fmt::format("{}{}={}", out.empty() ? "" : "&", percent_encoded(name), percent_encoded(value));
  };
  for (const Field& field : query.fields()) {
    const bool is_marker = field.name == "marker";
    if (is_marker && has_marker) continue;
    has_marker = has_marker || is_marker;
    add(field.name, is_marker ? marker : field.value);
  }
  if (!has_marker) add("marker", marker);
  return out;
}

}  // namespace strata::service::stacks
