// SPDX-License-Identifier: Apache-2.0
#include "service/api/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <span>

#include "hiera/key.hpp"
#include "hiera/sub_lookup.hpp"
#include "service/core.hpp"
#include "service/json.hpp"
#include "service/signer.hpp"
#include "store/secret_bytes.hpp"
#include "strata/path.hpp"
#include "strata/report.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"

namespace strata::service::api {
namespace {

void throw_failure(const analysis::Outcome& outcome) {
  if (outcome.failure) throw Error(*outcome.failure);
}

/// A step into a value by a key or an index.
const Value* step(const Value& value, std::string_view key) {
  if (value.is_mapping()) return value.find(key);
  std::size_t index = 0;
  const char* const end = key.data() + key.size();
  const auto [stopped, error] = std::from_chars(key.data(), end, index);
  if (!value.is_sequence() || error != std::errc() || stopped != end || index >= value.size()) return nullptr;
  return &value.items()[index];
}

void append(Path& out, const Path& path, std::size_t first) {
  for (std::size_t i = first; i < path.steps().size(); ++i) {
    std::visit([&out](const auto& step) { out.push(step); }, path.steps()[i]);
  }
}

/// A path without its first steps.
Path without_first(const Path& path, std::size_t count) {
  Path out;
  append(out, path, count);
  return out;
}

/// The histories of what is at a path of a result, and below it.
std::vector<merge::PathHistory> histories(Arena& arena, const analysis::Outcome& outcome, const Result& result,
                                          std::vector<std::string> path, const Stop* stop) {
  if (!result.item.value) {
    // Of several items, the path names one first, or none.
    std::vector<merge::PathHistory> out;
    for (const analysis::Item& item : outcome.items) {
      if (!path.empty() && item.name != path.front()) continue;
      check_stop(stop);
      const std::vector<std::string> below(path.begin() + (path.empty() ? 0 : 1), path.end());
      for (merge::PathHistory& one : outcome.history->explain({.value = item.value, .slot = item.slot}, below)) {
        Path whole;
        whole.push(arena.text(item.name));
        append(whole, one.path, 0);
        one.path = std::move(whole);
        out.push_back(std::move(one));
      }
    }
    return out;
  }
  path.insert(path.begin(), result.below.begin(), result.below.end());
  std::vector<merge::PathHistory> out = outcome.history->explain(result.item, path);
  for (merge::PathHistory& one : out) one.path = without_first(one.path, result.below.size());
  return out;
}

}  // namespace

// Recursion: bounded by Limits::depth.
Value redacted(Arena& arena, const Value& value) {
  if (value.is_secret()) return json_object(arena, {{"secret", Value::boolean(true)}});
  if (!value.is_container() || value.size() == 0 || !report::holds_secret(value)) return value;
  return with_members(arena, value, [&arena](const Value& member) { return redacted(arena, member); });
}

Form form_of(const Call& call) {
  const Query& query = call.request.query;
  Form out{.blame = query.flag("blame"), .stop = &call.stop};
  if (const std::string* path = query.find("explain")) {
    out.explain = *path;
    (void)parse_pointer(*path);
  }
  if (const std::string* secrets = query.find("secrets")) {
    if (*secrets != "clear") throw Error("request.query", "'secrets' is 'clear', or not there");
    call.demand("strata:secret.read");
    out.cleartext = true;
  }
  return out;
}

Result whole(Arena& arena, const analysis::Outcome& outcome) {
  throw_failure(outcome);
  if (outcome.items.size() == 1 && outcome.items.front().name.empty()) {
    const analysis::Item& only = outcome.items.front();
    if (only.failure) throw Error(*only.failure);
    return {.value = only.value, .item = {.value = only.value, .slot = only.slot}};
  }
  MappingBuilder out(arena, KeyEquality::exact, outcome.items.size());
  for (const analysis::Item& item : outcome.items) {
    if (item.failure) throw Error(*item.failure);
    out.insert(item.name, item.value);
  }
  return {.value = out.finish()};
}

namespace {

/// The item with a name.
std::optional<Result> item(const analysis::Outcome& outcome, std::string_view name) {
  const auto found = std::ranges::find(outcome.items, name, &analysis::Item::name);
  if (found == outcome.items.end() || name.empty()) return std::nullopt;
  if (found->failure) throw Error(*found->failure);
  return Result{.value = found->value, .item = {.value = found->value, .slot = found->slot}};
}

std::optional<Result> looked_up(const analysis::Outcome& outcome, std::string_view key) {
  const std::vector<hiera::Segment> segments = hiera::split_key(key, "key");
  std::optional<Result> out = item(outcome, hiera::to_string(segments.front()));
  for (std::size_t i = 1; out && i < segments.size(); ++i) {
    const Value member = hiera::step_into(out->value, segments[i], key);
    if (!member) return std::nullopt;
    out->value = member;
    out->below.push_back(hiera::to_string(segments[i]));
  }
  return out;
}

std::optional<Result> part_by_path(const analysis::Outcome& outcome, std::string_view key) {
  if (auto found = item(outcome, key)) return found;
  const bool is_whole = outcome.items.size() == 1 && outcome.items.front().name.empty();
  if (is_whole && outcome.items.front().failure) throw Error(*outcome.items.front().failure);
  if (is_whole) {
    const analysis::Item& only = outcome.items.front();
    if (const Value* member = step(only.value, key)) {
      return Result{.value = *member, .item = {.value = only.value, .slot = only.slot}, .below = {std::string(key)}};
    }
  }
  const std::size_t dot = key.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return std::nullopt;
  std::optional<Result> above = part_by_path(outcome, key.substr(0, dot));  // Recursion: bounded by the dots of a path.
  if (!above) return std::nullopt;
  const Value* member = step(above->value, key.substr(dot + 1));
  if (member == nullptr) return std::nullopt;
  above->value = *member;
  above->below.emplace_back(key.substr(dot + 1));
  return above;
}

}  // namespace

std::string missing_key_code(const analysis::Question& question) {
  return std::string(question.traits().missing_key_code);
}

Error missing_key(const analysis::Question& question, std::string_view site, std::string_view key,
                  std::string_view node) {
  const std::string whose = node.empty() ? std::string() : fmt::format(" for {}", node);
  if (question.traits().is_keyed && !site.empty()) {
    return {missing_key_code(question), fmt::format(R"(no level of "{}" has "{}"{})", site, key, whose)};
  }
  return {missing_key_code(question), site.empty() ? fmt::format("there is no '{}'{}", key, whose)
                                                   : fmt::format("'{}' has no '{}'{}", site, key, whose)};
}

std::optional<Result> part(const analysis::Question& question, const analysis::Outcome& outcome, std::string_view key) {
  throw_failure(outcome);
  return question.traits().is_keyed ? looked_up(outcome, key) : part_by_path(outcome, key);
}

void add_result(MappingBuilder& out, Arena& arena, const analysis::Outcome& outcome, const Result& result,
                const Form& form) {
  check_stop(form.stop);
  out.insert("value", form.cleartext ? result.value : redacted(arena, result.value));
  check_stop(form.stop);
  if (form.blame && outcome.sources != nullptr) {
    const Value all = report::blame_data(arena, *outcome.sources, result.value);
    SequenceBuilder blame(arena, all.size());
    for (const Value& one : all.items()) {
      MappingBuilder place = MappingBuilder::copy_of(arena, one);
      place.erase("value");
      blame.append(place.finish());
    }
    out.insert("blame", blame.finish());
  }
  if (form.explain && outcome.sources != nullptr && outcome.history != nullptr) {
    const std::vector<merge::PathHistory> found =
        histories(arena, outcome, result, parse_pointer(*form.explain), form.stop);
    if (found.empty() && !form.explain->empty()) {
      const std::string near = near_pointer(result.value, *form.explain);
      throw Error("explain.path", fmt::format("nothing was ever at the path '{}'", *form.explain))
          .hint(near.empty() ? "'explain' without a path lists all" : fmt::format("did you mean '{}'?", near));
    }
    out.insert("history", report::explain_data(arena, *outcome.sources, *outcome.history, found));
  }
}

Value warnings_value(Arena& arena, const std::vector<Diagnostic>& warnings) {
  SequenceBuilder out(arena);
  std::set<std::string> known;
  for (const Diagnostic& warning : warnings) {
    if (!known.insert(format(warning, "")).second) continue;
    MappingBuilder one(arena);
    one.insert("code", arena.text(warning.code));
    one.insert("message", arena.text(warning.message));
    const Place& place = warning.where.place;
    if (!place.file.empty()) one.insert("file", arena.text(place.file));
    if (place.line) one.insert("line", Value::integer(static_cast<std::int64_t>(*place.line)));
    if (place.line && place.column) one.insert("column", Value::integer(static_cast<std::int64_t>(*place.column)));
    out.append(one.finish());
  }
  return out.finish();
}

Value site_value(Arena& arena, const std::string& name, const sites::SiteState& state) {
  return site_value(arena, name,
                    sites::Tree{.files = nullptr, .generation = state.generation(), .commit = state.commit()});
}

Value site_value(Arena& arena, const std::string& name, const sites::Tree& tree) {
  MappingBuilder out(arena);
  out.insert("name", arena.text(name));
  out.insert("generation", Value::integer(tree.generation));
  if (!tree.commit.empty()) out.insert("commit", arena.text(tree.commit));
  return out.finish();
}

std::string answer_tag(const sites::SiteState& state, std::string_view key, std::string_view content,
                       const Value& value) {
  if (!value || !report::holds_secret(value)) return entity_tag(content);
  const sites::SiteForm& form = state.form();
  std::string all =
      fmt::format("{}:{}{}:{}{}:{}", form.project.size(), form.project, form.name.size(), form.name, key.size(), key);
  all.append(text::write_json(value, {.indent = -1})).append(content);
  std::string tag = state.ground().tags->tag(all);
  store::wipe(all);
  return tag;
}

std::string result_tag(Arena& arena, const sites::SiteState& state, std::string_view key, const Value& value) {
  return answer_tag(state, key,
                    text::write_json(json_object(arena, {{"value", redacted(arena, value)}}), {.indent = -1}), value);
}

Response secret_response(const Call& call, std::string body) {
  call.core.audit(call, "secrets in clear text");
  return {.status = 200,
          .headers = {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}},
          .body = std::move(body)};
}

}  // namespace strata::service::api
