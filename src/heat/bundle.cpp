// SPDX-License-Identifier: Apache-2.0
#include "heat/bundle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "heat/attached_files.hpp"
#include "heat/documents.hpp"
#include "heat/environment_file.hpp"
#include "heat/explicit_parameters.hpp"
#include "heat/hook_options.hpp"
#include "heat/registry_files.hpp"
#include "heat/secret_names.hpp"
#include "heat/url.hpp"
#include "python/data.hpp"
#include "strata/builder.hpp"
#include "strata/heat.hpp"
#include "strata/near_names.hpp"
#include "strata/traced.hpp"
#include "value/problems.hpp"

namespace strata::heat {
namespace {

constexpr std::array<std::string_view, 2> kValueSections{"parameters", "parameter_defaults"};
constexpr std::size_t kMostBytes = 1048576;  ///< Of a request: the service's `max_json_body_size`.

class Bundler {
 public:
  Bundler(const BundleRequest& request, Session& session)
      : request_(request),
        session_(session),
        sources_(session.sources()),
        recorder_(session.recorder()),
        arena_(session.arena()),
        files_(session, request.network),
        environment_(arena_, session.limits(), recorder_) {}

  [[nodiscard]] Bundle run() {
    const merge::Traced given{parameters(), layer("<parameter>")};
    const merge::Traced root = request_.template_file.empty() ? merge::Traced() : read_template();
    const Value urls = read_environments();
    add_hooks();
    add("parameters", {marked_parameters(given.value), given.slot});
    if (root.value) add("template", root);
    add("files", {gathered(), layer("files")});
    add("environment", marked_environment());
    if (!request_.environment_files.empty()) add("environment_files", {urls, layer("environment files")});
    return {.request = body_.finish(), .memory = session_.memory()};
  }

 private:
  [[nodiscard]] merge::Slot layer(const std::string& name) { return recorder_.add_layer(name); }

  void add(std::string_view key, const merge::Traced& member) { body_.insert(key, member); }

  [[nodiscard]] std::string url_of(const std::string& path) const { return url_of_path(path, request_.folder); }

  [[nodiscard]] Value parameters() {
    const Value texts = explicit_parameters(arena_, request_.parameters, sources_.add_name("<parameter>"));
    MappingBuilder all = MappingBuilder::copy_of(arena_, texts, request_.parameter_files.size());
    const std::string base = request_.template_file.empty() ? url_of(".") : folder_of(url_of(request_.template_file));
    // Not split at `;`: each one is given separately.
    for (const std::string& word : request_.parameter_files) {
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos) {
        throw Error("heat.parameter-word", fmt::format("malformed parameter '{}'", word)).hint("use the form KEY=PATH");
      }
      const std::string url = join_urls(base.ends_with('/') ? base : base + "/", word.substr(equals + 1));
      const SourceId source = sources_.add(path_of(parse_url(url)), sent_text(files_.fetch(url, {})));
      all.insert(word.substr(0, equals), arena_.text(sources_.text(source)).with_origin(sources_.at(source, 0)));
    }
    return all.finish();
  }

  [[nodiscard]] merge::Traced read_template() {
    text::Document document = files_.read_template(url_of(request_.template_file), {});
    session_.keep(document.arena);
    return {document.root, layer(request_.template_file)};
  }

  /// The URLs of all environment files, which are merged and attached.
  [[nodiscard]] Value read_environments() {
    environment_.start({arena_.mapping(), merge::Slot(merge::kNoLayer)});
    SequenceBuilder urls(arena_);
    std::vector<std::pair<std::string, Value>> environments;
    for (const std::string& name : request_.environment_files) {
      const std::string url = url_of(name);
      const Value environment = read_environment(url);
      files_.put(url, arena_.text(python::json(environment)).with_origin(environment.origin()));
      merge_in(name, environment);
      urls.append(arena_.text(url).with_origin(environment.origin()));
      environments.emplace_back(url, environment);
    }
    // Any of the templates that are known by now may hide what an earlier file sets.
    for (const auto& [url, environment] : environments) {
      if (sets_hidden(environment))
        files_.put(url, arena_.text(python::json(environment)).with_origin(environment.origin()).with_secret());
    }
    return urls.finish();
  }

  [[nodiscard]] bool sets_hidden(const Value& environment) const {
    return std::ranges::any_of(kValueSections, [&](std::string_view title) {
      const Value* section = environment.find(title);
      return section != nullptr && section->is_mapping() &&
             std::ranges::any_of(section->entries(), [this](const Entry& entry) { return is_hidden(entry.key); });
    });
  }

  /// Without a template, names say what is hidden.
  [[nodiscard]] bool is_hidden(const Value& key) const {
    const std::string name = key_text(key);
    return encrypted_.contains(name) || files_.hidden().contains(name) ||
           (request_.template_file.empty() && sounds_secret(name));
  }

  /// Values of hidden parameters marked, so that no report shows them.
  [[nodiscard]] Value marked_parameters(const Value& parameters) const {
    if (!parameters.is_mapping()) return parameters;
    MappingBuilder marked = MappingBuilder::copy_of(arena_, parameters);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Entry& entry = parameters.entries()[i];
      if (is_hidden(entry.key)) marked.replace(i, entry.value.with_secret());
    }
    return marked.finish();
  }

