// SPDX-License-Identifier: Apache-2.0
// What templates use of environment files.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <unordered_set>
#include <utility>

#include "heat/declarations.hpp"
#include "heat/environment_file.hpp"
#include "heat/registry.hpp"
#include "heat/state.hpp"
#include "heat/url.hpp"
#include "strata/heat.hpp"
#include "strata/kind_inside.hpp"
#include "strata/path.hpp"
#include "strata/stop.hpp"
#include "value/seeded_hash.hpp"

namespace strata::heat {
namespace {

constexpr std::string_view kBaseUrl = "base_url";

bool is_type(std::string_view key) { return key != kBaseUrl && key != "hooks" && key != "restricted_actions"; }

/// The templates of a request, and what they say: their parameters, the types that they name, and the files.
class Templates {
 public:
  Templates(const Composition& composition, Session& session, std::string folder)
      : session_(session), folder_(std::move(folder)), stop_(&session.stop()) {
    for (const ParameterSchema& schema : composition.declarations->schemata.all()) parameters_.insert(schema.name);
    for (const StoredText& file : composition.state->files) {
      const std::string_view text = characters(session_.sources(), file);
      if (is_new(url_of_path(file.name, folder_))) add_text(file.name, std::string(text));
    }
  }

  /// The template of the stack. `name`: empty if it is part of a state.
  void add_root(const Value& root, const std::string& name) {
    add(root, name.empty() ? url_of_path(".", folder_) : folder_of(url_of_path(name, folder_)));
  }

  /// Adds a file that a registry or a template names. False: there is no such file. Whether it is a template does not
  /// matter.
  bool add_file(const std::string& base, std::string_view reference) {
    const std::string url = join_urls(base.ends_with('/') ? base : base + "/", std::string(reference));
    if (!is_new(url)) return !missing_.contains(url);
    const Url parsed = parse_url(url);
    if (parsed.scheme != "file" || (!parsed.host.empty() && parsed.host != "localhost")) {
      ++unread_;
      return true;
    }
    const FileTree& tree = session_.snapshot().tree_below();
    const std::string path = path_of(parsed);
    const FileKind kind = kind_inside(tree, path).value_or(FileKind::none);
    // Devices have no end.
    if (kind != FileKind::file) {
      ++unread_;
      if (kind != FileKind::none || is_generated(tree, path)) return true;
      missing_.insert(url);
      return false;
    }
    count_file();
    try {
      if (auto text = tree.read(path)) add_text(path, *std::move(text));
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      ++unread_;
    }
    return true;
  }

  /// A file that a template names, and is not there.
  struct Missing {
    std::string reference;
    std::string base;
    Origin origin;
  };
  /// Follows the files that templates name. Returns those that are missing.
  std::vector<Missing> follow() {
    std::vector<Missing> out;
    while (!waiting_.empty()) {
      const Reference one = std::move(waiting_.back());
      waiting_.pop_back();
      if (!add_file(one.base, one.name)) out.push_back({.reference = one.name, .base = one.base, .origin = one.origin});
    }
    return out;
  }

  /// Whether the tree may not read what a reference leads to.
  [[nodiscard]] bool is_outside(const std::string& base, const std::string& reference) const {
    const Url url = parse_url(join_urls(base.ends_with('/') ? base : base + "/", reference));
    return url.scheme == "file" && strata::is_outside(session_.snapshot().tree_below(), path_of(url));
  }

  /// A reference one folder higher or lower that leads to a file, in place of one that does not. Empty: neither does.
  [[nodiscard]] std::string corrected(const std::string& base, const std::string& reference) const {
    constexpr std::string_view kUp = "../";
    std::vector<std::string> candidates{fmt::format("{}{}", kUp, reference)};
    if (reference.starts_with(kUp)) candidates.push_back(reference.substr(kUp.size()));
    const FileTree& tree = session_.snapshot().tree_below();
    for (std::string& one : candidates) {
      const Url url = parse_url(join_urls(base.ends_with('/') ? base : base + "/", one));
      if (url.scheme == "file" && kind_inside(tree, path_of(url)) == FileKind::file) return std::move(one);
    }
    return {};
  }

  /// Adds the types that the values of parameters name: lists of services are such.
  void add_types(const Value& values) { read(values, {}); }

  [[nodiscard]] const std::set<std::string, std::less<>>& parameters() const noexcept { return parameters_; }
  [[nodiscard]] const std::set<std::string, std::less<>>& types() const noexcept { return types_; }
  /// How many named files could not be read.
  [[nodiscard]] std::size_t unread() const noexcept { return unread_; }

 private:
  /// A file that a template names, relative to the folder of the template.
  struct Reference {
    std::string base;
    std::string name;
    Origin origin;
  };

  bool is_new(const std::string& url) { return known_.insert(url).second; }

