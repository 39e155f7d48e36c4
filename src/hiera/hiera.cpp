// SPDX-License-Identifier: Apache-2.0
#include "strata/hiera.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "affected.hpp"
#include "conversion.hpp"
#include "evaluation.hpp"
#include "key.hpp"
#include "node_files.hpp"
#include "pathname.hpp"
#include "release.hpp"
#include "searched_sources.hpp"
#include "strata/builder.hpp"
#include "strata/fleet.hpp"
#include "strata/kind_inside.hpp"
#include "strata/near_names.hpp"
#include "strata/path.hpp"
#include "strata/puppet.hpp"
#include "value/seeded_hash.hpp"
#include "view.hpp"

namespace strata::hiera {

std::string about_key(std::string_view key, std::string_view message) {
  const std::string head = fmt::format("Lookup of key '{}' failed: ", key);
  while (message.starts_with(head)) message.remove_prefix(head.size());
  return fmt::format("lookup of '{}' failed: {}", key, message);
}

Diagnostic LookupError::named() const {
  Diagnostic out = diagnostic();
  if (name_.empty() || std::ranges::find(told_, name_) != told_.end()) return out;
  out.message = about_key(name_, out.message);
  return out;
}

std::vector<std::string> modules(const Settings& settings, Session& session) {
  return detail::DirectoryState::of(settings, session.snapshot()).modules();
}

Result lookup(const Request& request, Session& session, Explanation* explanation) {
  return NodeView(request.settings, request.facts, session).lookup(request.query, explanation);
}

std::optional<std::string> nearest_key(const Settings& settings, const Facts& facts, std::string_view name,
                                       const Session& session) {
  try {
    Session unheard(session, false);
    const std::vector<std::string> known = NodeView(settings, facts, unheard).keys();
    const std::vector<std::string_view> names(known.begin(), known.end());
    const std::string_view near = nearest_name(names, name.substr(0, name.find('.')));
    return near.empty() ? std::nullopt : std::optional<std::string>(near);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    return std::nullopt;
  }
}

std::string render(const Value& value, RenderFormat format, Compat compat) {
  const ruby::Release release = ruby_release(compat);
  switch (format) {
    case RenderFormat::s:
      return ruby::s(value, release);
    case RenderFormat::json:
      return ruby::json(value, release);
    case RenderFormat::yaml:
      break;
  }
  return ruby::yaml(value, release);
}

std::string root_key(std::string_view name) { return Key(name).root(); }

std::string pointer_of_key(std::string_view name) {
  const Key key(name);
  std::string out;
  append_token(out, key.root());
  for (const Segment& segment : key.segments()) append_token(out, to_string(segment));
  return out;
}

void find_leaves(const Value& value, std::string_view rendered, text::LeafObserver& observer) {
  ruby::find_yaml_leaves(value, rendered, observer);
}

std::string whole_key(std::string_view root_key) {
  if (root_key.find_first_of(".'\"") == std::string_view::npos) return std::string(root_key);
  const char quote = root_key.find('"') == std::string_view::npos ? '"' : '\'';
  return quote + std::string(root_key) + quote;
}

NodeView::NodeView(const Settings& settings, const Facts& facts, Session& session)
    : NodeView(std::make_unique<detail::ViewState>(detail::DirectoryState::of(settings, session.snapshot()), session,
                                                   facts, session.memory())) {}
NodeView::NodeView(std::unique_ptr<detail::ViewState> state) : state_(std::move(state)) {}
NodeView::NodeView(NodeView&&) noexcept = default;
NodeView& NodeView::operator=(NodeView&&) noexcept = default;
NodeView::~NodeView() = default;

namespace {

/// Checks outcomes against the type of a query.
class TypeCheck {
 public:
  TypeCheck(const std::string& type, const Limits& limits, const Sources& sources) : sources_(sources) {
    if (type.empty()) return;
    try {
      type_ = puppet::parse_type(type, limits);
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      throw ConfigError(error);
    }
  }

  void check(const Value& value, std::string_view subject) const {
    if (!type_ || puppet::is_instance(*type_, value)) return;
    Error error("hiera.type", puppet::mismatch(*type_, value, subject));
    error.at(sources_, value.origin());
    if (value.is_secret()) error.without_lines();
    throw Error(std::move(error));
  }