  [[nodiscard]] merge::Traced marked_environment() {
    const merge::Traced merged = environment_.current();
    MappingBuilder marked = MappingBuilder::copy_of(arena_, merged.value);
    for (std::size_t i = 0; i < marked.size(); ++i) {
      const Entry& entry = merged.value.entries()[i];
      const bool has_values =
          entry.key.is_text() && std::ranges::find(kValueSections, entry.key.text()) != kValueSections.end();
      if (has_values) marked.replace(i, marked_parameters(entry.value));
    }
    return {marked.finish(), merged.slot};
  }

  [[nodiscard]] Value read_environment(const std::string& url) {
    const Url parsed = parse_url(url);
    const SourceId source = sources_.add(parsed.scheme == "file" ? path_of(parsed) : url, files_.fetch(url, {}));
    // Which lines hold what is hidden is not known before they are read.
    const bool names_secrets =
        !encrypted_.empty() || sources_.text(source).find(kEncryptedNames) != std::string_view::npos;
    if (names_secrets || !files_.hidden().empty() ||
        (request_.template_file.empty() && sounds_secret(sources_.text(source))))
      sources_.mark_secret(source);
    const text::Document document = text::read_yaml(sources_, source, text::heat(), session_.limits());
    session_.keep(document.arena);
    warn_of_repeated_keys(session_, document.repeated_keys);
    if (!document.root || document.root.is_null()) return arena_.mapping().with_origin(sources_.at(source, 0));
    check_sections(document.root);
    learn_encrypted(document.root);
    MappingBuilder out = MappingBuilder::copy_of(arena_, document.root);
    if (const Value* registry = out.find("resource_registry"); registry != nullptr && !registry->is_null()) {
      if (!registry->is_mapping()) {
        throw Error("bundle.registry",
                    fmt::format("the resource registry is a mapping, not {}", describe(registry->kind())))
            .at(sources_, registry->origin());
      }
      out.insert("resource_registry", resolved_registry(*registry, folder_of(url), files_, arena_, sources_));
    }
    return out.finish();
  }

  void learn_encrypted(const Value& environment) {
    const Value* names = environment.find(kEncryptedNames);
    if (names == nullptr || !names->is_sequence()) return;
    for (const Value& name : names->items()) encrypted_.insert(key_text(name));
  }

  void check_sections(const Value& environment) const {
    if (!environment.is_mapping()) {
      throw Error("heat.root",
                  fmt::format("the environment is not a valid YAML mapping, but {}", describe(environment.kind())))
          .at(sources_, environment.origin());
    }
    Problems problems;
    for (const Entry& entry : environment.entries()) {
      if (entry.key.is_text() && std::ranges::find(kSections, entry.key.text()) != kSections.end()) continue;
      const std::string name = key_text(entry.key);
      problems.add(
          Error("heat.section", fmt::format(R"(environment has wrong section "{}")", name))
              .at(sources_, entry.key.origin())
              .hint(name_hint(kSections, name, fmt::format("the sections are {}", fmt::join(kSections, ", ")))));
    }
    problems.raise();
  }

  void merge_in(const std::string& name, const Value& environment) {
    environment_.merge({environment, layer(name)}, client_merge());
  }

  void add_hooks() {
    heat::add_hooks(environment_, request_.hooks, arena_, sources_,
                    [this](const std::string& option) { return layer(option); });
    if (!request_.hooks.empty() && !request_.environment_files.empty()) {
      session_.diagnostics().warn(
          "bundle.hooks",
          "hooks given as options have no effect with environment files: the service only combines the files",
          "write them in a file, resource_registry: {resources: {NAME: {hooks: pre-create}}}; or give them to `strata "
          "compose`");
    }
  }

  [[nodiscard]] Value gathered() {
    MappingBuilder files(arena_, KeyEquality::exact, files_.all().size());
    std::size_t bytes = 0;
    for (const auto& [url, text] : files_.all()) {
      files.insert(url, text);
      bytes += url.size() + text.text().size();
    }
    if (bytes > kMostBytes) {
      session_.diagnostics().warn(
          "bundle.size",
          fmt::format("the files have {} bytes, and the service refuses requests of more than {} by default", bytes,
                      kMostBytes),
          "raise max_json_body_size in the service's configuration");
    }
    return files.finish();
  }

  const BundleRequest& request_;
  Session& session_;
  Sources& sources_;
  merge::Recorder& recorder_;
  Arena& arena_;
  AttachedFiles files_;
  NameSet encrypted_;  ///< Names that `encrypted_param_names` of an environment lists.
  merge::Accumulator environment_;
  merge::TracedMapping body_{merge::Builder(arena_, recorder_)};
};

}  // namespace

const merge::Strategy& client_merge() {
  static const merge::Strategy strategy = [] {
    using merge::Action;
    using merge::Shape;
    const std::initializer_list<Shape> mappings{Shape::empty_mapping, Shape::mapping};
    merge::Strategy made;
    merge::fill(made.member, Action::take_new);
    for (std::size_t shape = 0; shape < merge::kShapes; ++shape) {
      const auto old = static_cast<Shape>(shape);
      if (old == Shape::absent || old == Shape::null) continue;
      merge::set_cells(made.member, {old}, {Shape::mapping}, Action::fail);
      merge::set_cells(made.member, {old}, {Shape::empty_mapping}, Action::keep_old);
    }
    merge::set_cells(made.member, mappings, {Shape::null}, Action::keep_old);
    merge::set_cells(made.member, mappings, mappings, Action::recurse);
    made.root = made.member;
    merge::fill(made.item, Action::take_new);
    return made;
  }();
  return strategy;
}

Bundle bundle(const BundleRequest& request, Session& session) { return Bundler(request, session).run(); }

}  // namespace strata::heat