  /// Whether a tool makes the file from a Jinja template beside it, as TripleO does.
  static bool is_generated(const FileTree& tree, const std::string& path) {
    const std::size_t dot = path.rfind('.');
    const std::string inserted = dot == std::string::npos ? path : path.substr(0, dot) + ".j2" + path.substr(dot);
    return kind_inside(tree, path + ".j2") == FileKind::file || kind_inside(tree, inserted) == FileKind::file;
  }

  void count_file() {
    if (++followed_ <= session_.limits().includes) return;
    throw Error("limit.includes",
                fmt::format("templates and registries name more than {} files", session_.limits().includes))
        .hint("raise the limit with --limit includes=NUMBER");
  }

  void add_text(const std::string& name, std::string text) {
    // All but a few texts are none; a character has up to four bytes.
    const bool may_be_template = text.find("heat_template_version") != std::string::npos ||
                                 text.find("TemplateFormatVersion") != std::string::npos;
    if (!may_be_template || text.size() > 4 * kMaxTemplateSize) return;
    const SourceId source = session_.sources().add(name, std::move(text));
    session_.sources().mark_secret(source);
    const auto document =
        find_template(session_.sources(), {.name = name, .source = source, .document = nullptr}, session_.limits());
    if (document) add(document->root, folder_of(url_of_path(name, folder_)));
  }

  void add(const Value& root, const std::string& base) {
    for (const std::string_view section : {"parameters", "Parameters"}) {
      const Value* declared = root.find(section);
      if (declared == nullptr || !declared->is_mapping()) continue;
      for (const Entry& entry : declared->entries()) parameters_.insert(key_text(entry.key));
    }
    read(root, base);
  }

  // Recursion: bounded by Limits::depth.
  void read(const Value& value, const std::string& base) {
    stop_.tick();
    if (value.is_text()) {
      if (value.text().find("::") != std::string_view::npos) types_.emplace(value.text());
    } else if (value.is_sequence()) {
      for (const Value& item : value.items()) read(item, base);
    } else if (value.is_mapping()) {
      for (const Entry& entry : value.entries()) {
        read(entry.value, base);
        if (!base.empty() && entry.key.is_text() && entry.value.is_text())
          read_text(entry.key.text(), entry.value, base);
      }
    }
  }

  void read_text(std::string_view key, const Value& text, const std::string& base) {
    const bool names_type = key == "type" || key == "Type";
    if (names_type) types_.emplace(text.text());
    if (key == "get_file" || (names_type && is_template_name(text.text())))
      waiting_.push_back({.base = base, .name = std::string(text.text()), .origin = text.origin()});
  }

  Session& session_;
  std::string folder_;
  StopCheck stop_;
  std::size_t followed_ = 0;                 ///< Files that are named.
  std::unordered_set<std::string> known_;    ///< URLs.
  std::unordered_set<std::string> missing_;  ///< Those of them without a file.
  std::size_t unread_ = 0;
  std::vector<Reference> waiting_;
  std::set<std::string, std::less<>> parameters_;
  std::set<std::string, std::less<>> types_;
};

/// The members of environment files.
class Definitions {
 public:
  /// `has_template`: what templates use is known.
  Definitions(Templates& templates, Session& session, bool has_template)
      : templates_(templates), sources_(session.sources()), limits_(session.limits()), has_template_(has_template) {}

  void read(const NamedText& file, const std::string& folder) {
    const text::Document document = text::read_yaml(sources_, file.source, text::heat(), limits_);
    if (!document.root || !document.root.is_mapping()) return;
    if (const Value* defaults = document.root.find(kParameterDefaults); is_readable(defaults)) {
      templates_.add_types(*defaults);
      for (const Entry& entry : defaults->entries()) {
        const std::string name = key_text(entry.key);
        if (!has_template_) continue;
        add(Definition::Section::parameter_defaults, entry, name,
            pointer_of(std::vector{std::string(kParameterDefaults), name}));
      }
    }
    if (const Value* parameters = document.root.find(kParameters); is_readable(parameters))
      templates_.add_types(*parameters);
    if (const Value* registry = document.root.find(kResourceRegistry); is_readable(registry)) {
      std::vector<std::string> tokens{std::string(kResourceRegistry)};
      read_level(*registry, tokens, folder_of(url_of_path(file.name, folder)));
    }
  }

  [[nodiscard]] std::vector<Definition> take() {
    for (const Templates::Missing& one : templates_.follow()) add_missing(one.reference, one.base, {}, one.origin);
    const TextSet used = used_types();
    for (Definition& one : all_) {
      switch (one.section) {
        case Definition::Section::resource_registry:
          one.is_used = used.contains(one.name);
          break;
        case Definition::Section::parameter_defaults:
          one.is_used = templates_.parameters().contains(one.name);
          break;
        case Definition::Section::template_file:
          break;
      }
    }
    return std::move(all_);
  }

