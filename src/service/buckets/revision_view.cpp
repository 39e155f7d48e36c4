// SPDX-License-Identifier: Apache-2.0
#include "service/buckets/revision_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "service/buckets/failure.hpp"
#include "service/buckets/yaml.hpp"
#include "service/entity_tags.hpp"
#include "strata/builder.hpp"

namespace strata::service::buckets {
namespace {

constexpr std::string_view kRevisionUrl = "https://deckhand/api/v1.0/revisions/";

}  // namespace

std::optional<std::int64_t> revision_number(std::string_view text) noexcept {
  std::int64_t out = 0;
  if (text.empty() || text.front() == '-') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) return std::nullopt;
  return error == std::errc() ? out : std::numeric_limits<std::int64_t>::max();
}

store::Revision demanded_revision(store::Transaction& transaction, const store::Project* project,
                                  const std::string& text, std::string type) {
  const auto number = revision_number(text);
  if (project != nullptr && number) {
    if (auto found = store::find_revision(transaction, *project, *number)) return *std::move(found);
  }
  // As a number, however large.
  const std::size_t zeros = number ? std::min(text.find_first_not_of('0'), text.size() - 1) : 0;
  throw no_revision(std::string_view(text).substr(zeros), std::move(type));
}

std::vector<store::Document> validation_policies(store::Transaction& transaction, const store::Project& project,
                                                 std::int64_t revision) {
  auto found = store::documents_at(transaction, project, revision, "deckhand/ValidationPolicy");
  std::erase_if(found, [revision](const store::Document& one) { return one.head.revision != revision; });
  return found;
}

Value stored_value(Arena& arena, const std::string& text) {
  return arena.deep_copy(read_json_text(text, "<store>", Limits()).root());
}

Value tags_value(Arena& arena, std::span<const store::Tag> tags) {
  MappingBuilder out(arena, KeyEquality::exact, tags.size());
  for (const store::Tag& tag : tags) out.insert(tag.name, tag.data ? stored_value(arena, *tag.data) : arena.mapping());
  return out.finish();
}

Value buckets_value(Arena& arena, std::span<const std::string> buckets) {
  SequenceBuilder out(arena, buckets.size());
  for (const std::string& bucket : buckets) out.append(arena.text(bucket));
  return out.finish();
}

Value revision_value(Arena& arena, const store::Revision& revision, std::span<const store::Tag> tags,
                     std::span<const store::Document> policies) {
  SequenceBuilder shown(arena, policies.size());
  for (const store::Document& policy : policies) {
    // The number at the end of the URL is the document's, as in the reference. Nothing in a policy says a status.
    shown.append(json_object(arena, {{"name", arena.text(policy.head.name)},
                                     {"status", arena.text("unknown")},
                                     {"url", arena.text(fmt::format("{}{}", kRevisionUrl, policy.head.number))}}));
  }
  return json_object(arena, {{"buckets", buckets_value(arena, revision.buckets)},
                             {"createdAt", arena.text(time_text(revision.created_at))},
                             {"id", Value::integer(revision.number)},
                             {"status", arena.text(policies.empty() ? "success" : "failed")},
                             {"tags", tags_value(arena, tags)},
                             {"url", arena.text(fmt::format("{}{}", kRevisionUrl, revision.number))},
                             {"validationPolicies", shown.finish()}});
}

std::string revision_tag(std::int64_t revision) { return fmt::format("\"{}\"", revision); }

Response write(const Call& call, const std::function<Response(Writing&)>& work) {
  return call.core.write(call, [&](Writing& writing) {
    const std::string newest = revision_tag(writing.project.last_revision);
    if (!allows_write(call.request, std::span(&newest, 1))) {
      throw Failure(412, "PreconditionFailed",
                    fmt::format("The newest revision is {}, not {}.", writing.project.last_revision,
                                call.request.headers.list("If-Match")));
    }
    return work(writing);
  });
}

}  // namespace strata::service::buckets
