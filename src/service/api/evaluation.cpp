// SPDX-License-Identifier: Apache-2.0
#include "service/api/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "service/api/answers.hpp"
#include "service/api/stored_nodes.hpp"
#include "service/api/trees.hpp"
#include "service/api/values.hpp"
#include "service/core.hpp"
#include "service/json.hpp"
#include "service/packing.hpp"
#include "service/signer.hpp"
#include "service/sites/machines.hpp"
#include "service/streaming.hpp"
#include "strata/builder.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"
#include "strata/workspace.hpp"
#include "value/fields.hpp"

namespace strata::service::api {
namespace {

constexpr std::size_t kMostQuestions = 10'000;
constexpr std::size_t kAtOnce = 256;  ///< Batches of more keys are answered in parts.
constexpr std::size_t kPart = 128;
constexpr std::string_view kBegin = R"({"results": [)";
constexpr std::string_view kRequestNode = "request";

/// The answer to a key of a batch.
/// `otherwise`: the value of a key that is not there. Absent: it is an error.
Value result_of(Arena& arena, const sites::SiteState& state, const analysis::Outcome& outcome, const std::string& key,
                const Form& form, const Value& otherwise) {
  const auto begun = [&] {
    MappingBuilder out(arena);
    out.insert("key", arena.text(key));
    return out;
  };
  try {
    std::optional<Result> found = part(state.question(), outcome, key);
    if (!found && !otherwise) throw missing_key(state.question(), {}, key, {});
    if (!found) found = Result{.value = otherwise, .item = {.value = otherwise, .slot = {}}};
    MappingBuilder out = begun();
    add_result(out, arena, outcome, *found, form);
    out.insert("etag", arena.text(bare_tag(result_tag(arena, state, key, found->value))));
    return out.finish();
  } catch (const Error& error) {  // Also of a value that JSON cannot write.
    if (error.ends_request()) throw;
    MappingBuilder out = begun();
    out.insert("error", json_object(arena, {{"code", arena.text(error.code())}, {"detail", arena.text(error.what())}}));
    return out.finish();
  }
}

/// The answers to the keys of a batch, in their order.
Value results_of(Arena& arena, const sites::SiteState& state, const analysis::Outcome& outcome,
                 const std::vector<std::string>& keys, const Form& form, const Value& otherwise) {
  SequenceBuilder out(arena, keys.size());
  for (const std::string& key : keys) out.append(result_of(arena, state, outcome, key, form, otherwise));
  return out.finish();
}

/// Whether a reader may set an option, `--merge=deep`, in a query of a dialect. Null: no dialect.
bool may_reader_set(const dialects::Entry* dialect, std::string_view word) {
  constexpr std::string_view kShared = "sort-keys";
  const std::string_view name = word.substr(2, word.find('=') - 2);
  const query::Option* option = dialect == nullptr ? nullptr : dialect->option(name);
  return name == kShared || (option != nullptr && option->trust == query::Trust::anyone);
}

bool has_one_of(const Value& options, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(names, [&options](std::string_view name) { return options.find(name) != nullptr; });
}

/// The options of a question about files, with what the command would be given: the files themselves, where the options
/// do not say which. `files`: texts by path. Absent: the files are looked at for a project.
Value options_for_files(Arena& arena, std::string_view dialect, const Value& options, const Value& files,
                        bool has_node) {
  const bool has_options = options && options.size() != 0;
  const bool are_parts = dialect == "cloud-init" && !has_node;
  if ((!has_options && !are_parts) || files.find(workspace::kFileName) != nullptr) return options;
  MappingBuilder out = has_options ? MappingBuilder::copy_of(arena, options) : MappingBuilder(arena);
  const Value given = has_options ? options : arena.mapping();
  if (dialect == "hiera") {
    constexpr std::string_view kHierarchy = "hiera.yaml";
    if (files.find(kHierarchy) != nullptr && !has_one_of(given, {"hiera-config", "codedir", "environment-root"})) {
      out.insert("hiera-config", arena.text(kHierarchy));
    }
  } else if ((dialect == "deckhand" || are_parts) &&
             !has_one_of(given, {"args", "base", "vendor-data", "vendor-data2", "fleet"})) {
    std::set<std::string_view> named;  // By options: templates' data, mergers.
    const auto add = [&named](const Value& value) {
      if (value.is_text()) named.insert(value.text().substr(value.text().find('=') + 1));
    };
    for (const Entry& entry : given.entries()) {
      add(entry.value);
      for (const Value& item : entry.value.is_sequence() ? entry.value.items() : std::span<const Value>()) add(item);
    }
    SequenceBuilder args(arena);
    for (const Entry& file : files.entries()) {
      if (file.key.is_text() && !named.contains(file.key.text()))
        args.append(arena.text(sites::file_word(file.key.text())));
    }
    out.insert("args", args.finish());
  }
  return out.finish();
}

/// The options of a batch as words of the command line: `{"merge": "deep"}` is `--merge=deep`. `default` is no such
/// option: it may be any value.
std::vector<std::string> option_arguments(const Value& options) {
  if (!options.is_mapping()) throw Error("request.body", "'options' is an object");
  std::vector<std::string> out;
  for (const Entry& entry : options.entries()) {
    std::string name(entry.key.is_text() ? entry.key.text() : std::string_view());
    if (name == "default") continue;
    std::ranges::replace(name, '_', '-');
    const auto is_plain = [](char one) {
      return (one >= 'a' && one <= 'z') || (one >= '0' && one <= '9') || one == '-';
    };
    if (name.empty() || name.front() == '-' || !std::ranges::all_of(name, is_plain)) {
      throw Error("request.body", fmt::format("invalid name of an option: '{}'", name))
          .hint("a long option without its dashes");
    }
    const auto add = [&](const Value& value) {
      if (value.kind() == Kind::boolean) {
        if (value.as_boolean()) out.push_back("--" + name);
      } else if (value.is_text()) {
        out.push_back(fmt::format("--{}={}", name, value.text()));
      } else if (value.kind() == Kind::integer || value.kind() == Kind::floating) {
        out.push_back(fmt::format("--{}={}", name, text::write_json(value, {.indent = -1})));
        if (out.back().ends_with('\n')) out.back().pop_back();
      } else {
        throw Error("request.body", fmt::format("the option '{}' is a text, a number, true, or a list of these", name));
      }
    };
    if (entry.value.is_sequence()) {
      for (const Value& one : entry.value.items()) add(one);
    } else {
      add(entry.value);
    }
  }
  return out;
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
  std::vector<std::string> options = {};              ///< Words besides those of the site.
  /// The value of keys of Hiera that are not there. Absent: there is none.
  Value otherwise = {};
  Form form = {};
  std::shared_ptr<const JsonBody> owner = {};  ///< Of values.

  Batch(const Call& call, std::shared_ptr<const JsonBody> given) : form(form_of(call)), owner(std::move(given)) {
    const Value& body = owner->root();
    if (!body.is_mapping()) throw Error("request.body", "the body is an object");
    constexpr std::array<std::string_view, 6> kMembers{"facts", "files", "keys", "node", "options", "trusted"};
    Fields(body, "the body", {.code = "request.body"}).only(kMembers);
    if (const Value* name = body.find("node")) {
      if (!name->is_text()) throw Error("request.body", "'node' is a text");
      node = name->text();
      check_node(node);
    }
    if (body.find("keys") != nullptr) keys = keys_of(body);
    const Value* options = body.find("options");
    if (const Value* value = options != nullptr && options->is_mapping() ? options->find("default") : nullptr)
      otherwise = *value;
    if (body.find("facts") != nullptr || body.find("trusted") != nullptr)
      facts = node_list(node.empty() ? std::string(kRequestNode) : node, body);
  }

  [[nodiscard]] analysis::Wanted wanted(const analysis::Question& question) const {
    return keys ? wanted_of(question, *keys) : std::nullopt;
  }
  static analysis::Wanted wanted_of(const analysis::Question& question, std::span<const std::string> keys) {
    if (!question.traits().is_keyed) return std::nullopt;
    std::vector<std::string> out;
    for (const std::string& key : keys) {
      const analysis::Wanted names = wanted_for(question, key);
      out.insert(out.end(), names->begin(), names->end());
    }
    return out;
  }
};

/// The results of a batch as members of `out`.
void add_results(MappingBuilder& out, Arena& arena, const sites::SiteState& state, const Batch& batch,
                 const analysis::Subject::Answer& answer) {
  const analysis::Outcome& outcome = answer.outcome;
  if (batch.keys) {
    if (outcome.failure) throw Error(*outcome.failure);
    out.insert("results", results_of(arena, state, outcome, *batch.keys, batch.form, batch.otherwise));
  } else {
    add_result(out, arena, outcome, whole(arena, outcome), batch.form);
  }
  out.insert("warnings", warnings_value(arena, answer.warnings));
}

Response batch_response(const Call& call, const Batch& batch, const Value& value) {
  std::string text = text::write_json(value, {.indent = -1});
  if (batch.form.cleartext) return secret_response(call, std::move(text));
  return {.status = 200,
          .headers = {{"Content-Type", "application/json"}, {"Cache-Control", "private, no-cache"}},
          .body = std::move(text)};
}

/// Lends whom a batch is about.
void with_subject_of(const sites::SiteState& state, const Batch& batch, const NodeSource& node, const Stop& stop,
                     const sites::SiteState::Use& use) {
  const analysis::Question::History history = history_for(batch.form);
  if (!batch.options.empty()) {
    const sites::Counted counted(state.usage(), state.verb());
    const std::optional<std::string> facts = batch.facts   ? batch.facts
                                             : node.stored ? std::optional(node.stored->facts)
                                                           : std::nullopt;
    state.with_options(batch.options, node.name, facts, history, stop, use);
  } else if (batch.facts) {
    const sites::Counted counted(state.usage(), state.verb());
    state.with_facts(*batch.facts, history, stop, use);
  } else {
    with_subject(state, node, history, stop, use);
  }
}

/// The members of the answer to a batch, with values of `answered`.
MappingBuilder asked(const sites::SiteState& state, const Batch& batch, const NodeSource& node, const Stop& stop,
                     Arena& arena, analysis::Subject::Answer& answered) {
  MappingBuilder out(arena);
  with_subject_of(state, batch, node, stop, [&](analysis::Subject& subject) {
    answered = subject.ask(batch.wanted(state.question()));
    add_results(out, arena, state, batch, answered);
  });
  return out;
}

std::string written_member(std::string_view name, const Value& value) {
  std::string out = fmt::format(", \"{}\": ", name);
  text::append_json(out, value, {.indent = -1});
  return out;
}

/// Whether a batch has so many keys that its answer is sent in parts.
bool is_long(const Batch& batch) { return batch.keys && batch.keys->size() > kAtOnce; }

/// A batch with many keys: they are asked for in parts, and each part is sent as soon as it is answered. `site`: its
/// name, if it has one.
Response streamed_batch(const Call& call, const std::shared_ptr<const sites::SiteState>& state, std::string site,
                        Batch batch, NodeSource node) {
  const bool packs = takes_gzip(call.request) && !batch.form.cleartext;
  if (batch.form.cleartext) call.core.audit(call, "secrets in clear text");
  const bool is_clear = batch.form.cleartext;
  // Errors in the options and the facts are reported before anything is sent.
  with_subject_of(*state, batch, node, call.stop, [](analysis::Subject&) {});
  const auto has_begun = std::make_shared<bool>(false);
  Response out = streamed(
      "application/json",
      [state, has_begun, site = std::move(site), end = call.stop.deadline(), batch = std::move(batch),
       node = std::move(node)](Pieces& pieces, const Stop& outer) {
        Stop stop(&outer);
        stop.end_at(end);
        std::vector<Diagnostic> warnings;
        std::set<std::tuple<std::string, std::string, std::string, std::optional<std::uint32_t>>>
            told;  // Parts warn of the same.
        const std::span<const std::string> keys = *batch.keys;
        pieces.push(kBegin);
        *has_begun = true;
        Form form = batch.form;
        form.stop = &stop;
        std::string_view lead;
        for (std::size_t at = 0; at < keys.size(); at += kPart) {
          stop.check();
          const auto part = keys.subspan(at, std::min(kPart, keys.size() - at));
          std::string text;
          // Lent again for each part: a slow reader does not block other requests.
          with_subject_of(*state, batch, node, stop, [&](analysis::Subject& subject) {
            Arena arena;
            const analysis::Subject::Answer answer = subject.ask(Batch::wanted_of(state->question(), part));
            if (answer.outcome.failure) throw Error(*answer.outcome.failure);
            for (const std::string& key : part) {
              text += std::exchange(lead, ", ");
              text::append_json(text, result_of(arena, *state, answer.outcome, key, form, batch.otherwise),
                                {.indent = -1});
            }
            for (const Diagnostic& warning : answer.warnings) {
              if (told.insert({warning.code, warning.message, warning.where.place.file, warning.where.place.line})
                      .second)
                warnings.push_back(warning);
            }
          });
          pieces.push(text);
        }
        Arena arena;
        const std::string of_site =
            site.empty() ? std::string() : written_member("site", site_value(arena, site, *state));
        pieces.push(']' + written_member("warnings", warnings_value(arena, warnings)) + of_site + "}\n");
      },
      // Some results were sent: the error stands where the list would go on.
      [has_begun](const Error& error) {
        Arena arena;
        const Value failure =
            json_object(arena, {{"code", arena.text(error.code())}, {"detail", arena.text(error.what())}});
        return std::string(*has_begun ? std::string_view() : kBegin) + ']' + written_member("error", failure) + "}\n";
      },
      packs);
  out.headers.set("Cache-Control", is_clear ? "no-store" : "private, no-cache");
  return out;
}

}  // namespace

Response evaluate(const Call& call, sites::Sites& sites) {
  const auto state = sites.state(call, call[0]);
  Batch batch(call, std::make_shared<const JsonBody>(read_data_body(call)));
  if (const Value* options = batch.owner->root().find("options"); options != nullptr && !options->is_null())
    batch.options = option_arguments(*options);
  const dialects::Entry* dialect = dialects::find_verb(state->verb());
  const auto is_of_readers = [dialect](const std::string& word) { return may_reader_set(dialect, word); };
  if (!std::ranges::all_of(batch.options, is_of_readers)) sites::check_draft(call, *state);
  const std::string name = !batch.node.empty() ? batch.node : std::string(batch.facts ? kRequestNode : sites::kOnly);
  NodeSource node = batch.facts ? NodeSource{.name = name} : find_node(call, *state, name);
  if (is_long(batch)) return streamed_batch(call, state, call[0], std::move(batch), std::move(node));
  Arena arena;
  analysis::Subject::Answer answered;  // Its values are written when the subject is gone.
  MappingBuilder out = asked(*state, batch, node, call.stop, arena, answered);
  out.insert("site", site_value(arena, call[0], *state));
  return batch_response(call, batch, out.finish());
}

Response evaluate_files(const Call& call, sites::Sites& sites) {
  Batch batch(call, std::make_shared<const JsonBody>(read_data_body(call)));
  const Value& body = batch.owner->root();
  const Value* files = body.find("files");
  if (files == nullptr) throw Error("request.body", "the body is an object with 'files', an object of texts by path");
  sites::SiteForm form{.name = "request", .dialect = call[0]};
  const Value* options = body.find("options");
  const bool has_options = options != nullptr && !options->is_null();
  if (has_options && !options->is_mapping()) throw Error("request.body", "'options' is an object");
  const std::shared_ptr<const FileTree> tree = memory_tree(read_files(*files));
  Arena arena;
  if (const Value whole =
          options_for_files(arena, form.dialect, has_options ? *options : Value(), *files, !batch.node.empty())) {
    form.options = text::write_json(whole, {.indent = -1});
  }
  // Its tags say nothing about those of anything else.
  sites::SiteState::Ground ground = sites.ground();
  ground.tags = std::make_shared<const Signer>(kTags);
  const auto state = std::make_shared<const sites::SiteState>(form, 0, std::string(), tree, std::move(ground));
  NodeSource node{.name = batch.node.empty() && !state->nodes().empty() ? state->nodes().front() : batch.node};
  if (is_long(batch)) return streamed_batch(call, state, {}, std::move(batch), std::move(node));
  analysis::Subject::Answer answered;  // Its values are written when the subject is gone.
  return batch_response(call, batch, asked(*state, batch, node, call.stop, arena, answered).finish());
}

}  // namespace strata::service::api
