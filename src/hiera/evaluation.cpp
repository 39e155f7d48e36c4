// SPDX-License-Identifier: Apache-2.0
#include "evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "conversion.hpp"
#include "faults.hpp"
#include "reference_words.hpp"
#include "strata/builder.hpp"
#include "strata/kind_inside.hpp"
#include "strata/paths.hpp"
#include "strata/report.hpp"
#include "strata/secret_keys.hpp"
#include "strata/traced.hpp"
#include "sub_lookup.hpp"

namespace strata::hiera {

using NodeType = Explanation::Node::Type;
using NodeEvent = Explanation::Node::Event;

namespace {

/// Errors that stay what they are while they leave a lookup: they are not problems of the data.
bool is_fatal(const Error& error) {
  return error.gives_up() || error.category() == Category::internal ||
         dynamic_cast<const FaultError*>(&error) != nullptr;
}

// Work in the units of StopCheck: what a lookup costs, and the opening of a source.
constexpr std::uint32_t kLookupWork = 16;
constexpr std::uint32_t kSourceWork = 512;

/// Lookups inside of lookups: more than any data needs, less than the stack holds.
constexpr std::size_t kDeepestLookup = 200;

/// Whether options of a key convert its value to a Sensitive, or to something that may hold one.
bool makes_sensitive(const Value& options) {
  const Value* wanted = options && options.is_mapping() ? options.find("convert_to") : nullptr;
  if (wanted != nullptr && wanted->is_sequence() && wanted->size() > 0) wanted = &wanted->items().front();
  return wanted != nullptr && wanted->is_text() && wanted->text().find("Sensitive") != std::string_view::npos;
}

/// Whether a value or a key in it is secret.
// Recursion: bounded by Limits::depth.
bool holds_any_secret(const Value& value) {
  if (value.is_secret()) return true;
  if (value.is_sequence()) return std::ranges::any_of(value.items(), holds_any_secret);
  return value.is_mapping() && std::ranges::any_of(value.entries(), [](const Entry& one) {
           return one.key.is_secret() || holds_any_secret(one.value);
         });
}

merge::Rule rule_of(const MergeChoice& choice) {
  return {.text = std::string(to_string(choice.options.kind)), .option = choice.option};
}

/// A value that is not shown: its shape may be seen, its scalars may not.
// Recursion: bounded by Limits::depth.
Value hidden(const Value& value, Arena& arena) {
  if (!value.is_sequence() && !value.is_mapping()) return value.with_secret();
  return with_members(arena, value, [&arena](const Value& member) { return hidden(member, arena); });
}

}  // namespace

/// A fold over candidates, from the strongest: how values of one nesting level become one. Rule: docs/hiera/lookup.md,
/// "Merging".
class Evaluation::Fold {
 public:
  Fold(Evaluation& evaluation, const MergeChoice& choice)
      : evaluation_(evaluation), choice_(choice), is_first_(choice.options.kind == MergeKind::first) {}

  /// `candidate(i)` gives the i-th value, absent where it is not found.
  template <class Candidate>
  Traced run(std::size_t candidates, const Candidate& candidate) {
    if (candidates == 1) {
      const Traced only = candidate(0);
      return only.value && !is_first_ ? merger().single(only) : only;
    }
    if (candidates == 0) return {};
    if (is_first_) return first(candidates, candidate);
    const Tracer::Branch branch(evaluation_.tracer_, NodeType::merge, [&](Explanation::Node& node) { describe(node); });
    Traced result;
    for (std::size_t i = 0; i < candidates; ++i) {
      const Traced found = candidate(i);
      if (!found.value) continue;
      result = result.value ? merger().merge(result, found) : merger().convert(found);
    }
    if (result.value) evaluation_.tracer_.result(result.value);
    tell();
    return result;
  }

 private:
  template <class Candidate>
  Traced first(std::size_t candidates, const Candidate& candidate) {
    Traced result;
    for (std::size_t i = 0; i < candidates; ++i) {
      if (!result.value) {
        result = candidate(i);
        if (result.value && !evaluation_.recorder_->keeps()) return result;
        continue;
      }
      // A history also shows what is below; what cannot be read there changes nothing, and explanations end with what
      // was found.
      const Tracer::Silence silence(evaluation_.tracer_);
      try {
        const Traced below = candidate(i);
        if (below.value) {
          result = merge::merge(result, below, merge::keep_all(), *evaluation_.arena_, evaluation_.view_.limits,
                                *evaluation_.recorder_);
        }
      } catch (const Error& error) {
        if (error.ends_request()) throw;
        continue;
      }
    }
    return result;
  }