 private:
  puppet::TypeRef type_;
  const Sources& sources_;
};

/// Errors on the way say which name was asked for.
template <class Lookup>
merge::Traced about(const std::string& name, const Lookup& lookup) {
  try {
    return lookup();
  } catch (LookupError& error) {
    error.set_name(name);
    throw;
  }
}

/// The merge behaviour that a query gives: where it is wrong, so is the query.
MergeOptions merge_of(const Sources& sources, const Value& given) {
  try {
    return parse_merge(sources, given);
  } catch (const Error& error) {
    throw ConfigError(error);
  }
}

std::string not_found(const std::vector<std::string>& names) {
  if (names.size() == 1) return fmt::format("Function lookup() did not find a value for the name '{}'", names.front());
  std::string list;
  for (const std::string& name : names) list += fmt::format("{}'{}'", list.empty() ? "" : ", ", name);
  return fmt::format("Function lookup() did not find a value for any of the names [{}]", list);
}

}  // namespace

Result NodeView::lookup(const Query& query, Explanation* explanation) {
  if (auto found = find(query, explanation)) return *std::move(found);
  throw LookupError(Error("hiera.not-found", not_found(query.names)));
}

std::optional<Result> NodeView::find(const Query& query, Explanation* explanation) {
  detail::ViewState& state = *state_;
  const TypeCheck type(query.type, state.limits, state.sources);
  std::optional<MergeChoice> merge;
  if (query.merge)
    merge = MergeChoice{
        .options = merge_of(state.sources, query.merge), .given = query.merge, .option = query.merge.origin()};
  const Value* overrides = query.override_values.is_mapping() ? &query.override_values : nullptr;
  const Value* defaults = query.default_values.is_mapping() ? &query.default_values : nullptr;
  // What a caller gives back is the caller's to keep.
  const auto given = [&](const Value& value, std::string name, std::string_view subject) {
    type.check(value, subject);
    return Result{.value = {value, merge::Slot(merge::kNoLayer)}, .name = std::move(name), .keepalive = state.lasting};
  };
  const bool is_plain =
      !state.recorder.keeps() && explanation == nullptr && overrides == nullptr && defaults == nullptr;
  std::optional<Evaluation> evaluation;
  for (const std::string& name : query.names) {
    if (const Value* fixed = overrides == nullptr ? nullptr : overrides->find(name)) {
      type.check(*fixed, fmt::format("Value found for key '{}' in override hash", name));
      return given(*fixed, name, "Found value");
    }
    const detail::Remembered* known = is_plain ? state.remembered(name, merge ? &*merge : nullptr) : nullptr;
    if (known != nullptr) {
      if (!known->value) continue;
      type.check(known->value, "Found value");
      return Result{.value = {known->value, {}}, .name = name, .keepalive = known->keepalive};
    }
    if (!evaluation) {
      // One for all names: what functions have said of a key is not asked again.
      evaluation.emplace(state, state.fresh_arena(), explanation);
      evaluation->set_fixed(overrides, defaults);
    }
    const merge::Traced found = about(name, [&] { return evaluation->lookup(name, merge ? &*merge : nullptr); });
    if (!found.value) continue;
    type.check(found.value, "Found value");
    return Result{.value = found, .name = name, .keepalive = evaluation->keepalive()};
  }
  for (const std::string& name : query.names) {
    const Value* fixed = defaults == nullptr ? nullptr : defaults->find(name);
    if (fixed != nullptr)
      return given(*fixed, "", fmt::format("Value found for key '{}' in default values hash", name));
  }
  if (query.block) return given(query.block(query.names), "", "Value returned from default block");
  if (query.default_value) return given(*query.default_value, "", "Default value");
  return std::nullopt;
}

namespace {

/// Where a source lists a root key. No value: it does not have it.
std::optional<std::size_t> place_of(const SearchedSource& searched, std::string_view key) {
  if (!key.starts_with(searched.prefix)) return std::nullopt;
  if (const DataFile* file = searched.source->file()) {
    const Entry* entry = file->find(key);
    return entry == nullptr ? std::nullopt
                            : std::optional(static_cast<std::size_t>(entry - file->root().entries().data()));
  }
  std::vector<std::string_view> listed;
  list_keys(searched, listed);
  const auto found = std::ranges::find(listed, key);
  return found == listed.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - listed.begin()));
}

}  // namespace

bool NodeView::lacks(std::string_view root_key) { return state_->lacks(root_key); }

