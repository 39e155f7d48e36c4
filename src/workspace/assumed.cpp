// SPDX-License-Identifier: Apache-2.0
// The nodes that a question is about if it does not say so: folders of facts, and nodes that the names of data files
// suggest.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "hiera/config.hpp"
#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/found_file.hpp"
#include "strata/paths.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"
#include "strata/workspace.hpp"
#include "workspace/quiet_tree.hpp"

namespace strata::workspace {
namespace {

using VariablePath = std::vector<std::string>;

constexpr std::size_t kMostNodes = 100'000;
constexpr std::size_t kMostSegments = 64;      ///< Of a pattern that is looked at.
constexpr std::size_t kMostNames = 1'000'000;  ///< Names in folders that are compared with patterns.

std::string value_of(const Project& project, std::string_view setting) {
  const Setting* found = project.find(setting);
  return found == nullptr || found->kind != Setting::Kind::value || found->values.front().empty()
             ? std::string()
             : found->values.front();
}

std::string folder_of(const Project& project, std::string_view setting) {
  const std::string value = value_of(project, setting);
  return value.empty() ? value : absolute_path(project.folder, value);
}

/// The parts of an interpolated name: `facts.os.'family'`. Empty: not a plain name.
VariablePath parts_of(std::string_view name) {
  VariablePath out;
  while (true) {
    std::string part;
    if (name.starts_with('\'') || name.starts_with('"')) {
      const std::size_t end = name.find(name.front(), 1);
      if (end == std::string_view::npos) return {};
      part = name.substr(1, end - 1);
      name.remove_prefix(end + 1);
    } else {
      const std::size_t end = std::min(name.find('.'), name.size());
      part = name.substr(0, end);
      name.remove_prefix(end);
    }
    // The name of a file cannot give a list.
    const bool is_number = !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
    if (part.empty() || is_number || part.find_first_of(":()'\" ") != std::string::npos) return {};
    out.push_back(std::move(part));
    if (name.empty()) return out;
    if (!name.starts_with('.')) return {};
    name.remove_prefix(1);
  }
}

/// The variable that a node must have for an interpolation. Empty: no node can have it alone (functions, names of
/// modules).
VariablePath variable_of(std::string_view interpolated) {
  VariablePath out = parts_of(interpolated.starts_with("::") ? interpolated.substr(2) : interpolated);
  if (out.empty()) return out;
  if (out.front() == "trusted") {
    static constexpr std::array<std::string_view, 5> kMembers{"certname", "domain", "extensions", "external",
                                                              "hostname"};
    const bool has_name = out.size() == 2 || (out.size() > 2 && (out[1] == "extensions" || out[1] == "external"));
    return has_name && std::ranges::find(kMembers, out[1]) != kMembers.end() ? out : VariablePath();
  }
  if (out.front() == "facts") out.erase(out.begin());
  // What no fact may be called.
  static constexpr std::array<std::string_view, 11> kOthers{
      "server_facts", "settings", "module_name", "calling_module", "calling_class", "calling_class_path",
      "facts",        "trusted",  "name",        "title",          "environment"};
  return !out.empty() && std::ranges::find(kOthers, out.front()) != kOthers.end() ? VariablePath() : out;
}

/// A part of a name in a pattern.
struct Token {
  enum class Kind : std::uint8_t { literal, variable, any };
  Kind kind = Kind::literal;
  std::string literal;
  std::size_t variable = 0;  ///< Its number in the pattern.
};
using PatternSegment = std::vector<Token>;

/// A path of a hierarchy: names with gaps that the variables of a node fill.
struct Pattern {
  std::vector<PatternSegment> segments;
  std::vector<VariablePath> variables;
};

class PatternReader {
 public:
  PatternReader(std::string environment, bool is_glob) : environment_(std::move(environment)), is_glob_(is_glob) {}

  /// No value if files cannot tell the variables.
  std::optional<Pattern> read(std::string_view path) && {
    while (!path.empty()) {
      if (path.starts_with("%{")) {
        const std::size_t end = path.find('}');
        if (end == std::string_view::npos || !interpolate(path.substr(2, end - 2))) return std::nullopt;
        path.remove_prefix(end + 1);
        continue;
      }
      const char c = path.front();
      path.remove_prefix(1);
      if (c == '/') {
        end_segment();
      } else if (is_glob_ && c == '*' && !path.starts_with('*')) {
        if (!add({.kind = Token::Kind::any, .literal = {}})) return std::nullopt;
      } else if (is_glob_ && (c == '*' || c == '?' || c == '[' || c == '{' || c == '\\')) {
        return std::nullopt;
      } else {
        add_text(std::string_view(&c, 1));
      }
    }
    end_segment();
    return std::move(out_);
  }