  Merger& merger() {
    if (!merger_) {
      const bool promised = evaluation_.view_.directory.settings.compat == Compat::promised;
      merger_.emplace(choice_.options, evaluation_.view_.sources, *evaluation_.arena_, evaluation_.view_.limits,
                      *evaluation_.recorder_, &notices_, strip_pattern(choice_.options),
                      Promised{.unique_refuses_hashes = promised, .independent_copies = promised});
    }
    return *merger_;
  }

  /// What matches a knockout prefix that is a pattern.
  static merge::StripPrefix strip_pattern(const MergeOptions& options) {
    if (!options.knockout_prefix || !is_pattern(*options.knockout_prefix)) return {};
    // Read when the first text is compared: a bad pattern harms no merge that compares none.
    const auto regex = std::make_shared<std::optional<const text::Regex>>();
    return [regex, pattern = "^" + *options.knockout_prefix](std::string_view text) -> std::optional<std::string> {
      if (!*regex) regex->emplace(pattern);
      // Every line that begins with the pattern loses it.
      std::string out;
      std::size_t from = 0;
      bool any = false;
      while (const auto match = (*regex)->find(text, from)) {
        any = true;
        const auto [begin, end] = *match->groups.front();
        out += text.substr(from, begin - from);
        from = end;
        if (begin == end || from >= text.size()) break;
      }
      if (!any) return std::nullopt;
      return out += text.substr(from);
    };
  }

  void describe(Explanation::Node& node) const {
    node.name = to_string(choice_.options.kind);
    if (!choice_.given || !choice_.given.is_mapping() || choice_.given.size() < 2) return;
    Arena& arena = evaluation_.view_.arena;
    MappingBuilder options = MappingBuilder::copy_of(arena, choice_.given);
    options.erase("strategy");
    if (options.size() > 0) node.options = options.finish();
  }

  void tell() {
    for (const merge::Notice& notice : notices_) {
      const bool is_null = notice.action == merge::Action::keep_old_noted;
      // Its weaker values come in.
      if (is_null && choice_.options.kind == MergeKind::reverse_deep) continue;
      Diagnostic warning = hiera::describe(evaluation_.view_.sources, notice);
      if (evaluation_.requested_.is_sensitive || report::holds_secret(notice.old) ||
          report::holds_secret(notice.incoming)) {
        Error without(std::move(warning));
        warning = without.without_lines().diagnostic();
      }
      if (is_null) {
        // Many lookups and nodes meet it.
        const std::string place = warning.where.place.to_string();
        evaluation_.view_.warn_about(
            fmt::format("null {}", place.empty() ? std::string(evaluation_.requested_.name) : place), warning);
      } else {
        evaluation_.view_.diagnostics.warn(std::move(warning));
      }
    }
    notices_.clear();
  }

