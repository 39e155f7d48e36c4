// SPDX-License-Identifier: Apache-2.0
#include "service/api/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include "service/api/answers.hpp"
#include "service/api/pages.hpp"
#include "service/api/stored_nodes.hpp"
#include "service/core.hpp"
#include "service/fields.hpp"
#include "service/json.hpp"
#include "service/names.hpp"
#include "strata/hiera.hpp"
#include "strata/near_names.hpp"
#include "strata/stop.hpp"

namespace strata::service::api {
namespace {

constexpr std::size_t kLongestNodeName = 253;
constexpr std::size_t kNodesOfPage = 1000;

/// The name nearest to a key that is not there, as a key of a path.
std::string near_key(const analysis::Question& question, const std::string& key, const analysis::Outcome& all) {
  std::vector<std::string> keys;
  keys.reserve(all.items.size());
  const bool are_keys = question.traits().is_keyed;
  for (const analysis::Item& item : all.items) keys.push_back(are_keys ? hiera::whole_key(item.name) : item.name);
  return name_hint(std::vector<std::string_view>(keys.begin(), keys.end()), key, {});
}

/// A key of a path has no parts that name nothing, or what is above. Error `request.path`.
void check_key(std::string_view key) {
  for (std::size_t begin = 0; begin <= key.size();) {
    const std::size_t end = std::min(key.find('/', begin), key.size());
    const std::string_view part = key.substr(begin, end - begin);
    if (part.empty() || part == "..") throw Error("request.path", fmt::format("invalid key in a path: '{}'", key));
    begin = end + 1;
  }
}

/// The key of an answer in memory: the node, what is asked of it and how.
std::string answer_key(const Call& call) {
  std::string out(call.route.pattern);
  for (const std::string& one : call.captures) out.append("\n").append(one);
  return out.append("\n").append(call.request.query_text);
}
std::string answer_key(const Call& call, const NodeSource& node) {
  return node.stored ? fmt::format("{}\n{}", answer_key(call), node.stored->generation) : answer_key(call);
}

/// An answer about one node, which is kept in memory as long as the state.
/// `key`: what was asked for; empty for everything.
Response kept_answer(const Call& call, const NodeSource& node, const sites::SiteState& state, std::string_view key,
                     Arena& arena, MappingBuilder& out, const Value& value, const Value& warnings, bool is_secret) {
  const std::string content = text::write_json(out.finish(), {.indent = -1});
  // The tag says what the answer says, whichever generation says it.
  const std::string tag = answer_tag(state, key, content, value);
  std::string body = content.substr(0, content.rfind('}'));
  body += R"(, "warnings": )";
  text::append_json(body, warnings, {.indent = -1});
  body += R"(, "site": )";
  text::append_json(body, site_value(arena, call[0], state), {.indent = -1});
  body += "}\n";
  if (is_secret) return secret_response(call, std::move(body));
  state.keep(answer_key(call, node), {.tag = tag, .body = std::make_shared<const std::string>(body)});
  return tagged(call, tag, body);
}

/// The same for a stored node, whose generation the store tells.
std::optional<Response> known_node_answer(const Call& call, const NodeSource& node, const sites::SiteState& state) {
  if (!node.stored) return std::nullopt;
  const auto kept = state.kept(answer_key(call, node));
  return kept ? std::optional(tagged(call, kept->tag, *kept->body)) : std::nullopt;
}

}  // namespace

Error unknown_node(const sites::SiteState& state, const std::string& name) {
  std::vector<std::string_view> names;
  for (const std::string& one : state.nodes()) names.push_back(one);
  return Error("site.node", fmt::format("unknown node '{}'", name)).hint(name_hint(names, name, {}));
}

void check_node(std::string_view name) {
  // Nodes that were guessed have names as `role=web`.
  const bool is_plain = std::ranges::none_of(
      name, [](char one) { return static_cast<unsigned char>(one) < 0x20 || one == '/' || one == 0x7f; });
  if (!name.empty() && name.size() <= kLongestNodeName && name.front() != '.' && is_plain) return;
  throw Error("request.path", fmt::format("invalid name of a node: '{}'", name));
}

void check_new_node(std::string_view name) {
  if (is_node_name(name)) return;
  throw Error("request.path", fmt::format("'{}' is not the name of a node", name))
      .hint("1 to 253 letters, digits, '.', '-' and '_', and no '.' at its beginning");
}

NodeSource find_node(const Call& call, const sites::SiteState& state, const std::string& node) {
  check_node(node);
  if (state.has_node(node)) return {.name = node};
  NodeSource out{.name = node, .stored = stored_node(call, call[0], node)};
  if (!out.stored) throw unknown_node(state, node);
  return out;
}

void with_subject(const sites::SiteState& state, const NodeSource& node, analysis::Question::History history,
                  const Stop& stop, const sites::SiteState::Use& use) {
  const sites::Counted counted(state.usage(), state.verb());
  if (node.stored) {
    state.with_facts(node.stored->facts, history, stop, use);
  } else if (!state.with_subject(node.name, history, stop, use)) {
    throw unknown_node(state, node.name);
  }
}

void with_outcome(const sites::SiteState& state, const NodeSource& node, analysis::Question::History history,
                  const Stop& stop, const analysis::Wanted& wanted,
                  const std::function<void(const analysis::Subject::Answer&, analysis::Subject&)>& use) {
  with_subject(state, node, history, stop, [&](analysis::Subject& subject) {
    const analysis::Subject::Answer answer = subject.ask(wanted);
    use(answer, subject);
  });
}

/// The item that a key of Hiera belongs to. A text that is not a key fails alone, and not with others.
analysis::Wanted wanted_for(const analysis::Question& question, const std::string& key) {
  if (!question.traits().is_keyed) return std::nullopt;
  try {
    return std::vector{hiera::root_key(key)};
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    return std::vector{key};
  }
}

std::optional<Response> known_answer(const Call& call, const sites::Sites& sites) {
  if (call.request.headers.find("Prefer") != nullptr) return std::nullopt;  // It may have to wait.
  const auto state = sites.peek(call.project, call[0]);
  if (state == nullptr) return std::nullopt;
  const auto kept = state->kept(answer_key(call));
  if (!kept) return std::nullopt;
  return tagged(call, kept->tag, *kept->body);
}

Response list_nodes(const Call& call, sites::Sites& sites) {
  const auto state = sites.state(call, call[0]);
  Page page = page_of(call, kNodesOfPage);
  if (const std::string* after = call.request.query.find("after"); after != nullptr && !page.has_after) {
    page.after = *after;
    page.has_after = true;
  }
  page.snapshot = state->generation();
  Arena arena;
  std::vector<std::string> sorted = all_nodes(call, call[0], *state);
  sort_once(sorted);
  const std::size_t total = sorted.size();
  const bool has_more = cut(page, sorted);
  SequenceBuilder names(arena, sorted.size());
  for (const std::string& one : sorted) names.append(arena.text(one));
  MappingBuilder out(arena);
  out.insert("nodes", names.finish());
  out.insert("total", Value::integer(static_cast<std::int64_t>(total)));
  out.insert("site", site_value(arena, call[0], *state));
  Response response = json_response(out.finish());
  if (has_more && !sorted.empty()) add_next(call, page, sorted.back(), response);
  return response;
}

Response show_node(const Call& call, sites::Sites& sites) {
  const auto state = sites.state(call, call[0]);
  const NodeSource node = find_node(call, *state, call[1]);
  Arena arena;
  MappingBuilder out(arena);
  out.insert("name", arena.text(call[1]));
  with_subject(*state, node, analysis::Question::History::no, call.stop, [&](analysis::Subject& subject) {
    SequenceBuilder facts(arena);
    for (const std::string& name : subject.files()->fact_names()) facts.append(arena.text(name));
    out.insert("facts", facts.finish());
  });
  if (node.stored) out.insert("generation", Value::integer(node.stored->generation));
  out.insert("site", site_value(arena, call[0], *state));
  Response response = json_response(out.finish());
  if (node.stored) response.headers.set("ETag", node_tag(node.stored->generation));
  return response;
}

Response list_keys(const Call& call, sites::Sites& sites) {
  const auto state = sites.state(call, call[0]);
  const NodeSource node = find_node(call, *state, call[1]);
  if (auto known = known_node_answer(call, node, *state)) return *std::move(known);
  Arena arena;
  SequenceBuilder keys(arena);
  Value warnings;
  with_outcome(*state, node, analysis::Question::History::no, call.stop, std::nullopt,
               [&](const analysis::Subject::Answer& answer, analysis::Subject&) {
                 const analysis::Outcome& outcome = answer.outcome;
                 warnings = warnings_value(arena, answer.warnings);
                 const auto add = [&](std::string_view name, const Value& value,
                                      const std::optional<Diagnostic>& failure) {
                   MappingBuilder key(arena);
                   key.insert("key", arena.text(name));
                   if (failure) {
                     key.insert("error", arena.text(failure->message));
                   } else if (outcome.sources != nullptr) {
                     const Place place = outcome.sources->place(value.origin());
                     if (!place.file.empty()) key.insert("file", arena.text(place.file));
                     if (place.line) key.insert("line", Value::integer(static_cast<std::int64_t>(*place.line)));
                   }
                   keys.append(key.finish());
                 };
                 if (outcome.failure) throw Error(*outcome.failure);
                 for (const analysis::Item& item : outcome.items) {
                   if (!item.name.empty()) {
                     add(item.name, item.value, item.failure);
                   } else if (item.value.is_mapping()) {
                     for (const Entry& entry : item.value.entries())
                       add(entry.key.is_text() ? entry.key.text() : std::string_view(), entry.value, std::nullopt);
                   }
                 }
               });
  MappingBuilder out(arena);
  out.insert("keys", keys.finish());
  return kept_answer(call, node, *state, {}, arena, out, {}, warnings, false);
}

namespace {

Response present_values(const Call& call, sites::Sites& sites) {
  if (call.request.path.ends_with('/')) check_key({});  // A value without a name is not all of them.
  const Form form = form_of(call);
  const auto state = sites.state(call, call[0]);
  const NodeSource node = find_node(call, *state, call[1]);
  if (auto known = known_node_answer(call, node, *state); known && !form.cleartext) return *std::move(known);
  Arena arena;
  std::optional<Response> response;
  with_outcome(*state, node, history_for(form), call.stop, std::nullopt,
               [&](const analysis::Subject::Answer& answer, analysis::Subject&) {
                 MappingBuilder out(arena);
                 const Result result = whole(arena, answer.outcome);
                 add_result(out, arena, answer.outcome, result, form);
                 response = kept_answer(call, node, *state, {}, arena, out, result.value,
                                        warnings_value(arena, answer.warnings), form.cleartext);
               });
  return *std::move(response);
}

/// `Prefer: wait=SECONDS` (RFC 7240: among others, in quotes or not, the name in any case). No value: the client does
/// not wait.
std::optional<std::chrono::seconds> wait_of(const Call& call) {
  constexpr std::uint32_t kLongest = 3600;
  for (const std::string_view preference : call.request.headers.members("Prefer")) {
    const std::string_view word = members_of(preference, ';').front();
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos || !same_name(trimmed(word.substr(0, equals)), "wait")) continue;
    const std::string digits = unquoted(trimmed(word.substr(equals + 1)));
    std::uint32_t seconds = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
    if (end != digits.data() + digits.size() || fault == std::errc::invalid_argument) return std::nullopt;
    return std::chrono::seconds(fault == std::errc() ? std::min(seconds, kLongest) : kLongest);
  }
  return std::nullopt;
}

/// The answer to a question of a polling client: with `Prefer: wait`, when it is another one than the client has.
Response waited(const Call& call, sites::Sites& sites, Response (*answer)(const Call&, sites::Sites&)) {
  const auto wait = call.request.headers.find("If-None-Match") == nullptr ? std::nullopt : wait_of(call);
  if (!wait) return answer(call, sites);
  constexpr std::chrono::milliseconds kForTheAnswer{500};
  const std::uint64_t told = sites.told(call.project, call[0]);  // Before the state is looked at.
  Response out = answer(call, sites);
  out.headers.add("Preference-Applied", fmt::format("wait={}", wait->count()));
  if (out.status != 304) return out;
  out.until =
      call.request.waits_until.value_or(std::min(Stop::Clock::now() + *wait, call.stop.deadline() - kForTheAnswer));
  out.wait = [&sites, project = call.project, site = call[0], told](const Wake& wake) {
    return sites.when_told(project, site, told, wake);
  };
  return out;
}

/// The item that a key belongs to, merged by a strategy of the request. The strategy is a part of the lookup, so that
/// the nodes of the site are not read again.
analysis::Subject::Answer merged_item(analysis::Subject& subject, const analysis::Question& question,
                                      const std::string& key, const std::string& strategy) {
  Arena arena;
  const std::string item = wanted_for(question, key)->front();
  analysis::Subject::Answer out = subject.look_up({.names = {hiera::whole_key(item)}, .merge = arena.text(strategy)});
  analysis::Outcome& outcome = out.outcome;
  if (outcome.failure && Error(*outcome.failure).category() == Category::not_found) {
    outcome.failure.reset();
  } else if (outcome.whole) {
    outcome.items.push_back(
        {.name = item, .value = outcome.whole->result.value, .failure = {}, .slot = outcome.whole->result.slot});
  }
  return out;
}

Response present_value(const Call& call, sites::Sites& sites) {
  check_key(call[2]);
  const Form form = form_of(call);
  const std::string* merge = call.request.query.find("merge");
  constexpr std::array<std::string_view, 4> kMerges{"first", "unique", "hash", "deep"};
  if (merge != nullptr && std::ranges::find(kMerges, *merge) == kMerges.end()) {
    throw Error("request.query", fmt::format("'merge' is first, unique, hash or deep, not '{}'", *merge));
  }
  const auto state = sites.state(call, call[0]);
  if (merge != nullptr && !state->question().traits().is_keyed)
    throw Error("request.query", "'merge' is for sites of Hiera");
  const NodeSource node = find_node(call, *state, call[1]);
  if (auto known = known_node_answer(call, node, *state); known && !form.cleartext) return *std::move(known);
  const std::string& key = call[2];
  const analysis::Question::History history = history_for(form);
  const std::string* otherwise = call.request.query.find("default");
  Arena arena;
  std::optional<Response> response;
  const analysis::Wanted wanted = wanted_for(state->question(), key);
  const auto use = [&](analysis::Subject& subject) {
    const analysis::Subject::Answer answer =
        merge == nullptr ? subject.ask(wanted) : merged_item(subject, state->question(), key, *merge);
    const analysis::Outcome& outcome = answer.outcome;
    MappingBuilder out(arena);
    const std::optional<Result> found = part(state->question(), outcome, key);
    if (found) {
      add_result(out, arena, outcome, *found, form);
    } else if (otherwise != nullptr) {
      out.insert("value", arena.text(*otherwise));
    } else {
      throw missing_key(state->question(), call[0], key, call[1])
          .hint(near_key(state->question(), key, subject.ask(std::nullopt).outcome));
    }
    response = kept_answer(call, node, *state, key, arena, out, found ? found->value : Value(),
                           warnings_value(arena, answer.warnings), form.cleartext);
  };
  with_subject(*state, node, history, call.stop, use);
  return *std::move(response);
}

}  // namespace

Response show_value(const Call& call, sites::Sites& sites) { return waited(call, sites, present_value); }
Response list_values(const Call& call, sites::Sites& sites) { return waited(call, sites, present_values); }

}  // namespace strata::service::api