 private:
  bool interpolate(std::string_view inner) {
    while (inner.starts_with(' ')) inner.remove_prefix(1);
    while (inner.ends_with(' ')) inner.remove_suffix(1);
    if (inner == "environment" || inner == "::environment" || inner == "server_facts.environment") {
      add_text(environment_);
      return true;
    }
    VariablePath variable = variable_of(inner);
    if (variable.empty()) return false;
    const auto known = std::ranges::find(out_.variables, variable);
    const auto number = static_cast<std::size_t>(known - out_.variables.begin());
    if (known == out_.variables.end()) out_.variables.push_back(std::move(variable));
    return add({.kind = Token::Kind::variable, .literal = {}, .variable = number});
  }

  /// Two gaps side by side could be filled in many ways.
  bool add(Token token) {
    if (!segment_.empty() && segment_.back().kind != Token::Kind::literal) return false;
    segment_.push_back(std::move(token));
    return true;
  }
  void add_text(std::string_view text) {
    if (segment_.empty() || segment_.back().kind != Token::Kind::literal) segment_.push_back({});
    segment_.back().literal += text;
  }
  void end_segment() {
    const bool is_nothing = segment_.empty() || (segment_.size() == 1 && segment_.front().literal == "." &&
                                                 segment_.front().kind == Token::Kind::literal);
    if (!is_nothing) out_.segments.push_back(std::move(segment_));
    segment_.clear();
  }

  std::string environment_;
  bool is_glob_;
  Pattern out_;
  PatternSegment segment_;
};

using Values = std::vector<std::optional<std::string>>;  ///< By the number of the variable.

/// Fills the gaps of a segment with the text of a name at their places, from the left, each gap as short as possible.
bool matches_segment(const PatternSegment& segment, std::string_view name, Values& values) {
  for (std::size_t i = 0; i < segment.size(); ++i) {
    const Token& token = segment[i];
    if (token.kind == Token::Kind::literal) {
      if (!name.starts_with(token.literal)) return false;
      name.remove_prefix(token.literal.size());
      continue;
    }
    std::size_t end = name.size();
    const std::size_t least = token.kind == Token::Kind::variable ? 1 : 0;
    if (i + 1 < segment.size()) {
      const std::string& next = segment[i + 1].literal;
      end = i + 2 == segment.size() ? (name.ends_with(next) ? name.size() - next.size() : std::string_view::npos)
                                    : name.find(next, least);
    }
    if (end == std::string_view::npos || end < least) return false;
    if (token.kind == Token::Kind::variable) {
      auto& value = values[token.variable];
      if (value && *value != name.substr(0, end)) return false;
      value = name.substr(0, end);
    }
    name.remove_prefix(end);
  }
  return name.empty();
}

/// The name of a node by what is known of it.
std::string name_of(const std::vector<AssumedNode::Variable>& variables) {
  static const std::array<VariablePath, 7> names{VariablePath{"trusted", "certname"},
                                                 VariablePath{"clientcert"},
                                                 VariablePath{"certname"},
                                                 VariablePath{"fqdn"},
                                                 VariablePath{"networking", "fqdn"},
                                                 VariablePath{"hostname"},
                                                 VariablePath{"networking", "hostname"}};
  for (const VariablePath& path : names) {
    const auto found = std::ranges::find(variables, path, &AssumedNode::Variable::path);
    if (found != variables.end()) return found->value;
  }
  std::string out;
  for (const AssumedNode::Variable& variable : variables) {
    out += fmt::format("{}{}={}", out.empty() ? "" : ",", fmt::join(variable.path, "."), variable.value);
  }
  return out;
}

/// What the hierarchies of a project name.
class Hierarchies {
 public:
  Hierarchies(const Project& project, const FileTree& tree, const Limits& limits)
      : project_(project), tree_(tree), limits_(limits) {
    if (project.verb != "lookup") return;
    environment_ = value_of(project, "environment");
    if (environment_.empty()) environment_ = "production";
    const std::string root = folder_of(project, "environment-root");
    const std::string codedir = folder_of(project, "codedir");
    const std::string config = folder_of(project, "hiera-config");
    if (const Setting* maps = project.find("map")) {
      for (const std::string& one : maps->values) {
        const std::size_t equals = one.find('=');
        if (equals == std::string::npos) continue;  // The query reports it.
        maps_.push_back({.from = absolute_path("/", one.substr(0, equals)),
                         .to = absolute_path(project.folder, one.substr(equals + 1))});
      }
    }
    if (!config.empty()) read(config, hiera::LayerKind::global);
    if (!codedir.empty() && config.empty()) read(path_in(codedir, "hiera.yaml"), hiera::LayerKind::global);
    if (!root.empty()) read(path_in(root, "hiera.yaml"), hiera::LayerKind::environment);
    if (!codedir.empty() && root.empty())
      read(path_in(codedir, "environments/" + environment_) + "/hiera.yaml", hiera::LayerKind::environment);
  }

