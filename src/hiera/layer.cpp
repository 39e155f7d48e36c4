// SPDX-License-Identifier: Apache-2.0
#include "layer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "config_failures.hpp"
#include "glob.hpp"
#include "interpolation.hpp"
#include "key.hpp"
#include "pathname.hpp"
#include "reference_words.hpp"
#include "ruby/ruby.hpp"
#include "strata/builder.hpp"
#include "strata/kind_inside.hpp"
#include "strata/report.hpp"
#include "sub_lookup.hpp"
#include "text/unicode/characters.hpp"
#include "value/charge.hpp"

namespace strata::hiera {
namespace {

/// Variables whose values name variables: as deep as this, then it is taken for a circle.
constexpr std::size_t kDeepestVariable = 100;
/// The code of errors about files that the tree may not read.
constexpr std::string_view kOutside = "tree.outside";
/// Bytes that interpolation may make of a text of a hiera.yaml. No path of a host is nearly so long.
constexpr std::size_t kLongestText = std::size_t{1} << 20U;

constexpr std::array<std::string_view, 5> kEndings{".yaml", ".yml", ".json", ".eyaml", ".conf"};

}  // namespace

std::string near_place(const FileTree& tree, const std::string& path) {
  if (kind_inside(tree, path) == FileKind::folder) return path;
  for (const std::string_view ending : kEndings) {
    std::string other = path + std::string(ending);
    if (kind_inside(tree, other) == FileKind::file) return other;
  }
  for (const auto& [ending, other_ending] :
       {std::pair(kEndings[0], kEndings[1]), std::pair(kEndings[1], kEndings[0])}) {
    if (!path.ends_with(ending)) continue;
    std::string other = path.substr(0, path.size() - ending.size()).append(other_ending);
    if (kind_inside(tree, other) == FileKind::file) return other;
  }
  return {};
}

std::string near_sibling(const FileTree& tree, const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {};
  const std::string folder = path.substr(0, slash);
  if (kind_inside(tree, folder) != FileKind::folder) return {};
  const auto stem = [](std::string_view of) {
    const auto ending = std::ranges::find_if(kEndings, [of](std::string_view one) { return of.ends_with(one); });
    return ending == kEndings.end() ? of : of.substr(0, of.size() - ending->size());
  };
  const std::string name = text::unicode::lower(std::string_view(path).substr(slash + 1));
  std::string out;
  for (const std::string& listed : tree.list(folder)) {
    const std::string other = text::unicode::lower(listed);
    const bool is_same = other == name;
    if (!is_same && (!out.empty() || !has_data_extension(other) || stem(other) != stem(name))) continue;
    std::string found = join_path(folder, listed);
    if (kind_inside(tree, found) != FileKind::file) continue;
    if (is_same) return found;
    out = std::move(found);
  }
  return out;
}

bool has_data_extension(std::string_view path) {
  return std::ranges::any_of(kEndings, [path](std::string_view ending) { return path.ends_with(ending); });
}

bool names_path(const Layer& layer, std::string_view path) {
  const auto names = [path](const ResolvedEntry& entry) {
    return std::ranges::find(entry.locations, path, &Location::path) != entry.locations.end();
  };
  return std::ranges::any_of(layer.entries, names) || std::ranges::any_of(layer.default_entries, names);
}

bool opens_files(const HierarchyEntry& entry) {
  const std::string& name = entry.function;
  if (entry.kind == FunctionKind::lookup_key) return name == "eyaml_lookup_key";
  return entry.kind == FunctionKind::data_hash && (name == "yaml_data" || name == "json_data" || name == "hocon_data");
}

std::string Layer::name() const {
  const std::string version = config ? fmt::format(" (hiera configuration version {})", config->version) : "";
  if (kind == LayerKind::module) return fmt::format("Module \"{}\" Data Provider{}", module, version);
  return fmt::format("{} Data Provider{}", to_string(kind), version);
}

std::string ConfigInterpolation::text(const Value& template_text) {
  return expand(template_text.text(), template_text.origin(), 0);
}

std::string ConfigInterpolation::text(std::string_view template_text, Origin at) {
  return expand(template_text, at, 0);
}

std::string ConfigInterpolation::text_of_known(std::string_view template_text, Origin at) {
  requires_known_ = true;
  std::string out = expand(template_text, at, 0);
  requires_known_ = false;
  return out;
}

Value ConfigInterpolation::variable(std::string_view key, Origin at) {
  const auto segments = split_key(key, "string");
  const std::string root = variable_name(segments, sources_, at);
  const Value* found = legacy_ ? scope_.find_legacy(root) : scope_.find(root);
  if (found == nullptr) {
    if (requires_known_) {
      throw LookupError(
          undefined_variable(root).at(sources_, at).hint("give the fact with --facts, or name another variable"));
    }
    return Value::null();
  }
  Value here = *found;
  for (std::size_t i = 1; i < segments.size() && !here.is_null(); ++i) {
    try {
      const Value next = step_into(here, segments[i], key);
      here = next ? next : Value::null();
    } catch (LookupError& error) {
      error.at(sources_, at);
      throw;
    }
  }
  return here;
}

// Recursion: bounded by kDeepestVariable.
std::string ConfigInterpolation::expand(std::string_view text, Origin at, std::size_t depth) {
  if (depth > kDeepestVariable)
    throw LookupError(
        Error("hiera.recursion", "Recursive lookup detected: variables name each other").at(sources_, at));
  std::string out;
  std::size_t from = 0;
  while (const auto expression = find_expression(text, from)) {
    stop_check_.tick();
    out += text.substr(from, expression->begin - from);
    from = expression->end;
    if (expression->method == Expression::Method::nothing) continue;
    if (++steps_ > limits_.steps) throw Error("limit.steps", "interpolation takes too many steps").at(sources_, at);
    if (!expression->name.empty()) {
      constexpr std::string_view kMessage = "Interpolation using method syntax is not allowed in this context";
      throw LookupError(WordedError(Error("hiera.interpolation", fmt::format("{}: '{}'", kMessage, text))
                                        .at(sources_, at)
                                        .hint("hiera.yaml may name variables only"),
                                    in_config(kMessage)),
                        LookupError::Issue::yes);
    }
    const Value found = variable(expression->key, at);
    // The older scope has null for what is empty.
    if (found.is_null() && !legacy_) doubtful_(std::string(expression->key), text, at);
    has_secrets_ = has_secrets_ || report::holds_secret(found);
    out += ruby::interpolated(expanded(found, at, depth + 1), release_);
    if (out.size() > kLongestText) {
      throw Error("limit.input",
                  fmt::format("interpolation makes a text of more than {} bytes of this one", kLongestText))
          .at(sources_, at)
          .hint("do the variables hold what the path or option is meant to name?");
    }
  }
  const std::string_view rest = text.substr(std::min(from, text.size()));
  if (may_interpolate(rest)) doubtful_({}, text, at);
  out += rest;
  // Many strings can each be long.
  strata::detail::charge(limits_.stop, out.size());
  return out;
}

// Recursion: bounded by kDeepestVariable, and by Limits::depth between texts.
Value ConfigInterpolation::expanded(const Value& value, Origin at, std::size_t depth) {
  if (content_of(value) == Content::plain) return value;
  const auto place = [at](const Value& text) { return at ? at : text.origin(); };
  if (value.is_text()) return arena_.text(expand(value.text(), place(value), depth)).with_origin(value.origin());
  if (value.is_sequence()) {
    SequenceBuilder out(arena_, value.size());
    for (const Value& item : value.items()) {
      stop_check_.tick();
      out.append(expanded(item, at, depth));
    }
    return out.finish().with_origin(value.origin());
  }
  if (!value.is_mapping()) return value;
  MappingBuilder out(arena_, KeyEquality::exact, value.size());
  for (const Entry& entry : value.entries()) {
    const Value key = entry.key.is_text() && may_interpolate(entry.key.text())
                          ? arena_.key(expand(entry.key.text(), place(entry.key), depth))
                          : entry.key;
    out.insert(key, expanded(entry.value, at, depth));
  }
  return out.finish().with_origin(value.origin());
}

Value ConfigInterpolation::value(const Value& value) { return expanded(value, Origin(), 0); }

namespace {

class Resolver {
 public:
  Resolver(const Layer& layer, Scope& scope, const DataFiles& files, Arena& arena,
           const ConfigInterpolation::Doubtful& doubtful)
      : scope_(scope),
        files_(files),
        arena_(arena),
        version_(layer.config->version),
        interpolation_(scope, files.session().sources(), files.session().limits(), arena, version_ == 3,
                       ruby_release(files.settings().compat), doubtful),
        doubtful_(doubtful) {}

