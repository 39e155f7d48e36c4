// SPDX-License-Identifier: Apache-2.0
#include "service/nodes/face.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "analysis/secret_texts.hpp"
#include "cloudinit/parts/detect.hpp"
#include "service/api/answers.hpp"
#include "service/api/stored_nodes.hpp"
#include "service/api/values.hpp"
#include "service/core.hpp"
#include "service/json.hpp"
#include "service/nodes/enc.hpp"
#include "service/nodes/seed.hpp"
#include "service/sites/sites.hpp"
#include "strata/hiera.hpp"
#include "strata/report.hpp"
#include "strata/session.hpp"
#include "strata/snapshot.hpp"
#include "strata/stop_scope.hpp"
#include "strata/text.hpp"

namespace strata::service::nodes {
namespace {

Refused missing(std::string message, std::string code = "site.node") {
  return Refused(
      {.status = 404, .code = std::move(code), .message = std::move(message), .hint = "", .type = "", .headers = {}});
}

/// A credential of a node opens its own endpoints only.
void check_own(const Call& call, const std::string& node) {
  const Principal& principal = call.request.principal;
  // The role alone names no machine.
  if (principal.node.empty() && !call.may("strata:evaluate")) {
    throw Refused({.status = 403,
                   .code = "service.forbidden",
                   .message = "the credential names no node whose endpoints it opens",
                   .hint = "",
                   .type = "",
                   .headers = {}});
  }
  if (principal.node.empty() || principal.node == node) return;
  throw Refused({.status = 403,
                 .code = "service.forbidden",
                 .message = "the credential is that of another node",
                 .hint = "",
                 .type = "",
                 .headers = {}});
}

Response text_response(const Call& call, const std::string& text, std::string type) {
  Response out = tagged(call, entity_tag(text), text);
  if (out.status == 200) out.headers.set("Content-Type", std::move(type));
  return out;
}

/// The same for what holds secrets: for credentials that may read them, and for the node itself if its site says so.
/// They are noted in the audit. `is_known`: the client did not supply the identity of the node.
Response secret_text_response(const Call& call, const sites::SiteState& state, const std::string& node,
                              std::string text, std::string type, bool is_known = true) {
  const std::string& asking = call.request.principal.node;
  const bool is_own = is_known && state.gives_nodes_secrets() && !asking.empty() && asking == node;
  if (!is_own && !call.may("strata:secret.read")) {
    throw Refused({.status = 403,
                   .code = "secret.redacted",
                   .message = "what is asked for is secret",
                   .hint = "",
                   .type = "",
                   .headers = {}});
  }
  Response out = api::secret_response(call, std::move(text));
  out.headers.set("Content-Type", std::move(type));
  return out;
}

/// A machine with the state of the site that has it.
using FoundSeed = std::pair<std::shared_ptr<const sites::SiteState>, Seed>;

/// The one site of cloud-init in the project that has the machine: that names it, or else that has something for all
/// others.
FoundSeed find_seed(const Call& call, sites::Sites& sites, const std::string& node) {
  std::optional<FoundSeed> named;
  std::optional<FoundSeed> others;
  std::optional<Diagnostic> failure;
  const auto take = [&](std::optional<FoundSeed>& place, FoundSeed found) {
    if (place) {
      throw Refused({.status = 409,
                     .code = "site.node",
                     .message = fmt::format("several sites have the machine '{}'", node),
                     .hint = "",
                     .type = "",
                     .headers = {}});
    }
    place = std::move(found);
  };
  bool are_several = false;
  for (const sites::Site& listed : sites.list(call)) {
    if (listed.form.dialect != "cloud-init") continue;
    const sites::Site site = sites.find(call, listed.form.name);
    std::optional<Seed> seed;
    try {
      const auto state = sites::state_of(site);
      seed = seed_of(*state, node, state->limits(call.stop));
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      if (error.code() == "site.empty") continue;
      // What is wrong with one site is nothing to machines that another one names.
      failure = error.diagnostic();
      const std::string place = failure->where.place.to_string();
      if (!place.empty()) failure->message.insert(0, place + ": ");
      if (failure->code != "site.broken") failure->message.insert(0, fmt::format("site '{}': ", site.form.name));
      continue;
    }
    if (!seed) continue;
    if (seed->is_default) {
      are_several = others.has_value();
      others.emplace(site.state, *std::move(seed));
    } else {
      take(named, {site.state, *std::move(seed)});
    }
  }
  if (named) return *std::move(named);
  if (failure) throw Error(*std::move(failure));
  if (are_several) take(others, *others);
  if (!others) api::check_new_node(node);
  if (!others) throw missing(fmt::format("no site has the machine '{}'", node));
  return *std::move(others);
}

cloudinit::Result merged_config(std::vector<cloudinit::Blob> parts, Session& session) {
  cloudinit::Request request;
  request.user_data = std::move(parts);
  return cloudinit::merge(std::move(request), session);
}

/// Whether names in a text of YAML say that something is secret.
bool holds_secret_names(const sites::SiteState& state, const std::string& text, const Limits& limits) {
  if (state.ground().limits.secret_keys == nullptr) return false;
  Sources sources;
  const SourceId source = sources.add("network-config", text);
  return report::holds_secret(text::read_yaml(sources, source, text::pyyaml(), limits).root);
}

bool is_template(const cloudinit::Blob& part) { return cloudinit::detect_type(part.bytes) == "text/jinja2"; }

/// Parts for a machine as they are, which `text` holds. Values that they set may be secret by their names; those that
/// templates set are known on the machine only, so their texts decide.
Response parts_as_they_are(const Call& call, const sites::SiteState& state, const std::string& text,
                           std::vector<cloudinit::Blob> parts) {
  constexpr const char* kBytes = "application/octet-stream";
  if (state.ground().limits.secret_keys == nullptr || text.empty()) return text_response(call, text, kBytes);
  bool is_secret = std::ranges::any_of(parts, [&state](const cloudinit::Blob& part) {
    return is_template(part) && state.secret_texts().shown("/" + part.name, part.bytes) != part.bytes;
  });
  if (!is_secret) {
    std::erase_if(parts, is_template);
    Session session(state.snapshot(), {.limits = state.limits(call.stop)});
    const StopScope work(&session.stop());
    is_secret = report::holds_secret(merged_config(std::move(parts), session).config.value);
  }
  return is_secret ? secret_text_response(call, state, call[0], text, kBytes) : text_response(call, text, kBytes);
}

/// The cloud-config that strata makes of a machine's user-data.
Response merged(const Call& call, const sites::SiteState& state, const Seed& seed, std::string type) {
  check_merged(seed.user_parts);
  Session session(state.snapshot(), {.limits = state.limits(call.stop)});
  const StopScope work(&session.stop());
  const cloudinit::Result result = merged_config(seed.user_parts, session);
  std::string text = "#cloud-config\n" + text::write_yaml(result.config.value);
  if (report::holds_secret(result.config.value))
    return secret_text_response(call, state, call[0], std::move(text), std::move(type));
  return text_response(call, text, std::move(type));
}

Response seed_file_of(const Call& call, const FoundSeed& found) {
  const std::string& name = call[1];
  const std::shared_ptr<const sites::SiteState>& state = found.first;
  const Seed& seed = found.second;
  constexpr const char* kYaml = "text/yaml; charset=utf-8";
  if (name == "meta-data" && seed.has_secret_meta_data)
    return secret_text_response(call, *state, call[0], seed.meta_data, kYaml);
  if (name == "meta-data") return text_response(call, seed.meta_data, kYaml);
  if (name == "user-data" && call.request.query.flag("merged", seed.is_merged))
    return merged(call, *state, seed, kYaml);
  if (name == "user-data") return parts_as_they_are(call, *state, seed.user_data, seed.user_parts);
  if (name == "vendor-data") return parts_as_they_are(call, *state, seed.vendor_data, seed.vendor_parts);
  if (name == "network-config" && seed.network_config) {
    return holds_secret_names(*state, *seed.network_config, state->limits(call.stop))
               ? secret_text_response(call, *state, call[0], *seed.network_config, kYaml)
               : text_response(call, *seed.network_config, kYaml);
  }
  // Another name may be a credential in the wrong place.
  constexpr std::array<std::string_view, 3> kKnown{"network-config", "vendor-data", "vendor-data2"};
  const bool is_known = std::ranges::find(kKnown, name) != kKnown.end();
  throw missing(fmt::format("the machine '{}' has no {}", call[0], is_known ? "'" + name + "'" : "such file"));
}

/// The answer, which says where its site answers as it was before it broke.
Response noted(const Call& call, const sites::Sites& sites, const std::string& site, Response response) {
  sites.note_stale(call.project, site, response);
  return response;
}

Response seed_file(const Call& call, sites::Sites& sites) {
  check_own(call, call[0]);
  const FoundSeed found = find_seed(call, sites, call[0]);
  return noted(call, sites, found.first->form().name, seed_file_of(call, found));
}

/// Variables of a request, `var.NAME=TEXT`: they make a node that is neither stored nor named. Dots lead into facts, as
/// in Hiera; `environment` is that of the node, and `trusted.…` what its certificate says.
class Variables {
 public:
  explicit Variables(const Query& query) {
    constexpr std::string_view kVariable = "var.";
    for (const Field& one : query.fields()) {
      if (!one.name.starts_with(kVariable)) continue;
      const std::string_view name = std::string_view(one.name).substr(kVariable.size());
      is_empty_ = false;
      if (name == "environment") {
        environment_ = one.value;
      } else if (name.starts_with("trusted.")) {
        trusted_.add(name.substr(name.find('.') + 1), one.value, 0);
      } else {
        facts_.add(name.substr(name.starts_with("facts.") ? name.find('.') + 1 : 0), one.value, 0);
      }
    }
  }
  [[nodiscard]] bool empty() const noexcept { return is_empty_; }
  /// Empty: the question says which.
  [[nodiscard]] const std::string& environment() const noexcept { return environment_; }
  /// A list with the node, as SiteState::with_facts takes it.
  [[nodiscard]] std::string node(const std::string& name) const {
    Arena arena;
    SequenceBuilder list(arena);
    list.append(json_object(
        arena, {{"name", arena.text(name)}, {"facts", facts_.value(arena)}, {"trusted", trusted_.value(arena)}}));
    return text::write_json(list.finish(), {.indent = -1});
  }