  /// Whether a file below the folder is data.
  [[nodiscard]] bool names_below(const std::string& folder) const {
    const auto first = files_.lower_bound(folder + "/");
    return first != files_.end() && first->starts_with(folder + "/");
  }

  std::vector<AssumedNode> nodes() && {
    std::vector<AssumedNode> out;
    std::unordered_set<std::string> names;
    for (auto& known : nodes_) {
      AssumedNode node{.name = name_of(known.second), .variables = std::move(known.second)};
      const std::string first = node.name;
      for (int number = 2; !names.insert(node.name).second; ++number) node.name = fmt::format("{}-{}", first, number);
      out.push_back(std::move(node));
    }
    std::ranges::sort(out, {}, &AssumedNode::name);
    return out;
  }

 private:
  void read(const std::string& path, hiera::LayerKind layer) {
    auto text = tree_.kind(path) == FileKind::file ? tree_.read(path) : std::nullopt;
    if (!text) return;
    Sources sources;
    Diagnostics ignored;
    hiera::Settings settings;
    settings.codedir = folder_of(project_, "codedir");
    settings.working_folder = project_.folder;
    settings.environment = environment_;
    std::shared_ptr<const hiera::Config> config;
    try {
      const hiera::ConfigContext context{.sources = sources, .limits = limits_, .settings = settings, .layer = layer};
      config = hiera::read_config(context, path, sources.add(path, std::move(*text)), ignored);
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      return;  // The question will say what is wrong.
    }
    if (!config) return;
    for (const hiera::HierarchyEntry& entry : config->hierarchy) {
      const bool is_glob = entry.location_kind == hiera::LocationKind::globs;
      if (!is_glob && entry.location_kind != hiera::LocationKind::paths) continue;
      for (const Value& location : entry.locations) {
        if (location.is_text()) look(config->folder, entry, std::string(location.text()), is_glob);
      }
    }
  }

  void look(const std::string& folder, const hiera::HierarchyEntry& entry, std::string location, bool is_glob) {
    if (!entry.extension.empty() && !location.ends_with(entry.extension)) location += entry.extension;
    const std::string whole =
        mapped_path(maps_, absolute_path(with_environment(absolute_path(folder, entry.datadir)), location));
    const auto pattern = PatternReader(environment_, is_glob).read(whole);
    if (!pattern || pattern->variables.empty() || pattern->segments.size() > kMostSegments) return;
    walk(*pattern, 0, "/", Values(pattern->variables.size()));
  }

  /// A path with the name of the environment, so that folders of a server are found in it.
  [[nodiscard]] std::string with_environment(std::string path) const {
    for (const std::string_view name : {"%{environment}", "%{::environment}", "%{server_facts.environment}"}) {
      for (std::size_t at = path.find(name); at != std::string::npos; at = path.find(name, at + environment_.size()))
        path.replace(at, name.size(), environment_);
    }
    return path;
  }

  void walk(const Pattern& pattern, std::size_t at, const std::string& path, const Values& values) {
    if (at == pattern.segments.size()) {
      if (tree_.kind(path) == FileKind::file) add(pattern, path, values);
      return;
    }
    const PatternSegment& segment = pattern.segments[at];
    if (segment.size() == 1 && segment.front().kind == Token::Kind::literal)
      return walk(pattern, at + 1, path_in(path, segment.front().literal), values);
    if (limits_.stop != nullptr) limits_.stop->check();
    for (const std::string& name : tree_.list(path)) {
      if (++names_ > kMostNames) throw too_large();
      Values filled = values;
      if (!name.starts_with('.') && matches_segment(segment, name, filled))
        walk(pattern, at + 1, path_in(path, name), filled);
    }
  }