Result NodeView::lookup_all(const Query& query, const FailedKey& failed, const std::vector<std::string>* only) {
  struct Kept {
    Arena arena;
    std::vector<std::shared_ptr<const void>> results;
  };
  const auto kept = std::make_shared<Kept>();
  MappingBuilder mapping(kept->arena);
  std::vector<merge::Traced> members;
  Query of_key = query;
  for (const std::string& key : keys(only)) {
    of_key.names = {whole_key(key)};
    try {
      Result result = lookup(of_key);
      kept->results.push_back(std::move(result.keepalive));
      members.push_back(result.value);
      mapping.insert(key, result.value.value);
    } catch (const Error& error) {
      if (ends_run(error)) throw;
      Diagnostic told = error.diagnostic();
      told.message = about_key(key, told.message);
      const LookupError about_key{Error(std::move(told))};
      if (!failed) throw LookupError(about_key);
      failed(key, about_key);
    }
  }
  return {.value = state_->recorder.compose(mapping.finish(), members), .name = {}, .keepalive = kept};
}

void NodeView::forget() { state_->forget(); }

std::vector<std::string> NodeView::keys(const std::vector<std::string>* only) {
  std::vector<std::string> out;
  if (only == nullptr) {
    each_key([&out](std::string_view key) { out.emplace_back(key); });
    return out;
  }
  const auto sources = searched_sources(*state_, {});
  // Where each is seen first: few keys are faster found than all are listed.
  std::vector<std::tuple<std::size_t, std::size_t, std::string_view>> found;
  for (const std::string& key : *only) {
    if (key == kLookupOptions) continue;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const auto place = place_of(sources[i], key);
      if (!place) continue;
      found.emplace_back(i, *place, key);
      break;
    }
  }
  std::ranges::sort(found);
  for (const auto& [source, place, key] : found) out.emplace_back(key);
  return out;
}

void NodeView::each_key(const std::function<void(std::string_view key)>& use) {
  TextViewSet seen;
  std::vector<std::string_view> listed;
  each_source(*state_, {}, [&](const SearchedSource& searched) {
    listed.clear();
    list_keys(searched, listed);
    for (const std::string_view key : listed) {
      if (key != kLookupOptions && seen.insert(key).second) use(key);
    }
  });
}

namespace {

/// Adds what a layer asks for. False: that is only known after asking.
bool add_places(const Layer& layer, NodeView::Places& out) {
  constexpr int kVersion = 5;
  if (layer.config->version != kVersion) return false;
  out.files.push_back(layer.config->path);
  for (const auto* entries : {&layer.entries, &layer.default_entries}) {
    for (const ResolvedEntry& entry : *entries) {
      const bool is_file = opens_files(*entry.entry) && entry.entry->location_kind != LocationKind::globs;
      if (!is_file) return false;
      for (const Location& location : entry.locations) out.files.push_back(location.path);
      out.counts.push_back(entry.locations.size());
    }
  }
  return true;
}

NodeView::Syntax syntax_of(Reader reader) {
  switch (reader) {
    case Reader::yaml:
      return NodeView::Syntax::yaml;
    case Reader::json:
      return NodeView::Syntax::json;
    case Reader::hocon:
      return NodeView::Syntax::hocon;
  }
  return NodeView::Syntax::yaml;
}

}  // namespace

std::optional<NodeView::Places> NodeView::places(const std::vector<std::string>& names) {
  detail::DirectoryState& directory = state_->directory;
  if (directory.module_path_has_globs) return std::nullopt;
  Places out{.files = directory.asked_files(), .folders = directory.module_path, .counts = {}};
  const auto add = [&](Layer& layer) {
    state_->resolve(layer);
    return add_places(layer, out);
  };
  if (!add(*state_->global())) return std::nullopt;
  if (Layer* layer = state_->environment(); layer != nullptr && !add(*layer)) return std::nullopt;
  const auto wanted = names.empty() || directory.modules().empty() ? std::nullopt : modules_of(*state_, names);
  const auto matters = [&wanted](const std::string& module) { return !wanted || wanted->contains(module); };
  for (const std::string& name : directory.modules()) {
    if (!matters(name)) continue;
    for (const std::string& folder : directory.module_path) {
      const std::string module = join_path(folder, name);
      out.files.push_back(module);
      for (const char* file : {"hiera.yaml", "metadata.json"}) out.files.push_back(join_path(module, file));
    }
    bool is_there = false;
    if (Layer* layer = state_->module(name, is_there); layer != nullptr && !add(*layer)) return std::nullopt;
  }
  return out;
}

