#include "service/nodes/face.hpp"

#include <fmt/format.h>

#include <array>

#include "service/api/answers.hpp"
#include "service/api/stored_nodes.hpp"
#include "service/api/values.hpp"
#include "service/core.hpp"
#include "service/json.hpp"
#include "service/nodes/enc.hpp"
#include "service/nodes/seed.hpp"
#include "service/sites/sites.hpp"
#include "strata/report.hpp"
#include "strata/session.hpp"
#include "strata/snapshot.hpp"
#include "strata/text.hpp"

namespace strata::service::nodes {
namespace {

Refused missing(std::string message, std::string code = "site.node") {
  return Refused({.status = 404, .code = std::move(code), .message = std::move(message), .hint = "", .type = "", .headers = {}});
}

/// A credential of a node opens its own endpoints only.
void check_own(const Call& call, const std::string& node) {
  const Principal& principal = call.request.principal;
  if (principal.node.empty() || principal.node == node) return;
  throw Refused(
      {.status = 403, .code = "service.forbidden", .message = "the credential is that of another node", .hint = "", .type = "", .headers = {}});
}

Response text_response(const Call& call, const std::string& text, std::string type) {
  Response out = tagged(call, entity_tag(text), text);
  if (out.status == 200) out.headers.set("Content-Type", std::move(type));
  return out;
}

/// The same for what holds secrets: for credentials that may read them, and for the node itself if its site says so. They are noted in the audit.
Response secret_text_response(const Call& call, const sites::SiteState& state, const std::string& node, std::string text, std::string type) {
  const bool is_own = state.gives_nodes_secrets() && !call.request.principal.node.empty() && call.request.principal.node == node;
  if (!is_own && !call.may("strata:secret.read")) {
    throw Refused({.status = 403, .code = "secret.redacted", .message = "what is asked for is secret", .hint = "", .type = "", .headers = {}});
  }
  Response out = api::secret_response(call, std::move(text));
  out.headers.set("Content-Type", std::move(type));
  return out;
}

/// The one site of cloud-init in the project that has the machine.
std::pair<std::shared_ptr<const sites::SiteState>, Seed> find_seed(const Call& call, sites::Sites& sites, const std::string& node) {
  std::optional<std::pair<std::shared_ptr<const sites::SiteState>, Seed>> out;
  for (const sites::Site& listed : sites.list(call)) {
    if (listed.form.dialect != "cloud-init") continue;
    const sites::Site site = sites.find(call, listed.form.name);
    if (site.state == nullptr) continue;
    std::optional<Seed> seed = seed_of(*site.state, node, site.state->limits(call.stop));
    if (!seed) continue;
    if (out) {
      throw Refused({.status = 409,
                     .code = "site.node",
                     .message = fmt::format("several sites have the machine '{}'", node),
                     .hint = "",
                     .type = "",
                     .headers = {}});
    }
    out.emplace(site.state, *std::move(seed));
  }
  if (!out) api::check_new_node(node);
  if (!out) throw missing(fmt::format("no site has the machine '{}'", node));
  return *std::move(out);
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

/// Parts for a machine as they are. What they set may be secret by its names.
Response parts_as_they_are(const Call& call, const sites::SiteState& state, const std::string& text) {
  constexpr const char* kBytes = "application/octet-stream";
  if (state.ground().limits.secret_keys == nullptr || text.empty()) return text_response(call, text, kBytes);
  Session session(state.snapshot(), {.limits = state.limits(call.stop)});
  const bool is_secret = report::holds_secret(merged_config({{.name = call[1], .bytes = text}}, session).config.value);
  return is_secret ? secret_text_response(call, state, call[0], text, kBytes) : text_response(call, text, kBytes);
}

/// The cloud-config that strata makes of a machine's user-data.
Response merged(const Call& call, const sites::SiteState& state, const Seed& seed, std::string type) {
  Session session(state.snapshot(), {.limits = state.limits(call.stop)});
  const cloudinit::Result result = merged_config(seed.user_parts, session);
  std::string text = "#cloud-config\n" + text::write_yaml(result.config.value);
  if (report::holds_secret(result.config.value)) return secret_text_response(call, state, call[0], std::move(text), std::move(type));
  return text_response(call, text, std::move(type));
}

Response seed_file(const Call& call, sites::Sites& sites) {
  check_own(call, call[0]);
  const std::string& name = call[1];
  const auto [state, seed] = find_seed(call, sites, call[0]);
  constexpr const char* kYaml = "text/yaml; charset=utf-8";
  if (name == "meta-data" && seed.has_secret_meta_data) return secret_text_response(call, *state, call[0], seed.meta_data, kYaml);
  if (name == "meta-data") return text_response(call, seed.meta_data, kYaml);
  if (name == "user-data" && (seed.is_merged || call.request.query.flag("merged"))) return merged(call, *state, seed, kYaml);
  if (name == "user-data") return parts_as_they_are(call, *state, seed.user_data);
  if (name == "vendor-data") return parts_as_they_are(call, *state, seed.vendor_data);
  if (name == "network-config" && seed.network_config) {
    return holds_secret_names(*state, *seed.network_config, state->limits(call.stop))
               ? secret_text_response(call, *state, call[0], *seed.network_config, kYaml)
               : text_response(call, *seed.network_config, kYaml);
  }
  throw missing(fmt::format("the machine '{}' has no '{}'", call[0], name));
}

/// A value for a node of Hiera, as a back end of a Puppet server asks for it: final, or not found.
Response hiera_value(const Call& call, sites::Sites& sites) {
  check_own(call, call[1]);
  const auto state = sites.state(call, call[0]);
  const std::string& key = call[2];
  // The options of lookups are those of the site: they were applied.
  if (key == "lookup_options") throw missing("lookup_options were applied", "site.key");
  std::optional<Response> out;
  const auto use = [&](analysis::Subject& subject) {
    const analysis::Subject::Answer answer = subject.ask(std::vector<std::string>{key.substr(0, key.find('.')), key});
    const std::optional<api::Result> found = api::part(answer.outcome, key);
    if (!found) throw missing(fmt::format("there is no '{}' for {}", key, call[1]), "site.key");
    std::string text = text::write_json(found->value, {.indent = -1});
    constexpr const char* kJson = "application/json";
    out = report::holds_secret(found->value) ? secret_text_response(call, *state, call[1], std::move(text), kJson) : text_response(call, text, kJson);
  };
  // Variables of the request make a node that nobody has stored or named.
  Arena arena;
  MappingBuilder facts(arena);
  constexpr std::string_view kVariable = "var.";
  for (const Field& one : call.request.query.fields()) {
    if (one.name.starts_with(kVariable)) facts.insert(std::string_view(one.name).substr(kVariable.size()), arena.text(one.value));
  }
  const sites::Counted counted(state->usage(), state->verb());
  const bool is_of_files = state->has_node(call[1]);
  const std::optional<store::Node> stored = is_of_files ? std::nullopt : api::stored_node(call, call[0], call[1]);
  if (is_of_files) {
    (void)state->with_subject(call[1], analysis::Question::History::no, call.stop, use);
  } else if (stored) {
    state->with_facts(stored->facts, analysis::Question::History::no, call.stop, use);
  } else if (facts.size() != 0) {
    api::check_new_node(call[1]);
    SequenceBuilder list(arena);
    list.append(json_object(arena, {{"name", arena.text(call[1])}, {"facts", facts.finish()}}));
    state->with_facts(text::write_json(list.finish(), {.indent = -1}), analysis::Question::History::no, call.stop, use);
  } else {
    throw missing(fmt::format("there is no node '{}'", call[1]));
  }
  if (!out) throw missing(fmt::format("there is no node '{}'", call[1]));
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
      throw missing(fmt::format("there is no node '{}'", call[1]));
  }
  Classification found = enc_of(call, *state, call[1], facts);
  constexpr const char* kYaml = "text/yaml; charset=utf-8";
  return found.is_secret ? secret_text_response(call, *state, call[1], std::move(found.text), kYaml) : text_response(call, found.text, kYaml);
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
                      .answer = [&sites](const Call& call) { return enc(call, sites); }},
                Route{.method = "GET", .pattern = "/hiera/{site}/{node}/{key*}", .action = "nodes:hiera", .answer = [&sites](const Call& call) {
                        return hiera_value(call, sites);
                      }}} {}

  [[nodiscard]] std::string_view name() const noexcept override { return "nodes"; }
  [[nodiscard]] std::span<const std::string_view> prefixes() const noexcept override { return kPrefixes; }
  [[nodiscard]] std::span<const Route> routes() const noexcept override { return routes_; }
  /// One line of text: what fetches here shows it to people, or nobody. Programs tell a missing value from a wrong request by the code.
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
