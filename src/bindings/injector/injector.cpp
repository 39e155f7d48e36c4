// SPDX-License-Identifier: Apache-2.0
// The public face, and explanations as text and data.
#include <fmt/format.h>

#include <algorithm>

#include "bindings/injector/injection.hpp"
#include "bindings/request/inputs.hpp"
#include "bindings/services.hpp"
#include "bindings/types/names.hpp"
#include "strata/builder.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"
#include "value/seeded_hash.hpp"

namespace strata::bindings {

namespace {

/// A result as it is handed out.
merge::Traced handed_out(Injection& parts, const merge::Traced& value) {
  return value.value ? merge::Traced{printed(parts.arena, value.value), value.slot} : value;
}

}  // namespace

Injector::Injector(Preparations& shared, const InjectorInputs& inputs, Session& session)
    : Injector(std::make_unique<Injection>(shared, make_request(inputs, session), Services{.strict = inputs.strict},
                                           session)) {}

Injector::Injector(std::unique_ptr<Injection> parts) : parts_(std::move(parts)) {}

Injector::~Injector() = default;

merge::Traced Injector::find(std::string_view name) {
  if (const merge::Traced* ready = parts_->lookup.ready(name)) return *ready;
  parts_->expressions.refill();
  return handed_out(*parts_, parts_->lookup.find_data(name));
}

merge::Traced Injector::find(std::string_view type, std::string_view name) {
  if (type.empty() || (type == "Data" && !name.empty())) return find(name);
  parts_->expressions.refill();
  return handed_out(*parts_, parts_->lookup.find_typed(parts_->expressions.read_type_text(type), name));
}

merge::Traced Injector::inject(std::string_view name) {
  const merge::Traced found = find(name);
  if (!found.value) parts_->lookup.not_bound({}, name);
  return found;
}

merge::Traced Injector::inject(std::string_view type, std::string_view name) {
  const merge::Traced found = find(type, name);
  if (found.value) return found;
  if (type.empty()) parts_->lookup.not_bound({}, name);
  const TypeRef wanted = parts_->expressions.read_type_text(type);
  parts_->lookup.not_bound(!name.empty() && is_data(*wanted) ? std::string() : type_text(*wanted), name);
}

std::vector<Injector::Key> Injector::keys() { return parts_->listing.keys(); }

merge::Traced Injector::all() {
  parts_->expressions.refill();
  return parts_->listing.all();
}

merge::Traced Injector::classes() {
  parts_->expressions.refill();
  return parts_->lists.classes();
}

merge::Traced Injector::parameters(std::string_view reference, const IsParameter& is_parameter) {
  parts_->expressions.refill();
  return parts_->listing.parameters(reference, is_parameter);
}

merge::Traced Injector::variables() {
  parts_->expressions.refill();
  return parts_->listing.variables();
}

std::vector<ResourceEdge> Injector::edges() const {
  std::vector<ResourceEdge> out;
  for (queries::Edge& edge : parts_->answers.edges()) {
    out.push_back({.certname = std::move(edge.from.certname),
                   .type = std::move(edge.from.type),
                   .title = std::move(edge.from.title),
                   .parameter = std::move(edge.from.parameter),
                   .key = std::move(edge.key)});
  }
  return out;
}

Explanation Injector::explain(std::string_view type, std::string_view name, const Value& fallback) {
  parts_->expressions.refill();
  return parts_->explainer.explain(type, name, fallback);
}

Findings Injector::check() { return parts_->checker.check(); }

const StatementReport* Injector::told(merge::LayerId layer) const noexcept {
  return std::as_const(parts_->provenance).told(layer);
}

std::unique_ptr<Injector> make_injector(Preparations& shared, std::shared_ptr<const Request> request,
                                        const Services& services, Session& session) {
  return std::make_unique<Injector>(std::make_unique<Injection>(shared, std::move(request), services, session));
}

namespace {

/// `find(out, session)` gives all findings. An error that it throws is one of them: it has filled in the rest.
template <class Find>
Findings gather_findings(const Session& session, const Find& find) {
  // Diagnostics are among the findings, and nowhere else.
  Session own = Session::beside(session);
  Findings out;
  try {
    return find(out, own);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    out.errors = error.all();
  }
  out.warnings = own.diagnostics().warnings();
  return out;
}

Findings find_all(Preparations& shared, std::shared_ptr<const Request> request, const Services& services, Findings& out,
                  Session& session) {
  out.environment = request->environment.name;
  out.manifest = request->environment.manifest;
  out.layers = list_layers(*request);
  return make_injector(shared, std::move(request), services, session)->check();
}

}  // namespace

Findings check(Preparations& shared, const InjectorInputs& inputs, Session& session) {
  return gather_findings(session, [&](Findings& out, Session& own) {
    return find_all(shared, make_request(inputs, own), Services{.strict = inputs.strict}, out, own);
  });
}

Findings check(Preparations& shared, std::shared_ptr<const Request> request, const Services& services,
               Session& session) {
  return gather_findings(
      session, [&](Findings& out, Session& own) { return find_all(shared, std::move(request), services, out, own); });
}

namespace {

std::string described(const Sources& sources, const StatementReport& told) {
  if (told.document.empty()) return fmt::format("{}: {}", sources.place(told.origin).to_string(), told.layer);
  std::string out = fmt::format("{}: {} in {}, layer '{}', {}", sources.place(told.origin).to_string(), told.statement,
                                told.document, told.layer, told.category);
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
    for (const StatementReport& told : explanation.contributions) {
      out += fmt::format("    {}\n", described(sources, told));
      if (!told.reason.empty()) out += fmt::format("      not taken: {}\n", told.reason);
    }
  }
  if (!explanation.shadowed.empty()) {
    out += "  shadowed\n";
    for (const StatementReport& told : explanation.shadowed)
      out += fmt::format("    {}\n      {}\n", described(sources, told), told.reason);
  }
  return out;
}

namespace {

/// What the further members of a history entry say.
void add_members(Arena& arena, MappingBuilder& row, const StatementReport& told) {
  if (!told.document.empty()) row.insert("document", arena.text(told.document));
  if (!told.category.empty()) row.insert("category", arena.text(told.category));
  row.insert("statement", arena.text(told.statement));
  if (told.name) row.insert("name", arena.text(*told.name));
  if (!told.via.empty()) row.insert("via", arena.text(told.via));
  if (!told.reason.empty()) row.insert("reason", arena.text(told.reason));
}

/// A statement that was worked out several times on the way to a value stands once, with the fate that counts most.
void join_repeated_statements(const Injector& injector, std::vector<merge::Contribution>& all) {
  const auto weight = [](merge::Fate fate) {
    return fate == merge::Fate::won ? 3 : fate == merge::Fate::merged ? 2 : fate == merge::Fate::removed ? 1 : 0;
  };
  TextMap<std::vector<std::size_t>> known;
  std::vector<merge::Contribution> out;
  for (const merge::Contribution& one : all) {
    const StatementReport* told = injector.told(one.layer);
    if (told == nullptr) {
      out.push_back(one);
      continue;
    }
    auto& alike = known[fmt::format("{} {} {} {} {}\n{}", told->origin.location, one.value.origin().location,
                                    told->statement, told->layer, told->document, told->category)];
    const auto same =
        std::find_if(alike.begin(), alike.end(), [&](std::size_t at) { return equal(out[at].value, one.value); });
    if (same == alike.end()) {
      alike.push_back(out.size());
      out.push_back(one);
      continue;
    }
    merge::Contribution& kept = out[*same];
    const int more = weight(one.fate) - weight(kept.fate);
    // Of two that are shadowed the candidate knows why.
    if (more > 0 || (more == 0 && !told->reason.empty())) kept = one;
  }
  all = std::move(out);
}

Value rows_of(Arena& arena, const Sources& sources, const merge::History& history, const Injector& injector,
              const std::vector<merge::PathHistory>& paths) {
  SequenceBuilder rows = SequenceBuilder::copy_of(arena, report::explain_data(arena, sources, history, paths));
  for (std::size_t i = 0; i < paths.size(); ++i) {
    MappingBuilder row = MappingBuilder::copy_of(arena, rows.items()[i]);
    SequenceBuilder entries = SequenceBuilder::copy_of(arena, *row.find("history"));
    for (std::size_t j = 0; j < entries.size() && j < paths[i].contributions.size(); ++j) {
      const merge::Contribution& one = paths[i].contributions[j];
      const StatementReport* told = injector.told(one.layer);
      if (told == nullptr) continue;
      StatementReport shown = *told;
      if (one.fate == merge::Fate::won || one.fate == merge::Fate::merged) shown.reason.clear();
      // A source has layers of its own, which `via` names.
      MappingBuilder entry = MappingBuilder::copy_of(arena, entries.items()[j]);
      entry.insert("layer", arena.text(shown.layer));
      add_members(arena, entry, shown);
      entries.replace(j, entry.finish());
    }
    row.insert("history", entries.finish());
    rows.replace(i, row.finish());
  }
  return rows.finish();
}

/// A row that no history has: for candidates and contributions that gave no value.
Value told_row(Arena& arena, const Sources& sources, const StatementReport& told, std::string_view fate) {
  const Place place = sources.place(told.origin);
  const auto number = [](const std::optional<std::uint32_t>& n) { return n ? Value::integer(*n) : Value::null(); };
  MappingBuilder row(arena);
  row.insert("layer", arena.text(told.layer));
  row.insert("file", place.file.empty() ? Value::null() : arena.text(place.file));
  row.insert("line", number(place.line));
  row.insert("column", number(place.column));
  row.insert("fate", arena.text(fate));
  add_members(arena, row, told);
  return row.finish();
}

}  // namespace

std::vector<merge::PathHistory> explanation_paths(const merge::History& history, const Injector& injector,
                                                  const merge::Traced& result, std::string_view prefix,
                                                  const Stop* stop) {
  std::vector<merge::PathHistory> paths;
  history.each_path(result, parse_pointer(prefix), stop, [&](merge::PathHistory&& path) {
    join_repeated_statements(injector, path.contributions);
    paths.push_back(std::move(path));
  });
  return paths;
}

void join_repeated(const Injector& injector, std::vector<merge::PathHistory>& paths) {
  for (merge::PathHistory& path : paths) join_repeated_statements(injector, path.contributions);
}

Value explanation_data(Arena& arena, const Sources& sources, const merge::History& history, const Injector& injector,
                       const merge::Traced& result, std::string_view prefix, const Stop* stop) {
  return rows_of(arena, sources, history, injector, explanation_paths(history, injector, result, prefix, stop));
}

Value explanation_data(Arena& arena, const Sources& sources, const merge::History& history, const Injector& injector,
                       const Explanation& explanation, std::string_view prefix, const Stop* stop) {
  const Value rows = explanation_data(arena, sources, history, injector, explanation.value, prefix, stop);
  if (!prefix.empty()) return rows;
  SequenceBuilder entries(arena);
  if (explanation.winner && !explanation.value.value) {
    StatementReport winner = *explanation.winner;
    if (explanation.problem) winner.reason = explanation.problem->message;
    entries.append(told_row(arena, sources, winner, "won"));
  }
  for (const std::vector<StatementReport>* all : {&explanation.contributions, &explanation.shadowed}) {
    for (const StatementReport& told : *all) {
      if (!told.in_history) entries.append(told_row(arena, sources, told, told.reason.empty() ? "merged" : "shadowed"));
    }
  }
  if (entries.size() == 0) return rows;
  // They concern the value as a whole.
  SequenceBuilder out = SequenceBuilder::copy_of(arena, rows, 1);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!out.items()[i].find("path")->text().empty()) continue;
    MappingBuilder row = MappingBuilder::copy_of(arena, out.items()[i]);
    SequenceBuilder known = SequenceBuilder::copy_of(arena, *row.find("history"), entries.size());
    known.append(entries.items());
    row.insert("history", known.finish());
    out.replace(i, row.finish());
    return out.finish();
  }
  MappingBuilder whole(arena);
  whole.insert("path", arena.text(""));
  whole.insert("history", entries.finish());
  out.append(whole.finish());
  return out.finish();
}

}  // namespace strata::bindings
