// The public face, and explanations as text and data.
#include <fmt/format.h>

#include <algorithm>

#include "bindings/injector/state.hpp"
#include "bindings/types/names.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"

namespace strata::bindings {

Injector::Injector(Preparations& shared, std::shared_ptr<const Request> request, const Services& services, Sources& sources, Diagnostics& diagnostics,
                   const Limits& limits, merge::History* history)
    : state_(std::make_unique<InjectorState>(shared, std::move(request), services, sources, diagnostics, limits, history)) {}

Injector::~Injector() = default;

merge::Traced Injector::find(std::string_view name) {
  if (const merge::Traced* ready = state_->ready(name)) return *ready;
  state_->begin_request();
  return state_->hand_out(state_->find_data(name));
}

merge::Traced Injector::find(std::string_view type, std::string_view name) {
  if (type.empty() || (type == "Data" && !name.empty())) return find(name);
  state_->begin_request();
  return state_->hand_out(state_->find_typed(state_->read_type_text(type), name));
}

merge::Traced Injector::inject(std::string_view name) {
  const merge::Traced found = find(name);
  if (!found.value) state_->not_bound({}, name);
  return found;
}

merge::Traced Injector::inject(std::string_view type, std::string_view name) {
  const merge::Traced found = find(type, name);
  if (found.value) return found;
  if (type.empty()) state_->not_bound({}, name);
  const TypeRef wanted = state_->read_type_text(type);
  state_->not_bound(!name.empty() && is_data(*wanted) ? std::string() : type_text(*wanted), name);
}

merge::Traced Injector::all() {
  state_->begin_request();
  return state_->all();
}

merge::Traced Injector::classes() {
  state_->begin_request();
  return state_->classes();
}

merge::Traced Injector::parameters(std::string_view reference, const IsParameter& is_parameter) {
  state_->begin_request();
  return state_->parameters(reference, is_parameter);
}

merge::Traced Injector::variables() {
  state_->begin_request();
  return state_->variables();
}

std::vector<ResourceEdge> Injector::edges() const { return state_->edges(); }

Explanation Injector::explain(std::string_view type, std::string_view name) {
  state_->begin_request();
  return state_->explain(type, name);
}

Findings Injector::check() { return state_->check(); }

const Told* Injector::told(merge::LayerId layer) const noexcept { return state_->told(layer); }

Findings check(Preparations& shared, std::shared_ptr<const Request> request, const Services& services, Sources& sources, const Limits& limits) {
  Diagnostics diagnostics;
  Findings out;
  out.environment = request->environment.name;
  out.manifest = request->environment.manifest;
  for (const Layer& layer : request->layers) {
    Findings::Layer& listed = out.layers.emplace_back();
    listed.name = layer.name;
    for (const LayerItem& item : layer.items) listed.documents.push_back(item.document != nullptr ? item.document->title : item.source->title());
  }
  try {
    return Injector(shared, std::move(request), services, sources, diagnostics, limits).check();
  } catch (const Errors& several) {
    out.errors = several.all();
  } catch (const Error& error) {
    out.errors.push_back(error.diagnostic());
  }
  out.warnings = diagnostics.warnings();
  return out;
}

namespace {

std::string described(const Sources& sources, const Told& told) {
  std::string out =
      fmt::format("{}: {} in {}, layer '{}', {}", sources.place(told.origin).to_string(), told.statement, told.document, told.layer, told.category);
  if (told.name) out += fmt::format(", named '{}'", *told.name);
  if (!told.via.empty()) out += fmt::format(", {}", told.via);
  return out;
}

}  // namespace

std::string explanation_text(const Sources& sources, const Explanation& explanation) {
  std::string out = fmt::format("{}\n", explanation.key);
  if (explanation.winner) out += fmt::format("  winner\n    {}\n", described(sources, *explanation.winner));
  if (explanation.value.value) out += fmt::format("  value\n    {}\n", shown(explanation.value.value));
  if (explanation.problem) out += fmt::format("  no value\n    {}\n", explanation.problem->message);
  if (!explanation.options.empty()) {
    out += "  options\n";
    for (const auto& option : explanation.options) out += fmt::format("    {} => {}\n", option.first, option.second);
  }
  if (!explanation.contributions.empty()) {
    out += "  contributions\n";
    for (const Told& told : explanation.contributions) {
      out += fmt::format("    {}\n", described(sources, told));
      if (!told.reason.empty()) out += fmt::format("      not taken: {}\n", told.reason);
    }
  }
  if (!explanation.shadowed.empty()) {
    out += "  shadowed\n";
    for (const Told& told : explanation.shadowed) out += fmt::format("    {}\n      {}\n", described(sources, told), told.reason);
  }
  return out;
}

namespace {

/// What the further members of a history entry say.
void add_members(Arena& arena, const Value& row, const Told& told) {
  arena.insert(row, "document", arena.text(told.document));
  arena.insert(row, "category", arena.text(told.category));
  arena.insert(row, "statement", arena.text(told.statement));
  if (!told.via.empty()) arena.insert(row, "via", arena.text(told.via));
  if (!told.reason.empty()) arena.insert(row, "reason", arena.text(told.reason));
}

std::vector<merge::PathHistory> histories(const merge::History& history, const merge::Traced& result, std::string_view prefix) {
  return history.explain(result, parse_pointer(prefix));
}

Value rows_of(Arena& arena, const Sources& sources, const merge::History& history, const Injector& injector,
              const std::vector<merge::PathHistory>& paths) {
  const Value rows = merge::explain_data(arena, sources, history, paths);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const Value* entries = rows.items()[i].find("history");
    for (std::size_t j = 0; entries != nullptr && j < entries->size() && j < paths[i].contributions.size(); ++j) {
      const Told* told = injector.told(paths[i].contributions[j].layer);
      if (told == nullptr) continue;
      // A source has layers of its own, which `via` names.
      arena.insert(entries->items()[j], "layer", arena.text(told->layer));
      add_members(arena, entries->items()[j], *told);
    }
  }
  return rows;
}

}  // namespace

Value explanation_data(Arena& arena, const Sources& sources, const merge::History& history, const Injector& injector, const merge::Traced& result,
                       std::string_view prefix) {
  return rows_of(arena, sources, history, injector, histories(history, result, prefix));
}

Value explanation_data(Arena& arena, const Sources& sources, const merge::History& history, const Injector& injector,
                       const Explanation& explanation) {
  const Value rows = rows_of(arena, sources, history, injector, histories(history, explanation.value, {}));
  if (rows.size() == 0) return rows;
  const Value* entries = rows.items()[0].find("history");
  if (entries == nullptr) return rows;
  // Candidates that gave no value stand with the first path.
  for (const Told& told : explanation.shadowed) {
    if (told.history != merge::kNoLayer) continue;
    const Place place = sources.place(told.origin);
    const auto number = [](const std::optional<std::uint32_t>& n) { return n ? Value::integer(*n) : Value::null(); };
    const Value row = arena.mapping();
    arena.insert(row, "layer", arena.text(told.layer));
    arena.insert(row, "file", place.file.empty() ? Value::null() : arena.text(place.file));
    arena.insert(row, "line", number(place.line));
    arena.insert(row, "column", number(place.column));
    arena.insert(row, "fate", arena.text("shadowed"));
    add_members(arena, row, told);
    arena.append(*entries, row);
  }
  return rows;
}

}  // namespace strata::bindings