std::vector<NodeView::DataFile> NodeView::data_files(std::string_view root_key) {
  std::vector<Layer*> layers{state_->global(), state_->environment()};
  if (const std::size_t colons = root_key.find("::"); colons != std::string_view::npos) {
    bool is_there = false;
    layers.push_back(state_->module(std::string(root_key.substr(0, colons)), is_there));
  }
  std::vector<DataFile> out;
  const auto add = [&out](const std::vector<ResolvedEntry>& entries) {
    for (const ResolvedEntry& entry : entries) {
      const auto reader = opens_files(*entry.entry) ? reader_of(entry.entry->function) : std::nullopt;
      if (!reader || *reader == Reader::hocon || entry.entry->location_kind == LocationKind::globs) continue;
      for (const Location& location : entry.locations)
        out.push_back({.path = location.path, .syntax = syntax_of(*reader), .has_secret_name = location.is_secret});
    }
  };
  std::erase(layers, nullptr);
  for (Layer* layer : layers) {
    state_->resolve(*layer);
    add(layer->entries);
  }
  for (const Layer* layer : layers) add(layer->default_entries);
  return out;
}

namespace {

/// Files that were found weakest first, the strongest first and each once.
std::vector<NodeView::DataFile> strongest_first(std::vector<NodeView::DataFile> found) {
  std::vector<NodeView::DataFile> out;
  TextSet known;
  for (auto file = found.rbegin(); file != found.rend(); ++file) {
    if (known.emplace(file->path).second) out.push_back(std::move(*file));
  }
  return out;
}

}  // namespace

std::vector<NodeView::DataFile> NodeView::level_files() {
  std::vector<DataFile> found;
  (void)each_location(*state_, {}, [&found](const SearchedLocation& at) {
    if (!opens_files(*at.entry.entry) || at.location.is_uri) return true;
    found.push_back({.path = std::string(at.location.path),
                     .syntax = syntax_of(reader_of(at.entry.entry->function).value_or(Reader::yaml)),
                     .has_secret_name = at.location.is_secret});
    return true;
  });
  return strongest_first(std::move(found));
}

std::vector<NodeView::DataFile> NodeView::searched_files() {
  std::vector<DataFile> found;
  (void)each_location(*state_, {}, [&found](const SearchedLocation& at) {
    try {
      DataSource* source = at.open();
      const hiera::DataFile* file = source == nullptr ? nullptr : source->read_file();
      if (file != nullptr)
        found.push_back({.path = std::string(at.location.path),
                         .syntax = syntax_of(file->reader()),
                         .has_secret_name = at.location.is_secret});
    } catch (const Error& error) {
      if (error.ends_request()) throw;  // Others stay as they are: lookups tell what is wrong with this one.
    }
    return true;
  });
  return strongest_first(std::move(found));
}

std::vector<std::string> NodeView::data_folders() {
  std::vector<Layer*> layers{state_->global(), state_->environment()};
  for (const std::string& name : state_->directory.modules()) {
    bool is_there = false;
    layers.push_back(state_->module(name, is_there));
  }
  std::vector<std::string> out;
  const auto add = [&](const std::vector<HierarchyEntry>& entries) {
    for (const HierarchyEntry& entry : entries) {
      std::string folder = entry.datadir;
      const std::size_t expression = entry.is_datadir_plain ? std::string::npos : folder.find("%{");
      if (expression != std::string::npos) folder.erase(folder.rfind('/', expression) + 1);
      while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
      folder = mapped_path(state_->directory.settings.maps, std::move(folder));
      const bool is_new = !folder.empty() && std::ranges::find(out, folder) == out.end();
      if (is_new && !is_outside(state_->session.tree(), folder)) out.push_back(std::move(folder));
    }
  };
  for (const Layer* layer : layers) {
    if (layer == nullptr || layer->config->path.empty()) continue;
    add(layer->config->hierarchy);
    if (layer->config->default_hierarchy) add(*layer->config->default_hierarchy);
  }
  return out;
}

NodeView::Merging NodeView::merging(std::string_view root_key) {
  Evaluation evaluation(*state_, std::make_shared<Arena>(), nullptr);
  const MergeOptions options = evaluation.merging(whole_key(root_key)).options;
  return {.strategy = to_string(is_deep(options.kind) ? MergeKind::deep : options.kind),
          .knockout_prefix = options.knockout_prefix};
}

std::shared_ptr<const NodeFiles> NodeView::files() { return node_files(*state_); }

std::shared_ptr<const NodeBasis> NodeView::basis(std::shared_ptr<const NodeFiles> files) const {
  if (files == nullptr || !are_variables_plain(state_->facts)) return nullptr;
  return std::make_shared<const NodeBasis>(NodeBasis{.files = std::move(files),
                                                     .facts = std::make_shared<const Facts>(state_->facts),
                                                     .environment = state_->directory.settings.environment,
                                                     .compat = state_->directory.settings.compat,
                                                     .server_facts = state_->directory.settings.server_facts});
}

}  // namespace strata::hiera
