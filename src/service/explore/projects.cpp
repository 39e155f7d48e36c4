// SPDX-License-Identifier: Apache-2.0
// Projects, and the overview of one.
#include <algorithm>
#include <map>

#include "service/explore/answers.hpp"
#include "service/explore/handlers.hpp"
#include "service/explore/project_value.hpp"
#include "strata/git_history.hpp"

namespace strata::service::explore {
namespace {

/// Files that differ from the commit. No value: there is no commit, or no request has read the files yet.
std::optional<std::size_t> changed_files(const Call& call, Source& source, const View& view) {
  if (!view.form().revision.empty()) return 0;
  if (!view.known_files(call.stop)) return std::nullopt;
  const auto committed = source.view(call, view.form().name, "HEAD");
  std::size_t out = 0;
  for (const auto& [name, file] : view.files(call.stop)) {
    const std::string path = view.path_of(name);
    if (view.tree().read(path) != committed->tree().read(path)) ++out;
  }
  return out;
}

}  // namespace

void add_project(MappingBuilder& out, Arena& arena, const Call& call, Source& source, const std::string& name,
                 const View* view) {
  out.insert("name", arena.text(name));
  out.insert("verb", arena.text(source.verb_of(call, name)));
  if (view == nullptr) return;
  const std::size_t subjects = view->subjects().names().size();
  const bool is_counted = view->is_counted();
  out.insert("subject_word", arena.text(view->question().wording().subject));
  out.insert("subjects", number(subjects));
  const auto files = view->known_files(call.stop);
  out.insert("files", files ? number(*files) : Value::null());
  const std::string commit = source.commit_of(call, name, view->form().revision);
  out.insert("revision", text_or_null(arena, commit));
  Value changed = Value::null();
  if (!commit.empty() && is_counted) {
    if (const auto count = changed_files(call, source, *view)) changed = number(*count);
  }
  out.insert("changed_files", changed);
  std::map<std::string_view, std::size_t> counts;
  if (is_counted) {
    for (const analysis::Finding& one : view->findings(call.stop).findings) {
      if (!one.silence) ++counts[analysis::to_string(one.severity)];
    }
  }
  out.insert("errors", is_counted ? number(counts["error"]) : Value::null());
  out.insert("warnings", is_counted ? number(counts["warning"]) : Value::null());
  out.insert("notes", is_counted ? number(counts["note"]) : Value::null());
  out.insert("writable", Value::boolean(view->form().revision.empty() && source.is_writable(call, name)));
  out.insert("assumed", Value::boolean(view->form().is_assumed));
  const std::string* at = call.request.query.find("at");
  out.insert("at", text_or_null(arena, at == nullptr ? source.shown_revision() : std::string()));
}

Response list_projects(const Call& call, Source& source) {
  Arena arena;
  SequenceBuilder list(arena);
  const std::string* at = call.request.query.find("at");
  for (const std::string& name : source.names(call)) {
    MappingBuilder one(arena);
    try {
      const auto view = source.view(call, name, at == nullptr ? std::string() : *at);
      add_project(one, arena, call, source, name, view.get());
      one.insert("error", Value::null());
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      MappingBuilder failed(arena);
      add_project(failed, arena, call, source, name, nullptr);
      for (const std::string_view member :
           {"subject_word", "subjects", "files", "revision", "changed_files", "errors", "warnings", "notes"}) {
        failed.insert(member, Value::null());
      }
      failed.insert("writable", Value::boolean(false));
      failed.insert("assumed", Value::boolean(false));
      failed.insert("at", Value::null());
      Diagnostic why = error.diagnostic();
      // Files that the project names may be far from where it does so.
      const auto place = source.place_of(call, name);
      if (place && why.where.place.file != place->place.file) why.notes.push_back(*place);
      failed.insert("error", diagnostic_value(arena, why, "error", ErrorLines(source.shows_unused(call))));
      list.append(failed.finish());
      continue;
    }
    list.append(one.finish());
  }
  MappingBuilder out(arena);
  out.insert("projects", list.finish());
  return answer(call, out, source.generation(call));
}

}  // namespace strata::service::explore
