// SPDX-License-Identifier: Apache-2.0
// Tags of a revision.
#include <fmt/format.h>

#include "service/buckets/failure.hpp"
#include "service/buckets/revision_view.hpp"
#include "service/buckets/routes.hpp"
#include "service/buckets/stored_text.hpp"
#include "service/buckets/yaml.hpp"

namespace strata::service::buckets {
namespace {

constexpr std::size_t kLongestRevisionTag = 64;

Failure no_tag(std::string_view tag, std::int64_t revision) {
  return {404, "RevisionTagNotFound",
          fmt::format("The requested tag '{}' for revision {} was not found", tag, revision)};
}

}  // namespace

Response create_tag(const Call& call) {
  (void)checked_name(call[1], "tag", kLongestRevisionTag);
  const JsonBody body = read_yaml_body(call);
  if (!body.root().is_null() && !body.root().is_mapping()) {
    throw Failure(400, "RevisionTagBadFormat", "The requested tag data must either be null or dictionary");
  }
  store::Tag tag{.revision = 0, .name = call[1], .data = std::string()};
  Arena arena;
  append_stored(*tag.data, body.root().is_null() ? arena.mapping() : body.root(), call.core.limits(call));
  return write(call, [&](Writing& writing) {
    tag.revision = demanded_revision(writing.transaction, &writing.project, call[0]).number;
    store::put_tag(writing.transaction, writing.project, tag);
    writing.note("tag", tag.name, tag.revision);
    return yaml_response(tags_value(arena, std::span(&tag, 1)), 201);
  });
}

Response show_tag(const Call& call) {
  std::optional<store::Tag> tag;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    const std::int64_t revision = demanded_revision(transaction, project, call[0]).number;
    tag = store::find_tag(transaction, *project, revision, call[1]);
    if (!tag) throw no_tag(call[1], revision);
  });
  Arena arena;
  return yaml_response(tags_value(arena, std::span(&*tag, 1)));
}

Response list_tags(const Call& call) {
  std::vector<store::Tag> tags;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    tags = store::tags(transaction, *project, demanded_revision(transaction, project, call[0]).number);
  });
  Arena arena;
  return yaml_response(tags_value(arena, tags));
}

Response delete_tag(const Call& call) {
  return write(call, [&](Writing& writing) -> Response {
    const std::int64_t revision = demanded_revision(writing.transaction, &writing.project, call[0]).number;
    if (!store::remove_tag(writing.transaction, writing.project, revision, call[1])) throw no_tag(call[1], revision);
    writing.note("tag", call[1], revision);
    return {.status = 204};
  });
}

Response delete_tags(const Call& call) {
  return write(call, [&](Writing& writing) -> Response {
    const std::int64_t revision = demanded_revision(writing.transaction, &writing.project, call[0]).number;
    store::remove_tags(writing.transaction, writing.project, revision);
    writing.note("tag", "all", revision);
    return {.status = 204};
  });
}

}  // namespace strata::service::buckets