 private:
  static bool is_readable(const Value* section) {
    return section != nullptr && section->is_mapping() && !section->origin().through_alias();
  }

  void add(Definition::Section section, const Entry& entry, const std::string& name, std::string pointer) {
    // What comes from elsewhere is looked at there.
    if (entry.key.origin().through_alias()) return;
    all_.push_back({.section = section, .name = name, .pointer = std::move(pointer), .origin = entry.key.origin()});
  }

  void add_missing(const std::string& name, const std::string& base, std::string pointer, Origin origin) {
    if (origin.through_alias()) return;
    all_.push_back({.section = Definition::Section::template_file,
                    .name = name,
                    .pointer = std::move(pointer),
                    .origin = origin,
                    .is_outside = templates_.is_outside(base, name),
                    .correction = templates_.corrected(base, name)});
  }

  // Recursion: bounded by Limits::depth.
  void read_level(const Value& level, std::vector<std::string>& tokens, std::string base) {
    if (const Value* given = level.find(kBaseUrl); given != nullptr && given->is_text()) base = given->text();
    for (const Entry& entry : level.entries()) {
      const std::string name = key_text(entry.key);
      if (!is_type(name)) continue;
      tokens.push_back(name);
      // A template is always mapped to itself.
      if (entry.value.is_mapping() && !is_template_name(name)) {
        if (is_readable(&entry.value)) read_level(entry.value, tokens, base);
      } else if (name != "resources" || tokens.size() != 2) {
        add_type(entry, name, tokens, base);
      }
      tokens.pop_back();
    }
  }

  void add_type(const Entry& entry, const std::string& name, const std::vector<std::string>& tokens,
                const std::string& base) {
    const std::string target = is_template_name(name)  ? name
                               : entry.value.is_text() ? std::string(entry.value.text())
                                                       : std::string();
    if (is_template_name(target)) {
      if (!templates_.add_file(base, target)) add_missing(target, base, pointer_of(tokens), entry.key.origin());
    } else if (name.ends_with('*')) {
      wildcards_.emplace(name.substr(0, name.size() - 1), target);
    } else {
      mapped_[name].insert(target);
    }
    if (has_template_ && !name.ends_with('*'))
      add(Definition::Section::resource_registry, entry, name, pointer_of(tokens));
  }

  /// Those that templates name, and what they are mapped to.
  [[nodiscard]] TextSet used_types() const {
    TextSet used;
    std::vector<std::string> waiting;
    const auto use = [&](const std::string& type) {
      if (used.insert(type).second) waiting.push_back(type);
    };
    for (const std::string& type : templates_.types()) use(type);
    StopCheck stop(limits_.stop);
    while (!waiting.empty()) {
      const std::string type = std::move(waiting.back());
      waiting.pop_back();
      if (const auto found = mapped_.find(type); found != mapped_.end()) {
        for (const std::string& target : found->second) use(target);
      }
      for (const auto& [prefix, target] : wildcards_) {
        stop.tick();
        if (!type.starts_with(prefix)) continue;
        const std::string to =
            target.ends_with('*') ? target.substr(0, target.size() - 1) + type.substr(prefix.size()) : target;
        // Paths that go up further are not tried: their number is unlimited.
        if (mapped_.contains(to)) use(to);
      }
    }
    return used;
  }

  Templates& templates_;
  Sources& sources_;
  const Limits& limits_;
  bool has_template_;
  std::vector<Definition> all_;
  TextMap<std::set<std::string>> mapped_;                    ///< Types to other types.
  std::set<std::pair<std::string, std::string>> wildcards_;  ///< Prefixes, and what they are mapped to.
};

}  // namespace

Usage usage_of(const Request& request, const Composition& composition, Session& session, const std::string& folder) {
  const bool has_template = composition.declarations->root.has_value();
  Templates templates(composition, session, folder);
  if (has_template) {
    templates.add_root(composition.declarations->root->root,
                       request.template_text ? session.sources().file(*request.template_text) : std::string());
  }
  if (request.parameters) templates.add_types(request.parameters);
  Definitions definitions(templates, session, has_template);
  const TextViewSet listed(request.environment_files.begin(), request.environment_files.end());
  for (const NamedText& file : request.files) {
    check_stop(session.limits().stop);
    if (listed.contains(file.name)) definitions.read(file, folder);
  }
  if (request.environment_files.empty() && request.environment_body) {
    definitions.read({.name = session.sources().file(*request.environment_body), .source = *request.environment_body},
                     folder);
  }
  Usage out{.definitions = definitions.take(), .parameter_names = {}, .unread = 0};
  out.unread = templates.unread();
  out.parameter_names.assign(templates.parameters().begin(), templates.parameters().end());
  return out;
}

}  // namespace strata::heat
