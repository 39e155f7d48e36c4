#include "service/api/evaluation.hpp"

#include <fmt/format.h>

#include "service/api/answers.hpp"
#include "service/api/stored_nodes.hpp"
#include "service/api/trees.hpp"
#include "service/api/values.hpp"
#include "service/core.hpp"
#include "service/json.hpp"
#include "strata/text.hpp"

namespace strata::service::api {
namespace {

using History = analysis::Question::History;

constexpr std::size_t kMostQuestions = 10'000;
constexpr std::string_view kRequestNode = "request";

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
      one.insert("etag", arena.text(bare_tag(result_tag(arena, found->value))));
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

/// What a batch asks.
struct Batch {
  std::string node = {};                              ///< Empty: none is named.
  std::optional<std::string> facts = {};              ///< A list with the node, as SiteState::with_facts takes it.
  std::optional<std::vector<std::string>> keys = {};  ///< No value: everything.
  Form form = {};

  Batch(const Call& call, const Value& body) : form(form_of(call)) {
    if (!body.is_mapping()) throw Error("request.body", "the body is an object");
    if (const Value* name = body.find("node")) {
      if (!name->is_text()) throw Error("request.body", "'node' is a text");
      node = name->text();
      check_node(node);
    }
    if (body.find("keys") != nullptr) keys = keys_of(body);
    if (body.find("facts") != nullptr || body.find("trusted") != nullptr) facts = node_list(node.empty() ? std::string(kRequestNode) : node, body);
  }

  [[nodiscard]] analysis::Wanted wanted(const analysis::Question& question) const {
    if (!keys || question.results() != analysis::Results::keys) return std::nullopt;
    std::vector<std::string> out;
    for (const std::string& key : *keys) {
      const analysis::Wanted names = wanted_for(question, key);
      out.insert(out.end(), names->begin(), names->end());
    }
    return out;
  }
};

/// The results of a batch as members of `out`.
void add_results(MappingBuilder& out, Arena& arena, const Batch& batch, const analysis::Subject::Answer& answer) {
  const analysis::Outcome& outcome = answer.outcome;
  if (batch.keys) {
    if (outcome.failure) throw Error(*outcome.failure);
    out.insert("results", results_of(arena, outcome, *batch.keys, batch.form));
  } else {
    add_result(out, arena, outcome, whole(arena, outcome), batch.form);
  }
  out.insert("warnings", warnings_value(arena, answer.warnings));
}

Response answer(const Call& call, const Batch& batch, const Value& value) {
  std::string text = text::write_json(value, {.indent = -1});
  if (batch.form.cleartext) return secret_response(call, std::move(text));
  return {.status = 200, .headers = {{"Content-Type", "application/json"}, {"Cache-Control", "private, no-cache"}}, .body = std::move(text)};
}

History history_of(const Batch& batch) { return needs_history(batch.form) ? History::yes : History::no; }

}  // namespace

Response evaluate(const Call& call, sites::Sites& sites) {
  const auto state = sites.state(call, call[0]);
  const JsonBody json = read_data_body(call);
  const Batch batch(call, json.root());
  const analysis::Wanted wanted = batch.wanted(state->question());
  Arena arena;
  analysis::Subject::Answer answered;  // Its values are written when the subject is gone.
  MappingBuilder out(arena);
  const auto use = [&](analysis::Subject& subject) {
    answered = subject.ask(wanted);
    add_results(out, arena, batch, answered);
  };
  if (batch.facts) {
    const sites::Counted counted(state->usage(), state->verb());
    state->with_facts(*batch.facts, history_of(batch), use);
  } else {
    with_subject(*state, find_node(call, *state, batch.node.empty() ? std::string(sites::kOnly) : batch.node), history_of(batch), use);
  }
  out.insert("site", site_value(arena, call[0], *state));
  return answer(call, batch, out.finish());
}

Response evaluate_files(const Call& call, sites::Sites& sites) {
  const JsonBody json = read_data_body(call);
  const Batch batch(call, json.root());
  const Value* files = json.root().find("files");
  if (files == nullptr) throw Error("request.body", "the body is an object with 'files', an object of texts by path");
  sites::SiteForm form{.name = "request", .dialect = call[0]};
  if (const Value* options = json.root().find("options"); options != nullptr && !options->is_null()) {
    if (!options->is_mapping()) throw Error("request.body", "'options' is an object");
    form.options = text::write_json(*options, {.indent = -1});
  }
  const sites::SiteState state(form, 0, {}, std::shared_ptr<const FileTree>(memory_tree(read_files(*files))), sites.ground());
  const analysis::Wanted wanted = batch.wanted(state.question());
  Arena arena;
  analysis::Subject::Answer answered;  // Its values are written when the subject is gone.
  MappingBuilder out(arena);
  const auto use = [&](analysis::Subject& subject) {
    answered = subject.ask(wanted);
    add_results(out, arena, batch, answered);
  };
  const std::string& node = batch.node.empty() && !state.nodes().empty() ? state.nodes().front() : batch.node;
  if (batch.facts) {
    const sites::Counted counted(state.usage(), state.verb());
    state.with_facts(*batch.facts, history_of(batch), use);
  } else {
    with_subject(state, {.name = node}, history_of(batch), use);
  }
  return answer(call, batch, out.finish());
}

}  // namespace strata::service::api
