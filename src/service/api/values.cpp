#include "service/api/values.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "service/api/answers.hpp"
#include "service/core.hpp"
#include "service/json.hpp"
#include "strata/near_names.hpp"

namespace strata::service::api {
namespace {

using History = analysis::Question::History;

constexpr std::size_t kMostQuestions = 10'000;
constexpr std::size_t kLongestName = 253;
constexpr std::string_view kRequestNode = "request";

void check_node(std::string_view name) {
  // Nodes that were guessed have names as `role=web`.
  const bool is_plain = std::ranges::none_of(name, [](char one) { return static_cast<unsigned char>(one) < 0x20 || one == '/' || one == 0x7f; });
  if (!name.empty() && name.size() <= kLongestName && name.front() != '.' && is_plain) return;
  throw Error("request.path", fmt::format("'{}' is no name of a node", name));
}

Error unknown_node(const sites::SiteState& state, const std::string& name) {
  std::vector<std::string_view> names;
  for (const std::string& one : state.nodes()) names.push_back(one);
  return Error("site.node", fmt::format("there is no node '{}'", name)).hint(name_hint(names, name, {}));
}

Error no_key(const std::string& site, const std::string& node, const std::string& key, const analysis::Outcome& all) {
  std::vector<std::string_view> names;
  for (const analysis::Item& item : all.items) names.push_back(item.name);
  return Error("site.key", fmt::format("'{}' has no '{}' for {}", site, key, node)).hint(name_hint(names, key, {}));
}

/// The items that a key can be of: itself, or what stands before one of its dots.
analysis::Wanted wanted_for(const analysis::Question& question, const std::string& key) {
  if (question.results() != analysis::Results::keys) return std::nullopt;
  std::vector<std::string> out{key};
  for (std::size_t dot = key.rfind('.'); dot != std::string::npos && dot != 0; dot = key.rfind('.', dot - 1)) out.push_back(key.substr(0, dot));
  return out;
}

/// Calls `use` with the outcome of a node. Error `site.node`.
void with_outcome(const sites::SiteState& state, const std::string& node, History history, const analysis::Wanted& wanted,
                  const std::function<void(const analysis::Outcome&, analysis::Subject&)>& use) {
  const bool is_there = state.with_subject(node, history, [&](analysis::Subject& subject) {
    const analysis::Subject::Answer answer = subject.ask(wanted);
    use(answer.outcome, subject);
  });
  if (!is_there) throw unknown_node(state, node);
}

/// The key of an answer in memory: the node, what is asked of it and how.
std::string question_of(const Call& call) {
  return fmt::format("{}\n{}\n{}", call.route.pattern, fmt::join(call.captures, "\n"), call.request.query_text);
}

/// An answer about one node, which is kept in memory as long as the state.
Response kept_answer(const Call& call, const std::string& site, const sites::SiteState& state, Arena& arena, MappingBuilder& out, bool is_secret) {
  const std::string content = text::write_json(out.finish(), {.indent = -1});
  // The tag says what the answer says, whichever generation says it.
  const std::string tag = entity_tag(content);
  std::string body = content.substr(0, content.rfind('}'));
  body += R"(, "warnings": [], "site": )";
  text::append_json(body, site_value(arena, site, state), {.indent = -1});
  body += "}\n";
  if (is_secret) return secret_response(call, std::move(body));
  state.keep(question_of(call), {.tag = tag, .body = std::make_shared<const std::string>(body)});
  return tagged(call, tag, body);
}

}  // namespace

std::optional<Response> known_answer(const Call& call, const sites::Sites& sites) {
  const auto state = sites.peek(call.project, call[0]);
  if (state == nullptr) return std::nullopt;
  const auto kept = state->kept(question_of(call));
  if (!kept) return std::nullopt;
  return tagged(call, kept->tag, *kept->body);
}

Response list_nodes(const Call& call, sites::Sites& sites) {
  const auto state = sites.state(call, call[0]);
  const std::size_t limit = call.request.query.number("limit", 10'000).value_or(1000);
  const std::string* after = call.request.query.find("after");
  Arena arena;
  SequenceBuilder names(arena);
  std::vector<std::string> sorted = state->nodes();
  std::ranges::sort(sorted);
  bool is_cut = false;
  for (const std::string& one : sorted) {
    if (after != nullptr && one <= *after) continue;
    if (names.size() == limit) {
      is_cut = true;
      break;
    }
    names.append(arena.text(one));
  }
  const Value list = names.finish();
  MappingBuilder out(arena);
  out.insert("nodes", list);
  out.insert("total", Value::integer(static_cast<std::int64_t>(sorted.size())));
  out.insert("site", site_value(arena, call[0], *state));
  Response response = json_response(out.finish());
  if (is_cut) {
    response.headers.add("Link", fmt::format("<{}{}?limit={}&after={}>; rel=\"next\"", call.request.base, call.request.path, limit,
                                             percent_encoded(list.items().back().text())));
  }
  return response;
}

Response show_node(const Call& call, sites::Sites& sites) {
  check_node(call[1]);
  const auto state = sites.state(call, call[0]);
  Arena arena;
  MappingBuilder out(arena);
  out.insert("name", arena.text(call[1]));
  const bool is_there = state->with_subject(call[1], History::no, [&](analysis::Subject& subject) {
    SequenceBuilder facts(arena);
    for (const std::string& name : subject.files()->fact_names()) facts.append(arena.text(name));
    out.insert("facts", facts.finish());
  });
  if (!is_there) throw unknown_node(*state, call[1]);
  out.insert("site", site_value(arena, call[0], *state));
  return json_response(out.finish());
}

Response list_keys(const Call& call, sites::Sites& sites) {
  check_node(call[1]);
  const auto state = sites.state(call, call[0]);
  Arena arena;
  SequenceBuilder keys(arena);
  with_outcome(*state, call[1], History::no, std::nullopt, [&](const analysis::Outcome& outcome, analysis::Subject&) {
    const auto add = [&](std::string_view name, const Value& value, const std::optional<Diagnostic>& failure) {
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
        for (const Entry& entry : item.value.entries()) add(entry.key.is_text() ? entry.key.text() : std::string_view(), entry.value, std::nullopt);
      }
    }
  });
  MappingBuilder out(arena);
  out.insert("keys", keys.finish());
  return kept_answer(call, call[0], *state, arena, out, false);
}

Response list_values(const Call& call, sites::Sites& sites) {
  check_node(call[1]);
  const Form form = form_of(call);
  const auto state = sites.state(call, call[0]);
  Arena arena;
  std::optional<Response> response;
  with_outcome(*state, call[1], needs_history(form) ? History::yes : History::no, std::nullopt,
               [&](const analysis::Outcome& outcome, analysis::Subject&) {
                 MappingBuilder out(arena);
                 add_result(out, arena, outcome, whole(arena, outcome), form);
                 response = kept_answer(call, call[0], *state, arena, out, form.cleartext);
               });
  return *std::move(response);
}

Response show_value(const Call& call, sites::Sites& sites) {
  check_node(call[1]);
  const Form form = form_of(call);
  const auto state = sites.state(call, call[0]);
  const std::string& key = call[2];
  const History history = needs_history(form) ? History::yes : History::no;
  const std::string* otherwise = call.request.query.find("default");
  Arena arena;
  std::optional<Response> response;
  with_outcome(*state, call[1], history, wanted_for(state->question(), key), [&](const analysis::Outcome& outcome, analysis::Subject& subject) {
    MappingBuilder out(arena);
    if (const std::optional<Result> found = part(outcome, key)) {
      add_result(out, arena, outcome, *found, form);
    } else if (otherwise != nullptr) {
      out.insert("value", arena.text(*otherwise));
    } else {
      throw no_key(call[0], call[1], key, subject.ask(std::nullopt).outcome);
    }
    response = kept_answer(call, call[0], *state, arena, out, form.cleartext);
  });
  return *std::move(response);
}

namespace {

/// The answers to the keys of a batch, in their order.
Value results_of(Arena& arena, const analysis::Outcome& outcome, const std::vector<std::string>& keys, const Form& form) {
  SequenceBuilder out(arena, keys.size());
  for (const std::string& key : keys) {
    MappingBuilder one(arena);
    one.insert("key", arena.text(key));
    try {
      const std::optional<Result> found = part(outcome, key);
      if (!found) throw Error("site.key", fmt::format("there is no '{}'", key));
      add_result(one, arena, outcome, *found, form);
      one.insert("etag", arena.text(entity_tag(text::write_json(redacted(arena, found->value), {.indent = -1}))));
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      one.insert("error", json_object(arena, {{"code", arena.text(error.code())}, {"detail", arena.text(error.what())}}));
    }
    out.append(one.finish());
  }
  return out.finish();
}

std::vector<std::string> keys_of(const Value& body) {
  const Value* keys = body.find("keys");
  std::vector<std::string> out;
  if (keys == nullptr) return out;
  if (!keys->is_sequence() || keys->size() > kMostQuestions) {
    throw Error("request.body", fmt::format("'keys' is a list of at most {} texts", kMostQuestions));
  }
  for (const Value& key : keys->items()) {
    if (!key.is_text()) throw Error("request.body", "'keys' is a list of texts");
    out.emplace_back(key.text());
  }
  return out;
}

}  // namespace

Response evaluate(const Call& call, sites::Sites& sites) {
  const Form form = form_of(call);
  const auto state = sites.state(call, call[0]);
  const JsonBody json = read_json_body(call);
  const Value& body = json.root();
  if (!body.is_mapping()) throw Error("request.body", "the body is an object");
  const std::vector<std::string> keys = keys_of(body);
  const Value* node = body.find("node");
  const Value* facts = body.find("facts");
  if (node != nullptr && !node->is_text()) throw Error("request.body", "'node' is a text");
  if (facts != nullptr && !facts->is_mapping()) throw Error("request.body", "'facts' is an object");
  const std::string name = node == nullptr ? std::string() : std::string(node->text());
  Arena arena;
  MappingBuilder out(arena);
  const auto use = [&](const analysis::Outcome& outcome) {
    if (body.find("keys") != nullptr) {
      if (outcome.failure) throw Error(*outcome.failure);
      out.insert("results", results_of(arena, outcome, keys, form));
    } else {
      add_result(out, arena, outcome, whole(arena, outcome), form);
    }
  };
  const History history = needs_history(form) ? History::yes : History::no;
  analysis::Wanted wanted;
  if (body.find("keys") != nullptr && state->question().results() == analysis::Results::keys) {
    wanted.emplace();
    for (const std::string& key : keys) {
      const analysis::Wanted names = wanted_for(state->question(), key);
      wanted->insert(wanted->end(), names->begin(), names->end());
    }
  }
  if (facts != nullptr) {
    MappingBuilder one(arena);
    one.insert("name", arena.text(name.empty() ? std::string(kRequestNode) : name));
    one.insert("facts", *facts);
    if (const Value* trusted = body.find("trusted")) one.insert("trusted", *trusted);
    SequenceBuilder list(arena);
    list.append(one.finish());
    state->with_facts(text::write_json(list.finish(), {.indent = -1}), history,
                      [&](analysis::Subject& subject) { use(subject.ask(wanted).outcome); });
  } else {
    const std::string subject_name = name.empty() ? std::string(sites::kOnly) : name;
    check_node(subject_name);
    with_outcome(*state, subject_name, history, wanted, [&](const analysis::Outcome& outcome, analysis::Subject&) { use(outcome); });
  }
  out.insert("site", site_value(arena, call[0], *state));
  std::string text = text::write_json(out.finish(), {.indent = -1}) + "\n";
  if (form.cleartext) return secret_response(call, std::move(text));
  return {.status = 200, .headers = {{"Content-Type", "application/json"}}, .body = std::move(text)};
}

}  // namespace strata::service::api