 private:
  struct Facts {
    std::map<std::string, Facts, std::less<>> members = {};
    std::string text = {};

    // Recursion: bounded by kDeepest.
    void add(std::string_view name, const std::string& value, std::size_t depth) {
      constexpr std::size_t kDeepest = 32;
      const std::size_t dot = depth < kDeepest ? name.find('.') : std::string_view::npos;
      Facts& member = members[std::string(name.substr(0, dot))];
      if (dot == std::string_view::npos) {
        member = {.text = value};
      } else {
        member.add(name.substr(dot + 1), value, depth + 1);
      }
    }
    [[nodiscard]] Value value(Arena& arena) const {
      MappingBuilder out(arena);
      for (const auto& [name, member] : members)
        out.insert(name, member.members.empty() ? arena.text(member.text) : member.value(arena));
      return out.finish();
    }
  };
  Facts facts_;
  Facts trusted_;
  std::string environment_;
  bool is_empty_ = true;
};

/// A value for a node of Hiera, as a back end of a Puppet server asks for it: final, or not found.
Response hiera_value(const Call& call, sites::Sites& sites) {
  check_own(call, call[1]);
  const auto state = sites.state(call, call[0]);
  const std::string& key = call[2];
  // The options of lookups are those of the site: they were applied.
  const std::string_view options = state->question().traits().options_key;
  if (!options.empty() && hiera::root_key(key) == options)
    throw missing(fmt::format("{} were applied", options), api::missing_key_code(state->question()));
  const bool is_of_files = state->has_node(call[1]);
  const std::optional<store::Node> stored = is_of_files ? std::nullopt : api::stored_node(call, call[0], call[1]);
  const bool is_known = is_of_files || stored.has_value();
  std::optional<Response> out;
  const auto use = [&](analysis::Subject& subject) {
    const analysis::Subject::Answer answer = subject.ask(api::wanted_for(state->question(), key));
    const std::optional<api::Result> found = api::part(state->question(), answer.outcome, key);
    if (!found)
      throw missing(fmt::format("there is no '{}' for {}", key, call[1]), api::missing_key_code(state->question()));
    std::string text = text::write_json(found->value, {.indent = -1});
    constexpr const char* kJson = "application/json";
    out = report::holds_secret(found->value)
              ? secret_text_response(call, *state, call[1], std::move(text), kJson, is_known)
              : text_response(call, text, kJson);
  };
  const Variables variables(call.request.query);
  const sites::Counted counted(state->usage(), state->verb());
  if (is_of_files) {
    (void)state->with_subject(call[1], analysis::Question::History::no, call.stop, use);
  } else if (stored) {
    state->with_facts(stored->facts, analysis::Question::History::no, call.stop, use);
  } else if (!variables.empty()) {
    api::check_new_node(call[1]);
    const std::string node = variables.node(call[1]);
    if (variables.environment().empty()) {
      state->with_facts(node, analysis::Question::History::no, call.stop, use);
    } else {
      state->with_options({"--environment=" + variables.environment()}, call[1], node, analysis::Question::History::no,
                          call.stop, use);
    }
  } else {
    throw missing(fmt::format("unknown node '{}'", call[1]));
  }
  if (!out) throw missing(fmt::format("unknown node '{}'", call[1]));
  return *std::move(out);
}

Response enc(const Call& call, sites::Sites& sites) {
  check_own(call, call[1]);
  const auto state = sites.state(call, call[0]);
  std::optional<std::string> facts;
  if (!state->has_node(call[1])) {
    const std::optional<store::Node> stored = api::stored_node(call, call[0], call[1]);
    if (stored) facts = stored->facts;
    if (!stored) api::check_new_node(call[1]);
    if (!stored && !(state->nodes().size() == 1 && state->nodes().front() == sites::kOnly))
      throw missing(fmt::format("unknown node '{}'", call[1]));
  }
  Classification found = enc_of(call, *state, call[1], facts);
  constexpr const char* kYaml = "text/yaml; charset=utf-8";
  return found.is_secret ? secret_text_response(call, *state, call[1], std::move(found.text), kYaml)
                         : text_response(call, found.text, kYaml);
}

class NodesFace final : public Face {
 public:
  explicit NodesFace(sites::Sites& sites)
      : routes_{Route{.method = "GET",
                      .pattern = "/cloud-init/{node}/{file}",
                      .action = "nodes:cloud-init",
                      .answer = [&sites](const Call& call) { return seed_file(call, sites); }},
                Route{.method = "GET",
                      .pattern = "/enc/{site}/{node}",
                      .action = "nodes:enc",
                      .answer = [&sites](const Call& call) { return noted(call, sites, call[0], enc(call, sites)); }},
                Route{.method = "GET",
                      .pattern = "/hiera/{site}/{node}/{key*}",
                      .action = "nodes:hiera",
                      .answer = [&sites](const Call& call) {
                        return noted(call, sites, call[0], hiera_value(call, sites));
                      }}} {}

  [[nodiscard]] std::string_view name() const noexcept override { return "nodes"; }
  [[nodiscard]] std::span<const std::string_view> prefixes() const noexcept override { return kPrefixes; }
  [[nodiscard]] std::span<const Route> routes() const noexcept override { return routes_; }
  /// One line of text, which the fetching program may show to people. Programs distinguish a missing value from a wrong
  /// request by the code.
  [[nodiscard]] Response refused(const Request& /*request*/, const Refusal& refusal) const override {
    return {.status = refusal.status,
            .headers = {{"Content-Type", "text/plain; charset=utf-8"}, {"Strata-Error", refusal.code}},
            .body = refusal.message + '\n'};
  }

 private:
  static constexpr std::array<std::string_view, 3> kPrefixes{"/cloud-init", "/enc", "/hiera"};
  std::array<Route, 3> routes_;
};

}  // namespace

std::unique_ptr<Face> make_nodes_face(sites::Sites& sites) { return std::make_unique<NodesFace>(sites); }

}  // namespace strata::service::nodes