  std::vector<ResolvedEntry> run(const std::vector<HierarchyEntry>& hierarchy) {
    std::vector<ResolvedEntry> out;
    std::map<std::string_view, Origin> names;
    for (const HierarchyEntry& entry : hierarchy) {
      const auto [first, is_new] = names.emplace(entry.name, entry.at);
      if (!is_new) refuse_twice(entry, first->second);
      ResolvedEntry resolved;
      resolved.entry = &entry;
      resolved.has_locations = entry.location_kind != LocationKind::none;
      (void)interpolation_.took_secrets();
      const std::string datadir = datadir_of(entry);
      is_datadir_secret_ = interpolation_.took_secrets();
      switch (entry.location_kind) {
        case LocationKind::none:
          resolved.locations.emplace_back();
          break;
        case LocationKind::paths:
          for (std::size_t i = 0; i < entry.locations.size(); ++i) add_path(resolved, datadir, i);
          break;
        case LocationKind::globs:
          for (std::size_t i = 0; i < entry.locations.size(); ++i) add_glob(resolved, datadir, i);
          break;
        case LocationKind::uris:
          for (const Value& uri : entry.locations) {
            resolved.locations.push_back({.original = std::string(uri.text()),
                                          .path = interpolation_.text(uri),
                                          .is_uri = true,
                                          .exists = true,
                                          .source = {}});
          }
          break;
        case LocationKind::mapped_paths:
          add_mapped(resolved, datadir);
          break;
      }
      if (!entry.unknown_backend.empty()) refuse_backend(entry);
      resolved.datadir = mapped(datadir);
      resolved.is_datadir_secret = is_datadir_secret_;
      if (entry.options) resolved.options = interpolation_.value(entry.options);
      out.push_back(std::move(resolved));
    }
    return out;
  }

