// Tags of revisions.
#include <fmt/format.h>

#include "service/buckets/answers.hpp"
#include "service/buckets/body.hpp"
#include "service/buckets/kept.hpp"
#include "service/buckets/listing.hpp"
#include "service/buckets/revisions.hpp"
#include "service/core.hpp"
#include "service/json.hpp"
#include "strata/builder.hpp"

namespace strata::service::buckets {
namespace {

constexpr std::size_t kLongestTag = 255;

Refused no_tag(const Call& call) {
  return refused(404, "RevisionTagNotFound", fmt::format("The requested tag '{}' for revision {} was not found", call[1], call[0]));
}

Value named(Arena& arena, const store::Tag& tag) {
  MappingBuilder out(arena);
  out.insert(tag.name, tag_value(arena, tag));
  return out.finish();
}

}  // namespace

Value tag_value(Arena& arena, const store::Tag& tag) {
  if (!tag.data) return MappingBuilder(arena).finish();
  return decoded(arena, *tag.data);
}

Response list_tags(const Call& call) {
  Arena arena;
  Value out;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    const store::Revision revision = revision_of(transaction, project, call[0]);
    MappingBuilder tags(arena);
    for (const store::Tag& tag : store::tags(transaction, *project, revision.number)) tags.insert(tag.name, tag_value(arena, tag));
    out = tags.finish();
  });
  return yaml_response(out);
}

Response show_tag(const Call& call) {
  Arena arena;
  Value out;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    const store::Revision revision = revision_of(transaction, project, call[0]);
    const auto tag = store::find_tag(transaction, *project, revision.number, call[1]);
    if (!tag) throw no_tag(call);
    out = named(arena, *tag);
  });
  return yaml_response(out);
}

Response create_tag(const Call& call) {
  check_content_type(call.request);
  const YamlBody body = read_yaml_body(call);
  const Value& data = body.document.root;
  if (data && !data.is_null() && !data.is_mapping()) {
    throw refused(400, "RevisionTagBadFormat", "The requested tag data is not a mapping of keys to values");
  }
  if (call[1].empty() || call[1].size() > kLongestTag) throw refused(400, "HTTPBadRequest", "The name of a tag has 1 to 255 bytes.");
  store::Tag tag{.revision = 0, .name = call[1], .data = {}};
  if (data.is_mapping() && data.size() != 0) tag.data = encoded(data);
  return call.core.write(call, [&](Writing& writing) {
    tag.revision = revision_of(writing.transaction, &writing.project, call[0]).number;
    store::put_tag(writing.transaction, writing.project, tag);
    writing.note("tag", fmt::format("{} {}", tag.revision, tag.name), tag.revision);
    Arena arena;
    return yaml_response(named(arena, tag), 201);
  });
}

Response delete_tag(const Call& call) {
  return call.core.write(call, [&](Writing& writing) {
    const std::int64_t revision = revision_of(writing.transaction, &writing.project, call[0]).number;
    if (!store::remove_tag(writing.transaction, writing.project, revision, call[1])) throw no_tag(call);
    writing.note("tag", fmt::format("{} {}", revision, call[1]), revision);
    return Response{.status = 204};
  });
}

Response delete_tags(const Call& call) {
  return call.core.write(call, [&](Writing& writing) {
    const std::int64_t revision = revision_of(writing.transaction, &writing.project, call[0]).number;
    store::remove_tags(writing.transaction, writing.project, revision);
    writing.note("tag", fmt::format("{}", revision), revision);
    return Response{.status = 204};
  });
}

}  // namespace strata::service::buckets
