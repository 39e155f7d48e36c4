// SPDX-License-Identifier: Apache-2.0
// Finds projects: in .strata.yaml, or by what folders hold.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "strata/error.hpp"
#include "strata/found_file.hpp"
#include "strata/near_names.hpp"
#include "strata/paths.hpp"
#include "strata/stop.hpp"
#include "strata/stop_scope.hpp"
#include "strata/text.hpp"
#include "strata/workspace.hpp"
#include "workspace/configuration.hpp"
#include "workspace/quiet_tree.hpp"

namespace strata::workspace {
namespace {

struct RuleText {
  Rule rule;
  std::string_view name;
  std::string_view text;
};
constexpr std::array<RuleText, 9> kRules{
    {{Rule::file, "file", ".strata.yaml"},
     {Rule::code_directory, "code-directory", "environments/*/hiera.yaml, or hiera.yaml beside environments/"},
     {Rule::control_repository, "control-repository",
      "hiera.yaml beside environment.conf, Puppetfile, manifests/, site.pp, data/ or modules/"},
     {Rule::bindings_site, "bindings-site", "environments.pp, or strata.yaml beside bindings/"},
     {Rule::site_definitions, "site-definitions", "site/*/site-definition.yaml"},
     {Rule::layering_policy, "layering-policy", "a document with the schema deckhand/LayeringPolicy/v1"},
     {Rule::inventory, "inventory", "targets/ or nodes/ with YAML files beside classes/, or reclass-config.yml"},
     {Rule::base_configuration, "base-configuration", "cloud.cfg beside cloud.cfg.d/"},
     {Rule::cloud_config, "cloud-config", "files that begin with #cloud-config"}}};

constexpr std::string_view kPolicy = "deckhand/LayeringPolicy/v1";
constexpr std::string_view kSite = "pegleg/SiteDefinition/v1";
constexpr int kDeepest = 4;
constexpr std::size_t kMostFolders = 10'000;
constexpr std::size_t kMostBytes = std::size_t{256} << 20U;
constexpr std::size_t kMostSeconds = 1'000'000;  ///< For a budget: more than any search takes.

std::string folder_above(const std::string& folder) {
  return folder.substr(0, std::max<std::size_t>(folder.rfind('/'), 1));
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// A name as a word of a command line: neither an option, nor standard input, nor a URL.
std::string as_word(const std::string& name) {
  return name.starts_with('-') || name.find("://") != std::string::npos ? "./" + name : name;
}

Setting one(std::string name, std::string value) { return {.name = std::move(name), .values = {std::move(value)}}; }

class Detection {
 public:
  /// `bytes`: counts what is read.
  Detection(const FileTree& tree, const Search& search, std::atomic<std::size_t>& bytes)
      : tree_(tree), search_(search), bytes_(bytes) {}

  std::vector<Project> run() {
    visit(search_.folder, 0);
    return std::move(projects_);
  }

 private:
  /// A folder that is looked at.
  struct Folder {
    std::string path;
    std::vector<std::string> names;
  };

  void visit(const std::string& path, int depth) {
    if (search_.limits.stop != nullptr) search_.limits.stop->check();
    if (++folders_ > kMostFolders)
      throw too_large(fmt::format("there are more than {} folders to look through", kMostFolders));
    const Folder folder{.path = path, .names = tree_.list(path)};
    if (is_configured(folder) || fits(folder) || depth == kDeepest) return;
    for (const std::string& name : folder.names) {
      if (name == ".git" || name == "node_modules") continue;
      const std::string below = path_in(path, name);
      if (tree_.kind(below) != FileKind::folder) continue;
      if (search_.is_left_out && search_.is_left_out(below)) continue;
      visit(below, depth + 1);
    }
  }

  [[nodiscard]] Error too_large(const std::string& message) const {
    return Error("workspace.large", message)
        .in(search_.folder)
        .hint(fmt::format("say which projects there are in {}", kFileName));
  }

  /// The first rule that fits a folder makes its project.
  bool fits(const Folder& folder) {
    return is_code_directory(folder) || is_control_repository(folder) || is_bindings_site(folder) ||
           is_site_definitions(folder) || is_layering_policy(folder) || is_inventory(folder) ||
           is_base_configuration(folder) || is_cloud_config(folder);
  }

  static bool lists(const Folder& folder, std::string_view name) {
    return std::ranges::find(folder.names, name) != folder.names.end();
  }
  [[nodiscard]] bool has_file(const Folder& folder, std::string_view name) const {
    return lists(folder, name) && tree_.kind(path_in(folder.path, name)) == FileKind::file;
  }
  [[nodiscard]] bool has_folder(const Folder& folder, std::string_view name) const {
    return lists(folder, name) && tree_.kind(path_in(folder.path, name)) == FileKind::folder;
  }

  /// The name, or with a number behind it where another project has it.
  std::string free_name(const std::string& wanted) {
    std::string name = wanted;
    while (!names_.insert(name).second)
      name = fmt::format("{}-{}", wanted, ++numbers_.try_emplace(wanted, 1).first->second);
    return name;
  }

  /// A file below says for its folder which projects there are.
  bool is_configured(const Folder& folder) {
    const std::string file = path_in(folder.path, kFileName);
    auto text = lists(folder, kFileName) ? text_of(file) : std::nullopt;
    if (!text) return false;
    for (Project& project : read_configuration(std::move(*text), file, search_)) {
      project.name = free_name(project.name);
      projects_.push_back(std::move(project));
    }
    return true;
  }

  Project& add(const Folder& folder, Rule rule, std::string verb) {
    const std::string name = base_name(folder.path);
    projects_.push_back({.name = free_name(name.empty() ? "project" : name),
                         .verb = std::move(verb),
                         .folder = folder.path,
                         .rule = rule});
    return projects_.back();
  }

  bool is_code_directory(const Folder& folder) {
    if (!has_folder(folder, "environments")) return false;
    const std::string environments = path_in(folder.path, "environments");
    // The environment that lookup would take, or else the first.
    std::string first;
    bool has_production = false;
    bool has_hierarchy = has_file(folder, "hiera.yaml");
    for (const std::string& name : tree_.list(environments)) {
      const std::string path = path_in(environments, name);
      if (tree_.kind(path) != FileKind::folder) continue;
      has_production = has_production || name == "production";
      const bool is_read = tree_.kind(path_in(path, "hiera.yaml")) == FileKind::file;
      has_hierarchy = has_hierarchy || is_read;
      if (first.empty() && is_read) first = name;
    }
    if (!has_hierarchy) return false;
    Project& project = add(folder, Rule::code_directory, "lookup");
    project.settings.push_back(one("codedir", "."));
    if (!has_production && !first.empty()) project.settings.push_back(one("environment", first));
    return true;
  }

  bool is_control_repository(const Folder& folder) {
    if (!has_file(folder, "hiera.yaml")) return false;
    const bool has_company = has_file(folder, "environment.conf") || has_file(folder, "Puppetfile") ||
                             has_folder(folder, "manifests") || has_file(folder, "site.pp") ||
                             has_folder(folder, "data") || has_folder(folder, "modules");
    if (!has_company) return false;
    const auto is_hierarchy = [](const Value& root) { return root.is_mapping() && root.find("version") != nullptr; };
    if (!any_document(path_in(folder.path, "hiera.yaml"), text::psych(), {}, is_hierarchy)) return false;
    add(folder, Rule::control_repository, "lookup").settings.push_back(one("environment-root", "."));
    return true;
  }

  bool is_bindings_site(const Folder& folder) {
    if (!has_file(folder, "environments.pp") && !(has_file(folder, "strata.yaml") && has_folder(folder, "bindings")))
      return false;
    add(folder, Rule::bindings_site, "inject").settings.push_back(one("confdir", "."));
    return true;
  }

  bool is_site_definitions(const Folder& folder) {
    if (!has_folder(folder, "site")) return false;
    const std::string sites = path_in(folder.path, "site");
    std::vector<Member> members;
    for (const std::string& name : tree_.list(sites)) {
      const auto is_site = [](const Value& root) {
        const Value* schema = root.is_mapping() ? root.find("schema") : nullptr;
        return schema != nullptr && schema->is_text() && schema->text() == kSite;
      };
      if (!any_document(path_in(sites, name) + "/site-definition.yaml", text::pyyaml_json(), kSite, is_site)) continue;
      members.push_back({.name = name, .words = {"--pegleg-site=" + name, "."}});
    }
    if (members.empty()) return false;
    add(folder, Rule::site_definitions, "render").members = std::move(members);
    return true;
  }

  bool is_layering_policy(const Folder& folder) {
    const auto is_policy = [](const Value& root) {
      const Value* schema = root.is_mapping() ? root.find("schema") : nullptr;
      return schema != nullptr && schema->is_text() && schema->text() == kPolicy;
    };
    const bool fits = std::ranges::any_of(folder.names, [&](const std::string& name) {
      return (name.ends_with(".yaml") || name.ends_with(".yml")) &&
             any_document(path_in(folder.path, name), text::pyyaml_json(), kPolicy, is_policy);
    });
    if (fits) add(folder, Rule::layering_policy, "render").args.emplace_back(".");
    return fits;
  }

  bool is_inventory(const Folder& folder) {
    const auto has_nodes = [&](std::string_view name) {
      return has_folder(folder, name) && has_yaml(path_in(folder.path, name), 0);
    };
    const bool fits = has_file(folder, "reclass-config.yml") ||
                      (has_folder(folder, "classes") && (has_nodes("targets") || has_nodes("nodes")));
    if (fits) add(folder, Rule::inventory, "inventory");
    return fits;
  }

  /// Whether a folder or one a few levels below has a file of YAML.
  // Recursion: bounded by kDeepest.
  bool has_yaml(const std::string& folder, int depth) {
    const auto names = tree_.list(folder);
    if (std::ranges::any_of(names,
                            [](const std::string& name) { return name.ends_with(".yml") || name.ends_with(".yaml"); }))
      return true;
    if (depth == kDeepest) return false;
    return std::ranges::any_of(names, [&](const std::string& name) {
      if (++folders_ > kMostFolders)
        throw too_large(fmt::format("there are more than {} folders to look through", kMostFolders));
      const std::string below = path_in(folder, name);
      return !name.starts_with('.') && tree_.kind(below) == FileKind::folder && has_yaml(below, depth + 1);
    });
  }

  bool is_base_configuration(const Folder& folder) {
    if (!has_file(folder, "cloud.cfg") || !has_folder(folder, "cloud.cfg.d")) return false;
    add(folder, Rule::base_configuration, "merge").settings.push_back(one("base", "cloud.cfg"));
    return true;
  }

  bool is_cloud_config(const Folder& folder) {
    static constexpr std::array<std::string_view, 4> kEndings{".yaml", ".yml", ".cfg", ".txt"};
    std::vector<Member> members;
    std::unordered_set<std::string> taken;
    for (const std::string& name : folder.names) {
      const std::string_view stem = stem_of(name, kEndings);
      if (stem.empty() && name.find('.') != std::string::npos) continue;
      const auto text = text_of(path_in(folder.path, name));
      if (!text || !is_head(*text)) continue;
      const std::string subject(taken.insert(std::string(stem.empty() ? name : stem)).second && !stem.empty() ? stem
                                                                                                              : name);
      taken.insert(subject);
      members.push_back({.name = subject, .words = {as_word(name)}});
    }
    if (members.empty()) return false;
    Project& project = add(folder, Rule::cloud_config, "merge");
    if (members.size() == 1) {
      project.args = std::move(members.front().words);
    } else {
      project.members = std::move(members);
    }
    return true;
  }

  static bool is_head(std::string_view text) {
    constexpr std::string_view kHead = "#cloud-config";
    if (!text.starts_with(kHead)) return false;
    // Not `#cloud-config-archive` and the like.
    return text.size() == kHead.size() || text[kHead.size()] == '\n' || text[kHead.size()] == '\r' ||
           text[kHead.size()] == ' ';
  }

  /// Whether a file has a document for which `is_meant` holds. Files without the text `hint` are not parsed. What
  /// cannot be read fits nothing.
  template <class IsMeant>
  bool any_document(const std::string& path, const text::Profile& profile, std::string_view hint,
                    const IsMeant& is_meant) {
    auto text = text_of(path);
    if (!text || text->find(hint) == std::string::npos) return false;
    Sources sources;
    const SourceId source = sources.add(path, std::move(*text));
    try {
      const auto documents = text::read_yaml_stream(sources, source, profile, search_.limits);
      return std::ranges::any_of(
          documents, [&](const text::Document& document) { return document.root && is_meant(document.root); });
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      return false;
    }
  }

  std::optional<std::string> text_of(const std::string& path) {
    if (tree_.kind(path) != FileKind::file) return std::nullopt;
    auto text = tree_.read(path);
    bytes_.fetch_add(text ? text->size() : 0, std::memory_order_relaxed);
    if (bytes_.load(std::memory_order_relaxed) > kMostBytes)
      throw too_large(fmt::format("there are more than {} MiB of files to look into", kMostBytes >> 20U));
    return text;
  }

  QuietTree tree_;
  const Search& search_;
  std::vector<Project> projects_;
  std::unordered_set<std::string> names_;
  std::unordered_map<std::string, int> numbers_;  ///< The last number of each name.
  std::size_t folders_ = 0;
  std::atomic<std::size_t>& bytes_;
};

}  // namespace

std::string nearest_configuration(const FileTree& tree, const Search& search) {
  const QuietTree quiet(tree);
  std::string root = search.root;
  if (root.empty()) {
    root = search.folder;
    for (std::string folder = search.folder;; folder = folder_above(folder)) {
      if (quiet.kind(path_in(folder, ".git")) != FileKind::none) {
        root = folder;
        break;
      }
      if (folder == "/") break;
    }
  }
  for (std::string folder = search.folder;; folder = folder_above(folder)) {
    std::string file = path_in(folder, kFileName);
    if (quiet.kind(file) == FileKind::file) return file;
    if (folder == root || folder == "/") return {};
  }
}

std::string_view to_string(Rule rule) noexcept { return kRules.at(static_cast<std::size_t>(rule)).name; }
std::string_view description(Rule rule) noexcept { return kRules.at(static_cast<std::size_t>(rule)).text; }

const Setting* Project::find(std::string_view setting) const noexcept {
  const auto found = std::ranges::find(settings, setting, &Setting::name);
  return found == settings.end() ? nullptr : &*found;
}

const Project& Found::named(std::string_view name) const {
  const auto found = std::ranges::find(projects, name, &Project::name);
  if (found != projects.end()) return *found;
  std::vector<std::string_view> names;
  for (const Project& project : projects) names.push_back(project.name);
  Error error("workspace.project", fmt::format("unknown project '{}'", name));
  if (!file.empty()) error.in(file);
  if (names.empty()) {
    throw std::move(error).hint(file.empty()
                                    ? fmt::format("nothing here looks like a project: name one in {}", kFileName)
                                    : "it names no project");
  }
  throw std::move(error).hint(name_hint(names, name, "'strata projects' lists them"));
}

Found find_projects(const FileTree& tree, const Search& search) {
  // Commands that look for projects have no Session: the search has a budget of its own.
  std::atomic<std::size_t> bytes = 0;
  Stop stop(search.limits.stop);
  stop.spend({.processor_time = std::chrono::seconds(std::min(search.limits.processor_seconds, kMostSeconds)),
              .memory = search.limits.memory,
              .input = &bytes});
  const StopScope work(&stop);
  Search bounded = search;
  bounded.limits.stop = &stop;
  Found out;
  out.file = nearest_configuration(tree, bounded);
  if (out.file.empty()) {
    out.projects = Detection(tree, bounded, bytes).run();
  } else if (auto text = tree.read(out.file)) {
    bytes = text->size();
    out.projects = read_configuration(std::move(*text), out.file, bounded);
  }
  return out;
}

}  // namespace strata::workspace