 private:
  std::string datadir_of(const HierarchyEntry& entry) {
    if (entry.is_datadir_plain) return entry.datadir;
    return is_strict(files_.settings().compat) ? interpolation_.text_of_known(entry.datadir, entry.datadir_at)
                                               : interpolation_.text(entry.datadir, entry.datadir_at);
  }

  [[noreturn]] void refuse_twice(const HierarchyEntry& entry, Origin first) const {
    throw LookupError(defined_twice(files_.session().sources(), entry, first, version_), LookupError::Issue::yes);
  }

  [[noreturn]] void refuse_backend(const HierarchyEntry& entry) const {
    const Sources& sources = files_.session().sources();
    const std::string message = fmt::format("No data provider is registered for backend '{}'", entry.unknown_backend);
    throw LookupError(WordedError(Error("hiera.config", message).at(sources, entry.function_at),
                                  in_config(message, sources.place(entry.function_at).line)),
                      LookupError::Issue::yes);
  }

  [[nodiscard]] std::string mapped(std::string path) const {
    return mapped_path(files_.settings().maps, std::move(path));
  }

  /// A few levels can have a path for each of many items: each counts before it is kept.
  void add(ResolvedEntry& resolved, std::size_t item, std::string path) {
    path = mapped(std::move(path));
    const Value& original = resolved.entry->locations[item];
    strata::detail::charge(files_.session().limits().stop, sizeof(Location) + original.text().size() + path.size());
    bool exists = false;
    bool is_outside = false;
    try {
      exists = opens_files(*resolved.entry) ? files_.may_exist(path) : files_.kind(path) != FileKind::none;
    } catch (const Error& error) {
      if (error.code() != kOutside) throw;
      is_outside = true;
    }
    resolved.locations.push_back({.original = std::string(original.text()),
                                  .path = std::move(path),
                                  .is_uri = false,
                                  .exists = exists,
                                  .is_outside = is_outside,
                                  .is_secret = interpolation_.took_secrets() || is_datadir_secret_,
                                  .item = item,
                                  .source = {}});
  }

