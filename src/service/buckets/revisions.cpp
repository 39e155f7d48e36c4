// SPDX-License-Identifier: Apache-2.0
// Revisions: the list, one, and the end of all of them.
#include <algorithm>
#include <map>

#include "service/buckets/failure.hpp"
#include "service/buckets/question.hpp"
#include "service/buckets/render_cache.hpp"
#include "service/buckets/revision_view.hpp"
#include "service/buckets/routes.hpp"
#include "service/buckets/yaml.hpp"
#include "strata/builder.hpp"

namespace strata::service::buckets {
namespace {

Value listed_revision(Arena& arena, const store::Revision& revision, std::span<const std::string> tags) {
  return json_object(arena, {{"buckets", buckets_value(arena, revision.buckets)},
                             {"createdAt", arena.text(time_text(revision.created_at))},
                             {"id", Value::integer(revision.number)},
                             {"tags", buckets_value(arena, tags)}});
}

}  // namespace

Response list_revisions(const Call& call) {
  const Query& query = call.request.query;
  std::vector<store::Revision> all;
  std::map<std::int64_t, std::vector<std::string>> tags;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    all.clear();
    tags.clear();
    if (project == nullptr) return;
    all = store::revisions(transaction, *project);
    for (store::Tag& tag : store::tag_names(transaction, *project)) tags[tag.revision].push_back(std::move(tag.name));
  });
  const std::vector<std::string> wanted = query.all("tag");
  Arena arena;
  std::vector<std::pair<Value, std::size_t>> values;
  for (const store::Revision& one : all) {
    const std::vector<std::string>& own = tags[one.number];
    const auto has = [&own](const std::string& name) { return std::ranges::find(own, name) != own.end(); };
    if (wanted.empty() || std::ranges::any_of(wanted, has))
      values.emplace_back(listed_revision(arena, one, own), values.size());
  }
  const std::string* order = query.find("order");
  if (const std::vector<std::string> sort = query.all("sort"); !sort.empty())
    sort_by(values, sort, order != nullptr && *order == "desc");
  SequenceBuilder results(arena, values.size());
  for (const auto& [value, number] : values) results.append(value);
  return yaml_response(json_object(
      arena, {{"count", Value::integer(static_cast<std::int64_t>(values.size()))}, {"results", results.finish()}}));
}

Response show_revision(const Call& call) {
  store::Revision revision;
  std::vector<store::Tag> tags;
  std::vector<store::Document> policies;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    revision = demanded_revision(transaction, project, call[0]);
    tags = store::tags(transaction, *project, revision.number);
    policies = validation_policies(transaction, *project, revision.number);
  });
  Arena arena;
  return yaml_response(revision_value(arena, revision, tags, policies));
}

Response delete_revisions(const Call& call, RenderCache& cache) {
  Response out = write(call, [&](Writing& writing) -> Response {
    store::remove_all_revisions(writing.transaction, writing.project);
    writing.note("revision", "all");
    return {.status = 204};
  });
  cache.clear();
  return out;
}

}  // namespace strata::service::buckets
