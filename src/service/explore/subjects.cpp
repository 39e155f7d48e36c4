// SPDX-License-Identifier: Apache-2.0
// Subjects: their names, facts, and what splits them.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "service/explore/answers.hpp"
#include "service/explore/handlers.hpp"
#include "service/explore/survey.hpp"

namespace strata::service::explore {
namespace {

constexpr std::size_t kMostSubjects = 200;

std::vector<std::string> nonempty_lines(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.empty()) out.emplace_back(line);
  }
  return out;
}

}  // namespace

Response list_names(const Call& call, Source& source) {
  const auto view = view_of(call, source);
  std::string text;
  for (const std::string& name : view->subjects().names()) text.append(name).append("\n");
  Response out = text_answer(call, "text/plain", text);
  out.headers.set("Strata-Generation", std::to_string(view->form().generation));
  return out;
}

Response list_facets(const Call& call, Source& source) {
  const auto view = view_of(call, source);
  Arena arena;
  SequenceBuilder list(arena);
  for (const Facets::Facet& facet : view->facets(call.stop).facets) {
    SequenceBuilder values(arena, facet.values.size());
    for (const auto& [text, count] : facet.values) {
      SequenceBuilder pair(arena, 2);
      pair.append(arena.text(text));
      pair.append(number(count));
      values.append(pair.finish());
    }
    MappingBuilder one(arena);
    one.insert("fact", arena.text(facet.fact));
    one.insert("values", values.finish());
    list.append(one.finish());
  }
  MappingBuilder out(arena);
  out.insert("facets", list.finish());
  return answer(call, out, view->form().generation);
}

Response list_subjects(const Call& call, Source& source) {
  const auto view = view_of(call, source);
  std::vector<std::string> wanted;
  for (const std::string& text : call.request.query.all("ids")) {
    for (std::string& one : nonempty_lines(text)) wanted.push_back(std::move(one));
  }
  if (wanted.size() > kMostSubjects)
    throw Error("request.query", fmt::format("'ids' names at most {} subjects", kMostSubjects));
  const Facets& facets = view->facets(call.stop);
  // Files with findings, if these have been computed.
  std::map<std::string, std::size_t> findings;
  const analysis::CheckReport* report = view->known_findings();
  if (report != nullptr) {
    for (const analysis::Finding& one : report->findings) {
      if (!one.silence && !one.what.where.place.file.empty()) ++findings[view->path_of(one.what.where.place.file)];
    }
  }
  Arena arena;
  SequenceBuilder names(arena);
  for (const Facets::Facet& facet : facets.facets) names.append(arena.text(facet.fact));
  SequenceBuilder list(arena, wanted.size());
  for (const std::string& name : wanted) {
    const auto numbers = facets.of.find(name);
    if (numbers == facets.of.end()) continue;
    MappingBuilder facts(arena);
    for (std::size_t i = 0; i < facets.facets.size(); ++i) {
      const std::uint16_t value = numbers->second[i];
      if (value != Facets::kNone) facts.insert(facets.facets[i].fact, arena.text(facets.facets[i].values[value].first));
    }
    MappingBuilder one(arena);
    one.insert("name", arena.text(name));
    one.insert("facts", facts.finish());
    Value count = Value::null();
    if (report != nullptr) {
      std::size_t sum = 0;
      view->with(name, analysis::Question::History::no, call.stop, [&](analysis::Subject& subject) {
        std::shared_ptr<const analysis::Reads> reads = subject.reads();
        if (reads == nullptr) reads = subject.ask(std::nullopt).reads;
        for (const auto& [path, of] : findings) sum += reads != nullptr && reads->files.contains(path) ? of : 0;
      });
      count = number(sum);
    }
    one.insert("findings", count);
    list.append(one.finish());
  }
  MappingBuilder out(arena);
  out.insert("facts", names.finish());
  out.insert("subjects", list.finish());
  return answer(call, out, view->form().generation);
}

}  // namespace strata::service::explore