  void add_path(ResolvedEntry& resolved, const std::string& datadir, std::size_t item) {
    const Value& path = resolved.entry->locations[item];
    std::string name = interpolation_.text(path);
    if (!resolved.entry->extension.empty()) {
      const std::string extension = interpolation_.text(resolved.entry->extension, resolved.entry->extension_at);
      if (!name.ends_with(extension)) name += extension;
    }
    add(resolved, item, join_path(datadir, name));
  }

  void add_glob(ResolvedEntry& resolved, const std::string& datadir, std::size_t item) {
    const Value& pattern = resolved.entry->locations[item];
    const std::string whole = mapped(join_path(datadir, interpolation_.text(pattern)));
    try {
      for (std::string& path : glob_files(files_.tree(), whole)) {
        resolved.locations.push_back(
            {.original = whole, .path = std::move(path), .is_uri = false, .exists = true, .item = item, .source = {}});
      }
    } catch (Error& error) {
      if (error.code() == kOutside) {
        resolved.locations.push_back(
            {.original = whole, .path = whole, .exists = false, .is_outside = true, .item = item, .source = {}});
        return;
      }
      if (error.category() == Category::configuration) error.at(files_.session().sources(), pattern.origin());
      throw;
    }
  }

  void add_mapped(ResolvedEntry& resolved, const std::string& datadir) {
    const Value& variable = resolved.entry->locations[0];
    const std::string_view name = resolved.entry->locations[1].text();
    constexpr std::size_t kTemplate = 2;
    const Value& pattern = resolved.entry->locations[kTemplate];
    const Value mapped = interpolation_.variable(variable.text(), variable.origin());
    if (mapped.is_null()) doubtful_(std::string(variable.text()), variable.text(), variable.origin());
    const auto add_one = [&](const Value& item) {
      const Scope::Local local(scope_, name, item);
      add(resolved, kTemplate, join_path(datadir, interpolation_.text(pattern)));
    };
    if (mapped.is_sequence()) {
      for (const Value& item : mapped.items()) add_one(item);
    } else if (mapped.is_mapping()) {
      for (const Entry& entry : mapped.entries()) {
        SequenceBuilder pair(arena_);
        pair.append(entry.key);
        pair.append(entry.value);
        add_one(pair.finish());
      }
    } else if (!mapped.is_null() && !(mapped.is_text() && mapped.text().empty())) {
      add_one(mapped);
    }
  }

  Scope& scope_;
  const DataFiles& files_;
  Arena& arena_;
  int version_;
  ConfigInterpolation interpolation_;
  const ConfigInterpolation::Doubtful& doubtful_;
  bool is_datadir_secret_ = false;  ///< Of the entry that is resolved.
};

}  // namespace

void resolve(Layer& layer, Scope& scope, const DataFiles& files, Arena& arena,
             const ConfigInterpolation::Doubtful& doubtful) {
  if (layer.is_resolved) return;
  Resolver resolver(layer, scope, files, arena, doubtful);
  layer.entries = resolver.run(layer.config->hierarchy);
  if (layer.config->default_hierarchy) layer.default_entries = resolver.run(*layer.config->default_hierarchy);
  layer.is_resolved = true;
}

}  // namespace strata::hiera
