// SPDX-License-Identifier: Apache-2.0
#include "bindings/site/hiera_layer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bindings/request/paths.hpp"
#include "puppet/characters.hpp"
#include "puppet/evaluation/bound_lambda.hpp"
#include "puppet/evaluation/operations.hpp"
#include "puppet/quote.hpp"
#include "strata/builder.hpp"

namespace strata::site {
namespace {

constexpr std::string_view kParameter = "/param/Class[";
constexpr std::string_view kVariable = "/var/";
constexpr std::string_view kClasses = "/classes";

/// The facts, with the variables that an ENC and site.pp set beside them.
hiera::Facts facts_from(const bindings::Request& request) {
  hiera::Facts facts{.node = {}, .values = request.facts, .arena = request.arena};
  facts.trusted = request.trusted;
  MappingBuilder variables(*request.arena);
  for (const Entry& entry : request.enc_variables) variables.insert(entry.key.text(), entry.value);
  for (std::size_t i = 0; i < request.scope->size(); ++i) {
    const puppet::Scope::Slot& slot = request.scope->at(i);
    variables.insert(slot.name, slot.value);
  }
  facts.variables = variables.finish();
  return facts;
}

hiera::Settings settings_of(const hiera::Settings& common, const bindings::Request& request,
                            const std::string& config) {
  hiera::Settings out = common;
  out.environment = request.environment.name;
  out.hiera_config = config;
  return out;
}

/// What `hiera:/path?variables=V&classes=C` means.
struct HieraUri {
  std::string path = "hiera.yaml";
  std::string variables = {};
  std::string classes = {};
};

HieraUri read_uri(const Sources& sources, std::string_view layer, const bindings::Uri& uri) {
  HieraUri out;
  const std::size_t begin = uri.path.find_first_not_of('/');
  if (begin != std::string::npos) out.path = uri.path.substr(begin);
  for (const std::string_view item : uri.query) {
    if (item.starts_with("variables=")) {
      out.variables = item.substr(item.find('=') + 1);
    } else if (item.starts_with("classes=")) {
      out.classes = item.substr(item.find('=') + 1);
    } else {
      throw Error("layer.uri", fmt::format("layer {}: the URI {} has '{}' after its '?'", puppet::quote(layer),
                                           puppet::quote(uri.written), item))
          .at(sources, uri.origin)
          .hint("the options are variables=KEY, classes=KEY and optional");
    }
  }
  return out;
}

}  // namespace

HieraSource::HieraSource(Session& session, const hiera::Settings& settings, const bindings::Request& request,
                         const std::string& config, std::string title, std::string variables_key,
                         std::string classes_key)
    : title_(std::move(title)),
      variables_key_(std::move(variables_key)),
      classes_key_(std::move(classes_key)),
      view_(settings_of(settings, request, config), facts_from(request), session) {}

merge::Traced HieraSource::ask(const hiera::Query& query) {
  try {
    auto found = view_.find(query);
    if (!found) return {};
    kept_.push_back(std::move(found->keepalive));
    return found->value;
  } catch (const hiera::LookupError& error) {
    std::vector<Diagnostic> all = error.all();
    all.front() = error.named();
    throw Errors(all);
  }
}

merge::Traced HieraSource::root(const std::string& key, std::string_view merge) {
  // Hiera keeps it for itself.
  if (key.empty() || key == "lookup_options") return {};
  if (view_.lacks(key)) return {};
  hiera::Query query;
  query.names.push_back(hiera::whole_key(key));
  if (!merge.empty()) query.merge = arena_.text(merge);
  merge::Traced found = ask(query);
  // Undef means that Hiera has no value: no binding can have it as its value.
  return found.value.is_null() ? merge::Traced{} : found;
}

merge::Traced HieraSource::find(const std::string& key) {
  if (!key.starts_with('/')) return root(key);
  if (key == kClasses) return classes_key_.empty() ? merge::Traced{} : root(classes_key_, "unique");
  if (key.starts_with(kParameter)) {
    const std::size_t end = key.find("]/", kParameter.size());
    if (end == std::string::npos) return {};
    return root(key.substr(kParameter.size(), end - kParameter.size()) + "::" + key.substr(end + 2));
  }
  if (!key.starts_with(kVariable) || variables_key_.empty()) return {};
  const merge::Traced variables = root(variables_key_);
  if (!variables.value.is_mapping()) return {};
  const Entry* entry = variables.value.find_entry(std::string_view(key).substr(kVariable.size()));
  if (entry == nullptr || entry->value.is_null()) return {};
  return merge::Recorder::member(variables, static_cast<std::size_t>(entry - variables.value.entries().data()));
}

std::vector<std::string> HieraSource::keys() {
  std::vector<std::string> out;
  // Names that begin with a slash are the injector's own.
  for (std::string& key : view_.keys()) {
    if (!key.empty() && !key.starts_with('/')) out.push_back(std::move(key));
  }
  if (!classes_key_.empty() && root(classes_key_, "unique").value) out.emplace_back(kClasses);
  const merge::Traced variables = variables_key_.empty() ? merge::Traced{} : root(variables_key_);
  if (variables.value.is_mapping()) {
    for (const Entry& entry : variables.value.entries()) {
      if (entry.key.is_text() && !entry.value.is_null())
        out.push_back(std::string(kVariable) + std::string(entry.key.text()));
    }
  }
  return out;
}

std::vector<bindings::LayerItem> HieraLayers::items(const bindings::LayerRequest& wanted) {
  std::vector<std::string> taken;
  for (const bindings::Uri& uri : wanted.exclude) taken.push_back(read_uri(session_.sources(), wanted.layer, uri).path);
  std::vector<bindings::LayerItem> out;
  for (const bindings::Uri& written : wanted.include) {
    const HieraUri uri = read_uri(session_.sources(), wanted.layer, written);
    if (std::ranges::find(taken, uri.path) != taken.end()) continue;
    taken.push_back(uri.path);
    const std::string config = bindings::joined(request_.environment.envdir, uri.path);
    if (session_.tree().kind(config) != FileKind::file) {
      if (written.is_optional) continue;
      throw Error("layer.missing", fmt::format("layer {}: cannot load bindings {}: expected the file {}",
                                               puppet::quote(wanted.layer), puppet::quote(written.text), config))
          .at(session_.sources(), written.origin)
          .hint("add '?optional' if it may be missing");
    }
    sources_.push_back(std::make_shared<HieraSource>(session_, settings_, request_, config, "hiera:/" + uri.path,
                                                     uri.variables, uri.classes));
    out.push_back({.document = nullptr, .source = sources_.back()});
  }
  return out;
}

Value HieraLayers::call(const puppet::FunctionCall& call, puppet::Evaluator& evaluator) {
  const auto& arguments = call.arguments;
  const auto wrong = [&](std::string_view what) { return puppet::failed(call, evaluator, "puppet.arguments", what); };
  // lookup(NAME, [TYPE], [MERGE], [DEFAULT]) or lookup(NAME, OPTIONS).
  constexpr std::size_t kMost = 4;
  if (arguments.empty() || arguments.size() > kMost)
    throw wrong("takes a name, a type, a merge behaviour and a default, or a name and options");
  hiera::Query query;
  const auto add_name = [&](const Value& name) {
    if (!name.is_text()) throw wrong("the name must be a string or a list of strings");
    query.names.emplace_back(name.text());
  };
  const auto set_type = [&](const Value& type) {
    const puppet::TypeObject* object = puppet::as_type(type);
    if (object == nullptr && !type.is_null()) throw wrong("the type must be a type");
    if (object != nullptr) query.type = object->to_string();
  };
  if (arguments[0].is_sequence()) {
    for (const Value& name : arguments[0].items()) add_name(name);
  } else if (arguments[0].is_mapping() && arguments.size() == 1) {
    const Value* name = arguments[0].find("name");
    if (name == nullptr) throw wrong("the options have no 'name'");
    if (name->is_sequence()) {
      for (const Value& each : name->items()) add_name(each);
    } else {
      add_name(*name);
    }
  } else {
    add_name(arguments[0]);
  }
  const Value* options = arguments.back().is_mapping() && arguments.size() <= 2 ? &arguments.back() : nullptr;
  if (options != nullptr) {
    for (const Entry& entry : options->entries()) {
      const std::string_view name = entry.key.is_text() ? entry.key.text() : std::string_view();
      if (name == "value_type") {
        set_type(entry.value);
      } else if (name == "merge") {
        if (!entry.value.is_null()) query.merge = entry.value;
      } else if (name == "default_value") {
        query.default_value = entry.value;
      } else if (name == "override") {
        query.override_values = entry.value;
      } else if (name == "default_values_hash") {
        query.default_values = entry.value;
      } else if (name != "name") {
        throw wrong(fmt::format("unknown option '{}'", name));
      }
    }
  } else {
    if (arguments.size() > 1) set_type(arguments[1]);
    if (arguments.size() > 2 && !arguments[2].is_null()) query.merge = arguments[2];
    if (arguments.size() > 3) query.default_value = arguments[3];
  }
  if (sources_.empty()) {
    const std::string config = bindings::joined(request_.environment.envdir, "hiera.yaml");
    if (session_.tree().kind(config) == FileKind::file) {
      sources_.push_back(std::make_shared<HieraSource>(session_, settings_, request_, config, "hiera:/hiera.yaml",
                                                       std::string(), std::string()));
    }
  }
  const std::optional<Value> otherwise = std::exchange(query.default_value, std::nullopt);
  const bool is_secret = puppet::shows_secret(arguments[0]);
  try {
    for (const auto& source : sources_) {
      if (const merge::Traced found = source->ask(query); found.value) return found.value;
    }
  } catch (const Error& error) {
    if (!is_secret || error.gives_up()) throw;
    throw puppet::failed(call, evaluator, error.code(),
                         "a name that comes from a secret cannot be looked up; the reason is not shown");
  }
  if (call.lambda != nullptr) {
    puppet::BoundLambda lambda(call, evaluator);
    SequenceBuilder names(evaluator.arena());
    for (const std::string& name : query.names) names.append(evaluator.arena().text(name));
    return lambda(query.names.size() == 1 ? names.items()[0] : names.finish());
  }
  if (otherwise) return *otherwise;
  const std::string shown = is_secret ? "******" : fmt::format("{}", fmt::join(query.names, "', '"));
  throw puppet::failed(call, evaluator, "hiera.not-found",
                       fmt::format("did not find a value for the name '{}'", shown));
}

}  // namespace strata::site