  Evaluation& evaluation_;
  const MergeChoice& choice_;
  bool is_first_;
  std::vector<merge::Notice> notices_;
  std::optional<Merger> merger_;
};

Evaluation::Evaluation(detail::ViewState& view, std::shared_ptr<Arena> arena, Explanation* explanation)
    : view_(view),
      owned_(std::move(arena)),
      arena_(owned_.get()),
      tracer_(explanation),
      unrecorded_(view.sources),
      recorder_(&view.recorder),
      names_(view.limits, std::min(view.limits.depth, kDeepestLookup)) {
  if (explanation == nullptr) return;
  scope_ = explanation->scope();
  explanation->keep(owned_);
}

const MergeChoice& Evaluation::by_hash() {
  static const MergeChoice choice = [] {
    MergeChoice out;
    out.options.kind = MergeKind::hash;
    return out;
  }();
  return choice;
}

merge::Traced Evaluation::child(const Traced& container, std::size_t index) const {
  return merge::Recorder::member(container, index);
}

merge::Traced Evaluation::lookup(std::string_view name, const MergeChoice* merge) {
  view_.stop.tick(kLookupWork);
  if (!remembers()) return find(name, merge);
  if (const detail::Remembered* known = view_.remembered(name, merge)) {
    if (known->keepalive) used_.push_back(known->keepalive);
    return {known->value, {}};
  }
  const Traced found = find(name, merge);
  view_.remember(name, merge, {.value = found.value, .keepalive = found.value ? keepalive() : nullptr});
  return found;
}

std::shared_ptr<const void> Evaluation::keepalive() const {
  return std::make_shared<detail::Keepalive>(
      detail::Keepalive{.nodes = owned_, .used = used_, .lasting = view_.lasting});
}

merge::Traced Evaluation::find(std::string_view name, const MergeChoice* merge) {
  if (name == kLookupOptions ||
      (name.starts_with(kLookupOptions) && name.substr(kLookupOptions.size()).starts_with('.'))) {
    const Tracer::Branch branch(tracer_, NodeType::invalid_key, [](Explanation::Node& node) {
      node.has_key = true;
      node.key = kLookupOptions;
    });
    return {};
  }
  const Key key(name);
  const RequestedKey before = requested_;
  requested_ = {.name = key.text(), .module = key.module()};
  struct Restore {
    RequestedKey& requested;
    RequestedKey before;
    ~Restore() { requested = before; }
  } const restore{requested_, before};

  if (tracer_ && scope_ == Explanation::Scope::options_only) {
    (void)in_all_layers(Key(kLookupOptions), by_hash());
    return {Value::null(), {}};
  }
  const Value options = options_for(key);
  const auto& secret_keys = view_.limits.secret_keys;
  requested_.is_sensitive = makes_sensitive(options) || (secret_keys != nullptr && secret_keys->has(key.root()));
  const bool hides_options = options && holds_any_secret(options);
  if (!requested_.is_sensitive && !hides_options) return found(key, options, merge);
  try {
    return found(key, options, merge);
  } catch (Error& error) {
    const auto is_of = [&error](std::string_view area) { return error.code().starts_with(area); };
    if (hides_options && !error.gives_up() && !is_of("yaml.") && !is_of("json.") && !is_of("hocon.") &&
        !is_of("eyaml.")) {
      // What it says may be what the options say.
      Diagnostic told = error.diagnostic();
      told.message = fmt::format(
          "the lookup of '{}' failed; its lookup_options hold a secret, so the reason is not shown", key.root());
      told.hint.clear();
      told.notes.clear();
      told.cause = nullptr;
      error = Error(std::move(told));
    }
    error.without_lines();
    throw;
  }
}

/// The value of a key whose options are known.
merge::Traced Evaluation::found(const Key& key, const Value& options, const MergeChoice* merge) {
  std::optional<MergeChoice> own;
  if (merge == nullptr) {
    own = choice_from(options);
    if (own->given) tracer_.merge_source(kLookupOptions);
    merge = &*own;
  }
  Traced value;
  {
    const Tracer::Branch branch(tracer_, NodeType::top, [&](Explanation::Node& node) {
      node.has_key = true;
      node.key = key.text();
    });
    const merge::Following following(*recorder_, [merge] { return rule_of(*merge); });
    value = recorder_->ruled(data(key, *merge));
    if (!value.value && !global_only_) value = dig(key, in_default_hierarchy(key));
  }
  return value.value && options ? convert(key, options, value) : value;
}

merge::Traced Evaluation::data(const Key& key, const MergeChoice& merge) {
  return dig(key, global_only_ ? in_global(key, merge) : in_all_layers(key, merge));
}

merge::Traced Evaluation::in_all_layers(const Key& key, const MergeChoice& merge) {
  return Fold(*this, merge).run(3, [&](std::size_t layer) {
    return layer == 0 ? in_global(key, merge) : layer == 1 ? in_environment(key, merge) : in_module(key, merge);
  });
}

merge::Traced Evaluation::in_global(const Key& key, const MergeChoice& merge) {
  try {
    Layer* layer = view_.global();
    const bool is_legacy = layer->config->version == 3;
    const bool legacy_before = legacy_scope_;
    const bool global_only_before = global_only_;
    struct Restore {
      bool& flag;
      bool before;
      ~Restore() { flag = before; }
    } const restore_scope{legacy_scope_, legacy_before}, restore_only{global_only_, global_only_before};
    if (is_legacy && !legacy_scope_) {
      legacy_scope_ = true;
      const Layer* environment = view_.environment();
      if (environment == nullptr || environment->config->version < 5) global_only_ = true;
    }
    return in_layer(*layer, layer->entries, key, merge);
  } catch (const LookupError& error) {
    if (error.issue() == LookupError::Issue::yes) throw;
    // The query that asked for the key reports it; an enclosing lookup takes it for a problem of its data.
    const std::string head = fmt::format("Lookup of key '{}' failed: ", requested_.name);
    Diagnostic told = error.diagnostic();
    told.message.insert(0, head);
    throw WordedError(Error(std::move(told)), behind(head, error));
  }
}

merge::Traced Evaluation::in_environment(const Key& key, const MergeChoice& merge) {
  Layer* layer = view_.environment();
  return layer == nullptr ? Traced{} : in_layer(*layer, layer->entries, key, merge);
}

merge::Traced Evaluation::in_module(const Key& key, const MergeChoice& merge) {
  if (requested_.module.empty()) return {};
  bool found = false;
  Layer* layer = view_.module(requested_.module, found);
  if (layer == nullptr) {
    tracer_.module_event(requested_.module, found ? NodeEvent::module_provider_not_found : NodeEvent::module_not_found);
    return {};
  }
  return in_layer(*layer, layer->entries, key, merge);
}

merge::Traced Evaluation::in_default_hierarchy(const Key& key) {
  if (requested_.module.empty()) return {};
  bool is_module = false;
  Layer* layer = view_.module(requested_.module, is_module);
  if (layer == nullptr || !layer->config->default_hierarchy) return {};
  const auto searching = [](std::string_view what) {
    return [what](Explanation::Node& node) { node.name = fmt::format("Searching for \"{}\"", what); };
  };
  const Tracer::Branch branch(tracer_, NodeType::scope, [this](Explanation::Node& node) {
    node.name = fmt::format("Searching default_hierarchy of module \"{}\"", requested_.module);
  });
  auto known = view_.default_options.find(requested_.module);
  if (known == view_.default_options.end()) {
    const Tracer::Branch inner(tracer_, NodeType::scope, searching(kLookupOptions));
    const Traced options = in_layer(*layer, layer->default_entries, Key(kLookupOptions), by_hash());
    auto made = std::make_shared<const LookupOptions>(
        view_.sources,
        check_lookup_options(view_.sources, view_.options_arena->deep_copy(options.value), requested_.module));
    known = view_.default_options.emplace(requested_.module, std::move(made)).first;
  }
  const MergeChoice choice = choice_from(known->second->find(key.root()));
  const Tracer::Branch inner(tracer_, NodeType::scope, searching(key.text()));
  const merge::Following following(*recorder_, [&choice] { return rule_of(choice); });
  return recorder_->ruled(in_layer(*layer, layer->default_entries, key, choice));
}

merge::Traced Evaluation::in_layer(Layer& layer, std::vector<ResolvedEntry>& entries, const Key& key,
                                   const MergeChoice& merge) {
  const NameStack::Entry entry(names_, false, key.text());
  try {
    const Tracer::Branch branch(tracer_, NodeType::data_provider, [&](Explanation::Node& node) {
      node.name = layer.name();
      node.configuration = layer.config->path;
      node.is_module = layer.kind == LayerKind::module;
      node.module = layer.module;
    });
    view_.resolve(layer);
    if (entries.empty()) {
      tracer_.not_found(key.text());
      return {};
    }
    expect_files(layer);
    return Fold(*this, merge).run(entries.size(), [&](std::size_t i) {
      return in_entry(layer, entries[i], key, merge);
    });
  } catch (const LookupError&) {
    throw;
  } catch (const WordedError& error) {
    if (is_fatal(error)) throw;
    throw LookupError(error);
  } catch (const Error& error) {
    if (is_fatal(error)) throw;
    throw LookupError(error);
  }
}

/// The options of a lookup are in all files of a layer: each of them is opened.
void Evaluation::expect_files(Layer& layer) {
  if (std::exchange(layer.is_expected, true)) return;
  std::vector<FilesAhead::File> files;
  for (const ResolvedEntry& entry : layer.entries) {
    const auto reader = entry.entry->kind == FunctionKind::data_hash ? reader_of(entry.entry->function) : std::nullopt;
    if (!reader || !entry.has_locations) continue;
    for (const Location& location : entry.locations) {
      if (location.exists && !location.is_uri && location.source == nullptr)
        files.push_back({.path = location.path, .reader = *reader});
    }
  }
  view_.files_ahead.expect(std::move(files));
}

merge::Traced Evaluation::in_entry(Layer& layer, ResolvedEntry& entry, const Key& key, const MergeChoice& merge) {
  const Tracer::Branch branch(tracer_, NodeType::data_provider, [&](Explanation::Node& node) {
    node.name = fmt::format("Hierarchy entry \"{}\"", entry.entry->name);
  });
  return Fold(*this, merge).run(entry.locations.size(), [&](std::size_t i) {
    return at_location(layer, entry, entry.locations[i], key);
  });
}

merge::Traced Evaluation::at_location(Layer& layer, ResolvedEntry& entry, Location& location, const Key& key) {
  view_.stop.tick();
  if (!entry.has_locations) return answer(layer, entry, location, key);
  const Tracer::Branch branch(tracer_, NodeType::location, [&](Explanation::Node& node) {
    node.name = location.path;
    node.original = location.original;
    node.is_uri = location.is_uri;
  });
  if (!location.exists) {
    tracer_.event(NodeEvent::location_not_found);
    return {};
  }
  return answer(layer, entry, location, key);
}

DataSource* Evaluation::source(Layer& layer, ResolvedEntry& entry, Location& location) {
  if (location.source) return location.source.get();
  view_.stop.tick(kSourceWork);
  detail::DirectoryState& directory = view_.directory;
  const FunctionCall call{.entry = *entry.entry,
                          .config = *layer.config,
                          .options = entry.options,
                          .path = location.is_uri ? std::string() : location.path,
                          .uri = location.is_uri ? location.path : std::string(),
                          .module = layer.module};
  try {
    location.source = open_source(
        call, {.files = view_.files, .keys = directory.keys, .settings = directory.settings, .loader = view_.loader});
  } catch (const Error& error) {
    refuse_folder(error, entry, location);
    throw;
  }
  if (!location.source) {
    // It went after its folder was listed.
    location.exists = false;
    return nullptr;
  }
  if (const DataFile* file = location.source->read_file()) {
    for (const Diagnostic& warning : file->warnings()) view_.warn_once(&warning, warning);
  }
  if (layer.kind == LayerKind::module) drop_foreign_keys(layer, *location.source);
  return location.source.get();
}

/// Throws an error with the place in hiera.yaml that names a file, if the file cannot be read because it is a folder.
void Evaluation::refuse_folder(const Error& error, const ResolvedEntry& entry, const Location& location) const {
  if (error.code() != "tree.unreadable" || location.is_uri) return;
  const Origin at = entry.entry->locations[location.item].origin();
  if (!at || kind_inside(view_.session.tree(), location.path) != FileKind::folder) return;
  const std::string shown =
      location.is_secret ? location.original : shown_path(location.path, view_.directory.settings.working_folder);
  throw Error("tree.unreadable", fmt::format("the file '{}' cannot be read: it is a folder", shown))
      .at(view_.sources, at)
      .hint("name a file in it, or use 'glob'");
}

/// A module has data for its own names only; it is never asked for others.
void Evaluation::drop_foreign_keys(const Layer& layer, DataSource& source) {
  const DataFile* file = source.file();
  if (file == nullptr) return;
  const std::string prefix = layer.module + "::";
  for (const Entry& entry : file->root().entries()) {
    if (entry.key.is_text() && (entry.key.text() == kLookupOptions || entry.key.text().starts_with(prefix))) continue;
    const std::string name = key_text(entry.key);
    view_.warn_once(
        &entry, Error("hiera.module-key",
                      fmt::format("module '{}' must not define the key '{}', which is left out", layer.module, name))
                    .at(view_.sources, entry.key.origin())
                    .hint(fmt::format("keys of a module begin with '{}'", prefix))
                    .diagnostic());
  }
}

merge::LayerId Evaluation::history_layer(const ResolvedEntry& entry, Location& location) {
  if (location.layer == merge::kNoLayer) {
    std::string where = entry.entry->name;
    if (entry.has_locations) {
      const std::string folder = entry.datadir + "/";
      where += "/" + (location.path.starts_with(folder) ? location.path.substr(folder.size()) : location.path);
    }
    location.layer = recorder_->add_layer(where).layer();
  }
  return location.layer;
}

namespace {

/// `{{ x }}` without quotes.
// Recursion: bounded by Limits::depth, which the reader keeps.
bool has_mapping_as_key(const Value& value) {
  if (value.is_sequence()) return std::ranges::any_of(value.items(), has_mapping_as_key);
  return value.is_mapping() && std::ranges::any_of(value.entries(), [](const Entry& entry) {
           return entry.key.is_mapping() || has_mapping_as_key(entry.value);
         });
}

}  // namespace

void Evaluation::refuse_value(const ResolvedEntry& entry, const Location& location, const Key& key,
                              const Value& value) const {
  throw LookupError(
      Error(
          "hiera.value",
          fmt::format("Value for key '{}', returned from {} function '{}', when using location '{}', has wrong type: a "
                      "symbol, or a key of a hash that is neither text nor number",
                      key.root(), to_string(entry.entry->kind), entry.entry->function, location.path))
          .at(view_.sources, value.origin())
          .hint(has_mapping_as_key(value) ? "quote the value: otherwise '{{' begins a mapping in YAML"
                                          : "quote the text that begins with a colon, or the key"))
      .tells(key.root());
}

merge::Traced Evaluation::answer(Layer& layer, ResolvedEntry& entry, Location& location, const Key& key) {
  DataSource* asked = source(layer, entry, location);
  if (asked == nullptr) {
    tracer_.event(NodeEvent::location_not_found);
    return {};
  }
  // Functions that are asked for a key interpolate by themselves, before their answer is looked at, and once.
  const bool is_asked = entry.entry->kind == FunctionKind::lookup_key;
  if (is_asked) {
    if (const auto known = answered_.find({&location, key.root()}); known != answered_.end()) {
      tracer_.found(key.root(), known->second.value);
      return known->second;
    }
  }
  const DataSource::Answer found = asked->find(key, *this);
  const bool digs = asked->digs();
  if (!found.value) {
    tracer_.not_found(digs ? key.text() : key.root());
    return {};
  }
  if (found.content == Content::invalid && !is_asked) refuse_value(entry, location, key, found.value);
  if (const DataFile* file = asked->read_file(); file != nullptr && file->has_foreign_expressions())
    warn_of_foreign_expressions(found.value);
  Traced value{requested_.is_sensitive ? hidden(found.value, *arena_) : found.value,
               recorder_->keeps() ? merge::Slot(history_layer(entry, location)) : merge::Slot()};
  if (found.content != Content::plain) value = interpolate(value);
  if (found.content == Content::invalid) refuse_value(entry, location, key, found.value);
  if (is_asked) answered_.emplace(std::pair(&location, key.root()), value);
  if (key.root() == kLookupOptions) keep_option_keys(value.value);
  tracer_.found(digs ? key.text() : key.root(), value.value);
  return digs ? undig(key, value) : value;
}

merge::Traced Evaluation::dig(const Key& key, const Traced& value) {
  if (!value.value || key.segments().empty()) return value;
  const Tracer::Branch branch(tracer_, NodeType::sub_key, [&](Explanation::Node& node) {
    for (const Segment& segment : key.segments()) node.name += (node.name.empty() ? "" : ".") + to_string(segment);
  });
  Traced here = value;
  for (const Segment& segment : key.segments()) {
    const Tracer::Branch step(tracer_, NodeType::segment, [](Explanation::Node&) {});
    std::size_t position = Arena::npos;
    try {
      position = find_step(here.value, segment, key.text());
    } catch (LookupError& error) {
      error.at(view_.sources, here.value.origin());
      throw;
    }
    if (position == Arena::npos) {
      tracer_.not_found(to_string(segment));
      return {};
    }
    here = child(here, position);
    tracer_.found(to_string(segment), here.value);
  }
  return here;
}

/// The value inside what the key would dig it out of.
merge::Traced Evaluation::undig(const Key& key, const Traced& value) {
  Traced here = value;
  const merge::Builder make(*arena_, *recorder_);
  const auto segments = key.segments();
  for (std::size_t i = segments.size(); i-- > 0;) {
    const Origin origin = here.value.origin();
    if (const auto* index = std::get_if<std::int64_t>(&segments[i])) {
      constexpr std::int64_t kMost = 100'000;
      if (*index < 0 || *index > kMost) return {};
      merge::TracedSequence items(make, static_cast<std::size_t>(*index) + 1);
      for (std::int64_t item = 0; item < *index; ++item) items.append({Value::null(), merge::Slot(merge::kNoLayer)});
      items.append(here);
      here = items.finish();
    } else {
      merge::TracedMapping entry(make, KeyEquality::exact, 1);
      entry.insert(std::get<std::string>(segments[i]), here);
      here = entry.finish();
    }
    here.value = here.value.with_origin(origin);
  }
  return here;
}

merge::Traced Evaluation::convert(const Key& key, const Value& options, const Traced& value) {
  const Value wanted = option(options, "convert_to");
  if (!wanted) return value;
  std::string arguments;
  const Value made =
      convert_to(view_.sources, key.text(), wanted, value.value, *arena_, view_.limits, tracer_ ? &arguments : nullptr);
  if (tracer_) tracer_.text(fmt::format("Applying convert_to lookup_option with arguments {}", arguments));
  return recorder_->derive(made, std::span(&value, 1));
}

}  // namespace strata::hiera