  void add(const Pattern& pattern, const std::string& path, const Values& values) {
    files_.insert(path);
    std::vector<AssumedNode::Variable> variables;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i]) variables.push_back({.path = pattern.variables[i], .value = *values[i]});
    }
    // No variable is a member of another one's value.
    for (const auto& one : variables) {
      for (const auto& other : variables) {
        const bool is_within =
            one.path.size() < other.path.size() && std::equal(one.path.begin(), one.path.end(), other.path.begin());
        if (is_within) return;
      }
    }
    Known known;
    for (const auto& variable : variables) known.emplace_back(variable.path, variable.value);
    std::ranges::sort(known);
    nodes_.try_emplace(std::move(known), std::move(variables));
    if (nodes_.size() > kMostNodes) throw too_large();
  }

  [[nodiscard]] Error too_large() const {
    return Error("workspace.large", "too many files could be nodes")
        .in(project_.folder)
        .hint("name the nodes: --nodes, or nodes: in .strata.yaml");
  }

  const Project& project_;
  QuietTree tree_;
  const Limits& limits_;
  std::string environment_;
  std::vector<MappedFolder> maps_;
  std::set<std::string, std::less<>> files_;
  using Known = std::vector<std::pair<VariablePath, std::string>>;
  std::map<Known, std::vector<AssumedNode::Variable>> nodes_;  ///< By what is known of them, sorted.
  std::size_t names_ = 0;
};

/// Variables by their paths.
struct Members {
  std::map<std::string, Members> members;
  std::optional<std::string> value;

  [[nodiscard]] Value made(Arena& arena) const {
    if (members.empty()) return value ? arena.text(*value) : Value::null();
    MappingBuilder out(arena);
    for (const auto& [name, member] : members) out.insert(name, member.made(arena));
    return out.finish();
  }
};

}  // namespace

std::string node_list(const std::vector<AssumedNode>& nodes) {
  Arena arena;
  SequenceBuilder list(arena);
  for (const AssumedNode& node : nodes) {
    Members all;
    all.members["facts"];
    for (const AssumedNode::Variable& variable : node.variables) {
      Members* at = variable.path.front() == "trusted" ? &all : &all.members["facts"];
      for (const std::string& name : variable.path) at = &at->members[name];
      at->value = variable.value;
    }
    // Facts that say who the node is go together: those that are not known are null.
    static constexpr std::array<const char*, 4> kIdentity{"hostname", "domain", "fqdn", "clientcert"};
    auto& facts = all.members["facts"].members;
    if (std::ranges::any_of(kIdentity, [&](const char* name) { return facts.contains(name); })) {
      for (const char* name : kIdentity) facts[name];
    }
    MappingBuilder item(arena);
    item.insert("name", arena.text(node.name));
    for (const auto& [name, member] : all.members)
      item.insert(name, member.members.empty() ? arena.mapping() : member.made(arena));
    list.append(item.finish());
  }
  return text::write_json(list.finish());
}

std::vector<AssumedNode> assumed_nodes(const Project& project, const FileTree& tree, const Limits& limits) {
  return Hierarchies(project, tree, limits).nodes();
}

std::string facts_folder(const Project& project, const FileTree& tree, const Limits& limits) {
  static constexpr std::array<std::string_view, 3> kEndings{".yaml", ".yml", ".json"};
  const QuietTree quiet(tree);
  const auto holds_files = [&](const std::string& folder) {
    if (quiet.kind(folder) != FileKind::folder) return false;
    return std::ranges::any_of(quiet.list(folder), [&](const std::string& name) {
      return !name.starts_with('.') && !stem_of(name, kEndings).empty() &&
             quiet.kind(path_in(folder, name)) == FileKind::file;
    });
  };
  std::vector<std::string> folders;
  for (const std::string_view setting : {"codedir", "environment-root", "confdir"}) {
    if (std::string folder = folder_of(project, setting); !folder.empty()) folders.push_back(std::move(folder));
  }
  if (std::ranges::find(folders, project.folder) == folders.end()) folders.push_back(project.folder);
  const Hierarchies hierarchies(project, tree, limits);
  for (const std::string& folder : folders) {
    for (const std::string_view name : {"nodes", "facts", "spec/facts"}) {
      std::string path = path_in(folder, name);
      if (holds_files(path) && !hierarchies.names_below(path)) return path;
    }
  }
  const std::string cache(kFactsCache);
  return holds_files(cache) ? cache : std::string();
}

}  // namespace strata::workspace
