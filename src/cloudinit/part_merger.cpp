// SPDX-License-Identifier: Apache-2.0
// Merges the cloud-config parts of one source, and joins the results of several sources.
//
// Parts are folded in their order. A part may name mergers, which act on that part alone, as in the reference; with
// `Compat::promised`, they act on the part that follows. `join_layers` works from the strongest layer to the weakest,
// with each weaker layer merged into what is already there. Neither direction loses data silently: the kernel reports
// each surprising action as a Notice, and this file turns them into warnings, one per kind and part. Lists that a
// weaker layer loses are found by `find_dropped_lists`, because no merge sees them. Rules: docs/cloud-init/merge.md.
// Tested by tests/vectors/cloudinit and tests/cloudinit.
#include "part_merger.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "json_patch.hpp"
#include "parts/python_text.hpp"
#include "strata/path.hpp"
#include "strata/text.hpp"
#include "text/repeated_keys.hpp"

namespace strata::cloudinit {
namespace {

using merge::Slot;
using merge::Traced;

Traced empty_start(Arena& arena) { return {arena.mapping(KeyEquality::python), Slot(merge::kNoLayer)}; }

/// Runs `name_mergers`; an error about how mergers are named gets its place, where it has none.
template <typename Function>
auto with_place_of_mergers(const Sources& sources, Origin where, const Function& name_mergers) {
  try {
    return name_mergers();
  } catch (Error& error) {
    if (!error.diagnostic().where.place.file.empty() || sources.place(where).file.empty()) throw;
    throw std::move(error).at(sources, where);
  }
}

Diagnostic warning(const Sources& sources, std::string code, std::string message, Origin where, std::string hint) {
  Diagnostic diagnostic{
      .code = std::move(code), .message = std::move(message), .where = {}, .notes = {}, .hint = std::move(hint)};
  diagnostic.where.place = sources.place(where);
  return diagnostic;
}

/// The mergers that a document names, and where.
struct NamedMergers {
  std::vector<Merger> mergers;
  Origin at;
  Origin key;  ///< The key of their member.
};

/// Takes `merge_how`, or `merge_type` where that is absent or null, out of a mapping. Rule: docs/cloud-init/merge.md,
/// "Where mergers are named".
NamedMergers take_mergers(Documents& documents, merge::Accumulator& document, Arena& arena) {
  for (const std::string_view name : {"merge_how", "merge_type"}) {
    const Path::Step step = arena.key(name);
    const auto named = document.at(std::span(&step, 1));
    if (!named) continue;
    const Value& whole = document.current().value;
    const Origin key = whole.entries()[Arena::index_of(whole, std::get<Value>(step))].key.origin();
    document.erase(std::span(&step, 1), nullptr);
    if (named->value.is_null()) continue;
    const Origin at = named->value.origin();
    return {.mergers = with_place_of_mergers(documents.session().sources(), at,
                                             [&] { return parse_mergers(named->value, arena); }),
            .at = at,
            .key = key};
  }
  return {};
}

/// The strategy of mergers, and none where there are none of them.
std::optional<BuiltStrategy> own_strategy(Documents& documents, const NamedMergers& named) {
  if (named.mergers.empty()) return std::nullopt;
  BuiltStrategy strategy = with_place_of_mergers(documents.session().sources(), named.at, [&] {
    return build_strategy(named.mergers, documents.request().mergers);
  });
  strategy.option = named.key ? named.key : named.at;
  return strategy;
}

std::vector<merge::Notice> merge_into(merge::Accumulator& accumulator, const Traced& incoming,
                                      const BuiltStrategy& strategy) {
  std::vector<merge::Notice> notices;
  accumulator.merge(incoming, strategy.strategy, strategy.calls, &notices);
  return notices;
}

merge::Rule rule_of(const BuiltStrategy& strategy) { return {.text = strategy.text, .option = strategy.option}; }

void warn_without_dict(Documents& documents, const BuiltStrategy& strategy, std::string_view name, Origin where) {
  if (strategy.has_dict) return;
  documents.session().diagnostics().warn(warning(
      documents.session().sources(), "merger.no-dict",
      fmt::format("{}: its mergers '{}' do not handle mappings, so the whole part is left out", name, strategy.text),
      where, "add dict() to the mergers"));
}

}  // namespace

PartMerger::PartMerger(Documents& documents, const BuiltStrategy& default_strategy, std::string layer, bool is_layered)
    : documents_(documents),
      session_(documents.session()),
      default_strategy_(default_strategy),
      layer_(std::move(layer)),
      is_layered_(is_layered),
      arena_(session_.new_arena()),
      accumulator_(*arena_, session_.limits(), session_.recorder()) {
  accumulator_.start(empty_start(*arena_));
}

/// A patch may have made null of everything; the next part starts afresh, as in the reference.
void PartMerger::restart_if_null() {
  if (accumulator_.current().value.is_null()) accumulator_.start(empty_start(*arena_));
}

std::optional<std::string> PartMerger::merge_config(const text::Document& config, SourceId source,
                                                    std::string_view header, Origin header_origin,
                                                    std::string_view name) {
  documents_.count(config.nodes);
  restart_if_null();
  // The names of mergers are not part of the data: they are taken out before there is a history.
  merge::NullRecorder unrecorded(session_.sources());
  merge::Accumulator data(*arena_, session_.limits(), unrecorded);
  data.start({config.root, {}});
  NamedMergers named = take_mergers(documents_, data, *arena_);
  if (!named.at) named.at = header_origin;
  for (Merger& merger : parse_mergers(header, header_origin)) named.mergers.push_back(std::move(merger));

  std::optional<BuiltStrategy> own = own_strategy(documents_, named);
  const bool promised = documents_.request().compat == Compat::promised;
  const BuiltStrategy& strategy =
      promised ? (promised_ ? *promised_ : default_strategy_) : (own ? *own : default_strategy_);

  const Value incoming = data.current().value;
  if (!promised) warn_of_trap(incoming, own.has_value(), name);
  const merge::Following following(session_.recorder(), [&strategy] { return rule_of(strategy); });
  const Slot layer =
      session_.recorder().add_layer(name_of(session_.sources(), source), own && !promised ? strategy.text : "");
  const auto notices = merge_into(accumulator_, {incoming, layer}, strategy);
  if (own) {
    for (const std::string& remark : own->remarks) {
      session_.diagnostics().warn(warning(session_.sources(), "merger.option", fmt::format("{}: {}", name, remark),
                                          named.mergers.front().origin, ""));
    }
    last_namer_ = name;
  }
  warn_of(notices, strategy, name, session_.sources().at(source, 0));
  std::optional<std::string> text = strategy.has_dict ? std::optional(strategy.text) : std::nullopt;
  if (promised && own) promised_ = std::move(own);
  return text;
}

/// Each kind of surprise once a part, with the first place.
void PartMerger::warn_of(const std::vector<merge::Notice>& notices, const BuiltStrategy& strategy,
                         std::string_view name, Origin where) {
  warn_without_dict(documents_, strategy, name, where);
  std::vector<merge::Action> told;
  for (const merge::Notice& notice : notices) {
    if (std::ranges::find(told, notice.action) != told.end()) continue;
    told.push_back(notice.action);
    std::string message;
    switch (notice.action) {
      case merge::Action::by_index:
        message = fmt::format(
            "{} of the {} new items are dropped: list(replace) replaces item by item and never makes a list longer",
            notice.incoming.size() - notice.old.size(), notice.incoming.size());
        break;
      case merge::Action::characters_as_items:
        message = "a text is merged into a list: its characters become items";
        break;
      case merge::Action::keys_as_items:
        message = "a mapping is merged into a list: its keys become items";
        break;
      default:
        message = fmt::format("a mapping replaces {}", describe(notice.old.kind()));
        break;
    }
    session_.diagnostics().warn(warning(session_.sources(), "merge.surprise", fmt::format("{}: {}", name, message),
                                        notice.incoming.origin(), ""));
  }
}

/// The trap in half of all reports: mergers act on their own part, and not on the one that follows.
void PartMerger::warn_of_trap(const Value& incoming, bool names_mergers, std::string_view name) {
  const Value& gathered = accumulator_.current().value;
  if (names_mergers || last_namer_.empty() || !gathered.is_mapping() || &default_strategy_ != &default_part_strategy())
    return;
  for (const Entry& entry : incoming.entries()) {
    const Value* old = gathered.find(entry.key);
    if (old == nullptr || !old->is_container() || old->size() == 0 || old->kind() != entry.value.kind()) continue;
    session_.diagnostics().warn(
        warning(session_.sources(), "merger.not-inherited",
                fmt::format("{}: replaces '{}' whole, although {} names mergers: mergers only act on their own part",
                            name, key_text(entry.key), last_namer_),
                entry.key.origin(), "name the mergers in this part too"));
    return;
  }
}

void PartMerger::patch(SourceId source) {
  restart_if_null();
  constexpr std::string_view kMarker = "#cloud-config-jsonp";
  const std::string_view text = session_.sources().text(source);
  std::size_t begin = text.size() - trim_front(text).size();
  if (text.substr(begin).starts_with(kMarker)) begin += kMarker.size();
  const text::Document document = text::read_json(session_.sources(), source, session_.limits(), begin);
  documents_.warn_of_repeated_keys(document, name_of(session_.sources(), source));
  documents_.count(document.nodes);
  session_.keep(document.arena);
  const merge::Following following(session_.recorder(),
                                   [&] { return merge::Rule{.text = "JSON patch", .option = document.root.origin()}; });
  try {
    apply_patch(accumulator_, document.root,
                session_.recorder().add_layer(name_of(session_.sources(), source), "a JSON patch"), session_, *arena_);
  } catch (Error& error) {
    // The path may be there in what the machine gets.
    if (error.code() == "patch.path" && is_layered_) {
      error.hint(
          fmt::format("a patch sees the earlier parts of {} only: no vendor data and no base configuration", layer_));
    }
    throw;
  }
}

namespace {

/// Adds the lists and mappings of `weak` that the base rule drops, because `strong` has another value there.
// Recursion: bounded by Limits::depth, which the reader keeps.
void find_dropped_lists(const Value& strong, const Value& weak, const std::string& prefix, const LayerDocument& layer,
                        DroppedLists& out) {
  for (const Entry& entry : weak.entries()) {
    if (out.lists.size() == DroppedLists::kMost) return;
    const Value* stronger = strong.find(entry.key);
    if (stronger == nullptr) continue;
    const std::string name = prefix + text::shown_key(key_text(entry.key));
    if (entry.value.is_mapping() && stronger->is_mapping()) {
      find_dropped_lists(*stronger, entry.value, name + '/', layer, out);
      continue;
    }
    // A mapping of a weaker layer replaces text and lists, which is another warning.
    const bool is_lost_mapping =
        entry.value.is_mapping() && entry.value.size() != 0 && !stronger->is_text() && !stronger->is_sequence();
    if (!is_lost_mapping && !entry.value.is_sequence()) continue;
    const auto is_kept = [stronger](const Value& item) {
      return stronger->is_sequence() &&
             std::ranges::any_of(stronger->items(), [&item](const Value& other) { return equal(item, other); });
    };
    constexpr std::size_t kFew = 100;  // Of more, the comparison would take too long.
    if (!is_lost_mapping && entry.value.size() < kFew && std::ranges::all_of(entry.value.items(), is_kept)) continue;
    out.lists.push_back({.name = name,
                         .kind = is_lost_mapping ? "mapping" : "list",
                         .dropped = entry.key.origin(),
                         .kept = stronger->origin(),
                         .layer = layer.name,
                         .is_vendor_data = layer.name.starts_with("vendor-data")});
  }
}

}  // namespace

void warn_of_dropped_lists(Session& session, const DroppedLists& dropped) {
  for (const DroppedLists::List& list : dropped.lists) {
    // In a base, replacing a list is usual: only mergers show that something else was meant.
    if (!list.is_vendor_data && !dropped.names_mergers) continue;
    Diagnostic told = warning(
        session.sources(), "merge.dropped-list",
        fmt::format("{}: its {} '{}' is dropped, because a stronger layer has this key; mergers do not act between "
                    "layers",
                    list.layer, list.kind, list.name),
        list.dropped,
        fmt::format("merge_how acts where parts of one source are merged, and is gone when the layers are joined: {}",
                    list.is_vendor_data
                        ? "write its items into the user-data too, or give both as parts of one user-data"
                        : "write its items into the stronger layer too"));
    told.notes.push_back(
        {.place = session.sources().place(list.kept), .line = {}, .message = "the stronger layer's value"});
    session.diagnostics().warn(std::move(told));
  }
}

Traced join_layers(Documents& documents, const std::vector<LayerDocument>& layers, merge::Recorder& recorder,
                   DroppedLists* dropped) {
  Session& session = documents.session();
  const std::shared_ptr<Arena> arena = session.new_arena();
  merge::Accumulator joined(*arena, session.limits(), recorder);
  joined.start(empty_start(*arena));
  for (const LayerDocument& layer : layers) {
    if (!layer.document.value.is_mapping() || layer.document.value.size() == 0) {
      recorder.meet_now(layer.first, layer.last);
      continue;
    }
    merge::Accumulator document(*arena, session.limits(), recorder);
    document.start(layer.document);
    const NamedMergers named = take_mergers(documents, document, *arena);
    const std::optional<BuiltStrategy> own = own_strategy(documents, named);
    const BuiltStrategy& strategy = own ? *own : default_layer_strategy();
    const merge::Following following(recorder, [&strategy] { return rule_of(strategy); });
    recorder.meet_now(layer.first, layer.last);
    if (dropped != nullptr) {
      dropped->names_mergers = dropped->names_mergers || own;
      if (!own) find_dropped_lists(joined.current().value, document.current().value, {}, layer, *dropped);
    }
    const auto notices = merge_into(joined, document.current(), strategy);
    if (dropped == nullptr) continue;
    for (const merge::Notice& notice : notices) {
      if (own || notice.action != merge::Action::take_new_noted) continue;
      Diagnostic told = warning(session.sources(), "merge.surprise",
                                fmt::format("{}: a mapping of this weaker layer replaces {} of a stronger one",
                                            layer.name, describe(notice.old.kind())),
                                notice.incoming.origin(), "give both the same type");
      told.notes.push_back(
          {.place = session.sources().place(notice.old.origin()), .line = {}, .message = "the stronger layer's value"});
      session.diagnostics().warn(std::move(told));
    }
    if (own) warn_without_dict(documents, *own, layer.name, named.at);
  }
  return joined.current();
}

}  // namespace strata::cloudinit
